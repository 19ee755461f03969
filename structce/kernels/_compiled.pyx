# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True
"""Compiled loops over typed columns; ``reference.py`` has the same functions in NumPy.

Arguments are converted to contiguous arrays of one type, and every index that comes from them is
checked before it is used, so that no page or model can make a loop read or write outside an array.
Loops take time linear in their input and do not recurse.
"""

from cpython.array cimport array, resize_smart
from cpython.dict cimport PyDict_GetItemWithError
from cpython.exc cimport PyErr_CheckSignals
from cpython.object cimport PyObject
from cpython.ref cimport Py_INCREF, Py_XDECREF
from cpython.set cimport PySet_Add
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_FromKindAndData, PyUnicode_GET_LENGTH
from cpython.unicode cimport PyUnicode_KIND, PyUnicode_READ, PyUnicode_READ_CHAR
from cpython.sequence cimport PySequence_Fast, PySequence_Fast_GET_ITEM, PySequence_Fast_GET_SIZE
from libc.math cimport NAN, exp, isfinite, sqrt
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memchr, memcmp, memset
from numpy cimport import_array, ndarray, NPY_ARRAY_IN_ARRAY, NPY_BOOL, NPY_FLOAT32, NPY_FLOAT64
from numpy cimport NPY_INT32, NPY_INT64, npy_intp, NPY_UINT16, PyArray_DATA, PyArray_DIM
from numpy cimport PyArray_EMPTY, PyArray_FILLWBYTE, PyArray_FROM_OTF, PyArray_IS_C_CONTIGUOUS
from numpy cimport PyArray_NBYTES, PyArray_NDIM, PyArray_SIZE, PyArray_TYPE, PyArray_ZEROS
from numpy cimport PyTypeNum_ISCOMPLEX, PyTypeNum_ISNUMBER

cdef extern from "Python.h":
    object PyFrozenSet_New(PyObject* values)
    bint PyUnicode_IS_ASCII(object text)
    Py_ssize_t PyUnicode_FindChar(object text, Py_UCS4 c, Py_ssize_t start, Py_ssize_t end, int way)
    bint Py_UNICODE_ISALNUM(Py_UCS4 character)
    bint Py_UNICODE_ISALPHA(Py_UCS4 character)
    bint Py_UNICODE_ISDECIMAL(Py_UCS4 character)
    bint Py_UNICODE_ISDIGIT(Py_UCS4 character)
    bint Py_UNICODE_ISLOWER(Py_UCS4 character)
    bint Py_UNICODE_ISSPACE(Py_UCS4 character)
    bint Py_UNICODE_ISTITLE(Py_UCS4 character)
    bint Py_UNICODE_ISUPPER(Py_UCS4 character)

import unicodedata

import numpy as np

ctypedef int32_t* Ints
ctypedef int64_t* Longs
ctypedef float* Singles
ctypedef double* Doubles

import_array()

cdef frozenset NO_NAMES = frozenset()


cdef inline int expect(bint is_right, str problem) except -1:
    if not is_right:
        raise ValueError(problem)
    return 0


cdef inline ndarray as_array(object values, int kind, Py_ssize_t n=-1):
    """Return a contiguous array of a type, of ``n`` values unless that is negative."""
    cdef ndarray given = PyArray_FROM_OTF(values, kind, NPY_ARRAY_IN_ARRAY)
    if n >= 0 and PyArray_SIZE(given) != n:
        raise ValueError(f"expected {n} values, got {PyArray_SIZE(given)}")
    return given


cdef inline ndarray as_table(object values):
    cdef ndarray given = as_array(values, NPY_FLOAT64)
    expect(PyArray_NDIM(given) == 2, "expected a table")
    return given


cdef inline ndarray as_output(object table, int kind):
    """Return a table that is changed in place, so that it cannot be converted."""
    cdef ndarray given = <ndarray?> table
    if PyArray_NDIM(given) != 2 or PyArray_TYPE(given) != kind or not PyArray_IS_C_CONTIGUOUS(given):
        raise ValueError("expected a contiguous table of the right type")
    return given


cdef ndarray as_places(object values, Py_ssize_t stop):
    """Return numbers from 0 up to an end."""
    cdef ndarray given = as_array(values, NPY_INT32)
    cdef Ints places = <Ints> given.data
    cdef int32_t i, last = min(stop - 1, 0x7FFFFFFF)
    cdef bint is_wrong = False
    for i in range(<int32_t> PyArray_SIZE(given)):
        is_wrong |= (places[i] < 0) | (places[i] > last)
    expect(not is_wrong, "expected places in an array")
    return given


cdef ndarray as_tree(object parent):
    """Return the parents of elements, each of which precedes its element; -1 for none."""
    cdef ndarray given = as_array(parent, NPY_INT32)
    cdef Ints above = <Ints> given.data
    cdef int32_t i
    cdef bint is_wrong = False
    for i in range(<int32_t> PyArray_SIZE(given)):
        is_wrong |= (above[i] < -1) | (above[i] >= i)
    expect(not is_wrong, "expected a parent before each element")
    return given


cdef inline ndarray empty(Py_ssize_t n, int kind):
    cdef npy_intp size = n
    return PyArray_EMPTY(1, &size, kind, 0)


cdef inline ndarray zeros(Py_ssize_t n_rows, Py_ssize_t n_columns, int kind):
    cdef npy_intp shape[2]
    shape[0], shape[1] = n_rows, n_columns
    return PyArray_ZEROS(2, shape, kind, 0)


cdef inline int note(dict places, object key, object place) except -1:
    """Add a place to the list of a key."""
    cdef PyObject* found = PyDict_GetItemWithError(places, key)
    if found == NULL:
        places[key] = [place]
    else:
        (<list> found).append(place)
    return 0


# Trees of elements: the parent of each element precedes it.


cdef enum:
    NEAREST, COUNT, UNION, PATH


cdef ndarray inherited(object parent, object values, int kind, int way, int64_t nothing):
    """Return a value per element, made of its own and of the value of the element above it."""
    cdef ndarray above = as_tree(parent)
    cdef Py_ssize_t i, n = PyArray_SIZE(above)
    cdef ndarray own = as_array(values, kind, n), out = empty(n, NPY_INT64)
    cdef Ints p = <Ints> above.data
    cdef uint8_t* mark = <uint8_t*> own.data
    cdef Longs bits = <Longs> own.data, o = <Longs> out.data
    cdef int64_t outer
    for i in range(n):
        outer = o[p[i]] if p[i] >= 0 else nothing
        if way == NEAREST:
            o[i] = i if mark[i] else outer
        elif way == COUNT:
            o[i] = outer + mark[i]
        elif way == UNION:
            o[i] = outer | bits[i]
        else:
            o[i] = (outer & (<int64_t> 1 << 50) - 1) << 10 | bits[i] if bits[i] else outer
    return out


def nearest(parent, marks):
    return inherited(parent, marks, NPY_BOOL, NEAREST, -1)


def counts_above(parent, marks):
    return inherited(parent, marks, NPY_BOOL, COUNT, 0)


def bits_down(parent, bits):
    return inherited(parent, bits, NPY_INT64, UNION, 0)


def packed_paths(parent, codes):
    return inherited(parent, as_places(codes, 1024), NPY_INT64, PATH, 0)


def sums_below(parent, element, values):
    cdef ndarray above = as_tree(parent)
    cdef Py_ssize_t i, n = PyArray_SIZE(above), n_columns = 1
    cdef ndarray holder = as_places(element, n), given = as_array(values, NPY_FLOAT64)
    cdef Py_ssize_t m = PyArray_SIZE(holder)
    cdef bint is_table = PyArray_NDIM(given) == 2
    if is_table:
        n_columns = PyArray_DIM(given, 0)
    expect(PyArray_SIZE(given) == n_columns * m, "sums_below: expected a value for each region")
    cdef ndarray out = zeros(n_columns, n, NPY_FLOAT64)
    cdef Ints p = <Ints> above.data, e = <Ints> holder.data
    cdef Doubles v = <Doubles> given.data, o = <Doubles> out.data
    for _ in range(n_columns):
        for i in range(m):
            o[e[i]] += v[i]
        for i in range(n - 1, 0, -1):
            if p[i] >= 0:
                o[p[i]] += o[i]
        o, v = o + n, v + m
    return out if is_table else out[0]


def bits_up(parent, bits):
    cdef ndarray above = as_tree(parent)
    cdef Py_ssize_t i, n = PyArray_SIZE(above)
    cdef ndarray out = as_array(bits, NPY_INT64, n).copy()
    cdef Ints p = <Ints> above.data
    cdef Longs o = <Longs> out.data
    for i in range(n - 1, 0, -1):
        if p[i] >= 0:
            o[p[i]] |= o[i]
    return out


def path_numbers(parent, codes):
    cdef ndarray above = as_tree(parent)
    cdef Py_ssize_t i, n = PyArray_SIZE(above), capacity = 64
    while capacity < 2 * n:
        capacity *= 2
    cdef ndarray own = as_array(codes, NPY_INT64, n), out = empty(n, NPY_INT64)
    cdef ndarray first = empty(capacity, NPY_INT64)  # element with the path of each slot
    PyArray_FILLWBYTE(first, 0xFF)
    cdef Ints p = <Ints> above.data
    cdef Longs c = <Longs> own.data, o = <Longs> out.data, slot = <Longs> first.data
    cdef int64_t start, known, n_paths = 0
    cdef uint64_t at
    for i in range(n):
        start = o[p[i]] if p[i] >= 0 else -1
        at = (<uint64_t> (start + 1) << 32) ^ <uint64_t> c[i]
        at = (at * 0x9E3779B97F4A7C15u) >> 20
        while True:
            at &= capacity - 1
            known = slot[at]
            if known < 0:
                slot[at] = i
                o[i] = n_paths
                n_paths += 1
                break
            if c[known] == c[i] and (o[p[known]] if p[known] >= 0 else -1) == start:
                o[i] = o[known]
                break
            at += 1
    return out


def unions_down(parent, own):
    cdef ndarray above = as_tree(parent)
    cdef Py_ssize_t i, n = PyArray_SIZE(above)
    cdef list given = list(own), sets = [None] * n
    expect(len(given) == n, "unions_down: expected one set for each element")
    cdef Ints p = <Ints> above.data
    cdef dict known = {}
    cdef frozenset outer
    cdef object names, key, last_names = None, last_outer = None, joined = None
    for i in range(n):
        outer = <frozenset?> sets[p[i]] if p[i] >= 0 else NO_NAMES
        names = given[i]
        if not names:
            sets[i] = outer
            continue
        if names is not last_names or outer is not last_outer:  # siblings mostly share their names
            key = (outer, names)
            joined = known.get(key)
            if joined is None:
                joined = known[key] = outer if names <= outer else outer | names
            last_names, last_outer = names, outer
        sets[i] = joined
    return sets


def near_unions(parent, element, own):
    cdef ndarray above = as_tree(parent)
    cdef Py_ssize_t r, n = PyArray_SIZE(above)
    cdef ndarray holder = as_places(element, n)
    cdef list given = list(own), sets = [None] * n, result = []
    expect(len(given) == n, "near_unions: expected one set for each element")
    cdef Ints p = <Ints> above.data, e = <Ints> holder.data
    cdef dict known = {}
    cdef object joined, key, first, second, third
    cdef int32_t a, b
    for r in range(PyArray_SIZE(holder)):
        a = p[e[r]]
        joined = sets[a] if a >= 0 else NO_NAMES
        if joined is None:
            first, b = given[a], p[a]
            second = given[b] if b >= 0 else NO_NAMES
            third = given[p[b]] if b >= 0 and p[b] >= 0 else NO_NAMES
            joined, key = first, (first, second, third)
            if second or third:
                joined = known.get(key)
                if joined is None:
                    joined = known[key] = NO_NAMES.union(first, second, third)
            sets[a] = joined
        result.append(joined)
    return result


def number_values(values):
    cdef object sequence = PySequence_Fast(values, "expected a sequence"), value
    cdef Py_ssize_t i, n = PySequence_Fast_GET_SIZE(sequence)
    cdef ndarray out = empty(n, NPY_INT32)
    cdef Ints o = <Ints> out.data
    cdef dict known = {}
    cdef PyObject* found
    cdef PyObject* last[64]  # one value and its number by a part of its address
    cdef int32_t numbers[64]
    cdef size_t at
    memset(last, 0, sizeof(last))
    for i in range(n):
        found = <PyObject*> PySequence_Fast_GET_ITEM(sequence, i)
        at = (<size_t> found >> 4 ^ <size_t> found >> 10) & 63
        if last[at] != found:
            last[at], value = found, <object> found
            found = PyDict_GetItemWithError(known, value)
            if found == NULL:
                known[value] = numbers[at] = len(known)
            else:
                numbers[at] = <object> found
        o[i] = numbers[at]
    return out


def map_rows(function, *columns):
    cdef list result = [], rows = [PySequence_Fast(column, "expected rows") for column in columns]
    cdef Py_ssize_t i, k, n_columns = len(rows), n = len(rows[0]) if rows else 0
    cdef object value = None
    cdef bint is_same = False
    cdef PyObject* own
    cdef list last = [None] * n_columns
    for column in rows:
        expect(len(column) == n, "map_rows: columns of different lengths")
    for i in range(n):
        is_same = i > 0
        for k in range(n_columns):
            own = <PyObject*> PySequence_Fast_GET_ITEM(rows[k], i)
            if own != <PyObject*> last[k]:
                last[k] = <object> own
                is_same = False
        if not is_same:
            value = function(*last)
        result.append(value)
    return result


def map_codes(function, *columns):
    cdef list given = [as_array(column, NPY_INT64) for column in columns]
    cdef Py_ssize_t i, k, n_columns = len(given), n = PyArray_SIZE(given[0]) if given else 0
    cdef int64_t* codes[8]
    cdef int64_t sizes[8]
    cdef int64_t key, n_keys = 1, last = -1
    cdef dict known = {}
    cdef list result = []
    cdef object value = None
    cdef PyObject* found
    expect(n_columns <= 8, "map_codes: too many columns")
    for k in range(n_columns):
        expect(PyArray_SIZE(given[k]) == n, "map_codes: columns of different lengths")
        codes[k], sizes[k] = <Longs> PyArray_DATA(given[k]), 1
        for i in range(n):
            expect(0 <= codes[k][i] < 0x7FFFFFFF, "map_codes: no such code")
            sizes[k] = max(sizes[k], codes[k][i] + 1)
        expect(n_keys <= (<int64_t> 1 << 62) // sizes[k], "map_codes: too many codes")
        n_keys *= sizes[k]
    for i in range(n):
        key = 0
        for k in range(n_columns):
            key = key * sizes[k] + codes[k][i]
        if key != last:
            found = PyDict_GetItemWithError(known, key)
            if found == NULL:
                value = known[key] = function(*[codes[k][i] for k in range(n_columns)])
            else:
                value = <object> found
            last = key
        result.append(value)
    return result


def places_of(values):
    cdef dict places = {}
    for i, value in enumerate(values):
        note(places, value, i)
    return places


def places_of_keys(rows):
    cdef dict places = {}
    for i, row in enumerate(rows):
        for key in <dict> row if type(row) is dict else dict(row):
            note(places, key, i)
    return places


# Encoding and scores.


cdef enum:
    RECENT = 128  # values whose numbers are found by their address
    TOGETHER = 128  # rows that go down a tree together, a bit each
    DEEPEST = 8  # levels of a tree whose leaf is numbered by a byte

cdef uint64_t BYTES[256]  # the bits of a byte as the bytes of a number
for _code in range(256):
    BYTES[_code] = sum((_code >> _bit & 1) << 8 * _bit for _bit in range(8))


cdef bint fill_column(
    ndarray values, Py_ssize_t n, ndarray borders, ndarray bins, int32_t plain, Ints o
) except -1:
    """Set the number of each flag or number; return False for numbers without bins."""
    cdef Py_ssize_t i, k, n_borders = PyArray_SIZE(borders)
    cdef int kind = PyArray_TYPE(values)
    cdef bint is_flag = kind == NPY_BOOL
    expect(PyArray_SIZE(values) == n, "first_rows: expected one value for each region")
    expect(PyArray_SIZE(bins) == n_borders + 2, "first_rows: expected one number an interval")
    if not is_flag and (not n_borders or not PyTypeNum_ISNUMBER(kind) or PyTypeNum_ISCOMPLEX(kind)):
        return False
    values = as_array(values, NPY_BOOL if is_flag else NPY_FLOAT64, n)
    cdef uint8_t* flags = <uint8_t*> values.data
    cdef Doubles v = <Doubles> values.data, b = <Doubles> borders.data
    for i in range(n):
        if is_flag:
            o[i] = plain if flags[i] else 0
        elif i and v[i] == v[i - 1]:  # as neighbours often are
            o[i] = o[i - 1]
        else:
            k = 0 if isfinite(v[i]) else n_borders + 1
            while k < n_borders and v[i] >= b[k]:
                k += 1
            o[i] = (<Ints> bins.data)[k]
    return True


cdef list fill_known(object sequence, Py_ssize_t n, dict known, Ints o):
    """Set the number of each value, -1 for an unknown one; return these."""
    cdef Py_ssize_t i
    cdef size_t at
    cdef dict missing = {}
    cdef object value
    cdef PyObject* found
    cdef PyObject* recent[RECENT]  # regions often share one object
    cdef int32_t numbers[RECENT]
    memset(recent, 0, sizeof(recent))
    for i in range(n):
        value = <object> PySequence_Fast_GET_ITEM(sequence, i)
        at = (<size_t> <PyObject*> value >> 4 ^ <size_t> <PyObject*> value >> 11) % RECENT
        if <PyObject*> value != recent[at]:
            found = PyDict_GetItemWithError(known, value)
            if found == NULL:
                missing[value] = None
            numbers[at] = -1 if found == NULL else <object> found
            recent[at] = <PyObject*> value
        o[i] = numbers[at]
    return list(missing)


def first_rows(
    list values not None, list known not None, list borders not None, list bins not None,
    list plain not None, learn, firsts,
):
    cdef ndarray out = as_output(firsts, NPY_INT32)
    cdef Py_ssize_t f, i, n_features = PyArray_DIM(out, 0), n = PyArray_DIM(out, 1)
    expect(
        len(values) == len(known) == len(borders) == len(bins) == len(plain) == n_features,
        "first_rows: expected one of each for each feature"
    )
    cdef Ints o = <Ints> out.data
    cdef list left = [], missing
    cdef object own, sequence
    cdef dict numbers
    cdef ndarray limits, numbers_of
    for f in range(n_features):
        own = values[f]
        if isinstance(own, np.ndarray):
            limits, numbers_of = as_array(borders[f], NPY_FLOAT64), as_array(bins[f], NPY_INT32)
            if not fill_column(own, n, limits, numbers_of, plain[f], o + f * n):
                left.append(f)
        elif own is not None:
            sequence, numbers = PySequence_Fast(own, "expected a sequence"), known[f]
            expect(PySequence_Fast_GET_SIZE(sequence) == n, "first_rows: too few or many values")
            try:
                missing = fill_known(sequence, n, numbers, o + f * n)
            except TypeError:
                left.append(f)
                continue
            if missing:
                learn(f, missing)
                expect(PySequence_Fast_GET_SIZE(sequence) == n, "first_rows: values have changed")
                for i in range(n):
                    if o[f * n + i] < 0:
                        own = <object> PySequence_Fast_GET_ITEM(sequence, i)
                        o[f * n + i] = numbers[own]
    return left


def add_rows(result, rows, firsts, features, steps, offsets):
    cdef ndarray sums = as_output(result, NPY_FLOAT64), weights = as_table(rows)
    cdef Py_ssize_t n = PyArray_DIM(sums, 0), n_labels = PyArray_DIM(sums, 1)
    cdef ndarray first = as_array(firsts, NPY_INT32)
    expect(PyArray_DIM(weights, 1) == n_labels, "add_rows: tables of different shapes")
    expect(PyArray_NDIM(first) == 2 and PyArray_DIM(first, 1) == n, "add_rows: no table of rows")
    cdef ndarray which = as_array(features, NPY_INT64)
    cdef Py_ssize_t k, r, label, row, offset, shift, n_chosen = PyArray_SIZE(which)
    cdef ndarray step = as_array(steps, NPY_INT64, n_chosen)
    cdef ndarray places = as_array(offsets, NPY_INT64, n_chosen)
    cdef Py_ssize_t n_rows = PyArray_DIM(weights, 0)
    cdef Doubles w = <Doubles> weights.data, to
    cdef Longs chosen = <Longs> which.data
    cdef Ints own
    for k in range(n_chosen):
        expect(0 <= chosen[k] < PyArray_DIM(first, 0), "add_rows: no such feature")
        offset, shift = (<Longs> places.data)[k], (<Longs> step.data)[k]
        if not -n < offset < n:
            continue
        own = <Ints> first.data + chosen[k] * n
        for r in range(max(0, -offset), min(n, n - offset)):
            if own[r + offset] == 0:
                continue
            row = own[r + offset] + shift
            expect(0 <= row < n_rows, "add_rows: no such row")
            to = <Doubles> sums.data + r * n_labels
            for label in range(n_labels):
                to[label] += w[row * n_labels + label]


def sum_leaves(rows, columns, unknown_left, thresholds, nodes, leaves, starts):
    cdef ndarray given = as_array(rows, NPY_FLOAT32), values = as_array(leaves, NPY_FLOAT32)
    expect(PyArray_NDIM(given) == 2, "sum_leaves: expected rows")
    cdef Py_ssize_t n = PyArray_DIM(given, 0), n_columns = PyArray_DIM(given, 1)
    cdef ndarray tested = as_places(columns, n_columns), groups = as_array(starts, NPY_INT64)
    cdef Py_ssize_t n_tests = PyArray_SIZE(tested), n_groups = PyArray_SIZE(groups)
    cdef ndarray inner = as_places(nodes, n_tests), sides = as_array(unknown_left, NPY_BOOL, n_tests)
    cdef ndarray limits = as_array(thresholds, NPY_FLOAT32, n_tests)
    cdef Py_ssize_t n_nodes = PyArray_SIZE(inner), n_trees = PyArray_SIZE(values) - n_nodes
    cdef Py_ssize_t depth = 0, g, t, r, i, k, first, size, begin, end, part, half
    while depth < DEEPEST and 0 < n_trees and n_trees << depth < PyArray_SIZE(values):
        depth += 1
    expect(n_trees >= 0 and n_trees << depth == PyArray_SIZE(values), "sum_leaves: trees are not complete")
    expect(n_groups > 0 or not n_trees, "sum_leaves: no group")
    cdef ndarray out = zeros(n, n_groups, NPY_FLOAT64)
    cdef ndarray sets = empty(2 * n_tests, NPY_INT64)  # rows that go left at each test
    cdef uint64_t* goes_left = <uint64_t*> sets.data
    cdef Singles limit = <Singles> limits.data, leaf = <Singles> values.data
    cdef Ints column = <Ints> tested.data, node = <Ints> inner.data
    cdef Longs start = <Longs> groups.data
    cdef uint64_t reached[4 << DEEPEST]  # rows at each node of a tree, numbered from 1
    cdef uint64_t right[2 * DEEPEST]  # rows that go right at each level
    cdef uint64_t unknown[2]
    cdef uint64_t a, b, c, d, e, f, bits
    cdef uint64_t* test
    cdef float value, last
    cdef double sums[TOGETHER]
    for first in range(0, n, TOGETHER):
        size, end, g = min(TOGETHER, n - first), 0, 0
        while end < n_tests:  # for each column, whose thresholds rise
            begin, i, last, unknown[0], unknown[1] = end, column[end], NAN, 0, 0
            while end < n_tests and column[end] == i:
                goes_left[2 * end], goes_left[2 * end + 1] = 0, 0
                end += 1
            for r in range(size):
                value = (<Singles> given.data)[(first + r) * n_columns + i]
                if value != value:
                    unknown[r >> 6] |= <uint64_t> 1 << (r & 63)
                    continue
                if value != last:  # the first test that it passes, by bisection
                    k, part, last = begin, end - begin, value
                    while part > 1:
                        half = part >> 1
                        k = k + half if limit[k + half - 1] < value else k
                        part -= half
                    k += limit[k] < value
                if k < end:
                    goes_left[2 * k + (r >> 6)] |= <uint64_t> 1 << (r & 63)
            a, b = 0, 0
            for k in range(begin, end):
                a, b = a | goes_left[2 * k], b | goes_left[2 * k + 1]
                goes_left[2 * k], goes_left[2 * k + 1] = a, b
                if (<uint8_t*> sides.data)[k]:
                    goes_left[2 * k] |= unknown[0]
                    goes_left[2 * k + 1] |= unknown[1]
        memset(sums, 0, sizeof(sums))
        for t in range(n_trees):
            reached[2], reached[3] = ~<uint64_t> 0, ~<uint64_t> 0
            for k in range(depth):
                a, b = 0, 0
                for i in range(1 << k, 2 << k):  # 64 rows and 64 others, in one register
                    test = goes_left + 2 * node[i - 1]
                    c, d = reached[2 * i] & test[0], reached[2 * i + 1] & test[1]
                    e, f = reached[2 * i] ^ c, reached[2 * i + 1] ^ d
                    reached[4 * i], reached[4 * i + 1] = c, d
                    reached[4 * i + 2], reached[4 * i + 3] = e, f
                    a, b = a | e, b | f
                right[2 * k], right[2 * k + 1] = a, b
            for r in range(0, size, 8):  # eight rows have the bytes of one number
                bits = 0
                for k in range(depth):
                    bits = 2 * bits + BYTES[right[2 * k + (r >> 6)] >> (r & 63) & 0xFF]
                for k in range(r, r + 8):
                    sums[k] += leaf[bits & 0xFF]
                    bits >>= 8
            node, leaf = node + (1 << depth) - 1, leaf + (1 << depth)
            if t + 1 == n_trees or g + 1 < n_groups and start[g + 1] <= t + 1:
                for r in range(size):
                    (<Doubles> out.data)[(first + r) * n_groups + g] = sums[r]
                memset(sums, 0, sizeof(sums))
                g += 1
        node, leaf = node - n_nodes, leaf - n_nodes - n_trees
    return out


cdef tuple columns_of(str rest, list starts, dict numbers):
    """Return the column of each start with a rest, the number of columns for none."""
    cdef list columns = [numbers.get(<str> start + rest, len(numbers)) for start in starts]
    return tuple(columns) if columns and min(columns) < len(numbers) else ()


cdef object plain_names(object value, object names_of):
    """Return the names of a value, which are its members if all are texts that are not empty."""
    if type(value) is not frozenset:
        return names_of(value)
    for name in <frozenset> value:
        if type(name) is not str or not name:
            return names_of(value)
    return value


def sum_names(
    list values not None, names_of, dict members not None, list starts not None,
    dict numbers not None, weights, bint unit_norm, dict known not None, rows, Py_ssize_t first,
):
    cdef ndarray given = as_table(weights), out = as_output(rows, NPY_FLOAT64)
    cdef Py_ssize_t n_rows = PyArray_DIM(given, 0), n_labels = PyArray_DIM(given, 1)
    cdef Py_ssize_t n = len(values), step = len(starts), v, i, j, k, row, size, longest = 1
    cdef object names, name
    expect(
        step > 0 and PyArray_DIM(out, 1) == n_labels and 0 <= first
        and n <= (PyArray_DIM(out, 0) - first) // step, "sum_names: no room for the sums"
    )
    cdef list names_of_values = [plain_names(value, names_of) for value in values]
    for names in names_of_values:
        longest = max(longest, len(names))
    cdef ndarray keys = empty(longest, NPY_INT64)
    cdef ndarray found = empty(longest * step, NPY_INT64)
    cdef Longs own = <Longs> found.data  # columns of the names of a value
    cdef Longs key = <Longs> keys.data  # least column of each, and its place
    cdef Doubles w = <Doubles> given.data, o
    cdef double norm
    cdef int64_t least
    cdef tuple columns
    cdef PyObject* column
    for v in range(n):
        names, size = names_of_values[v], 0
        for name in names:
            column = PyDict_GetItemWithError(members, name)
            if column == NULL:
                columns = members[name] = columns_of(f"={name}" if name else "", starts, numbers)
            else:
                columns = <tuple?> <object> column
            if not columns or size == longest:
                continue
            expect(len(columns) == step, "sum_names: expected one column for each start")
            least = n_rows
            for j in range(step):
                row = columns[j]
                expect(0 <= row < n_rows, "sum_names: no such column")
                own[size * step + j] = row
                least = min(least, row)
            k, least = size, least << 32 | size
            while k and key[k - 1] > least:
                key[k] = key[k - 1]
                k -= 1
            key[k] = least
            size += 1
        if not size:
            known[values[v]] = 0
            continue
        o = <Doubles> out.data + first * n_labels
        for i in range(step * n_labels):
            o[i] = 0
        for k in range(size):  # in the order of columns
            for j in range(step):
                row = own[(key[k] & 0xFFFFFFFF) * step + j]
                for i in range(n_labels):
                    o[j * n_labels + i] += w[row * n_labels + i]
        norm = <float> (1 / sqrt(<double> len(names))) if unit_norm else 1.0
        for i in range(step * n_labels):
            o[i] *= norm
        known[values[v]] = first
        first += step
    return first


# Bylines: ``bylines/columns.py`` numbers the columns of tokens and their bits.

cdef struct ListedToken:
    uint64_t own  # bits of columns that its neighbours see, too
    int64_t columns[3]  # numbers of further ones
    int64_t shape, word, kind, stated


cdef void add_bits(Doubles sums, Doubles weights, Py_ssize_t m, uint64_t bits, Ints rows, int step):
    """Add the weights of the bits that are set, whose rows are some steps apart."""
    cdef Py_ssize_t k
    while bits:
        while not bits & 255:
            bits, rows = bits >> 8, rows + 8 * step
        if bits & 1 and rows[0]:
            for k in range(m):
                sums[k] += weights[rows[0] * m + k]
        bits, rows = bits >> 1, rows + step


def score_tokens(
    bytearray records not None, list lists not None, list stated not None, list lengths not None,
    list hints not None, masks, near, bits, dict forms not None, dict parts not None, rows
):
    cdef uint64_t introduces = masks[0], separates = masks[1], one = 1
    cdef uint64_t beside, marks, shared, of_line, of_place
    cdef ndarray weights = as_table(rows)
    cdef Py_ssize_t n = len(lists), m = PyArray_DIM(weights, 1), n_rows = PyArray_DIM(weights, 0)
    cdef ndarray steps = as_places(near, n_rows), columns = as_places(bits, n_rows)
    cdef Py_ssize_t n_near = PyArray_SIZE(steps) // 5, n_tables = PyArray_SIZE(columns) // 64
    expect(n_near >= 64 and n_tables >= 4, "score_tokens: expected tables of 64 bits")
    expect(len(records) == 64 * n and len(stated) == n, "score_tokens: expected 64 bytes a token")
    cdef ndarray out = zeros(n, m, NPY_FLOAT64), sums = empty(m, NPY_FLOAT64)
    cdef Doubles o = <Doubles> out.data, part = <Doubles> sums.data, w = <Doubles> weights.data
    cdef Ints s = <Ints> steps.data, b = <Ints> columns.data
    cdef int32_t row
    cdef ListedToken* t = <ListedToken*> <char*> records
    cdef Py_ssize_t i, j, k, start, stop = 0, begin, end, first, last, named, size, line
    cdef int64_t key, form, every, some, of_form
    for i in range(n):
        t[i].stated = stated[i]
        t[i].own |= <uint64_t> lists[i] | (0 if lists[i] & separates else t[i].stated << 56)
    for size, of_text in zip(lengths, hints, strict=True):
        start, stop = stop, stop + size
        expect(start <= stop <= n and len(of_text) > 1, "score_tokens: lengths exceed the tokens")
        for i in range(start, stop):
            for k in range(5):  # the token itself, then the two before it and the two behind it
                j = i if k == 0 else i + k - 3 if k < 3 else i + k - 2
                add_bits(o + i * m, w, m, t[j].own if start <= j < stop else one << 53, s + k, 5)
                for last in range(3 if start <= j < stop else 0):
                    expect(0 <= t[j].columns[last] < n_near, "score_tokens: no such column")
                    add_bits(o + i * m, w, m, 1, s + 5 * t[j].columns[last] + k, 5)
        line, end, beside = 1, start - 1, of_text[0]
        while end < stop:
            begin, line, end, of_line = end + 1, line + 1, end + 1, of_text[1]
            while end < stop and t[end].kind != 3:
                of_line |= t[end].kind == 2
                end += 1
            marks = of_text[line] if line < len(of_text) else 0
            named = begin
            for k in range(2):  # first to the words that introduce a name, then behind them
                while named < end and (t[named].own & introduces != 0) == k:
                    named += 1
            last = begin
            while last < end:
                first, last = last, last + 1
                while last < end and 1 not in (t[first].kind, t[last].kind, t[last].own >> 55 & 1):
                    last += 1
                size, shared, some, every, form, key = last - first, 0, 0, -1, 0, 0
                for i in range(first, last):
                    shared |= t[i].own & 0x1FFFFFFFFFFFF
                    some |= t[i].stated
                    every &= t[i].stated or -1
                    form |= t[i].shape << 10 * (i - first) if i < first + 6 else 0
                    key |= t[i].word << 20 * (i - first) if i < first + 3 else 0
                shared |= one << 51 + (first != begin) | one << 53 + (last != end)
                shared |= one << 54 + min(size, 8)
                shared |= <uint64_t> ((some & every & 2) << 48 | (some & every & 8) << 47)
                of_form, row = forms.get(form if size <= 6 else 1, 0), parts.get(key, 0)
                row = row if size <= 3 else 0
                expect(0 <= of_form < n_tables and 0 <= row < n_rows, "score_tokens: no such row")
                for k in range(m):
                    part[k] = 0
                add_bits(part, w, m, shared, b + 128, 1)
                add_bits(part, w, m, of_line, b + 192, 1)
                add_bits(part, w, m, marks, b, 1)
                add_bits(part, w, m, beside & ~marks, b + 64, 1)
                add_bits(part, w, m, 1 | marks << 1 if of_form else 0, b + 64 * of_form, 1)
                add_bits(part, w, m, 1, &row, 1)
                for i in range(first, last):
                    of_place = one << 4 + min(i - first, 3) | one << 8 + min(last - 1 - i, 3)
                    of_place |= (i >= named) << 12 | (i == named) << 13
                    add_bits(o + i * m, w, m, of_place, b + 192, 1)
                    for k in range(m):
                        o[i * m + k] += part[k]
    return out


# Chains.


cdef ndarray chain_starts(ndarray scores, object lengths, ndarray steps):
    """Return whether a chain begins at each row of scores, and behind the last."""
    cdef Py_ssize_t n = PyArray_DIM(scores, 0), n_labels = PyArray_DIM(steps, 0), i, row = 0
    cdef ndarray sizes = as_array(lengths, NPY_INT64), out = zeros(1, n + 1, NPY_BOOL)
    expect(
        n_labels > 0 and PyArray_DIM(steps, 1) == PyArray_DIM(scores, 1) == n_labels,
        "a chain has one number of labels",
    )
    for i in range(PyArray_SIZE(sizes)):
        expect(0 <= (<Longs> sizes.data)[i] <= n - row, "a chain of a wrong length")
        out.data[row] = 1
        row += (<Longs> sizes.data)[i]
    expect(row == n, "lengths do not sum to the scores")
    out.data[n] = 1
    return out


def chain_marginals(emissions, lengths, transitions):
    cdef ndarray scores = as_table(emissions), steps = as_table(transitions)
    cdef ndarray starts = chain_starts(scores, lengths, steps)
    cdef Py_ssize_t n = PyArray_DIM(scores, 0), n_labels = PyArray_DIM(steps, 0), r, a, b
    cdef ndarray out = zeros(n, n_labels, NPY_FLOAT64)
    cdef ndarray potentials = zeros(n, n_labels, NPY_FLOAT64)
    cdef ndarray behind = zeros(2, n_labels, NPY_FLOAT64)
    cdef ndarray factors = np.exp(steps - steps.max(initial=-np.inf))
    cdef Doubles k = <Doubles> factors.data, back = <Doubles> behind.data
    cdef Doubles following = back + n_labels, s, e, o
    cdef double highest, total, value
    for r in range(n):  # forward
        s, e = <Doubles> scores.data + r * n_labels, <Doubles> potentials.data + r * n_labels
        o = <Doubles> out.data + r * n_labels
        highest = s[0]
        for b in range(1, n_labels):
            highest = max(highest, s[b])
        total = 0
        for b in range(n_labels):
            e[b] = exp(s[b] - highest)
            value = 1.0
            if not starts.data[r]:
                value = 0.0
                for a in range(n_labels):
                    value += (o - n_labels)[a] * k[a * n_labels + b]
            o[b] = value * e[b]
            total += o[b]
        for b in range(n_labels):
            o[b] /= total
    for r in range(n - 1, -1, -1):  # backward
        e, o = <Doubles> potentials.data + r * n_labels, <Doubles> out.data + r * n_labels
        total = 0
        for b in range(n_labels):
            if starts.data[r + 1]:
                back[b] = 1.0
            following[b] = back[b] * e[b]
            o[b] *= back[b]
            total += o[b]
        for b in range(n_labels):
            o[b] /= total
        total = 0
        for a in range(n_labels):
            back[a] = 0.0
            for b in range(n_labels):
                back[a] += k[a * n_labels + b] * following[b]
            total += back[a]
        for a in range(n_labels):
            back[a] /= total
    return out


def best_labels(emissions, lengths, transitions):
    cdef ndarray scores = as_table(emissions), steps = as_table(transitions)
    cdef ndarray starts = chain_starts(scores, lengths, steps)
    cdef Py_ssize_t n = PyArray_DIM(scores, 0), n_labels = PyArray_DIM(steps, 0)
    cdef Py_ssize_t r, a, b, label
    cdef ndarray out = empty(n, NPY_INT64)
    cdef ndarray totals = zeros(n, n_labels, NPY_FLOAT64)
    cdef ndarray places = zeros(n, n_labels, NPY_INT32)
    cdef Doubles t = <Doubles> steps.data, best
    cdef double value, highest
    for r in range(n):
        best = <Doubles> totals.data + r * n_labels
        for b in range(n_labels):
            highest, label = 0.0, 0
            if not starts.data[r]:
                highest = (best - n_labels)[0] + t[b]
                for a in range(1, n_labels):
                    value = (best - n_labels)[a] + t[a * n_labels + b]
                    if value > highest:
                        highest, label = value, a
            best[b] = highest + (<Doubles> scores.data)[r * n_labels + b]
            (<Ints> places.data)[r * n_labels + b] = label
    label = 0
    for r in range(n - 1, -1, -1):
        if starts.data[r + 1]:
            best, label = <Doubles> totals.data + r * n_labels, 0
            for b in range(1, n_labels):
                if best[b] > best[label]:
                    label = b
        (<Longs> out.data)[r] = label
        label = (<Ints> places.data)[r * n_labels + label]
    return out


# Texts.

cdef enum:
    OTHER, LETTER, CAPITAL, DIGIT, SPACE

cdef uint8_t ASCII_KINDS[128]


cdef uint8_t kind_of(Py_UCS4 c):
    if c >= 0x20000:
        return LETTER
    if Py_UNICODE_ISSPACE(c):
        return SPACE
    if Py_UNICODE_ISDECIMAL(c):
        return DIGIT
    if Py_UNICODE_ISALNUM(c):
        return CAPITAL if Py_UNICODE_ISUPPER(c) else LETTER
    return OTHER


cdef bint is_wide(Py_UCS4 c):
    return c >= 0x1100 and (
        c <= 0x115F or 0x2E80 <= c <= 0x9FFF or 0xA960 <= c <= 0xA97F or 0xAC00 <= c <= 0xD7FF
        or 0xF900 <= c <= 0xFAFF or 0xFF01 <= c <= 0xFF60
    )


cdef Py_UCS4 character
for character in range(128):
    ASCII_KINDS[character] = kind_of(character)


def count_characters(texts):
    cdef object sequence = PySequence_Fast(texts, "expected a sequence")
    cdef Py_ssize_t i, k, length, n = PySequence_Fast_GET_SIZE(sequence)
    cdef ndarray out = zeros(10, n, NPY_INT64)
    cdef Longs o = <Longs> out.data
    cdef int64_t width, words, capitalised, digits, marks, first, n_parts
    cdef str text
    cdef int storage
    cdef void* data
    cdef Py_UCS4 c
    cdef uint8_t kind
    cdef bint in_word, was_in_word, is_cased, is_lower, is_upper, is_first, is_name
    for i in range(n):
        text = <object> PySequence_Fast_GET_ITEM(sequence, i)
        if text is None:
            raise TypeError("count_characters: expected texts")
        length, storage, data = PyUnicode_GET_LENGTH(text), PyUnicode_KIND(text), PyUnicode_DATA(text)
        width, words, capitalised, digits, marks, first = length, 0, 0, 0, 0, 0
        was_in_word = is_cased = is_lower = False
        is_name, kind, n_parts, c = True, SPACE, 0, 0
        for k in range(length):
            c = PyUnicode_READ(storage, data, k)
            is_first = kind == SPACE
            if c < 128:
                kind = ASCII_KINDS[c]
                is_upper = kind == CAPITAL
                is_lower |= kind == LETTER
                if first == 0 and (kind == LETTER or kind == CAPITAL):
                    first = c
            else:
                kind = kind_of(c)
                width += is_wide(c)
                is_lower |= Py_UNICODE_ISLOWER(c) or Py_UNICODE_ISTITLE(c)
                is_upper = Py_UNICODE_ISUPPER(c)
                is_name &= not Py_UNICODE_ISDIGIT(c)
                if first == 0 and Py_UNICODE_ISALPHA(c):
                    first = c
            is_cased |= is_upper
            if is_first and kind != SPACE:
                n_parts += 1
                is_name &= is_upper
            in_word = kind == LETTER or kind == CAPITAL
            if in_word and not was_in_word:
                words += 1
                capitalised += kind == CAPITAL
            was_in_word = in_word
            digits += kind == DIGIT
            marks += kind == OTHER
        o[i], o[n + i], o[2 * n + i] = length, width, words
        o[3 * n + i], o[4 * n + i], o[5 * n + i] = capitalised, digits, marks
        o[6 * n + i], o[7 * n + i], o[8 * n + i] = first, c, is_cased and not is_lower
        o[9 * n + i] = is_name and digits == 0 and 2 <= n_parts <= 4
    return out


cdef enum:
    APART = 1  # separates words
    SHARP = 0xDF  # stands for two letters, ss
    DIFFICULT = 0xFFFF  # must be normalised together with others
    # Signs of a cue, see `structce.language.cues`.
    HAS_WORD = 1, HAS_DIGIT = 2, HAS_MARK = 4, HAS_JOINED = 8, HAS_TIME = 16, HAS_YEAR = 32
    IS_FOREIGN = 64  # beyond ASCII

cdef uint16_t FOLDED[0x10000]  # letter or digit of each character, see `learn`; 0 for one not met
cdef uint8_t SIGNS[0x10000]


cdef uint16_t learn(Py_UCS4 c) except 0:
    """Return the letter of a character in compatibility form, case folded, which is then known."""
    cdef str character = chr(c), plain = unicodedata.normalize("NFKC", character), part
    cdef str folded = plain.casefold()
    cdef bint is_digit = plain.isdecimal(), is_joined = 0x2E80 <= c <= 0xFFEF
    cdef uint16_t letter = DIFFICULT
    if not any([part.isalnum() for part in plain]):
        letter = APART
    elif folded == "ss":
        letter = SHARP
    elif len(folded) == 1 and ord(folded) < DIFFICULT and (plain.isascii() or not is_digit):
        letter = ord(folded)
    for part in plain:  # marks, and the parts of Korean syllables
        if unicodedata.category(part)[0] == "M" or 0x1100 <= ord(part) <= 0x11FF:
            letter = DIFFICULT
    SIGNS[c] = HAS_DIGIT * character.isdecimal() | HAS_JOINED * is_joined | IS_FOREIGN * (c > 127)
    SIGNS[c] |= HAS_MARK * (character in "@(\xa9")
    FOLDED[c] = letter
    return letter


cdef enum:
    N_WORDS = 8192  # words that are kept for the next texts
    LONGEST_WORD = 24  # letters of a word that is kept
    N_FLAGS = 1 << 14  # of a filter of words

cdef PyObject* WORDS[N_WORDS]
cdef uint32_t HASHES[N_WORDS]


cdef str word_of(uint16_t* letters, Py_ssize_t length, uint32_t hashed):
    """Return a word, which is one object for as long as it is kept."""
    cdef uint32_t at = (hashed ^ hashed >> 13) % N_WORDS
    cdef Py_ssize_t i = 0
    cdef int storage
    cdef void* data
    cdef str word
    cdef PyObject* known = WORDS[at]
    if known != NULL and HASHES[at] == hashed:
        if PyUnicode_GET_LENGTH(<object> known) == length:
            storage, data = PyUnicode_KIND(<object> known), PyUnicode_DATA(<object> known)
            while i < length and PyUnicode_READ(storage, data, i) == letters[i]:
                i += 1
            if i == length:
                return <str> <object> known
    word = PyUnicode_FromKindAndData(2, letters, length)
    if length <= LONGEST_WORD:
        Py_INCREF(word)
        WORDS[at], HASHES[at] = <PyObject*> word, hashed
        Py_XDECREF(known)
    return word


ctypedef fused Char:  # characters as Python stores them
    const uint8_t
    const uint16_t
    const uint32_t


def word_filter(words):
    cdef ndarray out = zeros(1, N_FLAGS, NPY_BOOL)
    cdef uint32_t hashed
    cdef Py_UCS4 c
    cdef str word
    for word in words:
        hashed = 0
        for c in word:
            hashed = hashed * 31 + <uint32_t> c
        (<uint8_t*> out.data)[hashed % N_FLAGS] = True
    return out


cdef class Sought:
    """Words that are sought in texts, and filters that most others do not pass."""

    cdef frozenset wanted
    cdef dict starts
    cdef Py_ssize_t longest  # text in which a start is sought
    cdef ndarray wanted_filter, start_filter


cdef int number_signs(uint16_t* digits, Py_ssize_t n, Py_UCS4 after):
    """Return what a number and the mark or the letter after it may be: a year, a date, a time."""
    cdef int value, signs = 0
    if n == 4:
        value = ((digits[0] * 10 + digits[1]) * 10 + digits[2]) * 10 + digits[3] - 1111 * c"0"
        signs = HAS_YEAR * (1980 <= value < 2040)
    if n <= 2 or n == 4:
        signs |= HAS_TIME * (after in ".:/-hapuHAPU")
    return signs


cdef Py_ssize_t read_text(
    Char* s, Py_ssize_t n, uint16_t* letters, list words, Sought sought, int64_t* counts
) except -2:
    """Return the number of letters of a text, -1 if it is not so simple; there is room for them.

    Words are added to a list, or counted: all, those wanted, and those between spaces. Signs of
    cues are the last of the counts.
    """
    cdef Py_ssize_t i, length = 0, start = 0, n_spaces = 0
    cdef uint16_t folded
    cdef uint32_t hashed = 0
    cdef int signs = 0
    cdef Py_UCS4 c
    cdef bint is_digit, is_short, was_digit = False
    for i in range(n + 1):
        folded = APART
        if i < n:
            folded = FOLDED[s[i]]
            if folded == 0:
                folded = learn(s[i])
            if folded == DIFFICULT:
                return -1
            signs |= SIGNS[s[i]]
        is_digit = c"0" <= folded <= c"9"
        if length > start and (folded == APART or is_digit != was_digit):
            if words is not None:
                words.append(word_of(letters + start, length - start, hashed))
            elif sought is not None:
                counts[0] += 1
                if (<uint8_t*> sought.wanted_filter.data)[hashed % N_FLAGS]:
                    counts[1] += word_of(letters + start, length - start, hashed) in sought.wanted
                is_short = n <= sought.longest and not signs & HAS_WORD
                if is_short and (<uint8_t*> sought.start_filter.data)[hashed % N_FLAGS]:
                    signs |= word_of(letters + start, length - start, hashed) in sought.starts
                if was_digit:
                    c = at(s, n, i + (i < n and s[i] <= c" "))
                    signs |= number_signs(letters + start, length - start, c)
            start, hashed = length, 0
        if folded == APART:
            n_spaces += i < n and s[i] == c" "
            continue
        if folded == SHARP:
            letters[length] = folded = c"s"
            length, hashed = length + 1, hashed * 31 + folded
        letters[length] = folded
        length, hashed, was_digit = length + 1, hashed * 31 + folded, is_digit
    if sought is not None:
        if signs & IS_FOREIGN:
            signs &= ~(IS_FOREIGN | HAS_TIME)
            signs |= HAS_TIME if signs & HAS_DIGIT else 0
        counts[2], counts[3] = n_spaces + (n > 0), signs if n <= sought.longest else 0
    return length


def find_phrases(tuple words not None, dict starts not None):
    cdef dict matches = {}
    cdef Py_ssize_t i, k, start, length, n = len(words)
    cdef tuple phrase, entry
    cdef str word, token
    cdef PyObject* found
    for i in range(n):
        found = PyDict_GetItemWithError(starts, words[i])
        if found == NULL:
            continue
        for entry in <tuple> found:
            phrase = entry[0]
            length, start = len(phrase), i - <Py_ssize_t> entry[2]
            if start < 0 or start + length > n:
                continue
            for k in range(length if length > 1 else 0):
                word, token = phrase[k], words[start + k]
                if word != token and not (
                    word == "0" and (PyUnicode_GET_LENGTH(token) <= 5 or token.isdigit())
                ):
                    break
            else:
                note(matches, entry[1], (start, phrase))
    return matches


def find_parts(str text not None, parts, starts):
    cdef ndarray begins = as_array(starts, NPY_INT64), out = np.zeros(len(begins), dtype=np.int64)
    cdef Py_ssize_t n = PyArray_SIZE(begins), i, k, at
    cdef Longs s = <Longs> begins.data, o = <Longs> out.data
    expect(n > 0 and s[0] == 0 and len(parts) < 64, "expected starts from 0 and less than 64 parts")
    for i in range(1, n):
        expect(s[i - 1] < s[i], "expected rising starts")
    cdef str part
    for k, part in enumerate(parts):
        at = i = 0
        expect(len(part) > 0, "expected parts that are not empty")
        while (at := text.find(part, at)) >= 0:
            while i + 1 < n and s[i + 1] <= at:
                i += 1
            o[i] |= <int64_t> 1 << k
            if i + 1 == n:
                break
            at = s[i + 1]
    return out


def normalise(list texts not None, otherwise):
    return simple_texts(texts, otherwise, False, None, NULL)


def split_words(list texts not None, otherwise):
    return simple_texts(texts, otherwise, True, None, NULL)


def read_texts(list texts not None, frozenset wanted not None, dict starts not None, start_filter,
               Py_ssize_t longest, otherwise):
    cdef Sought sought = Sought.__new__(Sought)
    cdef ndarray out = zeros(len(texts), 4, NPY_INT64)
    sought.wanted, sought.starts, sought.longest = wanted, starts, longest
    sought.wanted_filter, sought.start_filter = word_filter(wanted), start_filter
    expect(PyArray_NBYTES(start_filter) == N_FLAGS, "read_texts: expected a filter of words")
    letters = simple_texts(texts, otherwise, False, sought, <int64_t*> PyArray_DATA(out))
    return letters, out.T


cdef list simple_texts(list texts, object otherwise, bint is_split, Sought sought, int64_t* counts):
    """Return the words or the letters of texts, and count words; a function reads difficult ones."""
    cdef list result = [], words = None
    cdef Py_ssize_t longest = 1, length, k
    cdef str text
    cdef object own
    cdef void* data
    for text in texts:
        longest = max(longest, len(text))
    cdef ndarray room = empty(2 * longest, NPY_UINT16)
    cdef uint16_t* letters = <uint16_t*> room.data
    for text in texts:
        k, data, length = len(text), PyUnicode_DATA(text), -1
        if is_split:
            words = []
        if k <= longest and PyUnicode_KIND(text) == 1:
            length = read_text(<const uint8_t*> data, k, letters, words, sought, counts)
        elif k <= longest and PyUnicode_KIND(text) == 2:
            length = read_text(<const uint16_t*> data, k, letters, words, sought, counts)
        if length < 0:
            own = otherwise(text)
            if sought is not None:
                own, counts[0], counts[1], counts[2], counts[3] = own
        elif is_split:
            own = tuple(words)
        else:
            own = PyUnicode_FromKindAndData(2, letters, length)
        result.append(own)
        if sought is not None:
            counts += 4
    return result


cdef uint16_t LATIN[256]  # lower case of what is in words; 256 for a letter, 512 for a space
for character in range(256):
    LATIN[character] = chr(character).isalpha() << 8 | chr(character).isspace() << 9
    if chr(character).isalnum() or character == c"_":
        LATIN[character] |= ord(chr(character).lower())


def count_latin(str text not None):
    cdef Py_ssize_t i, k, size = 64, n = len(text)
    cdef int64_t n_words = 0, n_distinct = 0, n_letters = 0, n_signs = 0
    cdef int kind
    cdef uint64_t hashed = 0, place
    cdef Py_UCS4 c
    while size < n:
        size *= 2
    cdef ndarray words = zeros(1, size, NPY_INT64)
    cdef uint64_t* seen = <uint64_t*> PyArray_DATA(words)
    for i in range(n + 1):
        c = PyUnicode_READ_CHAR(text, i) if i < n else c" "
        if c >= 256 and Py_UNICODE_ISALNUM(c):
            return None
        kind = LATIN[c] if c < 256 else Py_UNICODE_ISSPACE(c) << 9
        n_letters += kind >> 8 & 1
        n_signs += kind < 512
        if kind & 255:
            hashed = (hashed ^ kind & 255) * 0x100000001B3ULL  # FNV-1a
        elif hashed:
            n_words, place = n_words + 1, hashed ^ hashed >> 32
            for k in range(32):  # more neighbours are no chance
                if seen[place + k & size - 1] == 0:
                    seen[place + k & size - 1], n_distinct = hashed, n_distinct + 1
                if seen[place + k & size - 1] == hashed:
                    break
            hashed = 0
    return n_words, n_distinct, n_letters, n_signs


# Names of elements.


cdef enum:  # what is beside a word, and columns of the trie behind those of ASCII
    AT_EDGE = 1, AT_SPACE = 2, AT_DASH = 4, AT_COLON = 8, AT_OTHER = 16, AT_DIGIT = 32, ENTRIES = 28
    AT_CAMEL = 64, AT_LETTER = 128, AT_START = 512, IN_WORD = 192, NAME_ENDS = 11, NO_COLUMN = 29


cdef tuple read_value(
    str value, uint16_t* letters, ndarray rows, ndarray entries, int64_t doubtful, settled
):
    """Return the bits and the words of names, as `structce.features.element_names` finds them."""
    cdef Py_ssize_t n = PyUnicode_GET_LENGTH(value), word = -1, name = 0, i, j, k
    cdef const uint8_t* given = <const uint8_t*> PyUnicode_DATA(value)
    cdef uint8_t* sides = <uint8_t*> (letters + n + 1)
    cdef uint8_t* columns = sides + n + 1
    cdef Ints cells = <Ints> rows.data
    cdef Longs entry
    cdef int64_t bits = 0, own = 0, found, before, number
    cdef int32_t row, n_cells = PyArray_SIZE(rows) - NO_COLUMN
    cdef uint32_t hashed = 0
    cdef uint8_t c, letter
    cdef object words = PyFrozenSet_New(NULL)
    if n and given[n - 1] == c"\n":
        n -= 1
    for i in range(n + 1):
        c = given[i] if i < n else 0
        letter = c | 0x20
        if c"a" <= letter <= c"z" and i < n:
            letters[i], columns[i] = letter, letter - c"a"
            sides[i] = AT_CAMEL if c < c"a" and i and c"a" <= given[i - 1] <= c"z" else AT_LETTER
        else:
            columns[i] = 26 if c == c"-" else 27 if c == c"_" else NO_COLUMN
            sides[i] = AT_DASH if columns[i] != NO_COLUMN else AT_SPACE if c == c" " else AT_OTHER
            sides[i] = AT_DIGIT if c"0" <= c <= c"9" else AT_COLON if c == c":" or 9 <= c <= 13 else sides[i]
        if word >= 0 and sides[i] != AT_LETTER:
            if 2 <= i - word <= 20:
                PySet_Add(words, word_of(letters + word, i - word, hashed))
            word, hashed = -1, 0
        if sides[i] & IN_WORD:
            word = i if word < 0 else word
            hashed = hashed * 31 + letter
    sides[n] = AT_EDGE
    for i in range(n + 1):
        if not sides[i] & IN_WORD:
            if i == n or Py_UNICODE_ISSPACE(given[i]):
                bits |= settled(value[name:i], own) if own & doubtful else own
                own, name = 0, i + 1
            continue
        found, row, j = 0, 0, i
        while True:
            row = cells[row + columns[j]]
            if row == 0:
                break
            expect(0 < row < n_cells, "read_names: no such row")
            j += 1
            number = cells[row + ENTRIES]
            if number == 0:
                continue
            before = AT_EDGE if i == 0 else AT_CAMEL if sides[i] == AT_CAMEL else sides[i - 1]
            before = AT_LETTER if before == AT_CAMEL != sides[i] else before
            before |= AT_START if before & NAME_ENDS and given[i] >= c"a" else 0
            for k in range(i + 1, j):
                before = before << 16 if sides[k] == AT_CAMEL and before < 1 << 16 else before
            while number:
                k = number
                expect(0 < k < PyArray_DIM(entries, 0), "read_names: no such entry")
                entry = <Longs> entries.data + 4 * k
                if entry[0] & before and entry[1] & sides[j]:
                    found = found & entry[2] if entry[2] < 0 else found | entry[2]
                number = entry[3]
                expect(number < k, "read_names: entries in the wrong order")
        own |= found
    return bits, words


def read_names(attributes, dict masks not None, rows, entries, int64_t doubtful, settled, otherwise):
    cdef ndarray cells = as_array(rows, NPY_INT32), listed = as_array(entries, NPY_INT64)
    cdef bint has_entries = PyArray_NDIM(listed) == 2 and PyArray_DIM(listed, 1) == 4
    expect(has_entries and PyArray_SIZE(cells) > NO_COLUMN, "read_names: expected a trie")
    cdef list given = list(attributes), words = []
    cdef ndarray out = empty(len(given), NPY_INT64), room = empty(0, NPY_UINT16)
    cdef Longs o = <Longs> out.data
    cdef Py_ssize_t i, size
    cdef dict known = {}, unions = {}
    cdef object row, key, value, own
    cdef tuple read
    cdef PyObject *mask, *found
    for i in range(len(given)):
        row, own, o[i] = given[i], NO_NAMES, 0
        for key, value in (<dict> row if type(row) is dict else dict(row)).items():
            mask = PyDict_GetItemWithError(masks, key)
            if mask == NULL:
                continue
            found = PyDict_GetItemWithError(known, value)
            if found != NULL:
                read = <tuple> found
            elif PyUnicode_IS_ASCII(<str?> value):
                size = 2 * PyUnicode_GET_LENGTH(value) + 2
                room = empty(size, NPY_UINT16) if size > PyArray_SIZE(room) else room
                read = read_value(value, <uint16_t*> room.data, cells, listed, doubtful, settled)
                known[value] = read
            else:
                read = known[value] = otherwise(value)
            o[i] |= <int64_t> read[0] & <int64_t> <object> mask
            if not own or own is read[1]:
                own = read[1]
            elif read[1]:
                key = own, read[1]
                own = unions[key] if key in unions else unions.setdefault(key, own | read[1])
        words.append(own)
    return out, words


# HTML source.


cdef inline bint is_letter(Py_UCS4 c):
    return c"a" <= c <= c"z" or c"A" <= c <= c"Z"


cdef inline bint is_space(Py_UCS4 c):
    return c == c" " or c == c"\n" or c == c"\t" or c == c"\r" or c == c"\f"


cdef inline bint is_blank(Py_UCS4 c):
    """Return whether a character is invisible: ``BLANKS`` of the scanner of sources."""
    if c < 0xA0:
        return c == c" " or 9 <= c <= 13
    return (
        c == 0xA0 or c == 0x1680 or 0x2000 <= c <= 0x200F or 0x2028 <= c <= 0x202F
        or 0x205F <= c <= 0x206F or c == 0x3000 or c == 0xFEFF
    )


cdef inline Py_UCS4 at(Char* s, Py_ssize_t n, Py_ssize_t i):
    """Return the character at a place; 0 beyond the end."""
    return s[i] if i < n else 0


cdef inline Py_ssize_t find(Char* s, Py_ssize_t n, Py_UCS4 mark, Py_ssize_t i):
    """Return the first place of an ASCII character from a place on, or the end."""
    cdef Py_ssize_t near = min(n, i + 16)
    cdef const char* place
    while i < near:
        if s[i] == mark:
            return i
        i += 1
    while i < n:  # far away: a search for its byte, which other characters may contain
        place = <const char*> memchr(s + i, mark, (n - i) * sizeof(s[0]))
        if place == NULL:
            return n
        i = (place - <const char*> s) // <Py_ssize_t> sizeof(s[0])
        if s[i] == mark:
            return i
        i += 1
    return n


cdef bint has(Char* s, Py_ssize_t n, str word, Py_ssize_t i):
    """Return whether a word in lower case is at a place, in any case."""
    cdef Py_ssize_t k
    cdef Py_UCS4 c
    for k in range(PyUnicode_GET_LENGTH(word)):
        c = at(s, n, i + k)
        if c != word[k] and not (is_letter(c) and <Py_UCS4> (<uint64_t> c | 0x20) == word[k]):
            return False
    return True


cdef inline bint ends_name(Char* s, Py_ssize_t n, Py_ssize_t i):
    """Return whether a character that ends the name of a tag is at a place."""
    return i < n and (is_space(s[i]) or s[i] == c"/" or s[i] == c">")


cdef Py_ssize_t end_of_text(Char* s, Py_ssize_t n, Py_ssize_t i):
    cdef Py_UCS4 c
    while True:
        i = find(s, n, c"<", i)
        c = at(s, n, i + 1)
        if i >= n or is_letter(c) or c == c"/" or c == c"!" or c == c"?":
            return i
        i += 1


cdef Py_ssize_t end_of_tag(Char* s, Py_ssize_t n, Py_ssize_t i):
    """Return the place behind the ``>`` of a tag, given the place behind its name."""
    cdef Py_UCS4 c
    cdef int n_values = 0
    while i < n:
        c = s[i]
        i += 1
        if c == c">":
            return i
        if c != c"=" or n_values >= 1000:
            continue
        n_values += 1
        while i < n and is_space(s[i]):
            i += 1
        c = at(s, n, i)
        if c == c'"' or c == c"'":
            i = min(find(s, n, c, i + 1) + 1, n)
        else:
            while i < n and not is_space(s[i]) and s[i] != c">":
                i += 1
    return n


cdef Py_ssize_t end_of_comment(Char* s, Py_ssize_t n, Py_ssize_t i):
    """Return the place behind a comment, given that behind its ``<!--``."""
    if at(s, n, i) == c">":
        return i + 1
    if at(s, n, i) == c"-" and at(s, n, i + 1) == c">":
        return i + 2
    while i < n:
        i = find(s, n, c"-", i)
        if at(s, n, i + 1) == c"-":
            if at(s, n, i + 2) == c">":
                return i + 3
            if at(s, n, i + 2) == c"!" and at(s, n, i + 3) == c">":
                return i + 4
        i += 1
    return n


cdef bint is_empty_in_svg(Char* s, Py_ssize_t n, Py_ssize_t i):
    """Return whether a tag whose name ends here is written as empty, inside ``svg``."""
    cdef Py_ssize_t start = i
    cdef int n_tags
    while i < n and s[i] != c">" and s[i] != c"<":
        i += 1
    if at(s, n, i) != c">" or i == start or s[i - 1] != c"/":
        return False
    for n_tags in range(201):
        i = find(s, n, c"<", i + 1)
        if has(s, n, "</svg", i):
            return True
        if i >= n or has(s, n, "<svg", i):
            return False
    return False


cdef Py_ssize_t end_of_raw(Char* s, Py_ssize_t n, str name, Py_ssize_t i):
    """Return the place of the end tag of an element whose content is not parsed."""
    while True:
        i = find(s, n, c"<", i)
        if i >= n:
            return n
        if at(s, n, i + 1) == c"/" and has(s, n, name, i + 2):
            if ends_name(s, n, i + 2 + PyUnicode_GET_LENGTH(name)):
                return i
        i += 1


cdef inline bint is_white(uint8_t c):
    return c == 32 or 9 <= c <= 13


cdef uint64_t name_code(const uint8_t* s, Py_ssize_t n, Py_ssize_t i):
    """Return the letters of a name of at most eight as a number; 0 for any other name."""
    cdef Py_ssize_t stop = i
    cdef uint64_t code = 0
    while stop < n and stop < i + 8 and is_letter(s[stop]):
        code = code << 8 | s[stop] | 0x20
        stop += 1
    return code if ends_name(s, n, stop) or at(s, n, stop) == 11 else 0


cdef enum:  # kinds of names
    FORMATTING, SWALLOWED, OPTION, MERGED


def count_tags(bytes html not None, tuple names not None, Py_ssize_t short_tag):
    cdef const uint8_t* s = html
    cdef Py_ssize_t n = len(html), i, k, end = -1, n_separators
    cdef uint64_t code
    cdef uint64_t codes[64]
    cdef int kinds[64]
    cdef int kind, n_codes = 0
    cdef bint begins[32]  # whether a name begins with each letter
    cdef Py_ssize_t n_opened[64]  # formatting elements of each name
    expect(sum(map(len, names)) <= 64, "count_tags: too many names")
    memset(begins, 0, sizeof(begins))
    memset(n_opened, 0, sizeof(n_opened))
    for kind, of_kind in enumerate(names):
        for name in of_kind:
            codes[n_codes], kinds[n_codes] = int.from_bytes(name, "big"), kind
            begins[name[0] & 31] = True
            n_codes += 1
    cdef Py_ssize_t n_tags = 0, n_ends = 0, n_formatting = 0, most = 0, merged = 0, merged_end = 0
    cdef Py_ssize_t n_options = 0, n_open = 0, n_repeated = 0, last = 0
    cdef bint is_end, has_empty = False
    cdef uint8_t first
    cdef const void* place = memchr(s, c"<", n)
    while place != NULL:
        i = <const uint8_t*> place - s
        n_tags += 1
        is_end = at(s, n, i + 1) == c"/"
        n_ends += is_end
        first = at(s, n, i + 1 + is_end)
        if is_letter(first):
            if end < i and not is_end:
                place = memchr(s + i, c">", n - i)
                end = n if place == NULL else <const uint8_t*> place - s
                if end - i > short_tag:
                    n_separators = 0
                    for k in range(i, end):
                        n_separators += is_white(s[k]) or s[k] in b"/='\""
                    most = max(most, n_separators)
            code = name_code(s, n, i + 1 + is_end) if begins[first & 31] else 0
            k = 0
            while code and k < n_codes and codes[k] != code:
                k += 1
            kind = kinds[k] if code and k < n_codes else -1
            if kind == FORMATTING and not is_end:
                n_formatting += 1
                n_opened[k] += 1
                n_open += 1
            elif kind == FORMATTING and n_opened[k] and memchr(s + last, c">", i - last) != NULL:
                n_opened[k] -= 1
                n_open -= 1
            elif not is_end:
                n_repeated += n_open
            if kind == OPTION:
                n_options += 1
            elif kind == MERGED and not is_end and i >= merged_end:
                merged, merged_end = merged + end - i, end
            elif kind == SWALLOWED and not is_end:
                has_empty |= s[end - 1] == c"/"
            last = i
        place = memchr(s + i + 1, c"<", n - i - 1)
    return n_tags, n_ends, n_formatting, n_options, most, merged, n_repeated, has_empty


cdef inline int add(array column, int32_t value) except -1:
    """Add a value to a growing column of numbers."""
    cdef Py_ssize_t n = column.ob_size
    resize_smart(column, n + 1)
    column.data.as_ints[n] = value
    return 0


cdef enum:
    RAW = 1
    MEDIUM = 2
    VOID = 4
    FOREIGN = 8
    OMITTED = 16  # its end tag may be
    SWALLOWING = 32
    N_SLOTS = 1024
    LONGEST_NAME = 24


cdef class Tags:
    """Start tags of a source: number of the name, tag around it, place."""

    cdef array number, above, start, end
    cdef bint has_empty  # one of an element that would swallow what follows ends in "/>"

    def __cinit__(self):
        self.number, self.above, self.start, self.end = (array("i") for _ in range(4))


cdef class Names:
    """Numbers of the distinct names of tags, in lower case, and what they mean."""

    cdef list known, ends
    cdef dict numbers
    cdef array flags, n_open
    cdef int32_t slots[N_SLOTS]  # number of a short name + 1, by its hash
    cdef tuple rules

    def __cinit__(self, tuple rules):
        self.known, self.ends, self.numbers, self.rules = [], [], {}, rules
        self.flags, self.n_open = array("i"), array("i")

    cdef int number(self, str name) except -1:
        cdef int flags = 0
        found = self.numbers.get(name)
        if found is None:
            found = self.numbers[name] = len(self.known)
            for bit, names in enumerate(self.rules):
                flags |= (name in names) << bit
            self.known.append(name)
            self.ends.append(self.rules[4].get(name))
            add(self.flags, flags)
            add(self.n_open, 0)
        return found


cdef int name_number(Char* s, Py_ssize_t length, str html, Py_ssize_t begin, Names names) except -1:
    """Return the number of the name at a place in a source."""
    cdef char buffer[LONGEST_NAME]
    cdef uint32_t hashed = 0, c
    cdef Py_ssize_t i
    cdef int32_t number
    cdef str known
    if length > LONGEST_NAME:
        return names.number(html[begin:begin + length].lower())
    for i in range(length):
        c = s[begin + i]
        if c >= 128:
            return names.number(html[begin:begin + length].lower())
        if c"A" <= c <= c"Z":
            c |= 0x20
        buffer[i] = c
        hashed = hashed * 31 + c
    hashed = (hashed ^ hashed >> 10) % N_SLOTS
    number = names.slots[hashed] - 1
    if number >= 0:
        known = names.known[number]
        if PyUnicode_GET_LENGTH(known) == length and not memcmp(
            PyUnicode_DATA(known), buffer, length
        ):
            return number
    number = names.number(html[begin:begin + length].lower())
    names.slots[hashed] = number + 1
    return number


cdef int32_t content_of(dict contents, int64_t text, int32_t code) except -2:
    cdef PyObject* known = PyDict_GetItemWithError(contents, text << 32 | <uint32_t> code)
    return -1 if known == NULL else <object> known


def find_texts(str html not None, texts, media, tuple own not None, own_codes, codes, above,
               tuple rules not None, read):
    cdef ndarray outer = as_tree(above), written = as_array(codes, NPY_INT32, PyArray_SIZE(outer))
    cdef ndarray wanted = as_array(own_codes, NPY_INT32, len(own))
    cdef ndarray places = as_array(texts, NPY_INT32), others = as_array(media, NPY_INT32)
    cdef Py_ssize_t n_texts = PyArray_SIZE(places) // 3, n_media = PyArray_SIZE(others) // 3
    cdef Py_ssize_t i = 0, k = 0, start, end, opening, place, number, n_found = 0
    cdef Py_ssize_t n_loose = rules[0], most = rules[2], n_tags = PyArray_SIZE(written)
    cdef ndarray out = empty(PyArray_SIZE(wanted), NPY_INT32)
    cdef ndarray found = zeros(n_texts + n_media, 5, NPY_INT32)
    cdef Ints f = <Ints> found.data, w = <Ints> wanted.data, c = <Ints> written.data
    cdef Ints p = <Ints> outer.data, t = <Ints> places.data, m = <Ints> others.data, row
    cdef dict numbers = {"": 0}, contents = {}  # of texts; of contents by text and name
    cdef list text_of = [], times
    cdef int32_t content
    cdef bint has_reference, is_text
    cdef str text
    cdef PyObject* known
    for text in own:
        number = numbers.setdefault(text, len(numbers))
        content = contents.setdefault(<int64_t> number << 32 | <uint32_t> w[i], len(text_of))
        if content == len(text_of):
            text_of.append(number)
        (<Ints> out.data)[i] = content
        i += 1
    times = [0] * len(numbers)
    i = 0
    while i < n_texts or k < n_media:
        is_text = k == n_media or (i < n_texts and t[3 * i] < m[3 * k])
        row = t + 3 * i if is_text else m + 3 * k
        start, end, opening = row[0], row[1], row[2]
        i, k = i + is_text, k + (not is_text)
        expect(0 <= start <= end <= len(html) and -1 <= opening < n_tags, "find_texts: no such place")
        number, has_reference = 0, False
        if is_text:
            text = html[start:end]
            has_reference = PyUnicode_FindChar(html, c"&", start, end, 1) >= 0
            known = NULL if has_reference else PyDict_GetItemWithError(numbers, text)
            if known == NULL:
                known = PyDict_GetItemWithError(numbers, read(text))
            number = 0 if known == NULL else <object> known
            if number == 0:
                continue
            times[number] += 1
        content, place = -1, opening
        for _ in range(most):
            if place >= 0:
                content = content_of(contents, number, c[place])
            if content >= 0 or place < 0 or c[place] >= n_loose:
                break
            place = p[place]
        for code in rules[1]:
            if content < 0 and place < 0:
                content = content_of(contents, number, code)
        if content >= 0:
            f[0], f[1], f[2], f[3], f[4] = start, end, opening, content, has_reference
            f, n_found = f + 5, n_found + 1
    return out, np.array([times[number] for number in text_of], dtype=np.int32), found[:n_found]


def read_attributes(str tag not None, Py_ssize_t start):
    cdef dict attributes = {}
    cdef Py_ssize_t n = PyUnicode_GET_LENGTH(tag), i = start, begin, stop
    cdef int storage = PyUnicode_KIND(tag)
    cdef void* data = PyUnicode_DATA(tag)
    cdef Py_UCS4 c
    cdef str name
    expect(start >= 0, "read_attributes: no such place")
    if n and PyUnicode_READ(storage, data, n - 1) == c">":
        n -= 1
    while i < n:
        c = PyUnicode_READ(storage, data, i)
        if is_space(c) or c == c"/" or c == c">":
            i += 1
            continue
        begin = i
        i += 1
        while i < n:
            c = PyUnicode_READ(storage, data, i)
            if is_space(c) or c == c"/" or c == c">" or c == c"=":
                break
            i += 1
        name = tag[begin:i].lower()
        begin = stop = i
        while stop < n and is_space(PyUnicode_READ(storage, data, stop)):
            stop += 1
        if stop < n and PyUnicode_READ(storage, data, stop) == c"=":
            begin = stop + 1
            while begin < n and is_space(PyUnicode_READ(storage, data, begin)):
                begin += 1
            c = PyUnicode_READ(storage, data, begin) if begin < n else 0
            if c == c'"' or c == c"'":
                begin += 1
                stop = begin
                while stop < n and PyUnicode_READ(storage, data, stop) != c:
                    stop += 1
                i = stop + 1
            else:
                stop = begin
                while stop < n:
                    c = PyUnicode_READ(storage, data, stop)
                    if is_space(c) or c == c">":
                        break
                    stop += 1
                i = stop
        else:
            stop = begin
        if name not in attributes:
            attributes[name] = tag[begin:stop]
    return attributes


def scan_markup(str html not None, tuple rules not None):
    cdef Py_ssize_t n = PyUnicode_GET_LENGTH(html), i
    cdef int storage = PyUnicode_KIND(html)
    expect(n < 0x7FFFFFFF, "scan_markup: a source of over 2 GB")
    cdef Names names = Names(rules)
    cdef array texts = array("i"), media = array("i")
    cdef Tags tags = Tags()
    if storage == 1:
        scan(<const uint8_t*> PyUnicode_DATA(html), n, html, names, texts, media, tags)
    elif storage == 2:
        scan(<const uint16_t*> PyUnicode_DATA(html), n, html, names, texts, media, tags)
    else:
        scan(<const uint32_t*> PyUnicode_DATA(html), n, html, names, texts, media, tags)
    return (
        texts, media, [names.known[tags.number.data.as_ints[i]] for i in range(len(tags.number))],
        tags.above, tags.start, tags.end, tags.has_empty,
    )


cdef int scan(Char* s, Py_ssize_t n, str html, Names names, array texts, array media,
              Tags tags) except -1:
    cdef Py_ssize_t i = 0, end, first, last, begin, stop, top = -1, outer, n_tags = 0
    cdef int flags, popped, number
    cdef bint is_closing, is_empty
    cdef object ends
    while i < n:
        end = end_of_text(s, n, i)
        first, last = i, end
        while first < last and is_blank(s[first]):
            first += 1
        while last > first and is_blank(s[last - 1]):
            last -= 1
        if first < last and not (Py_UNICODE_ISSPACE(s[first]) and html[i:end].isspace()):
            add(texts, first)
            add(texts, last)
            add(texts, top)
        i = end
        if i >= n:
            break
        n_tags += 1
        if n_tags % 0x10000 == 0:
            PyErr_CheckSignals()
        is_closing = at(s, n, i + 1) == c"/"
        begin = i + 1 + is_closing
        if not is_letter(at(s, n, begin)):
            if at(s, n, i + 1) == c"!" and at(s, n, i + 2) == at(s, n, i + 3) == c"-":
                i = end_of_comment(s, n, i + 4)
            else:
                i = min(find(s, n, c">", i + 1) + 1, n)
            continue
        stop = begin + 1
        while stop < n and not ends_name(s, n, stop):
            stop += 1
        number = name_number(s, stop - begin, html, begin, names)
        end = end_of_tag(s, n, stop)
        if is_closing:
            popped = -1 if names.n_open.data.as_ints[number] else number
            while popped != number:
                popped = tags.number.data.as_ints[top]
                names.n_open.data.as_ints[popped] -= 1
                top = tags.above.data.as_ints[top]
            i = end
            continue
        while top >= 0 and names.flags.data.as_ints[tags.number.data.as_ints[top]] & OMITTED:
            ends = names.ends[tags.number.data.as_ints[top]]
            if names.known[number] not in ends:
                break
            names.n_open.data.as_ints[tags.number.data.as_ints[top]] -= 1
            top = tags.above.data.as_ints[top]
        outer = len(tags.number)
        add(tags.number, number)
        add(tags.above, top)
        add(tags.start, i)
        add(tags.end, end)
        flags = names.flags.data.as_ints[number]
        if flags & MEDIUM:
            add(media, i)
            add(media, end)
            add(media, outer)
        if flags & SWALLOWING:
            tags.has_empty |= s[find(s, n, c">", stop) - 1] == c"/"
        is_empty = at(s, n, end - 2) == c"/" and at(s, n, end - 1) == c">"
        if not flags & VOID and not (is_empty and flags & FOREIGN):
            top = outer
            names.n_open.data.as_ints[number] += 1
        if flags & RAW and ends_name(s, n, stop) and not is_empty_in_svg(s, n, stop):
            i = end_of_raw(s, n, names.known[number], end)
        else:
            i = end
    return 0
