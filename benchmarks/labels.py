"""How well a labeller labels the regions of unseen sites, label by label, in two tables.

The word F1 of each label on the pages of a data set whose gold names every label (the bag of words
of a label's gold texts against that of the regions with the label, micro over pages), and
precision, recall and F1 over its regions, with the share of regions whose gold is one exact label.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from importlib import resources
from pathlib import Path

import click
import numpy as np
from tabulate import tabulate

from structce.corpus import Corpus, judged_page, read_judgements
from structce.evaluation import score
from structce.gold import Gold
from structce.labels import LabelSet
from structce.recipes import UnseenPage

_JUDGED = ("Advertisement", "Caption", "Multimedia", "Subtitle")
TEXT_LABELS = ("Title", "Author", "Paragraph", "Subtitle", "Caption")
"""Labels whose gold is text; dates are left out, because pages write them differently."""


def gold_texts(gold: Gold) -> dict[str, list[str]]:
    """Return the gold texts of each label."""
    texts: dict[str, list[str]] = {name: [] for name in TEXT_LABELS}
    texts["Title"] = [gold.title] if gold.title else []
    texts["Author"] = list(gold.authors)
    texts["Caption"] = list(gold.captions)
    for kind, text in gold.body:
        if kind in texts:
            texts[kind].append(text)
    return texts


def word_scores(pages: Iterable[UnseenPage]) -> dict[str, float]:
    """Return the word F1 of each label, micro over pages, and their mean as ``macro``."""
    counts = {name: np.zeros(3) for name in TEXT_LABELS}  # shared, found, gold
    for unseen in pages:
        expected = gold_texts(unseen.page.gold)
        for name, count in counts.items():
            texts = unseen.labelling.page.text
            named = zip(texts, unseen.labelling.labels, strict=True)
            predicted = _words(text for text, label in named if label == name)
            gold = _words(expected[name])
            count += (predicted & gold).total(), predicted.total(), gold.total()
    scores = {name: 2 * c[0] / max(1.0, c[1] + c[2]) for name, c in counts.items()}
    return scores | {"macro": float(np.mean(list(scores.values())))}


def _words(texts: Iterable[str]) -> Counter[str]:
    return Counter(word for text in texts for word in text.lower().split())


def region_rows(pages: Iterable[UnseenPage], label_set: LabelSet) -> list[list[object]]:
    """Return precision, recall, F1 and support of each label, and their means."""
    pairs = [
        (label_set.encode(page.page.labels), label_set.encode(page.labelling.labels))
        for page in pages
    ]
    gold, predicted = (np.concatenate(side) for side in zip(*pairs, strict=True))
    scores = score(gold, predicted, label_set)
    rows: list[list[object]] = [
        [
            label.name,
            label.measures.precision,
            label.measures.recall,
            label.measures.f1,
            label.support,
        ]
        for label in scores.labels
        if label.occurs
    ]
    mean = scores.macro_foreground
    rows.append(["mean without background", mean.precision, mean.recall, mean.f1, ""])
    rows.append(["gold is one label", "", "", float((gold >= 0).mean()), len(gold)])
    return rows


def show_scores(
    unseen: Sequence[UnseenPage], corpus: Corpus, data_set: Path
) -> dict[str, dict[str, object]]:
    """Print the scores on the judged pages and on those of a data set; return the latter.

    Parameters
    ----------
    data_set
        Folder of the data set's own corpus; without it only judged pages are shown.
    """
    head = ("label", "precision", "recall", "F1", "regions")
    for part, pages in _judged_pages(unseen).items():
        rows = [row for row in region_rows(pages, corpus.label_set) if row[0] in _JUDGED]
        click.echo(f"\njudged pages, part {part!r}: {len(pages)}\n")
        click.echo(tabulate(rows, headers=head, floatfmt=".3f", tablefmt="github"))
    report: dict[str, dict[str, object]] = {}
    ids = _ids(data_set) if data_set.exists() else {}
    for view in ("stated", "bare"):
        pages = [u for u in unseen if u.view == view and _key(u) in ids]
        if not pages:
            continue
        words = word_scores(pages)
        rows = region_rows(pages, corpus.label_set)
        click.echo(f"\n{data_set.name}, {len(pages)} pages, {view}\n")
        click.echo(tabulate([words], headers="keys", floatfmt=".3f", tablefmt="github"))
        click.echo()
        click.echo(tabulate(rows, headers=head, floatfmt=".3f", tablefmt="github"))
        report[view] = {"words": words, "regions": rows}
    return report


def _judged_pages(unseen: Iterable[UnseenPage]) -> dict[str, list[UnseenPage]]:
    """Return the judged pages as they are, with the labels that were judged, by part."""
    file = resources.files("structce.recipes") / "judged.jsonl"
    known = {
        judgement.digest: judgement for judgement in read_judgements(file.read_bytes(), file.name)
    }
    by_part: dict[str, list[UnseenPage]] = {}
    for unseen_page in unseen:
        judgement = known.get(unseen_page.page.page.provenance.digest)
        if judgement is not None and unseen_page.view == "stated":
            page = judged_page(unseen_page.page, judgement, unseen_page.labelling.label_set)
            by_part.setdefault(judgement.part, []).append(replace(unseen_page, page=page))
    return by_part


def _ids(folder: Path) -> Mapping[tuple[str, str], str]:
    """Return the pages of a data set by address and site, which merging leaves as they were."""
    return {(page.page.url, page.site): page.id for page in Corpus.load(folder)}


def _key(unseen: UnseenPage) -> tuple[str, str]:
    return unseen.page.page.url, unseen.page.site
