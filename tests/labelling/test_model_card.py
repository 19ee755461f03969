"""The card of a model tells people what its manifest tells programs."""

from structce.labelling.model_card import model_card

CARD = {
    "corpus": "harbour",
    "corpus_digest": "c0ffee",
    "licence": "CC0",
    "pages": 1234,
    "sites": 9,
    "regions": 5678,
    "labels": {"Title": 12, "None": 5666, "Author": 0, "Date": 0},
    "languages": {"de": 1000, "nb": 234},
    "calibrated": True,
}
MANIFEST = {
    "structce": "0.9",
    "renderer": "static",
    "labels": ["Title", "None", "Author", "Date"],
    "background": "None",
    "features": {"n_features": 77, "min_count": 3},
    "learner": {
        "learner": "structured-svm",
        "parameters": {"lambda_": 0.5, "max_epochs": 30, "tol": 0.01},
        "n_columns": 98765,
        "temperature": 0.625,
        "calibration": None,
        "diagnostics": {"gap_": 0.125, "objective_": 7.5, "curve_": [[1, 2.0, 3.0]]},
    },
    "card": CARD,
}


def card(**changes):
    """Return the card of a manifest with other entries under ``card``."""
    return model_card({**MANIFEST, "card": CARD | changes}, "my-model")


def rows(text):
    """Return the cells of all rows of all tables."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_the_card_describes_the_training_data():
    table = rows(card())
    assert ["digest of its pages and labels", "c0ffee"] in table
    assert ["languages", "de (1,000), nb (234)"] in table
    assert ["None", "5,666"] in table


def test_scores_are_a_table():
    scores = {"Title": {"f1": 0.89123, "support": 46}, "Author": {"f1": 0.8, "recall": 0.7}}
    table = rows(card(scores=scores))
    assert ["", "f1", "support", "recall"] in table
    assert ["Title", "0.8912", "46", ""] in table


def test_no_value_breaks_a_table():
    text = card(corpus="a | b\nc <script>")
    assert "a \\| b c &lt;script>" in text
