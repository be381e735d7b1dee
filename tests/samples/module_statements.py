import sys
x = 0
for i in range(5):
    if i % 2:
        continue
    x += i
else:
    print("else")
while x:
    x -= 1
    if x == 2:
        break
with __import__("contextlib").suppress(ValueError):
    int("x")
if x > 1:
    print("big")
elif x:
    print("small")
else:
    print("zero")
if __name__ == "never":
    sys.exit(main())
print(x, i)
