"""The tools of the server for language models, called by the client of the official package."""

import asyncio
import doctest
import json
import re
from pathlib import Path

import pytest

pytest.importorskip("mcp")

from mcp import Client

from structce.article import PageReader
from structce.labelling import ModelChoice
from structce.mcp import PageTools, make_server
from structce.rendering import StaticRenderer

DOCS = Path(__file__).parents[1] / "docs"
TEXT = " ".join(f"In week {n} nobody could say how long the works would take." for n in range(40))
PAGE = f"""<html lang=en><title>Ferry to stop in June</title><article><h1>Ferry to stop in June</h1>
<p>By Ann Lee</p><p>The ferry will stop in <b>June &amp; July</b>, the company said on Monday.</p>
<h2>The works</h2><p>{TEXT}</p></article></html>"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("outer") / "pages"
    (folder / "more").mkdir(parents=True)
    (folder / "ferry.html").write_text(PAGE)
    (folder / "more" / "short.html").write_text(PAGE.replace(TEXT, "They are short."))
    (folder / "notes.txt").write_text(PAGE)
    (folder.parent / "secret.html").write_text(PAGE.replace("Ferry", "Secret"))
    (folder / "link.html").symlink_to(folder.parent / "secret.html")
    return folder


@pytest.fixture(scope="module")
def tools(folder):
    with PageTools(PageReader(StaticRenderer(), ModelChoice()), folder, None) as tools:
        yield tools


@pytest.fixture(name="call")
def call_fixture(tools):
    def call(name, **arguments):
        async def ask():
            async with Client(make_server(tools)) as client:
                return await client.call_tool(name, arguments)

        result = asyncio.run(ask())
        text = result.content[0].text
        if result.is_error:
            return f"error: {text}"
        return result.structured_content if name != "read_page" else text

    return call


def test_a_client_is_told_of_four_tools_and_their_arguments(tools):
    async def listed():
        async with Client(make_server(tools)) as client:
            return (await client.list_tools()).tools

    found = {tool.name: set(tool.input_schema["properties"]) for tool in asyncio.run(listed())}
    assert found == {
        "read_page": {"page", "max_tokens", "cursor"},
        "find_quote": {"page", "quote"},
        "explain": {"page", "region"},
        "regions": {"page", "label", "cursor"},
    }


def test_parts_of_a_page_hold_the_whole_text_within_the_budget(call):
    parts, cursor = [], 0
    while cursor is not None:
        part = call("read_page", page="ferry.html", max_tokens=150, cursor=cursor)
        assert len(part) < 4 * 150 + 40
        more = re.search(r"\n\n\[There is more: cursor=(\d+)\]$", part)
        parts.append(part[: more.start()] if more else part)
        cursor = int(more[1]) if more else None
    assert len(parts) > 2
    assert 'title: "Ferry to stop in June"' in parts[0]
    assert "\n## The works" in "".join(parts)
    assert "".join(TEXT.split()) in "".join("".join(parts).split())


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("ferry will stop in June & July,  the company", "verbatim"),
        ("the FERRY will stop in June - July", "words"),
        ("The ferry will stop in June & July, the companies said on Monday.", "similar"),
        ("The ferry will run for ever and ever, said nobody", "no"),
    ],
)
def test_quotations_are_found_with_their_place(call, quote, found):
    answer = call("find_quote", page="ferry.html", quote=quote)
    assert answer["found"] == found
    for place in answer["places"][:1]:
        quoted = PAGE[place["start"] : place["end"]]
        assert "will stop in <b>June &amp; July" in quoted
        assert quoted.startswith("ferry") or found != "verbatim"
        assert place["labels"][0] == "Paragraph"
        assert place["xpath"].startswith("/html[1]")


def test_regions_are_listed_by_label_and_explained(call):
    answer = call("regions", page="more/short.html", label="Title")
    (title,) = answer["regions"]
    assert (title["text"], answer["next"]) == ("Ferry to stop in June", None)
    reason = call("explain", page="more/short.html", region=title["region"])
    assert reason["label"] == "Title"
    assert reason["sentence"]
    assert 0 < len(reason["columns"]) <= 5


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("read_page", {"page": "../secret.html"}, "no such page in the folder; its pages: ferry"),
        ("read_page", {"page": "/etc/passwd"}, "no such page"),
        ("read_page", {"page": "link.html"}, "a link that leads out of the folder"),
        ("read_page", {"page": "notes.txt"}, "no such page"),
        ("read_page", {"page": "nul\0.html"}, "no such page"),
        ("read_page", {"page": "https://post.example/"}, "only by 'structce mcp --network'"),
        ("read_page", {"page": "ferry.html", "cursor": 999}, "cursor 999; expected one that"),
        ("explain", {"page": "ferry.html", "region": 999}, "no region 999; the page has"),
        ("regions", {"page": "ferry.html", "label": "Titel"}, "expected one of Advertisement, "),
    ],
)
def test_what_cannot_be_read_is_an_error_with_the_next_step(call, tool, arguments, message):
    answer = call(tool, **arguments)
    assert answer.startswith("error: ")
    assert message in answer
    assert "Secret" not in answer


def test_the_transcript_of_the_docs_is_what_a_client_gets(tmp_path):
    text = (DOCS / "language-models.md").read_text(encoding="utf-8")
    (html,) = re.findall(r"^```html\n(.*?)^```$", text, re.M | re.S)
    (tmp_path / "ferry.html").write_text(html)
    blocks = re.findall(r"^```text\n> (\w+) (.*?)\n(.*?)^```$", text, re.M | re.S)
    assert {name for name, _, _ in blocks} == {"read_page", "find_quote", "explain", "regions"}
    check = doctest.OutputChecker().check_output
    with PageTools(PageReader(StaticRenderer(), ModelChoice()), tmp_path, None) as tools:
        for name, arguments, expected in blocks:
            answer = getattr(tools, name)(**json.loads(arguments))
            got = answer if isinstance(answer, str) else json.dumps(answer)
            flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
            assert check(expected, f"{got}\n", flags), got


def test_a_page_that_changes_is_read_again(tools, folder):
    path = folder / "changing.html"
    path.write_text(PAGE)
    assert "Ferry to stop" in tools.read_page("changing.html")
    path.write_text(PAGE.replace("Ferry", "Tram"))
    assert "Tram to stop" in tools.read_page("changing.html")
    path.unlink()


def test_private_addresses_are_refused_with_network_allowed():
    from structce.rendering import NetworkReader, Settings

    reader = PageReader(StaticRenderer(), ModelChoice())
    network = NetworkReader(Settings(network=True), is_named=False)
    with PageTools(reader, None, network) as tools:

        async def ask():
            async with Client(make_server(tools)) as client:
                return await client.call_tool("read_page", {"page": "http://127.0.0.1:8000/"})

        result = asyncio.run(ask())
    assert result.is_error
    assert "127.0.0.1" in result.content[0].text
