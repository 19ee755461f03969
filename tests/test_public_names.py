"""What the package hands out: names, and what ``help`` says of them."""

import pydoc
import re

import structce

NAMES = [name for name in structce.__all__ if name != "__version__"]


def test_help_shows_every_public_name():
    text = pydoc.plain(pydoc.render_doc(structce))
    _, _, contents = text.partition("PACKAGE CONTENTS")
    for name in NAMES:
        assert re.search(rf"^    (class |async )?{name}\(", contents, re.MULTILINE), name
    assert structce.__version__ in text.partition("\nVERSION\n")[2]


def test_every_public_name_says_in_one_sentence_what_it_is():
    for name in NAMES:
        first, _, _ = getattr(structce, name).__doc__.partition("\n")
        assert first.endswith((".", ":")), name
        assert not first.startswith(f"{name}("), name  # what dataclasses make up
