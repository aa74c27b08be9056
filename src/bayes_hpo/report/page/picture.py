"""A figure as the page embeds it: without its caption, in few colours, compressed without loss."""

import base64
import io
from pathlib import Path

from PIL import Image

from bayes_hpo.errors import RunError

SHOWN = 0.6  # pixels on the page for one of the file
LEAST = 0.42  # the same on a narrow screen, where the rest is scrolled
COLOURS = 48  # spread over all hues: lines and letters lose nothing, and as WebP it is an eighth of the file


def picture(path: Path, drawn: float = 1.0) -> dict:
    """A PNG file for an img element: dict of src (data: address), width, height and least_width in pixels on the page.

    drawn: share of its height, from above, that is shown. Raises: RunError.
    """
    data = io.BytesIO()
    try:
        with Image.open(path) as image:
            shown = image.convert("RGB").crop((0, 0, image.width, round(image.height * drawn)))
    except (OSError, ValueError, SyntaxError) as problem:  # SyntaxError is what Pillow raises for a wrong checksum
        raise RunError(
            f"{path} is not a complete picture ({problem}); delete it and make its artifact again"
        ) from problem
    few = shown.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).convert("RGB")
    few.save(data, "WEBP", lossless=True)
    address = f"data:image/webp;base64,{base64.b64encode(data.getvalue()).decode()}"
    size = {"width": SHOWN * shown.width, "height": SHOWN * shown.height, "least_width": LEAST * shown.width}
    return {"src": address, **{name: round(pixels) for name, pixels in size.items()}}
