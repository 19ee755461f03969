"""What every plot has in common."""

import itertools
import re
import sys
from dataclasses import replace

import numpy as np
import pytest

from structce.errors import MissingExtraError
from structce.experiments.report.plots.base import (
    DARK,
    LIGHT,
    PLOT_CSS,
    finish_plot,
    open_figure,
    series_style,
)

# Machado, Oliveira and Fernandes (2009), A physiologically-based model for simulation of color
# vision deficiency, IEEE TVCG 15(6), table 1, severity 1.0; for linear RGB.
EYES = {
    "all cones": np.eye(3),
    "no red": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
               [-0.003882, -0.048116, 1.051998]],
    "no green": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
                 [-0.011820, 0.042940, 0.968881]],
    "no blue": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
                [0.004733, 0.691367, 0.303900]],
}  # fmt: skip


NAMES = tuple(
    """
    ablation contrast convergence costs intervals labels learning pairs parameter ranks
    reliability
    """.split()
)


@pytest.fixture(params=NAMES)
def figure(request, figures):
    return figures[request.param]


def test_a_plot_tells_its_title_and_description_to_who_cannot_see_it(figure, read):
    root = read(figure).root
    assert root.get("role") == "img"
    title, text = list(root)[:2]
    assert (title.text, text.text) == (figure.title, figure.description)
    assert root.get("aria-labelledby").split() == [title.get("id"), text.get("id")]
    assert re.search(r"\d", figure.description)


def test_a_plot_fills_its_width_and_stands_in_a_page_as_it_is(figure, read):
    assert figure.svg.startswith("<svg ")
    root = read(figure).root
    assert "width: 100%; height: auto" in root.get("style")
    assert root.get("viewBox").startswith("0 0 345.6 ")
    assert not read(figure).all("style")
    assert not read(figure).all("metadata")


def test_a_plot_has_only_colours_and_letters_of_the_page(figure):
    assert not re.search(r"#[0-9a-f]{6}\b(?!-)", figure.svg)
    assert "font-family: inherit" in figure.svg
    assert figure.svg.count("font-family") == 1
    named = set(re.findall(r"var\((--\w+)\)", figure.svg))
    assert named <= {"--ink", "--soft", "--line", "--paper", *(f"--s{n}" for n in range(1, 7))}


def test_no_text_of_a_plot_stands_outside_it(figure, texts_outside):
    assert texts_outside(figure) == []


def test_ids_of_all_plots_differ_and_every_reference_is_met(figures):
    page = "".join(figures[name].svg for name in NAMES)
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    used = set(re.findall(r'href="#([^"]+)"', page)) | set(re.findall(r"url\(#([^)]+)\)", page))
    assert used <= set(ids)
    assert "xlink" not in page


@pytest.mark.parametrize("name", NAMES)
def test_the_same_values_give_the_same_plot(name, figures, inputs, draw):
    assert draw(name, inputs).svg == figures[name].svg


def test_no_setting_of_the_user_counts(figures, inputs, draw):
    import matplotlib

    with matplotlib.rc_context({"font.size": 31, "svg.fonttype": "path"}):
        assert draw("intervals", inputs).svg == figures["intervals"].svg


class Hashed(str):
    """A name with a chosen hash, as another process could give it."""

    def __new__(cls, text, place):
        name = super().__new__(cls, text)
        name.place = place
        return name

    def __hash__(self):
        return self.place


@pytest.mark.parametrize("places", [(1, 2, 3, 4), (4, 3, 2, 1)])
def test_a_plot_of_ranks_does_not_depend_on_the_order_of_sets(figures, inputs, draw, places):
    ranking = inputs["ranking"]
    hashed = {name: Hashed(name, n) for name, n in zip(ranking.ranks, places, strict=True)}
    assert [name.place for name in set(hashed.values())] == [1, 2, 3, 4]
    ranks = {hashed[name]: rank for name, rank in ranking.ranks.items()}
    p_pairs = {
        hashed[a]: {hashed[b]: p for b, p in row.items()} for a, row in ranking.p_pairs.items()
    }
    other = replace(ranking, ranks=ranks, p_pairs=p_pairs)
    assert draw("ranks", {"ranking": other}).svg == figures["ranks"].svg


def test_names_are_shown_as_they_are_whatever_they_hold(read):
    name = """<b>"$x$" & #1d2a33 'url(#a)' 見出し</b>"""
    with open_figure(2) as sheet:
        sheet.subplots().set_xlabel(name)
        figure = finish_plot(sheet, name, f"{name} in words", "names")
    assert name in read(figure).texts
    assert read(figure).root[0].text == name
    assert "<b>" not in figure.svg


def test_a_name_of_any_length_leaves_room_for_the_plot(inputs, draw):
    def longer(name):
        return f"{name} {'and-so-on-' * 12}"

    study, report = inputs["study"], inputs["report"]
    candidates = tuple(
        replace(candidate, name=longer(candidate.name)) for candidate in study.candidates
    )
    pairs = tuple(replace(pair, first=longer(pair.first)) for pair in study.pairs)
    costs = tuple(replace(cost, candidate=longer(cost.candidate)) for cost in report.costs)
    changed = {
        "study": replace(study, candidates=candidates, pairs=pairs),
        "report": replace(report, costs=costs),
    }
    for name in ("intervals", "labels", "pairs", "convergence", "costs"):
        assert draw(name, changed).svg  # matplotlib warns where nothing is left: an error


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_equal_values_at_the_end_of_the_scale_are_drawn(inputs, draw, new_row, read, share):
    study = inputs["study"]
    row = replace(new_row([share] * 5), intervals={"macro_f1": (share, share)})
    study = replace(
        study, candidates=tuple(replace(candidate, row=row) for candidate in study.candidates)
    )
    for name in ("intervals", "labels", "costs"):
        drawn = read(draw(name, {**inputs, "study": study}))
        which = "y" if name == "costs" else "x"
        places = {place[which == "y"] for place in drawn.dots()[:4]}
        assert len(places) == 1
        assert drawn.value(which)(places.pop()) == pytest.approx(100 * share, abs=0.01)


@pytest.mark.parametrize("name", ["intervals", "labels", "pairs", "contrast", "costs"])
def test_no_plot_writes_a_negative_zero(inputs, draw, new_row, name):
    row = replace(new_row([0.0] * 5), intervals={"macro_f1": (0.0, 0.0)})
    study = inputs["study"]
    pair = replace(study.pairs[0], macro_difference=-0.00001, macro_interval=(-0.00002, 0.0))
    changed = {
        "study": replace(
            study,
            candidates=tuple(replace(candidate, row=row) for candidate in study.candidates),
            pairs=(pair,),
        ),
        "contrasts": tuple(
            replace(contrast, values=(0.5, 0.49999)) for contrast in inputs["contrasts"]
        ),
    }
    plot = draw(name, {**inputs, **changed})
    assert not re.search(r"[-\N{MINUS SIGN}]0(\.0*)?(?![.\d])", plot.description)
    assert not re.search(r">[-\N{MINUS SIGN}]0(\.0*)?<", plot.svg)


def test_without_matplotlib_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=r"structce\[experiments\]"), open_figure(2):
        pass


def test_series_are_told_apart_by_marker_and_line_and_not_by_colour_alone():
    first = [series_style(place) for place in range(6)]
    assert len({style.marker for style in first}) == len({style.line for style in first}) == 6
    every = {(style.marker, style.colour) for style in map(series_style, range(36))}
    assert len(every) == 36


@pytest.mark.parametrize(("colours", "ground"), [(LIGHT, "#ffffff"), (DARK, "#14191d")])
def test_series_colours_stand_out_from_the_page(colours, ground):
    for colour in colours:
        light, dark = sorted((luminance(colour), luminance(ground)), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 3  # WCAG 2.1, criterion 1.4.11


@pytest.mark.parametrize("eyes", sorted(EYES))
@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_series_colours_are_told_apart_by_all_eyes(colours, eyes):
    seen = [lab(np.asarray(EYES[eyes]) @ linear(colour)) for colour in colours]
    distances = [np.linalg.norm(a - b) for a, b in itertools.combinations(seen, 2)]
    assert min(distances) > 30


def test_the_style_gives_every_series_a_colour_in_both_themes():
    light, dark = PLOT_CSS.split("prefers-color-scheme: dark")
    for number, (colour, other) in enumerate(zip(LIGHT, DARK, strict=True), start=1):
        assert f"--s{number}: {colour};" in light
        assert f"--s{number}: {other};" in dark


def linear(colour):
    shares = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)


def luminance(colour):
    return linear(colour) @ [0.2126, 0.7152, 0.0722]


def lab(shares):
    """Return CIE 1976 L*a*b* of linear sRGB under D65."""
    xyz = [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750],
           [0.0193339, 0.1191920, 0.9503041]] @ np.clip(shares, 0, 1)  # fmt: skip
    x, y, z = (
        np.cbrt(v) if v > 0.008856 else 7.787 * v + 16 / 116 for v in xyz / [0.95047, 1, 1.08883]
    )
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])
