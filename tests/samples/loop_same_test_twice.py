def token(chars, quoted):
    state = ""
    word = ""
    while True:
        char = chars.pop() if chars else ""
        if state == "":
            if not char:
                break
            elif char == " ":
                print("space")
                if word or quoted:
                    break
                else:
                    continue
            elif char == "'":
                state = char
            else:
                word = char
                if word or quoted:
                    break
                else:
                    continue
        elif state == "'":
            if not char:
                if quoted:
                    print("end of file")
                raise ValueError("no closing quotation")
            if char == state:
                state = ""
                if word or quoted:
                    break
                else:
                    continue
            word += char
    return word, chars


for text in ("", " ab", "'ab' c", "  'x", "''"):
    for quoted in (False, True):
        try:
            print(token(list(reversed(text)), quoted))
        except ValueError as error:
            print(error)
