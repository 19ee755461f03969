"""Templates of sites: in files, and of several sites at once."""

import pytest

from structce.errors import ExtractionError, ModelError
from structce.extraction import ParsedDocument, SiteTemplates, load_template, save_template
from structce.extraction.entropy import EntropyTemplate
from structce.extraction.templates import UpdatableTemplate
from structce.extraction.trained import TrainedExtractor, Training, load_trained, save_trained
from structce.extraction.web2text import shipped_web2text

TEMPLATE = EntropyTemplate(2, 0.5, ("p",), {"ferry": 0.25, "渡船": 1.0}, ("the",))


def test_a_template_is_read_as_it_was_written(tmp_path):
    save_template(TEMPLATE, tmp_path / "a.template")
    loaded = load_template(tmp_path / "a.template")
    assert loaded.state() == TEMPLATE.state()
    assert loaded.rows()[0] == {"term": "渡船", "entropy": 1.0}
    assert not isinstance(loaded, UpdatableTemplate)


def test_a_trained_extractor_is_not_a_template(tmp_path):
    save_trained(tmp_path / "a", TrainedExtractor("web2text", shipped_web2text(), Training()))
    with pytest.raises(ExtractionError, match="expected the template of a site"):
        load_template(tmp_path / "a")


def test_a_file_that_cannot_be_written_is_an_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ExtractionError, match="file"):
        save_template(TEMPLATE, tmp_path / "file" / "a.template")


@pytest.mark.parametrize("data", [b"", b"<p>One", b'{"format": 1}', b"PK\x03\x04" * 100])
def test_a_file_of_another_form_is_refused(tmp_path, data):
    (tmp_path / "a").write_bytes(data)
    with pytest.raises(ModelError, match="not a trained extractor"):
        load_trained(tmp_path / "a")


def test_each_site_has_a_template_of_its_own():
    def page(site, text):
        return ParsedDocument(f"<p>{site}</p><p>{text}</p>", url=f"https://{site}/{text}")

    pages = [page(site, text) for site in ("a.example", "b.example") for text in ("One", "Two")]
    templates = SiteTemplates("content-extractor", [*pages, page("c.example", "One")])
    assert templates.learnt_sites == ["a.example", "b.example"]
    assert [templates.extract(page).text for page in pages] == ["One", "Two"] * 2
    for site in ("c.example", "d.example"):
        with pytest.raises(ExtractionError, match="give several pages of the site"):
            templates.extract(page(site, "Three"))
