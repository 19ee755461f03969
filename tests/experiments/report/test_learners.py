"""The page of a report: it stands alone, can be read by everyone, and believes nobody."""

import re
import sys
from dataclasses import replace

import pytest
from lxml import html

from structce.experiments.report.learners import learner_page
from structce.rendering.chromium.discovery import find_browser

PICTURE = '<figure class="comparison" id="of-west"><p>drawn</p></figure>'


@pytest.fixture(scope="session")
def page(report):
    study = report.studies[0]
    pictures = {(study.name, study.worst[0].page): PICTURE, ("elsewhere", "x"): "<p>nowhere</p>"}
    return learner_page(report, pictures).html


@pytest.fixture(scope="session")
def tree(page):
    return html.document_fromstring(page)


@pytest.fixture
def plain(monkeypatch):
    """Renders pages where no plots can be drawn, which is faster."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)

    def render(report):
        return html.document_fromstring(learner_page(report).html)

    return render


def text_of(node):
    return " ".join(node.text_content().split())


def test_the_page_stands_alone(page, tree):
    assert page.startswith("<!DOCTYPE html>")
    assert page.endswith("</html>\n")
    assert not tree.xpath("//script | //link | //img | //iframe | //object | //*[@src]")
    assert not tree.xpath("//@*[starts-with(name(), 'on')]")
    assert all(link.startswith("#") for link in tree.xpath("//@href"))
    assert not re.search(r"@import|url\((?!#)", page)


def test_links_lead_to_one_place_each(tree):
    places = tree.xpath("//@id")
    assert len(set(places)) == len(places)
    assert {link.removeprefix("#") for link in tree.xpath("//@href")} <= set(places)
    named = " ".join(tree.xpath("//@aria-labelledby")).split()
    assert set(named) <= set(places)


def test_contents_name_every_section_once(tree):
    links = tree.xpath("//nav[contains(@class, 'contents')]//a/@href")
    headed = tree.xpath("//h2[@id != 'answer']/@id | //h3[@id]/@id")
    assert sorted(link.removeprefix("#") for link in links) == sorted(headed)
    assert len(links) == len(set(links))


def test_settings_break_between_and_not_inside_so_that_wide_tables_fit(tree):
    cells = tree.xpath(
        "//section[@aria-labelledby='study-1-tuning']//td[contains(@class, 'settings')]"
    )
    assert cells
    for cell in cells:
        assert ", ".join(span.text for span in cell.iter("span")) == text_of(cell)
        assert all(span.text.count(" = ") == 1 for span in cell.iter("span"))


@pytest.fixture(name="tab", scope="module")
def an_open_report(page, tmp_path_factory):
    """A tab of 1280 pixels that shows the page from a file."""
    browser = find_browser(None)
    if browser is None:
        pytest.skip("no Chromium, Chrome or Edge is installed")
    playwright = pytest.importorskip("playwright.sync_api")
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(page, encoding="utf-8")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=str(browser.path), chromium_sandbox=False)
        tab = opened.new_page(viewport={"width": 1280, "height": 900})
        tab.emulate_media(reduced_motion="reduce")
        tab.goto(path.as_uri())
        yield tab
        opened.close()


@pytest.mark.browser
def test_tables_of_tuning_do_not_scroll_sideways_at_1280_pixels(tab):
    tables = tab.locator(".scroll[aria-label$='what it took']")
    widths = tables.evaluate_all("found => found.map(one => [one.scrollWidth, one.clientWidth])")
    assert len(widths) == 2
    assert all(needed <= room for needed, room in widths)


@pytest.mark.browser
def test_the_contents_stay_in_view_where_there_is_room(tab):
    section = tab.locator("#study-1-costs")
    section.scroll_into_view_if_needed()
    assert tab.evaluate("window.scrollY") > 2_000
    contents = tab.locator("nav.contents > ul").bounding_box()
    assert 0 <= contents["y"] < 100
    assert contents["x"] + contents["width"] < section.bounding_box()["x"]


@pytest.mark.browser
def test_plots_use_the_room_of_a_wide_screen(tab):
    plots = tab.locator("section[aria-labelledby='study-1-learners'] figure svg")
    try:
        for width, shown, least in ((1280, [True, False], 700), (600, [False, True], 300)):
            tab.set_viewport_size({"width": width, "height": 900})
            assert [plot.is_visible() for plot in plots.all()] == shown
            assert plots.nth(shown.index(True)).bounding_box()["width"] >= least
    finally:
        tab.set_viewport_size({"width": 1280, "height": 900})


def test_what_others_wrote_is_escaped(page, tree):
    assert "<i>anything" not in page
    assert text_of(tree.find(".//h1")) == "Is <i>anything</i> better than 100% nothing & _more_?"
    for hostile in ("<b>no</b>", "<b>by</b>", "<b>west</b>", "<img", "> <out>"):
        assert hostile not in page
        assert hostile in tree.text_content()
    assert "{{ 7 * 7 }}" in page


def test_the_answer_stands_first(tree):
    answer, *_ = tree.xpath("//main/section")
    assert answer.get("class") == "answer"
    assert "structured-svm has the highest macro F1: 89.89 per cent" in text_of(answer)


def test_each_study_has_its_tables_and_matrices(tree):
    captions = [text_of(node) for node in tree.xpath("//caption")]
    for start, n in (
        ("Table 2", 2), ("Table 3", 6), ("Confusion", 6), ("F1 by label", 2), ("Every two", 2),
        ("With fewer", 1), ("harbour news by site: families", 1), ("What was chosen", 2),
        ("Before and after", 2), ("What raised", 1), ("Mean ranks", 1), ("One learner in two", 1),
    ):  # fmt: skip
        assert (start, sum(caption.startswith(start) for caption in captions)) == (start, n)


def test_the_best_of_each_column_is_bold(tree):
    (table, _) = tree.xpath("//table[starts-with(normalize-space(caption), 'Table 2')]")
    bold = {row.xpath("string(th)"): row.xpath("td[@class='best']") for row in table.iter("tr")}
    assert len(bold["structured-svm"]) == 6
    assert bold["greedy-svm"] == []  # where both have 25.00, neither is bold
    assert bold["multiclass-svm"] == []


def test_the_chosen_point_of_each_grid_is_bold(tree):
    chosen = tree.xpath("//section[@aria-labelledby='study-1-tuning']//tr[@class='chosen']")
    assert [row.xpath("string(td[1])") for row in chosen] == [
        "lambda = 1.0, context = 5", "lambda = 10.0", "lambda = 1.0",
    ]  # fmt: skip


def test_confusion_is_as_strong_as_its_share_of_the_row(tree):
    (table, *_) = tree.xpath("//table[@class='matrix']")
    rows = {row.xpath("string(th)"): row.xpath("td") for row in table.xpath("tbody/tr")}
    author = rows["Author"]  # of 20: 10 right, 8 given None, 2 given Paragraph
    assert [text_of(cell) for cell in author] == ["10", "", "", "8", "2", ""]
    assert author[0].get("class") == "shade good"
    assert author[3].get("class") == "shade bad"
    assert author[0].get("style") == f"--shade: {0.06 + 0.56 * 0.5:.2f}"
    assert author[3].get("style") == f"--shade: {0.06 + 0.56 * 0.4:.2f}"
    assert author[1].get("style") == "--shade: 0.00"


def test_plots_stand_in_their_sections_and_can_be_read_without_seeing_them(tree):
    expected = {
        "learners": 1, "pairs": 1, "labels": 1, "learning": 1, "families": 1, "tuning": 5,
        "confidence": 2, "costs": 1,
    }  # fmt: skip
    for key, n in expected.items():
        figures = tree.xpath(f"//section[@aria-labelledby='study-1-{key}']//figure[svg]")
        assert (key, len(figures)) == (key, n)
        for figure in figures:
            *_, title, text = figure.xpath("svg/title | svg/desc")
            assert text_of(title) == text_of(figure.find("figcaption"))
            assert len(text_of(text)) > 20
    assert len(tree.xpath("//section[@aria-labelledby='across']//figure[svg]")) == 2


def test_worst_pages_show_mistakes_reasons_and_the_picture_that_is_theirs(tree):
    (section,) = tree.xpath("//section[@aria-labelledby='study-1-worst']")
    first, second, _ = section.xpath("details")
    assert "80.00 per cent right 6 of 30 regions wrong" in text_of(first.find("summary"))
    assert "text.token=<b>by</b> +1.25, (neighbours) -0.40" in text_of(first)
    assert first.xpath("figure[@id='of-west']/p/text()") == ["drawn"]
    assert not second.xpath("figure")
    assert "nowhere" not in tree.text_content()
    assert section.xpath("ul[@class='cmp-legend']")


def test_mistakes_of_one_kind_stand_together(report, plain):
    page = report.studies[0].worst[0]
    kinds = [("Title", "None"), ("Author", "None"), ("Title", "Author"), ("Author", "None")]
    mistakes = tuple(
        replace(page.mistakes[0], region=i, gold=gold, predicted=predicted)
        for i, (gold, predicted) in enumerate(kinds)
    )
    study = replace(report.studies[0], worst=(replace(page, mistakes=mistakes),))
    (section,) = plain(replace(report, studies=(study,))).xpath("//section[details/h6]")
    assert [text_of(heading) for heading in section.iter("h6")] == [
        "Author → None 2 regions", "Title → None", "Title → Author",
    ]  # fmt: skip
    assert [len(mistakes) for mistakes in section.xpath(".//ul[@class='mistakes']")] == [2, 1, 1]


def test_of_many_mistakes_of_one_kind_the_first_are_shown_and_the_others_folded(report, plain):
    page = report.studies[0].worst[0]
    many = tuple(replace(page.mistakes[0], region=i) for i in range(5))
    study = replace(report.studies[0], worst=(replace(page, mistakes=many),))
    (folded,) = plain(replace(report, studies=(study,))).xpath("//details/details")
    assert text_of(folded.find("summary")) == "2 more of this kind"
    assert len(folded.xpath("ul/li")) == 2
    assert len(folded.xpath("../ul/li")) == 3


def test_how_to_repeat_it_is_told_in_full(tree):
    (section,) = tree.xpath("//section[@aria-labelledby='about']")
    command, toml = (node.text for node in section.iter("pre"))
    assert command == "structce compare harbour.toml --seed 7 > <out>"
    assert "[learner.greedy-svm]\nlambda = [0.1, 1.0]\ncontext = [1, 5, 10, 25]" in toml
    said = text_of(section)
    assert "python-crfsuite not installed." in said
    assert "0123456789abcdef" * 4 in said
    assert "Training: 18 pages, 2 sites april.example, march.example" in said
    assert "Validation: 6 pages, 1 site may.example" in said
    assert "Features of the families text, style; columns set in fewer than 3 regions" in said


def test_caveats_name_the_studies_that_they_hold_for(tree):
    said = [text_of(node) for node in tree.xpath("//h3[@id='omitted']/following-sibling::ul/li")]
    assert "harbour news by page: Pages of one site are on both sides of the split, which " \
        "flatters every learner." in said  # fmt: skip
    assert "One split: another seed gives other numbers. Folds test every page." in said
    assert any(
        note.startswith("In no macro average of greedy-svm, linear-chain-crf") for note in said
    )
    assert "The confidence of greedy-svm is not known." in said
    assert len(set(said)) == len(said)


def test_without_matplotlib_the_page_has_its_tables_and_says_so(report, plain):
    tree = plain(report)
    assert not tree.xpath("//svg")
    assert len(tree.xpath("//caption[contains(., 'Table 3')]")) == 6
    (said,) = tree.xpath("//li[starts-with(normalize-space(.), 'Plots are left out')]")
    assert "structce[experiments]" in text_of(said)


def test_a_report_of_one_bare_study_has_no_empty_sections(report, plain):
    study = replace(
        report.studies[1], failures=(), ablations=(), learning=(), worst=(), power=None,
        candidates=report.studies[1].candidates[:1], pairs=(),
    )  # fmt: skip
    tree = plain(replace(report, studies=(study,), rankings=(), contrasts=(), command=""))
    shown = [place.removeprefix("study-1-") for place in tree.xpath("//h3/@id")]
    assert shown == ["learners", "labels", "each", "tuning", "repeat", "omitted"]
    assert not tree.xpath("//*[@id='across']")


def test_a_report_without_any_score_can_be_read(report, plain):
    study = replace(
        report.studies[0], candidates=(), pairs=(), ablations=(), learning=(), worst=(), power=None,
        reference="",
    )  # fmt: skip
    tree = plain(replace(report, studies=(study,), rankings=(), contrasts=(), costs=()))
    said = text_of(tree)
    assert "Nothing could be measured: every learner failed." in said
    assert "ArithmeticError: <b>no</b> minimum" in said


def test_splits_of_several_folds_are_all_told(report, plain):
    study = report.studies[0]
    folds = tuple(replace(study.splits[0], seed=7, n_columns=400 + i) for i in range(3))
    tree = plain(replace(report, studies=(replace(study, splits=folds),)))
    assert "3 splits by site" in text_of(tree)
    assert "One split: another seed" not in text_of(tree)
    assert [text_of(node) for node in tree.xpath("//h4")] == [
        f"Split {i + 1}, seed 7, {400 + i} columns" for i in range(3)
    ]


def test_light_and_dark_use_the_same_variables(page):
    assert "prefers-color-scheme: dark" in page
    used = set(re.findall(r"var\((--[\w-]+)\)", page))
    light = set(re.findall(r"(--[\w-]+):", page.split("@media")[0]))
    defined = set(re.findall(r"(--[\w-]+):", page))
    assert used <= defined
    assert {"--ink", "--paper", "--soft", "--line", "--tint", "--good", "--bad"} <= light
    dark = re.search(r"prefers-color-scheme: dark\) \{(.*?)\}\s*\}", page, re.DOTALL)[1]
    assert light == set(re.findall(r"(--[\w-]+):", dark))
