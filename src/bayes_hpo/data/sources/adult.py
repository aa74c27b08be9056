"""The UCI files of adult in the archive's coding: nominal values become equally spaced numbers in the order of UCI.

The order, the reversed sexes and the 0 for missing values were inferred from adult_test_R.dat, which this coding
reproduces.
"""

import numpy as np
from numpy.typing import NDArray

NOMINAL = {  # column -> values in UCI's order
    1: "Private Self-emp-not-inc Self-emp-inc Federal-gov Local-gov State-gov Without-pay Never-worked",  # workclass
    3: "Bachelors Some-college 11th HS-grad Prof-school Assoc-acdm Assoc-voc 9th 7th-8th 12th Masters 1st-4th 10th "
    "Doctorate 5th-6th Preschool",  # education
    5: "Married-civ-spouse Divorced Never-married Separated Widowed Married-spouse-absent Married-AF-spouse",
    6: "Tech-support Craft-repair Other-service Sales Exec-managerial Prof-specialty Handlers-cleaners "
    "Machine-op-inspct Adm-clerical Farming-fishing Transport-moving Priv-house-serv Protective-serv Armed-Forces",
    7: "Wife Own-child Husband Not-in-family Other-relative Unmarried",
    8: "White Asian-Pac-Islander Amer-Indian-Eskimo Other Black",
    9: "Male Female",
    13: "United-States Cambodia England Puerto-Rico Canada Germany Outlying-US(Guam-USVI-etc) India Japan Greece South "
    "China Cuba Iran Honduras Philippines Italy Poland Jamaica Vietnam Mexico Portugal Ireland France "
    "Dominican-Republic Laos Ecuador Taiwan Haiti Columbia Hungary Guatemala Nicaragua Scotland Thailand Yugoslavia "
    "El-Salvador Trinadad&Tobago Peru Hong Holand-Netherlands",  # native country
}
CLASSES = {"<=50K": 0, ">50K": 1}


def read_adult(text: str) -> tuple[NDArray, NDArray]:
    """(X (n, 14) unscaled, y (n,)) from the text of adult.data or adult.test, cells separated by spaces.

    Raises: ValueError for a row without exactly 15 cells, or with an unknown value.
    """
    columns = list(zip(*(line.split() for line in text.splitlines() if line.strip()), strict=True))
    *features, classes = columns
    X = [_codes(cells, NOMINAL[j]) if j in NOMINAL else np.array(cells, float) for j, cells in enumerate(features)]
    return np.column_stack(X), np.array([_code(CLASSES, cell.rstrip(".")) for cell in classes])


def _codes(cells, values):
    """Codes (n,) of nominal cells: spaced by 2 and centred, so that the 0 of a missing value is in the middle."""
    values = values.split()
    codes = {value: 2.0 * i + 1 - len(values) for i, value in enumerate(values)} | {"?": 0.0}
    return np.array([_code(codes, cell) for cell in cells])


def _code(codes, cell):
    if cell not in codes:
        raise ValueError(f"unknown value {cell}")
    return codes[cell]
