from math import *
from os.path import *

print(floor(2.5), basename("a/b"))
