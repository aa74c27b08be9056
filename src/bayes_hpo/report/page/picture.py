"""A figure as embedded in the page: without its caption, in few colours, losslessly compressed."""

import base64
import io
from pathlib import Path

import numpy as np
from PIL import Image

from bayes_hpo.errors import RunError

SHOWN = 0.6  # pixels on the page per pixel of the file
LEAST = 0.42  # the same on a narrow screen, where the figure scrolls
COLOURS = (8, 12, 16, 20, 24, 28, 32, 48)  # over all hues; with few colours a WebP file has an eighth of the size
TOLERANCE = 40  # largest change of a pixel, of 255: less than a step of antialiasing at an edge


def picture(path: Path, drawn: float = 1.0) -> dict:
    """A PNG file for an img element: dict of src (data: address), width, height and least_width in pixels on the page.

    drawn: share of its height, from the top, that is shown. Raises: RunError when the file is damaged.
    """
    data = io.BytesIO()
    try:
        with Image.open(path) as image:
            shown = image.convert("RGB").crop((0, 0, image.width, round(image.height * drawn)))
    except (OSError, ValueError, SyntaxError) as problem:  # Pillow raises SyntaxError for a wrong checksum
        raise RunError(
            f"{path} is not a complete picture ({problem}); delete it and make its artifact again"
        ) from problem
    in_few_colours(shown).save(data, "WEBP", lossless=True)
    address = f"data:image/webp;base64,{base64.b64encode(data.getvalue()).decode()}"
    size = {"width": SHOWN * shown.width, "height": SHOWN * shown.height, "least_width": LEAST * shown.width}
    return {"src": address, **{name: round(pixels) for name, pixels in size.items()}}


def in_few_colours(picture: Image.Image) -> Image.Image:
    """An RGB picture in the fewest of COLOURS for which no pixel changes by more than TOLERANCE, else in the most."""
    for colours in COLOURS:
        few = picture.quantize(colours, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).convert("RGB")
        if np.abs(np.asarray(picture, dtype=int) - np.asarray(few)).max() <= TOLERANCE:
            break
    return few
