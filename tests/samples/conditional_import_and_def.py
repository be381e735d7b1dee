import sys
if sys.version_info >= (3, 8):
    def f():
        return "new"
else:
    def f():
        return "old"
try:
    from json import loads
except ImportError:
    loads = None
print(f(), loads("[1]"))
