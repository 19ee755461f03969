import json
import random
import sys
import xml.etree.ElementTree as ET
from concurrent.futures import Future

import pytest
from click.testing import CliRunner

from benchmarks.rendering import memory, parsing, processes, recovery, report, speed
from benchmarks.rendering.__main__ import main
from benchmarks.rendering.collectors import (
    COLLECTORS,
    OneCallAnElement,
    OneCallAPage,
    OneTab,
    Ours,
    Timing,
)
from benchmarks.rendering.pages import digest, spread
from benchmarks.rendering.processes import Sample
from structce.errors import RenderError
from structce.rendering.static import StaticRenderer


def sample(n_done, megabytes):
    held = {"python": megabytes, "driver": 1.0, "browser": 2.0}
    return Sample(float(n_done), n_done, held, held, 1)


class Renderer:
    """A renderer whose pages come back, or not, without any browser."""

    name = "fake"
    workers = 1

    def __init__(self, lost=()):
        self.lost = set(lost)

    def submit(self, document):
        future = Future()
        if document.name in self.lost:
            future.set_exception(RenderError(f"{document.name}: gone"))
        else:
            future.set_result(StaticRenderer().render(document))
        return future


def test_pages_are_spread_evenly_and_their_order_counts_in_the_digest(documents):
    assert spread(list(range(10)), 3) == [0, 3, 6]
    assert spread(documents, 9) == documents
    assert digest(documents) != digest(documents[::-1])


def test_ratios_pair_the_same_page_and_round():
    record = speed.Record()
    for page, ours in enumerate((1.0, 2.0, 4.0)):
        for turn in (0, 1):
            rows = (("/a[1]", "x"), ("/a[2]", "y"))
            record.add(Ours.name, page, turn, Timing(ours, 2 * ours, rows))
            record.add(OneCallAPage.name, page, turn, Timing(3 * ours, 3 * ours, rows[:1]))
    record.add(OneCallAnElement.name, 2, 0, Timing(80.0, 80.0, ()))
    figures = record.figures()
    page, element = figures[OneCallAPage.name], figures[OneCallAnElement.name]
    assert page["collecting_ratio"] == {"low": 3.0, "median": 3.0, "high": 3.0}
    assert page["whole_ratio"]["median"] == 1.5
    assert page["ours_found"] == 0.5
    assert (element["n_pages"], element["collecting_ratio"]["median"]) == (1, 20.0)
    assert figures[Ours.name]["collecting_ratio"]["median"] == 1.0


def test_pages_a_second_are_in_the_tables_and_speeds_in_the_plot(documents):
    record = speed.Record()
    record.add(Ours.name, 0, 0, Timing(0.02, 0.2, ()))
    fast = speed.pages_per_second(Renderer(), documents)
    workers = [{"renderer": "fake", "workers": 1, "pages_per_second": speed.quartiles([fast])}]
    figures = {"speed": {"ways": record.figures(), "workers": workers}}
    ways, seconds = report.tables(figures).values()
    assert ways[0]["collecting, ms"] == "20.0 (20.0 to 20.0)"
    assert seconds[0]["pages/s"].startswith(f"{fast:.1f}")
    assert "ours: collecting" in dict(report.plots(figures))["speed"]


def test_the_slow_loop_gets_fewer_pages_and_ways_take_turns(documents):
    calls = []

    class Way:
        def __init__(self, name):
            self.name = name

        def measure(self, document):
            calls.append((self.name, document.name))
            return Timing(1.0, 1.0, ())

    ways = [Way(name) for name in (OneCallAnElement.name, OneCallAPage.name, Ours.name)]
    record = speed.in_turns(documents, ways, 1, 2, lambda _: None)
    assert {name: len(times) for name, times in record.taken.items()} == {
        OneCallAnElement.name: 2,
        OneCallAPage.name: 6,
        Ours.name: 6,
    }
    firsts = [name for name, document in calls if document == documents[1].name][::2]
    assert firsts == [OneCallAPage.name, Ours.name]


@pytest.mark.browser
@pytest.mark.parametrize("make", COLLECTORS)
def test_every_way_collects_the_pages_text(chromium, documents, make):
    with make(None) as way:
        way.measure(documents[1])
        taken = way.measure(documents[0])
    assert "No end in sight" in {text for _, text in taken.rows}
    assert 0 < taken.collecting < taken.whole


@pytest.mark.browser
def test_one_call_a_page_finds_our_regions_where_nothing_is_hidden(chromium, documents):
    with OneTab() as way, Ours() as ours:
        assert {*way.measure(documents[0]).rows} == {*ours.measure(documents[0]).rows}


def test_parts_of_the_static_renderer_are_timed_and_put_back(documents):
    def functions():
        return [getattr(sys.modules[part.module], part.function) for part in parsing.PARTS]

    usual = functions()
    with StaticRenderer() as renderer:
        figures = parsing.profile(renderer, documents, 1)
    assert [*figures] == [part.name for part in parsing.PARTS] + ["the rest"]
    assert min(figures.values()) >= 0
    assert [
        getattr(parsing.sys.modules[part.module], part.function) for part in parsing.PARTS
    ] == usual


def test_growth_of_memory_is_that_of_the_second_half():
    samples = [sample(n, 500.0 if n < 50 else 100.0 + 0.2 * n) for n in range(101)]
    figures = memory.figures(samples, "python")
    assert figures["growth_per_100_pages"] == pytest.approx(20.0)
    assert (figures["most"], figures["last"]) == (500.0, pytest.approx(120.0))
    assert memory.figures(samples, "driver")["growth_per_100_pages"] == pytest.approx(0.0)


def test_this_process_is_python_and_holds_memory():
    sampled = processes.sample(0.0, 3)
    assert sampled.n_done == 3
    assert 0 < sampled.own["python"] <= sampled.megabytes["python"]


def test_memory_is_looked_at_when_all_pages_are_done():
    done = 0
    with processes.Sampler(lambda: done) as sampler:
        done = 7
    assert sampler.samples[-1].n_done == 7


@pytest.mark.parametrize(
    ("executable", "kind"),
    [
        ("/usr/bin/python3.11", "python"),
        ("/x/driver/node", "driver"),
        ("/usr/bin/dash", "driver"),
        ("/usr/lib/chromium/chromium-headless-shell", "browser"),
    ],
)
def test_processes_are_told_apart_by_their_executable(executable, kind):
    assert processes.kind_of(executable) == kind


def test_a_process_that_is_not_below_this_one_is_never_killed():
    assert not processes.kill(1)


def test_pages_that_do_not_come_back_are_named(documents):
    outcome = recovery.run(Renderer(lost=[documents[1].name]), documents)
    assert outcome.lost == [f"{documents[1].name}: gone"]
    assert list(outcome.rows) == [0, 2]


def test_a_killer_waits_for_a_browser_and_says_when_it_killed():
    killed = iter([False, False, True, True])

    class Patient(recovery.Killer):
        def _kill_one(self):
            return next(killed)

    with Patient(Renderer(), [0.0, 0.0], random.Random(0)) as killer:
        killer._thread.join()
    assert len(killer.done) == 2


def test_the_static_part_prints_tables_and_writes_figures(article_folder, tmp_path):
    out = tmp_path / "out"
    arguments = [str(article_folder), "--out", str(out), "--parts", "static", "--rounds", "1"]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0, done.output
    figures = json.loads((out / "figures.json").read_text("utf-8"))
    assert all(title in done.output for title in figures["tables"])
    assert figures["static"]["sizes"][-1]["n_pages"] == figures["corpus"]["n_pages"] == 3
    assert len(figures["static"]["lxml_ms"]) == 3
    assert ET.parse(out / "static.svg").getroot().tag.endswith("svg")


@pytest.mark.browser
def test_parts_with_a_browser_run_and_every_page_comes_back(chromium, article_folder, tmp_path):
    out = tmp_path / "out"
    options = ["--pages", "2", "--memory-pages", "3", "--kills", "1"]
    options += ["--parts", "memory,recovery,agreement"]
    done = CliRunner().invoke(main, [str(article_folder), "--out", str(out), *options])
    assert done.exit_code == 0, done.output
    figures = json.loads((out / "figures.json").read_text("utf-8"))
    assert {path.stem for path in out.glob("*.svg")} == {"memory", "agreement"}
    assert [outcome["lost"] for outcome in figures["recovery"]] == [[], []]
    assert figures["memory"]["errors"] == figures["agreement"]["errors"] == []


def test_an_unknown_part_is_wrong_usage(article_folder):
    done = CliRunner().invoke(main, [str(article_folder), "--out", "x", "--parts", "static,colour"])
    assert done.exit_code == 2
    assert "'colour' is not one of speed, static, memory" in done.output


def test_a_folder_without_pages_is_an_error_with_a_reason(tmp_path):
    done = CliRunner().invoke(main, [str(tmp_path), "--out", str(tmp_path / "out")])
    assert done.exit_code == 1
    assert "contains no page" in done.output
