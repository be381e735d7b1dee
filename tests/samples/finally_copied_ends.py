def close(output, file, seen):
    try:
        if output:
            output()
    finally:
        try:
            seen.remove("readline")
        except ValueError:
            pass
        try:
            if file and "stdin" not in seen:
                file()
        finally:
            if seen:
                try:
                    seen.remove("backup")
                except ValueError:
                    print("no backup")
            seen.append("closed")


def enabled(cache, level):
    if level is None:
        return False
    try:
        return cache[level]
    except KeyError:
        print("lock")
        try:
            if level > 3:
                is_enabled = cache[level] = False
            else:
                is_enabled = cache[level] = level >= len(cache)
        finally:
            print("release")
        return is_enabled


def fail():
    raise TypeError


for output in (None, print, fail):
    for file in (None, print, fail):
        seen = ["readline", "backup"]
        try:
            print(close(output, file, seen), seen)
        except TypeError:
            print("failed", seen)
print(enabled({}, None), enabled({}, 1), enabled({1: 5}, 1), enabled({}, 4))
