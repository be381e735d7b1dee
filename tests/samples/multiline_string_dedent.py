class C:
    def f(self):
        text = """first
    second
third"""
        return text

print(C().f())
