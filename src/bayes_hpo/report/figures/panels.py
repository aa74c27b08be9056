"""Figures of panels: a column per validation, ours above the published of the same data sets."""


def both(compared):
    """Mean errors to draw: dict, ("ours" or "published", validation) -> frame (n_datasets, n_methods) in percent.

    compared: dict, validation -> Comparison. What the document lacks is absent: methods, or all of a validation.
    """
    errors = {("ours", name): part.mean for name, part in compared.items()}
    errors |= {("published", name): part.published for name, part in compared.items()}
    return {key: part for key, part in errors.items() if part.size}


def rows(keys):
    """Of keys of `both`, whose there are, from top to bottom."""
    return list(dict.fromkeys(whose for whose, _ in keys))


def axes(figure, keys, **options):
    """Dict, key of `both` -> its axis in the figure. options: as of Figure.subplots."""
    whose, names = rows(keys), list(dict.fromkeys(name for _, name in keys))
    grid = figure.subplots(len(whose), len(names), squeeze=False, **options)
    places = {
        (row, name): axis for row, line in zip(whose, grid, strict=True) for name, axis in zip(names, line, strict=True)
    }
    for key in places.keys() - set(keys):
        places[key].set_visible(False)
    return {key: places[key] for key in keys}


def notes(keys):
    """The sentence on the published panels."""
    if "published" in rows(keys):
        return ["published: recomputed on the same data sets from the cells of tables B.1 and B.2 (one decimal)."]
    return ["The document has no cells of these data sets."]
