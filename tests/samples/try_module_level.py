try:
    import does_not_exist_at_all as x
except ImportError:
    x = None
else:
    print("imported")
finally:
    print("tried")
print(x)
