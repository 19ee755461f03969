"""Our extraction methods beside the texts that others' programs of the same methods gave.

    python3 -m benchmarks.extraction.reproduction ../shared/data
    python3 -m benchmarks.extraction.reproduction ../shared/data --method bte --system bte
    python3 -m benchmarks.extraction.reproduction ../shared/data --method boilerpipe \
        --system boilerpipe --words text
    python3 -m benchmarks.extraction.reproduction ../shared/data --method justext-lenient \
        --system justext --words text

For every page of the study whose text of `--system` is published, the words that `--method` keeps
are compared with the published ones by the Levenshtein ratio. What is only a matter of output does
not count: words are cut at tags on our side, too, since the programs put a space there, and
references that they leave as they are (``&laquo;``) are resolved. Of each page that differs the
last column shows whether the published words are those of the stretch of ``bte-2007`` in the
source, with the words that a browser does not show: of scripts, comments and options of a form.

With ``--words text`` the runs of letters and digits of both texts are compared instead, for
programs that put no space at tags. The study's jusText has the library's English list for all
pages, ours the list of the page's language.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from pathlib import Path

import click
from rapidfuzz.distance import Indel
from tabulate import tabulate

from benchmarks.extraction.study import SETS, open_outputs, published
from structce.errors import StructceError
from structce.extraction import Extraction, Extractor, ParsedDocument, make_extractor
from structce.extraction.token_spans import source_stretch, source_tokens
from structce.io import open_folder
from structce.rendering import decode, with_bar

ENOUGH = 0.95
"""Ratio above which two texts count as the same."""

_SHOWN = 6  # words at both ends of a text in the list of differing pages


@dataclass(frozen=True)
class Compared:
    """One page: our words and theirs, those of the source's stretch, and how alike they are."""

    data_set: str
    file: str
    ours: list[str]
    theirs: list[str]
    source: list[str]

    @property
    def ratio(self) -> float:
        """Levenshtein ratio of the words, in [0, 1]; 1 of two empty texts."""
        return Indel.normalized_similarity(self.ours, self.theirs)


def compare(
    data: Path, name: str, system: str, extractor: Extractor, *, is_text: bool = False
) -> Iterator[Compared]:
    """Yield the pages of a set, each with our words and the published ones.

    Parameters
    ----------
    is_text
        Whether words are runs of letters and digits of the texts, instead of what tags cut.
    """
    folder = open_folder(data / f"{name}.zip")
    texts = published(open_outputs(data), name, system)
    for file, output in with_bar(texts.items(), len(texts), what=name):
        packed = (folder / file).read_bytes()
        html = gzip.decompress(packed) if file.endswith(".gz") else packed
        try:
            document = decode(html, name=file)
            parsed = ParsedDocument.of(document)
            extraction = extractor.extract(parsed)
        except StructceError as error:
            click.echo(f"error: {error}", err=True)
            continue
        theirs = unescape(output.text)
        if is_text:
            yield Compared(name, file, letter_runs(extraction.text), letter_runs(theirs), [])
        else:
            ours = words_between_tags(parsed, extraction)
            yield Compared(name, file, ours, theirs.split(), words_of_source(parsed.html))


def letter_runs(text: str) -> list[str]:
    """Return the runs of letters, digits and underscores of a text."""
    return re.findall(r"\w+", text)


def words_between_tags(document: ParsedDocument, extraction: Extraction) -> list[str]:
    """Return the words of an extraction, each ended by white space or by a tag."""
    words, kept = document.words, document.words_in(extraction.spans)
    result: list[str] = []
    end = -1  # of the last word
    for i in kept.nonzero()[0].tolist():
        if words.start[i] == end:
            result[-1] += words.text[i]  # a letter of a writing without spaces
        else:
            result.append(words.text[i])
        end = words.end[i]
    return result


def words_of_source(html: str) -> list[str]:
    """Return all words of the stretch of a source that ``bte-2007`` finds."""
    first, end = source_stretch(html)
    inside = (token for token in source_tokens(html) if first <= token[0] and token[1] <= end)
    words = (html[start:stop] for start, stop in inside if html[start] != "<")
    return unescape(" ".join(words)).split()


def report(pages: list[Compared]) -> str:
    """Return the share of pages with the same text, by set, and the others."""
    rows: list[tuple[object, ...]] = []
    for name in (*SETS, "all"):
        own = [page.ratio for page in pages if name in (page.data_set, "all")]
        if own:
            same = sum(ratio > ENOUGH for ratio in own)
            rows.append((name, len(own), same, same / len(own), sum(own) / len(own)))
    head = ("set", "pages", f"ratio above {ENOUGH}", "share", "mean ratio")
    other = [
        (page.ratio, page.file, *map(_ends, (page.ours, page.theirs)), page.source == page.theirs)
        for page in sorted(pages, key=lambda page: page.ratio)
        if page.ratio <= ENOUGH
    ]
    listed = tabulate(other, ("ratio", "page", "ours", "theirs", "words of source"), "github")
    return f"{tabulate(rows, head, 'github', floatfmt='.3f')}\n\n{listed}"


def _ends(words: list[str]) -> str:
    number = len(words)
    if number > 2 * _SHOWN:
        words = [*words[:_SHOWN], "...", *words[-_SHOWN:]]
    return " ".join([f"({number})", *words])[:120]


@click.command()
@click.argument("data", type=click.Path(exists=True, path_type=Path))
@click.option("--method", default="bte-2007", show_default=True, help="Our extractor.")
@click.option(
    "--system", default="bte", show_default=True, help="Their system, as the study calls it."
)
@click.option("--words", type=click.Choice(("tags", "text")), default="tags", show_default=True)
def main(data: Path, method: str, system: str, words: str) -> None:
    """Compare the texts of one of our methods with published ones, page by page."""
    extractor = make_extractor(method)
    is_text = words == "text"
    pages = [
        page for name in SETS for page in compare(data, name, system, extractor, is_text=is_text)
    ]
    click.echo(report(pages))


if __name__ == "__main__":
    main()
