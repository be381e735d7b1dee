def gen():
    class CM:
        def __enter__(self):
            return 1
        def __exit__(self, *a):
            print("exit")
    try:
        with CM() as x:
            yield x
            try:
                yield x + 1
            finally:
                yield "cleanup"
    finally:
        print("end")

print(list(gen()))
