"""Commands and published texts as extractors."""

import json
import os
import sys

import psutil
import pytest

from structce.errors import ExtractionError
from structce.extraction import (
    Command,
    Extraction,
    ParsedDocument,
    PublishedTexts,
    commands,
    make_extractor,
)

PAGE = ParsedDocument(
    "<p>Gr\u00fc\u00dfe &amp; K\u00fcsse</p>", url="https://a.example/b", name="p"
)


def python(code, **options):
    return Command((sys.executable, "-c", code), **options)


def test_a_command_reads_the_page_and_writes_the_text():
    code = "import sys; sys.stdout.buffer.write(sys.stdin.buffer.read().upper() + b'\\n')"
    assert python(code).extract(PAGE) == Extraction("<P>GR\u00fc\u00dfE &AMP; K\u00fcSSE</P>")


def test_the_html_of_a_command_is_read_as_text():
    code = "import sys; sys.stdout.buffer.write(sys.stdin.buffer.read())"
    assert python(code, is_html=True).extract(PAGE).text == "Gr\u00fc\u00dfe & K\u00fcsse"


def test_a_command_knows_the_address():
    assert python("import os; print(os.environ['PAGE_URL'])").extract(PAGE).text == PAGE.url


def test_a_command_that_fails_is_an_error_with_its_message():
    with pytest.raises(ExtractionError, match=r"p: .* exited with status 3: no content"):
        python("import sys; sys.stderr.write('no content'); sys.exit(3)").extract(PAGE)


def test_a_command_that_hangs_is_killed():
    with pytest.raises(ExtractionError, match=r"more than 0\.2 s"):
        python("import time; print('a', flush=True); time.sleep(600)", seconds=0.2).extract(PAGE)


def test_a_command_that_closes_its_output_and_hangs_is_killed():
    code = "import os, time; os.close(1); time.sleep(600)"
    with pytest.raises(ExtractionError, match="more than"):
        python(code, seconds=0.2).extract(PAGE)


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="the system has no groups of processes")
@pytest.mark.parametrize("start", ["", "setsid ", "nohup ", "setsid nohup "])
def test_nothing_that_a_command_starts_outlives_it(start, tmp_path):
    file = tmp_path / "pid"
    shell = f"{start}sleep 600 & echo $! > {file}; echo hi"
    assert Command(("sh", "-c", shell)).extract(PAGE) == Extraction("hi")
    process = int(file.read_text())
    assert not psutil.pid_exists(process) or psutil.Process(process).status() == "zombie"


def test_a_command_that_complains_without_end_fills_nothing():
    code = "import sys; [sys.stderr.write('a' * 10**6) for _ in range(50)]; sys.exit(3)"
    with pytest.raises(ExtractionError) as raised:
        python(code).extract(PAGE)
    assert len(str(raised.value)) < 1000


def test_a_command_that_writes_without_end_is_killed(monkeypatch):
    monkeypatch.setattr(commands, "MAX_PAGE_BYTES", 1000)
    with pytest.raises(ExtractionError, match="more than 1,000 bytes"):
        python("while True: print('a' * 100)").extract(PAGE)


def test_a_command_need_not_read_the_page():
    big = ParsedDocument("<p>" + "a" * 1_000_000)
    assert python("print('done')").extract(big).text == "done"


def test_a_command_that_is_not_there_is_an_error():
    with pytest.raises(ExtractionError, match="not started"):
        make_extractor("command:/no/such/program").extract(PAGE)


@pytest.mark.parametrize("name", ["command:", "command: 'open quote"])
def test_a_command_that_cannot_be_read_is_an_error(name):
    with pytest.raises(ExtractionError, match="command"):
        make_extractor(name)


def test_an_argument_may_have_spaces():
    made = make_extractor("command:tool --name 'two words'")
    assert made.arguments == ("tool", "--name", "two words")


ROWS = [
    {"file": "html/1.html.gz", "text": "One\u2028\x85line"},
    {"file": "html/2.html.gz", "text": "Two"},
]


@pytest.mark.parametrize(
    ("content", "first"),
    [
        ("\n".join(json.dumps(row, ensure_ascii=False) for row in ROWS), "One\u2028\x85line"),
        (json.dumps(ROWS[0]), "One\u2028\x85line"),
        (json.dumps({"1": {"articleBody": "One"}, "2": {"articleBody": None}}), "One"),
        (json.dumps({"1": "One"}), "One"),
    ],
)
@pytest.mark.parametrize("name", ["1", "1.html", "html/1.html.gz", "set.zip/html/1.html.gz"])
def test_published_texts_are_found_by_name(tmp_path, content, first, name):
    path = tmp_path / "texts.jsonl"
    path.write_text(content)
    system = make_extractor(f"texts:{path}")
    assert isinstance(system, PublishedTexts)
    assert system.extract(ParsedDocument("", name=name)).text == first


def test_a_page_without_a_published_text_is_an_error():
    with pytest.raises(ExtractionError, match="3: there is no published text"):
        PublishedTexts({"1": "One"}).extract(ParsedDocument("", name="3"))


@pytest.mark.parametrize("content", ["no JSON", "[1, 2]", '{"a": 1}', '{"file": "a"}\n{"b": 1}'])
def test_a_file_of_another_form_is_an_error(tmp_path, content):
    path = tmp_path / "texts.jsonl"
    path.write_text(content)
    with pytest.raises(ExtractionError, match="not a file of texts"):
        PublishedTexts.read(path)


def test_a_file_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(ExtractionError, match="not a file of texts"):
        PublishedTexts.read(tmp_path / "none")
