"""Agreement of labels and article: regions get the labels of the values chosen from them.

If labels and article disagree, the article is right more often, since it compares all candidates
of a field with the metadata. Its choices are clamped, labels that it refused are forbidden, and the
other regions are decoded again from their label probabilities.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from structce.arrays import Flags, Floats
from structce.article.choice import Choice
from structce.labelling import Labelling
from structce.language import normalise


def agree(
    labelling: Labelling,
    marginals: Floats,
    *,
    title: Choice | None,
    day: Choice | None,
    authors: Sequence[Choice],
) -> Labelling:
    """Return a labelling that is consistent with the choices of its article.

    The regions of the title, and no others, are Title; if no region shows the title, the likeliest
    run of Title is kept; a page without a title has no Title. Regions of the date are Date, those
    of an author Author. A region of several values gets the label of the first of title, date and
    author that begins there, otherwise of the first that continues there. No other region is
    Author, except one that names an author whom only metadata state. Each remaining region gets the
    likeliest of its remaining labels: posterior decoding under constraints. The confidence of a
    clamped region is that of the value, or that of its label if higher. ``marginals`` are the
    probabilities of every label at each region, shape (n_regions, n_labels).
    """
    names = labelling.label_set.names
    background = names.index(labelling.label_set.background)
    clamped = _clamped({"Title": [title], "Date": [day], "Author": authors}, labelling)
    allowed = np.ones_like(marginals, dtype=bool)
    _forbid_titles(labelling, allowed, title)
    _forbid_authors(labelling, allowed, authors)
    labels, confidence = list(labelling.labels), labelling.confidence.copy()
    codes = labelling.label_set.encode(labels)
    for i in np.flatnonzero(~allowed[np.arange(len(labels)), codes]).tolist():
        scores = np.where(allowed[i], marginals[i], -1.0)
        best = int(scores.argmax()) if scores.max() > 0 else background
        labels[i], confidence[i] = names[best], marginals[i, best]
    for i, (label, sureness) in clamped.items():
        before = confidence[i] if labels[i] == label else 0.0
        labels[i], confidence[i] = label, max(sureness, before)
    return replace(labelling, labels=tuple(labels), confidence=confidence)


def _clamped(
    fields: Mapping[str, Sequence[Choice | None]], labelling: Labelling
) -> dict[int, tuple[str, float]]:
    """Return the label and confidence of each region that a value was read from."""
    begun: dict[int, tuple[str, float]] = {}
    continued: dict[int, tuple[str, float]] = {}
    for label, choices in fields.items():
        for choice in choices if label in labelling.label_set.names else ():
            if choice is not None:
                regions = _regions_of(choice, labelling.page.text, is_name=label == "Author")
                for n, i in enumerate(regions):
                    (continued if n else begun).setdefault(i, (label, choice.confidence))
    return continued | begun


def _regions_of(choice: Choice, texts: Sequence[str], *, is_name: bool) -> list[int]:
    """Return the regions of a choice; of a name, the first and those that contain part of it."""
    regions, key = sorted(choice.candidate.regions), normalise(choice.candidate.value)
    if not is_name:
        return regions
    keys = {i: normalise(texts[i]) for i in regions}
    return [i for i, own in keys.items() if i == regions[0] or own in key or key in own]


def _forbid_titles(labelling: Labelling, allowed: Flags, title: Choice | None) -> None:
    """Allow Title only on the regions of the title, or on the likeliest run of Title regions."""
    if "Title" not in labelling.label_set.names:
        return
    kept = [*title.candidate.regions] if title else []
    named = [i for i, label in enumerate(labelling.labels) if label == "Title"]
    if title and not kept and named:
        blocks = labelling.page.blocks
        best = max(named, key=lambda i: float(labelling.confidence[i]))
        kept = [i for i in named if blocks[i] == blocks[best]]
    column = labelling.label_set.names.index("Title")
    allowed[:, column] = False
    allowed[kept, column] = True


def _forbid_authors(labelling: Labelling, allowed: Flags, authors: Sequence[Choice]) -> None:
    """Allow Author where an author was read, and where a name appears that only metadata state."""
    names, texts = labelling.label_set.names, labelling.page.text
    if "Author" not in names:
        return
    column = names.index("Author")
    chosen = {i for choice in authors for i in _regions_of(choice, texts, is_name=True)}
    allowed[:, column] = [i in chosen for i in range(len(texts))]
    stated = [normalise(c.candidate.value) for c in authors if not c.candidate.regions]
    for i, label in enumerate(labelling.labels):
        if label == "Author" and i not in chosen:
            text = normalise(texts[i])
            allowed[i, column] = any(key in text for key in filter(None, stated))
