"""Pages that the shipped model of BoilerNet learns from."""

import numpy as np
import pytest
from leaf_paths import leaf_paths

from benchmarks.extraction.boilernet_model import as_tables
from structce.extraction import ParsedDocument
from structce.extraction.boilernet import text_leaves

PAGE = "<nav><a>Home</a></nav><main><h1>Title</h1><p>The ferry <span>will</span> stop</p></main>"


@pytest.mark.parametrize("seed", range(8))
def test_a_page_in_tables_has_the_same_texts_in_other_elements(seed):
    leaves = text_leaves(ParsedDocument(PAGE))
    turned = as_tables(leaves, np.random.default_rng(seed))
    assert turned.text == leaves.text
    assert (turned.parent < np.arange(len(turned.tag))).all()
    for path in leaf_paths(turned):
        assert path[:2] == ["html", "body"]
        assert not {"nav", "main", "span"} & set(path)
        assert path.count("table") == path.count("td")
    assert leaf_paths(turned)[0][-1] == "a"
