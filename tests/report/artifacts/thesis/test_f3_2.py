"""Figure 3.2 draws every row of every band as the measure says."""

from types import SimpleNamespace

import pytest
from matplotlib.colors import to_hex
from measured import frame, placed

from bayes_hpo.report.figures.splits import KINDS, LOOKS, figure, in_order
from bayes_hpo.report.figures.style import house

PROTOCOLS = [f"{validation}{'_' if kind else ''}{kind}" for kind in KINDS for validation in ("holdout", "kfold")]
PART = {to_hex(look["facecolor"]): part for part, look in LOOKS.items()}


@pytest.fixture(scope="module")
def rows(grid_of, iris, tmp_path_factory):
    """The frame of the measure on sixty rows of iris."""
    return frame(placed(grid_of(), iris, tmp_path_factory.mktemp("splits")), "splits")


@pytest.fixture(scope="module")
def drawn(rows):
    """(axes by protocol, notes) of the figure."""
    with house():
        made, notes = figure(SimpleNamespace(measure={"splits": rows}.__getitem__), measure="splits")
    return dict(zip(PROTOCOLS, made.axes, strict=True)), notes


def parts_of(axis, bands):
    """What is drawn: list by band (from above) of the parts by place (from the left)."""
    found = {}
    for bars in axis.collections:
        for path in bars.get_paths():
            box = path.get_extents()
            places = range(round(box.x0), round(box.x1))
            found.setdefault(round(box.y0, 6), {}).update(dict.fromkeys(places, PART[to_hex(bars.get_facecolor()[0])]))
    assert len(found) == bands
    return [[one[place] for place in sorted(one)] for _, one in sorted(found.items())]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_what_is_drawn_is_the_measure(drawn, rows, protocol):
    bands = in_order(rows[rows["protocol"] == protocol])
    assert parts_of(drawn[0][protocol], len(bands)) == bands.to_numpy().tolist()


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_rows_keep_their_place_in_all_bands_and_the_first_iteration_is_in_blocks(rows, protocol):
    own = rows[rows["protocol"] == protocol]
    bands = in_order(own)
    for row in bands.columns:
        assert bands[row].tolist() == own[own["row"] == row].sort_values(["iteration", "fold"])["part"].tolist()
    for _, band in bands.loc[1].iterrows():
        blocks = [part for part, before in zip(band, [None, *band], strict=False) if part != before]
        assert blocks.count("test") == blocks.count("validation") == 1
        assert blocks[-1] == "test"


def test_in_5_fold_the_folds_of_the_first_iteration_validate_from_left_to_right(rows):
    first = in_order(rows[rows["protocol"] == "kfold_sel"]).loc[1].reset_index(drop=True)
    starts = [list(band).index("validation") for _, band in first.iterrows()]
    assert starts == sorted(starts)
    assert starts[0] == 0


def test_iterations_are_below_each_other_with_their_folds(drawn):
    for protocol, axis in drawn[0].items():
        assert [label.get_text() for label in axis.get_yticklabels()] == [f"iteration {i}" for i in (1, 2, 3)]
        assert axis.yaxis_inverted()
        heights = {round(path.get_extents().height, 6) for bars in axis.collections for path in bars.get_paths()}
        assert len(heights) == 1
        bottoms = sorted({round(path.get_extents().y0, 6) for bars in axis.collections for path in bars.get_paths()})
        folds = 5 if protocol.startswith("kfold") else 1
        assert len(bottoms) == 3 * folds
        assert heights.pop() < 1 / folds
        assert [round(bottom) for bottom in bottoms] == sorted([1, 2, 3] * folds)


def test_the_shares_are_printed_above_their_rows(drawn):
    """Of 60 rows 21 test, 8 of the other 39 select, and a fifth of the rest validates."""
    texts = {protocol: [text.get_text() for text in axis.texts] for protocol, axis in drawn[0].items()}
    assert texts["holdout"] == texts["holdout_r"] == ["V 13 %, T 52 %", "G 35 %"]
    assert texts["holdout_sel"] == texts["holdout_sel_r"] == ["V 10 %, T 42 %", "S 13 %", "G 35 %"]
    places = {text.get_text(): text.get_position()[0] for text in drawn[0]["holdout_sel"].texts}
    assert list(places.values()) == [31 / 2, 31 + 8 / 2, 39 + 21 / 2]


def test_the_caption_names_the_data_set_and_its_sizes(drawn):
    said = " ".join(drawn[1])
    assert "tiny, first repetition: of 60 rows 21 for test, 8 for validation" in said
    assert "with a selection split 8 for selection, 6 for validation" in said
