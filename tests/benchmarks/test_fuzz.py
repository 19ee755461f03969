from random import Random

from benchmarks.fuzz import LARGEST, damaged, is_read
from structce.errors import SourceError

HTML = b"<p>By Ann Lee</p>"


def test_damage_is_reproducible_and_bounded():
    pages = [damaged(HTML, Random(seed)) for seed in range(40)]
    assert pages == [damaged(HTML, Random(seed)) for seed in range(40)]
    assert len({*pages}) > 35
    assert len(damaged(b"a" * LARGEST * 2, Random(1))) == LARGEST
    assert isinstance(damaged(b"", Random(1)), bytes)


def test_only_pages_with_unexpected_errors_are_kept(tmp_path, capsys):
    def refuse(document):
        raise SourceError(document.name)

    def fail(document):
        raise KeyError(document.name)

    path = tmp_path / "7-0.html"
    assert is_read(refuse, HTML, path)
    assert not path.exists()
    assert not is_read(fail, HTML, path)
    assert path.read_bytes() == HTML
    assert "7-0.html: KeyError" in capsys.readouterr().err
