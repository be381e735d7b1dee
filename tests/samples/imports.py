import os
import os.path
import os.path as p
import collections.abc, json as j
from os import path
from os.path import join as jn, split
from collections import (OrderedDict, namedtuple as nt)

def f():
    import sys, xml.dom.minidom
    import importlib.util as iu
    from math import sqrt, floor as fl
    return sys.__name__, xml.__name__, iu.__name__, sqrt(4), fl(2.5)

print(os.path is p is path, j.__name__, jn is os.path.join, split, OrderedDict, nt, f())
