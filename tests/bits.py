"""Real damage to a file: one bit of it flipped."""

import struct
import zipfile


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


def flip_in_array(path, name):
    """Flip one bit among the last compressed values of an array in a .npz file.

    Choose an array of noise, such as seconds: a bit of a zip header (its time) or of a copied run may change no value.
    """
    with zipfile.ZipFile(path) as archive:
        entry = archive.getinfo(f"{name}.npy")
    content = bytearray(path.read_bytes())
    data = entry.header_offset + 30 + sum(struct.unpack_from("<HH", content, entry.header_offset + 26))
    content[data + entry.compress_size - 8] ^= 1
    path.write_bytes(content)
