"""Real damage to a file: one bit of it flipped."""


def flipped(path, every):
    """Yield the number of each `every`-th bit of a file while it is flipped; behind it the file is whole again."""
    whole = path.read_bytes()
    for bit in range(0, 8 * len(whole), every):
        content = bytearray(whole)
        content[bit // 8] ^= 1 << bit % 8
        path.write_bytes(content)
        try:
            yield bit
        finally:
            path.write_bytes(whole)
