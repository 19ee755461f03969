import random
import tomllib

import pytest
import tomli_w

from structce.experiments.toml_tables import equals_sign, line_of, names_of

TEXT = '''\
# seed = 1
question = """
seed = 2
[learner.fake]
""" # [learner.fake]
corpus = [ # first
  "a # no comment", 'b = 3',  # two
  """c
  ]""",
  "d]",
]
splits = { by = ["site",
  "page"], train = 0.5, "a.b" = { c.d = "}" } }
dotted.key . "with dots.in it" = 'x'
seed =\t7
when = 1979-05-27 07:32:00.5

[ features ] # seed = 9
"min_count" = 3
'families' = []
literal = \'\'\'
min_pages = "
\'\'\'
min_pages = """a\\"""b""""
quotes = \'\'\'x\'\'\'\'\'

[learner."odd = name".deeper]
lambda = [[1, 2], [
  3]]

[[learner.listed]]
x = 1
[[learner.listed]]
x = 2
[learner]
y = { }
'''


def test_the_text_of_these_tests_is_toml():
    assert tomllib.loads(TEXT)["seed"] == 7


@pytest.mark.parametrize(
    ("key", "line"),
    [
        (("question",), 2),
        (("corpus",), 6),
        (("corpus", 0), 7),
        (("corpus", 1), 7),
        (("corpus", 2), 8),
        (("corpus", 3), 10),
        (("splits",), 12),
        (("splits", "by"), 12),
        (("splits", "by", 0), 12),
        (("splits", "by", 1), 13),
        (("splits", "train"), 13),
        (("splits", "a.b", "c", "d"), 13),
        (("dotted",), 14),
        (("dotted", "key"), 14),
        (("dotted", "key", "with dots.in it"), 14),
        (("seed",), 15),
        (("when",), 16),
        (("features",), 18),
        (("features", "min_count"), 19),
        (("features", "families"), 20),
        (("features", "literal"), 21),
        (("features", "min_pages"), 24),
        (("features", "quotes"), 25),
        (("learner",), 27),
        (("learner", "odd = name"), 27),
        (("learner", "odd = name", "deeper"), 27),
        (("learner", "odd = name", "deeper", "lambda"), 28),
        (("learner", "odd = name", "deeper", "lambda", 1), 28),
        (("learner", "odd = name", "deeper", "lambda", 1, 0), 29),
        (("learner", "listed", "x"), 32),
        (("learner", "y"), 36),
    ],
)
def test_a_key_stands_in_its_line(key, line):
    assert line_of(TEXT, key) == line


@pytest.mark.parametrize(
    ("key", "line"),
    [
        ((), 1),
        (("nothing",), 1),
        (("nothing", "below"), 1),
        (("features", "nothing"), 18),
        (("splits", "nothing"), 12),
        (("corpus", 9), 6),
        (("learner", "fake"), 27),
        (("learner", "odd = name", "deeper", "context", 3), 27),
    ],
)
def test_what_is_not_there_has_the_line_of_its_table_and_else_the_first(key, line):
    assert line_of(TEXT, key) == line


@pytest.mark.parametrize("text", ["", "\n\n", "# a = 1", "a = 1", "a = 1\r\nb = [\r\n]\r\n"])
def test_short_texts_have_lines_too(text):
    assert line_of(text, ("a",)) == 1
    assert line_of(text, ("b",)) == (2 if "b" in text else 1)


def test_every_key_of_a_file_is_found_in_the_line_that_names_it():
    rows = ["top0 = 0", *(f'[t{i}]\nk{i} = ["[", "#", "\\""] # = {{' for i in range(50))]
    text = "\n".join(rows)
    lines = text.split("\n")
    for i in range(50):
        assert lines[line_of(text, (f"t{i}",)) - 1] == f"[t{i}]"
        assert lines[line_of(text, (f"t{i}", f"k{i}", 2)) - 1].startswith(f"k{i} =")


@pytest.mark.parametrize(
    ("text", "place"), [("a=1", 1), ('a."b=c" = "="', 8), ("'='", -1), ("", -1), ("a b", -1)]
)
def test_an_equals_sign_counts_outside_quotes(text, place):
    assert equals_sign(text) == place


def test_names_of_a_dotted_key_are_taken_apart():
    assert names_of("learner . greedy-svm.'a.b'.\"\\u0041\"") == (
        "learner",
        "greedy-svm",
        "a.b",
        "A",
    )


@pytest.mark.parametrize("dotted", ["", "a..b", "a b", "a.", "#", "[t]\n[u]\na", "\n"])
def test_what_is_no_dotted_key_is_an_error(dotted):
    with pytest.raises(ValueError, match=r".+"):
        names_of(dotted)


class Scattered:
    """Random tables of odd keys, in which every string is there once."""

    ODD = ("plain", "a.b", "x = 1", "[t]", "# no", 'q"q', "'s'", "\\", "ü", "")

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.places = {}

    def table(self, key=(), depth=0):
        names = [f"{self.random.choice(self.ODD)}{i}" for i in range(4)]
        return {name: self.value((*key, name), depth) for name in names}

    def value(self, key, depth):
        kind = self.random.choice(["text", "table", "list"] if depth < 3 else ["text"])
        if kind == "table":
            return self.table(key, depth + 1)
        if kind == "list":
            return [self.text((*key, i)) for i in range(self.random.randrange(4))]
        return self.text(key)

    def text(self, key):
        mark = f"mark {len(self.places)}."
        self.places[key] = mark
        return f"{self.random.choice(self.ODD)}{mark}\n[no]\n\"\"\" ''' {{ ]"


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("is_multiline", [False, True])
def test_whatever_another_library_writes_is_found(seed, is_multiline):
    scattered = Scattered(seed)
    table = scattered.table()
    text = tomli_w.dumps(table, multiline_strings=is_multiline)
    assert tomllib.loads(text) == table
    lines = text.split("\n")
    assert scattered.places
    for key, mark in scattered.places.items():
        first = line_of(text, key) - 1
        assert mark in "\n".join(lines[first : first + 2]), key
        assert is_multiline or mark in lines[first]
