"""The function that ARCHITECTURE.md follows through all stages of the decompiler."""


def total(rows, low, high):
    seen = 0
    try:
        for row in rows:
            if low <= row < high:
                seen += row
    finally:
        close(rows)
    return seen


def close(rows):
    rows.clear()
