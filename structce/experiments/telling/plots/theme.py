"""The colours of the plots, which follow the light or dark theme of the page they stand in."""

from __future__ import annotations

INK, SOFT, RULE, PAPER = "#0a0b01", "#0a0b02", "#0a0b03", "#0a0b04"
"""Drawn as these, shown as the page's colours of text, of lesser text, of lines, of its ground."""

SERIES = tuple(f"#0a0b{number}" for number in range(11, 17))
"""Drawn as these, shown as six colours of ``STYLE``; see :func:`...plots.drawing.series`."""

VARIABLES = {
    INK: "var(--ink)",
    SOFT: "var(--soft)",
    RULE: "var(--line)",
    PAPER: "var(--paper)",
} | {colour: f"var(--s{number})" for number, colour in enumerate(SERIES, start=1)}
"""What stands in the page for each colour that a plot is drawn in."""

LIGHT = ("#2d45ac", "#cd781c", "#00a16b", "#825f8c", "#622900", "#211d28")
DARK = ("#32d3ff", "#eb751b", "#4c945d", "#b8669e", "#ffe815", "#d3faf1")
"""Blue, orange, green, mauve, brown or yellow, ink: the hues of Okabe and Ito, moved so that each
stands out from #fff or #14191d by a contrast of 3 or more, and from the others for eyes that lack
red, green or blue as well (CIE 1976 difference over 30, Machado et al. 2009)."""


def _variables(colours: tuple[str, ...]) -> str:
    return " ".join(f"--s{number}: {one};" for number, one in enumerate(colours, start=1))


STYLE = f"""\
:root {{ {_variables(LIGHT)} }}
@media (prefers-color-scheme: dark) {{
  :root {{ {_variables(DARK)} }}
}}
svg.plot {{ display: block; width: 100%; height: auto; max-width: 34rem; }}
"""
"""Rules that a page with plots needs, besides its own ``--ink``, ``--soft``, ``--line`` and
``--paper``."""
