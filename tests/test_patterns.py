"""Patterns are compiled when they are first used, and then behave as any other."""

import re
import subprocess
import sys

import pytest

from structce.patterns import lazy_pattern


def test_a_lazy_pattern_behaves_as_a_compiled_one():
    late, compiled = lazy_pattern("(a)b", re.IGNORECASE), re.compile("(a)b", re.IGNORECASE)
    assert late.search("xAB").groups() == compiled.search("xAB").groups()
    assert late.sub("-", "ab aB") == "- -"
    assert (late.pattern, late.groups, late.flags) == ("(a)b", 1, compiled.flags)
    assert lazy_pattern(b"a+").findall(b"aab a") == [b"aa", b"a"]


def test_an_expression_that_is_wrong_is_an_error_when_it_is_used():
    late = lazy_pattern("(")
    with pytest.raises(re.error):
        late.search("")


def test_reading_pages_compiles_no_pattern_when_it_is_imported():
    code = """
import re._compiler, sys
compiled, compile = [], re._compiler.compile
def count(expression, flags=0):
    frame = sys._getframe(1)
    while frame and frame.f_globals["__name__"] in ("re", "functools", "structce.patterns"):
        frame = frame.f_back
    compiled.append(frame.f_globals["__name__"])
    return compile(expression, flags)
re._compiler.compile = count
import structce.article
print([name for name in compiled if name.startswith("structce.")])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
