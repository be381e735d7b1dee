def mark(cls):
    print("marked", cls.__name__)
    return cls


class Base:
    def h(self):
        return "base"


for flag in (0, 1):

    @mark
    class Child(Base):
        "Documented."

        @property
        def name(self):
            return "child"

        if not flag:

            def h(self):
                return super().h() + " child"

    print(Child().h(), Child().name)
