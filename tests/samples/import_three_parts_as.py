import xml.etree.ElementTree as tree
import os.path as path

print(tree.__name__, path.join("a", "b"))
