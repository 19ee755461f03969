# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True
"""Compiled loops over typed columns; ``reference.py`` has the same functions in NumPy.

Arguments are converted to contiguous arrays of one type, and every index that comes from them is
checked before it is used, so that no page or model can make a loop read or write outside an array.
Loops take time linear in their input and do not recurse.
"""

cimport numpy as cnp
from cpython.dict cimport PyDict_GetItemWithError
from cpython.exc cimport PyErr_CheckSignals
from cpython.object cimport PyObject
from cpython.ref cimport Py_INCREF, Py_XDECREF
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_FromKindAndData, PyUnicode_GET_LENGTH
from cpython.unicode cimport PyUnicode_KIND, PyUnicode_READ
from cpython.sequence cimport PySequence_Fast, PySequence_Fast_GET_ITEM, PySequence_Fast_GET_SIZE
from libc.math cimport INFINITY, NAN, exp, isfinite, sqrt
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memchr, memcmp, memset

cdef extern from "Python.h":
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
from array import array

import numpy as np

cnp.import_array()


cdef inline cnp.ndarray as_ints(object values):
    return cnp.PyArray_FROM_OTF(values, cnp.NPY_INT32, cnp.NPY_ARRAY_IN_ARRAY)


cdef inline cnp.ndarray as_longs(object values):
    return cnp.PyArray_FROM_OTF(values, cnp.NPY_INT64, cnp.NPY_ARRAY_IN_ARRAY)


cdef inline cnp.ndarray as_flags(object values):
    return cnp.PyArray_FROM_OTF(values, cnp.NPY_BOOL, cnp.NPY_ARRAY_IN_ARRAY)


cdef inline cnp.ndarray as_floats(object values):
    return cnp.PyArray_FROM_OTF(values, cnp.NPY_FLOAT64, cnp.NPY_ARRAY_IN_ARRAY)


cdef inline cnp.ndarray as_singles(object values):
    return cnp.PyArray_FROM_OTF(values, cnp.NPY_FLOAT32, cnp.NPY_ARRAY_IN_ARRAY)


cdef inline cnp.ndarray empty(Py_ssize_t n, int kind):
    cdef cnp.npy_intp size = n
    return cnp.PyArray_EMPTY(1, &size, kind, 0)


cdef inline cnp.ndarray table(Py_ssize_t n_rows, Py_ssize_t n_columns, int kind):
    """Return a table of zeros."""
    cdef cnp.npy_intp shape[2]
    shape[0], shape[1] = n_rows, n_columns
    return cnp.PyArray_ZEROS(2, shape, kind, 0)


cdef inline int expect(bint is_right, str problem) except -1:
    if not is_right:
        raise ValueError(problem)
    return 0


# Trees of elements: the parent of each element precedes it.


def nearest(parent, marks):
    cdef cnp.ndarray above = as_ints(parent), flags = as_flags(marks)
    cdef Py_ssize_t i, n = cnp.PyArray_SIZE(above)
    expect(cnp.PyArray_SIZE(flags) == n, "nearest: expected one mark for each element")
    cdef cnp.ndarray out = empty(n, cnp.NPY_INT64)
    cdef int32_t* p = <int32_t*> cnp.PyArray_DATA(above)
    cdef uint8_t* m = <uint8_t*> cnp.PyArray_DATA(flags)
    cdef int64_t* o = <int64_t*> cnp.PyArray_DATA(out)
    for i in range(n):
        expect(-1 <= p[i] < i, "nearest: a parent does not precede its element")
        o[i] = i if m[i] else o[p[i]] if p[i] >= 0 else -1
    return out


def sums_below(parent, element, values):
    cdef cnp.ndarray above = as_ints(parent), holder = as_ints(element), given = as_floats(values)
    cdef Py_ssize_t i, n = cnp.PyArray_SIZE(above), m = cnp.PyArray_SIZE(holder), n_columns = 1
    cdef bint is_table = cnp.PyArray_NDIM(given) == 2
    if is_table:
        n_columns = cnp.PyArray_DIM(given, 0)
    expect(cnp.PyArray_SIZE(given) == n_columns * m, "sums_below: expected a value for each region")
    cdef cnp.ndarray out = table(n_columns, n, cnp.NPY_FLOAT64)
    cdef int32_t* p = <int32_t*> cnp.PyArray_DATA(above)
    cdef int32_t* e = <int32_t*> cnp.PyArray_DATA(holder)
    cdef double* v = <double*> cnp.PyArray_DATA(given)
    cdef double* o = <double*> cnp.PyArray_DATA(out)
    for _ in range(n_columns):
        for i in range(m):
            expect(0 <= e[i] < n, "sums_below: no such element")
            o[e[i]] += v[i]
        for i in range(n - 1, -1, -1):
            expect(-1 <= p[i] < i, "sums_below: a parent does not precede its element")
            if p[i] >= 0:
                o[p[i]] += o[i]
        o, v = o + n, v + m
    return out if is_table else out[0]


def counts_above(parent, marks):
    cdef cnp.ndarray above = as_ints(parent), flags = as_flags(marks)
    cdef Py_ssize_t i, n = cnp.PyArray_SIZE(above)
    expect(cnp.PyArray_SIZE(flags) == n, "counts_above: expected one mark for each element")
    cdef cnp.ndarray out = empty(n, cnp.NPY_INT64)
    cdef int32_t* p = <int32_t*> cnp.PyArray_DATA(above)
    cdef uint8_t* m = <uint8_t*> cnp.PyArray_DATA(flags)
    cdef int64_t* o = <int64_t*> cnp.PyArray_DATA(out)
    for i in range(n):
        expect(-1 <= p[i] < i, "counts_above: a parent does not precede its element")
        o[i] = m[i] + (o[p[i]] if p[i] >= 0 else 0)
    return out


def bits_down(parent, bits):
    cdef cnp.ndarray above = as_ints(parent), own = as_longs(bits)
    cdef Py_ssize_t i, n = cnp.PyArray_SIZE(above)
    expect(cnp.PyArray_SIZE(own) == n, "bits_down: expected one set for each element")
    cdef cnp.ndarray out = empty(n, cnp.NPY_INT64)
    cdef int32_t* p = <int32_t*> cnp.PyArray_DATA(above)
    cdef int64_t* b = <int64_t*> cnp.PyArray_DATA(own)
    cdef int64_t* o = <int64_t*> cnp.PyArray_DATA(out)
    for i in range(n):
        expect(-1 <= p[i] < i, "bits_down: a parent does not precede its element")
        o[i] = b[i] | (o[p[i]] if p[i] >= 0 else 0)
    return out


def path_numbers(parent, codes):
    cdef cnp.ndarray above = as_ints(parent), own = as_longs(codes)
    cdef Py_ssize_t i, n = cnp.PyArray_SIZE(above)
    expect(cnp.PyArray_SIZE(own) == n, "path_numbers: expected one code for each element")
    cdef Py_ssize_t capacity = 64
    while capacity < 2 * n:
        capacity *= 2
    cdef cnp.ndarray out = empty(n, cnp.NPY_INT64)
    cdef cnp.ndarray first = empty(capacity, cnp.NPY_INT64)  # element with the path of each slot
    cnp.PyArray_FILLWBYTE(first, 0xFF)
    cdef int32_t* p = <int32_t*> cnp.PyArray_DATA(above)
    cdef int64_t* c = <int64_t*> cnp.PyArray_DATA(own)
    cdef int64_t* o = <int64_t*> cnp.PyArray_DATA(out)
    cdef int64_t* slot = <int64_t*> cnp.PyArray_DATA(first)
    cdef int64_t start, known, n_paths = 0
    cdef uint64_t at
    for i in range(n):
        expect(-1 <= p[i] < i, "path_numbers: a parent does not precede its element")
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
    cdef cnp.ndarray above = as_ints(parent)
    cdef Py_ssize_t i, n = cnp.PyArray_SIZE(above)
    cdef list given = list(own), sets = [None] * n
    expect(len(given) == n, "unions_down: expected one set for each element")
    cdef int32_t* p = <int32_t*> cnp.PyArray_DATA(above)
    cdef dict known = {}
    cdef frozenset nothing = frozenset(), outer
    cdef object names, joined, key, last_names = None, last_outer = None, last = None
    for i in range(n):
        expect(-1 <= p[i] < i, "unions_down: a parent does not precede its element")
        outer = <frozenset?> sets[p[i]] if p[i] >= 0 else nothing
        names = given[i]
        if not names:
            sets[i] = outer
            continue
        if names is last_names and outer is last_outer:  # siblings mostly share their names
            sets[i] = last
            continue
        key = (outer, names)
        joined = known.get(key)
        if joined is None:
            joined = known[key] = outer if names <= outer else outer | names
        sets[i] = last = joined
        last_names, last_outer = names, outer
    return sets


def packed_paths(parent, codes):
    cdef cnp.ndarray above = as_ints(parent), own = as_ints(codes)
    cdef Py_ssize_t i, n = cnp.PyArray_SIZE(above)
    expect(cnp.PyArray_SIZE(own) == n, "packed_paths: expected one code for each element")
    cdef cnp.ndarray out = empty(n, cnp.NPY_INT64)
    cdef int32_t* p = <int32_t*> cnp.PyArray_DATA(above)
    cdef int32_t* c = <int32_t*> cnp.PyArray_DATA(own)
    cdef int64_t* o = <int64_t*> cnp.PyArray_DATA(out)
    for i in range(n):
        expect(-1 <= p[i] < i, "packed_paths: a parent does not precede its element")
        expect(0 <= c[i] < 1024, "packed_paths: no such code")
        o[i] = o[p[i]] if p[i] >= 0 else 0
        if c[i]:
            o[i] = <int64_t> ((<uint64_t> o[i] << 10 | c[i]) & ((<uint64_t> 1 << 60) - 1))
    return out


def near_unions(parent, element, own):
    cdef cnp.ndarray above = as_ints(parent), holder = as_ints(element)
    cdef Py_ssize_t r, n = cnp.PyArray_SIZE(above), m = cnp.PyArray_SIZE(holder)
    cdef list given = list(own), sets = [None] * n, result = []
    expect(len(given) == n, "near_unions: expected one set for each element")
    cdef int32_t* p = <int32_t*> cnp.PyArray_DATA(above)
    cdef int32_t* e = <int32_t*> cnp.PyArray_DATA(holder)
    cdef dict known = {}
    cdef frozenset nothing = frozenset()
    cdef object joined, key, first, second, third
    cdef int32_t a, b
    for r in range(n):
        expect(-1 <= p[r] < n, "near_unions: no such parent")
    for r in range(m):
        expect(0 <= e[r] < n, "near_unions: no such element")
        a = p[e[r]]
        joined = sets[a] if a >= 0 else nothing
        if joined is None:
            first, b = given[a], p[a]
            second = given[b] if b >= 0 else nothing
            third = given[p[b]] if b >= 0 and p[b] >= 0 else nothing
            if not second and not third:
                joined = first
            else:
                key = (first, second, third)
                joined = known.get(key)
                if joined is None:
                    joined = known[key] = nothing.union(first, second, third)
            sets[a] = joined
        result.append(joined)
    return result


def number_values(values):
    cdef object sequence = PySequence_Fast(values, "expected a sequence"), value
    cdef Py_ssize_t i, n = PySequence_Fast_GET_SIZE(sequence)
    cdef cnp.ndarray out = empty(n, cnp.NPY_INT32)
    cdef int32_t* o = <int32_t*> cnp.PyArray_DATA(out)
    cdef dict known = {}
    cdef PyObject* found
    for i in range(n):
        value = <object> PySequence_Fast_GET_ITEM(sequence, i)
        found = PyDict_GetItemWithError(known, value)
        if found == NULL:
            o[i] = len(known)
            known[value] = o[i]
        else:
            o[i] = <object> found
    return out


def map_rows(function, *columns):
    cdef list rows = [PySequence_Fast(column, "expected sequences") for column in columns], result = []
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
    cdef list given = [as_longs(column) for column in columns]
    cdef Py_ssize_t i, k, n_columns = len(given), n = cnp.PyArray_SIZE(given[0]) if given else 0
    cdef int64_t* codes[8]
    cdef int64_t sizes[8]
    cdef int64_t key, n_keys = 1, last = -1
    cdef dict known = {}
    cdef list result = []
    cdef object value = None
    cdef PyObject* found
    expect(n_columns <= 8, "map_codes: too many columns")
    for k in range(n_columns):
        expect(cnp.PyArray_SIZE(given[k]) == n, "map_codes: columns of different lengths")
        codes[k], sizes[k] = <int64_t*> cnp.PyArray_DATA(given[k]), 1
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
    cdef object value
    cdef Py_ssize_t i = 0
    cdef PyObject* found
    for value in values:
        found = PyDict_GetItemWithError(places, value)
        if found == NULL:
            places[value] = [i]
        else:
            (<list> found).append(i)
        i += 1
    return places


def places_of_keys(rows):
    cdef dict places = {}
    cdef object row, key, number
    cdef Py_ssize_t i = 0
    cdef PyObject* found
    for row in rows:
        number = i
        for key in <dict> row if type(row) is dict else dict(row):
            found = PyDict_GetItemWithError(places, key)
            if found == NULL:
                places[key] = [number]
            else:
                (<list> found).append(number)
        i += 1
    return places


def join_values(rows, frozenset keys not None):
    cdef list result = []
    cdef object row, key, value, joined
    cdef Py_ssize_t n
    for row in rows:
        joined, n = "", 0
        for key, value in (<dict> row if type(row) is dict else dict(row)).items():
            if key in keys:
                joined = value if not n else f"{joined} {value}"
                n += 1
        result.append(joined)
    return result


def block_sums(blocks, values):
    cdef cnp.ndarray own = as_ints(blocks), given = as_longs(values)
    cdef Py_ssize_t i, k, first = 0, n = cnp.PyArray_SIZE(own)
    expect(cnp.PyArray_SIZE(given) == n, "block_sums: expected one value for each region")
    cdef cnp.ndarray out = empty(n, cnp.NPY_INT64)
    cdef int32_t* b = <int32_t*> cnp.PyArray_DATA(own)
    cdef int64_t* v = <int64_t*> cnp.PyArray_DATA(given)
    cdef int64_t* o = <int64_t*> cnp.PyArray_DATA(out)
    cdef int64_t total = 0
    for i in range(n):
        total += v[i]
        if i + 1 == n or b[i + 1] != b[i]:
            for k in range(first, i + 1):
                o[k] = total
            first, total = i + 1, 0
    return out


# Encoding and scores.


cdef enum:
    RECENT = 128  # values whose numbers are found by their address
    NEWS_LABELS = 9
    TOGETHER = 128  # rows that go down a tree together, a bit each
    DEEPEST = 8  # levels of a tree whose leaf is numbered by a byte

cdef uint64_t BYTES[256]  # the bits of a byte as the bytes of a number
for _code in range(256):
    BYTES[_code] = sum((_code >> _bit & 1) << 8 * _bit for _bit in range(8))


cdef bint fill_column(
    cnp.ndarray values, Py_ssize_t n, cnp.ndarray borders, cnp.ndarray bins, int32_t plain,
    int32_t* o,
) except -1:
    """Set the number of each flag or number; return False for numbers without bins."""
    cdef int kind = cnp.PyArray_TYPE(values), n_borders = cnp.PyArray_SIZE(borders)
    cdef Py_ssize_t i, k
    expect(cnp.PyArray_SIZE(values) == n, "first_rows: expected one value for each region")
    expect(cnp.PyArray_SIZE(bins) == n_borders + 2, "first_rows: expected one number an interval")
    if kind == cnp.NPY_BOOL:
        values = as_flags(values)
        for i in range(n):
            o[i] = plain if (<uint8_t*> cnp.PyArray_DATA(values))[i] else 0
        return True
    if n_borders == 0 or not cnp.PyTypeNum_ISNUMBER(kind) or cnp.PyTypeNum_ISCOMPLEX(kind):
        return False
    values = as_floats(values)
    cdef double* v = <double*> cnp.PyArray_DATA(values)
    cdef double* b = <double*> cnp.PyArray_DATA(borders)
    cdef int32_t* numbers = <int32_t*> cnp.PyArray_DATA(bins)
    for i in range(n):
        if i and v[i] == v[i - 1]:  # as neighbours often are
            o[i] = o[i - 1]
            continue
        k = 0 if isfinite(v[i]) else n_borders + 1
        while k < n_borders and v[i] >= b[k]:
            k += 1
        o[i] = numbers[k]
    return True


cdef list fill_known(object sequence, Py_ssize_t n, dict known, int32_t* o):
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
    cdef cnp.ndarray out = firsts
    expect(
        cnp.PyArray_TYPE(out) == cnp.NPY_INT32 and cnp.PyArray_NDIM(out) == 2
        and cnp.PyArray_IS_C_CONTIGUOUS(out), "first_rows: expected a table of numbers"
    )
    cdef Py_ssize_t f, i, n_features = cnp.PyArray_DIM(out, 0), n = cnp.PyArray_DIM(out, 1)
    expect(
        len(values) == len(known) == len(borders) == len(bins) == len(plain) == n_features,
        "first_rows: expected one of each for each feature"
    )
    cdef int32_t* o = <int32_t*> cnp.PyArray_DATA(out)
    cdef list left = [], missing
    cdef object own, sequence, numbers
    for f in range(n_features):
        own = values[f]
        if isinstance(own, np.ndarray):
            if not fill_column(own, n, as_floats(borders[f]), as_ints(bins[f]), plain[f], o + f * n):
                left.append(f)
        elif own is not None:
            sequence, numbers = PySequence_Fast(own, "expected a sequence"), known[f]
            expect(PySequence_Fast_GET_SIZE(sequence) == n, "first_rows: expected n values")
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
    cdef cnp.ndarray sums = result
    expect(
        cnp.PyArray_TYPE(sums) == cnp.NPY_FLOAT64 and cnp.PyArray_NDIM(sums) == 2
        and cnp.PyArray_IS_C_CONTIGUOUS(sums), "add_rows: expected a table of sums"
    )
    cdef cnp.ndarray weights = as_floats(rows), first = as_ints(firsts)
    cdef cnp.ndarray which = as_longs(features), step = as_longs(steps), places = as_longs(offsets)
    expect(cnp.PyArray_NDIM(weights) == 2 and cnp.PyArray_NDIM(first) == 2, "add_rows: no table")
    cdef Py_ssize_t n = cnp.PyArray_DIM(sums, 0), n_labels = cnp.PyArray_DIM(sums, 1)
    cdef Py_ssize_t n_rows = cnp.PyArray_DIM(weights, 0), n_features = cnp.PyArray_DIM(first, 0)
    cdef Py_ssize_t k, r, label, row, offset, begin, n_chosen = cnp.PyArray_SIZE(which)
    expect(
        cnp.PyArray_DIM(weights, 1) == n_labels and cnp.PyArray_DIM(first, 1) == n
        and cnp.PyArray_SIZE(step) == cnp.PyArray_SIZE(places) == n_chosen,
        "add_rows: tables of different shapes"
    )
    cdef double* o = <double*> cnp.PyArray_DATA(sums)
    cdef double* w = <double*> cnp.PyArray_DATA(weights)
    cdef int32_t* f = <int32_t*> cnp.PyArray_DATA(first)
    cdef int64_t* chosen = <int64_t*> cnp.PyArray_DATA(which)
    cdef int64_t* s = <int64_t*> cnp.PyArray_DATA(step)
    cdef int64_t* place = <int64_t*> cnp.PyArray_DATA(places)
    cdef int32_t* own
    cdef double added[NEWS_LABELS]  # a loop of known length
    cdef double* to
    for k in range(n_chosen):
        expect(0 <= chosen[k] < n_features, "add_rows: no such feature")
        if not -n < place[k] < n:
            continue
        offset = place[k]
        own = f + chosen[k] * n
        begin = max(0, -offset)
        for r in range(begin, min(n, n - offset)):
            if own[r + offset] == 0:
                continue
            row = own[r + offset] + s[k]
            expect(0 <= row < n_rows, "add_rows: no such row")
            to = o + r * n_labels
            if n_labels == NEWS_LABELS:
                for label in range(NEWS_LABELS):
                    added[label] = to[label] + w[row * n_labels + label]
                for label in range(NEWS_LABELS):
                    to[label] = added[label]
                continue
            for label in range(n_labels):
                to[label] += w[row * n_labels + label]


def sum_leaves(rows, columns, unknown_left, thresholds, nodes, leaves, starts):
    cdef cnp.ndarray given = as_singles(rows), tested = as_ints(columns), inner = as_ints(nodes)
    cdef cnp.ndarray sides = as_flags(unknown_left), limits = as_singles(thresholds)
    cdef cnp.ndarray values = as_singles(leaves), groups = as_longs(starts)
    expect(cnp.PyArray_NDIM(given) == 2, "sum_leaves: expected rows")
    cdef Py_ssize_t n = cnp.PyArray_DIM(given, 0), n_columns = cnp.PyArray_DIM(given, 1)
    cdef Py_ssize_t n_tests = cnp.PyArray_SIZE(tested), n_nodes = cnp.PyArray_SIZE(inner)
    cdef Py_ssize_t n_groups = cnp.PyArray_SIZE(groups), n_trees = cnp.PyArray_SIZE(values) - n_nodes
    cdef Py_ssize_t depth = 0, g, t, r, i, k, first, size, begin, end, part, half
    while depth < DEEPEST and n_trees << depth < cnp.PyArray_SIZE(values):
        depth += 1
    expect(n_trees << depth == cnp.PyArray_SIZE(values), "sum_leaves: trees are not complete")
    expect(
        cnp.PyArray_SIZE(limits) == cnp.PyArray_SIZE(sides) == n_tests
        and n_trees >= 0 and (n_groups > 0 or not n_trees), "sum_leaves: sizes differ"
    )
    cdef cnp.ndarray out = table(n, n_groups, cnp.NPY_FLOAT64)
    cdef cnp.ndarray sets = empty(2 * n_tests, cnp.NPY_INT64)  # rows that go left at each test
    cdef uint64_t* goes_left = <uint64_t*> cnp.PyArray_DATA(sets)
    cdef uint8_t* is_unknown_left = <uint8_t*> cnp.PyArray_DATA(sides)
    cdef int32_t* column = <int32_t*> cnp.PyArray_DATA(tested)
    cdef float* limit = <float*> cnp.PyArray_DATA(limits)
    cdef int32_t* node = <int32_t*> cnp.PyArray_DATA(inner)
    cdef float* leaf = <float*> cnp.PyArray_DATA(values)
    cdef int64_t* start = <int64_t*> cnp.PyArray_DATA(groups)
    cdef double* o = <double*> cnp.PyArray_DATA(out)
    cdef uint64_t reached[4 << DEEPEST]  # rows at each node of a tree, numbered from 1
    cdef uint64_t right[2 * DEEPEST]  # rows that go right at each level
    cdef uint64_t unknown[2]
    cdef uint64_t a, b, c, d, e, f, bits
    cdef uint64_t* test
    cdef uint32_t highest = 0
    cdef float value, last
    cdef double sums[TOGETHER]
    for i in range(n_nodes):
        highest = max(highest, <uint32_t> node[i])
    expect(highest < n_tests or not n_nodes, "sum_leaves: no such test")
    for first in range(0, n, TOGETHER):
        size, end, g = min(TOGETHER, n - first), 0, 0
        while end < n_tests:  # for each column, whose thresholds rise
            begin, i, last, unknown[0], unknown[1] = end, column[end], NAN, 0, 0
            expect(0 <= i < n_columns, "sum_leaves: no such column")
            while end < n_tests and column[end] == i:
                goes_left[2 * end], goes_left[2 * end + 1] = 0, 0
                end += 1
            for r in range(size):
                value = (<float*> cnp.PyArray_DATA(given))[(first + r) * n_columns + i]
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
                if is_unknown_left[k]:
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
                    o[(first + r) * n_groups + g] = sums[r]
                memset(sums, 0, sizeof(sums))
                g += 1
        node, leaf = node - n_nodes, leaf - n_nodes - n_trees
    return out


cdef tuple columns_of(str rest, list starts, dict numbers):
    """Return the column of each start with a rest, the number of columns for none."""
    cdef list columns = []
    cdef Py_ssize_t n_found = 0
    cdef PyObject* found
    for start in starts:
        found = PyDict_GetItemWithError(numbers, <str> start + rest)
        n_found += found != NULL
        columns.append(len(numbers) if found == NULL else <object> found)
    return tuple(columns) if n_found else ()


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
    cdef cnp.ndarray given = as_floats(weights), out = rows
    cdef Py_ssize_t n = len(values), step = len(starts), v, i, j, k, row, size, longest = 1
    cdef object names, name
    expect(
        cnp.PyArray_NDIM(given) == 2 and cnp.PyArray_NDIM(out) == 2 and step > 0
        and cnp.PyArray_TYPE(out) == cnp.NPY_FLOAT64 and cnp.PyArray_IS_C_CONTIGUOUS(out),
        "sum_names: expected a table"
    )
    cdef Py_ssize_t n_rows = cnp.PyArray_DIM(given, 0), n_labels = cnp.PyArray_DIM(given, 1)
    expect(
        cnp.PyArray_DIM(out, 1) == n_labels and 0 <= first
        and n <= (cnp.PyArray_DIM(out, 0) - first) // step, "sum_names: no room for the sums"
    )
    cdef list names_of_values = [plain_names(value, names_of) for value in values]
    cdef list marked = [<str?> start + "=" for start in starts]
    for names in names_of_values:
        longest = max(longest, len(names))
    cdef cnp.ndarray keys = empty(longest, cnp.NPY_INT64)
    cdef cnp.ndarray found = empty(longest * step, cnp.NPY_INT64)
    cdef int64_t* own = <int64_t*> cnp.PyArray_DATA(found)  # columns of the names of a value
    cdef int64_t* key = <int64_t*> cnp.PyArray_DATA(keys)  # least column of each, and its place
    cdef double* w = <double*> cnp.PyArray_DATA(given)
    cdef double* o
    cdef double norm
    cdef int64_t least
    cdef tuple columns
    cdef PyObject* column
    for v in range(n):
        names, size = names_of_values[v], 0
        for name in names:
            column = PyDict_GetItemWithError(members, name)
            if column == NULL:
                columns = members[name] = columns_of(name, marked if name else starts, numbers)
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
        o = <double*> cnp.PyArray_DATA(out) + first * n_labels
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


def sum_groups(list groups not None, rows):
    cdef cnp.ndarray weights = as_floats(rows)
    expect(cnp.PyArray_NDIM(weights) == 2, "sum_groups: expected a table")
    cdef Py_ssize_t n_rows = cnp.PyArray_DIM(weights, 0), n_labels = cnp.PyArray_DIM(weights, 1)
    cdef Py_ssize_t i, k, row, n = len(groups)
    cdef cnp.ndarray out = table(n, n_labels, cnp.NPY_FLOAT64), sums = empty(n_labels, cnp.NPY_FLOAT64)
    cdef double* w = <double*> cnp.PyArray_DATA(weights)
    cdef double* o = <double*> cnp.PyArray_DATA(out)
    cdef double* own = <double*> cnp.PyArray_DATA(sums)
    cdef tuple group
    for i in range(n):
        for group in <tuple?> groups[i]:
            for k in range(n_labels):
                own[k] = 0
            for row in group:
                expect(0 <= row < n_rows, "sum_groups: no such row")
                for k in range(n_labels):
                    own[k] += w[row * n_labels + k]
            for k in range(n_labels):
                o[i * n_labels + k] += own[k]
    return out


# Chains.


def chain_marginals(emissions, lengths, transitions):
    cdef cnp.ndarray scores = as_floats(emissions), sizes = as_longs(lengths)
    cdef cnp.ndarray steps = as_floats(transitions)
    check_chain(scores, sizes, steps)
    cdef Py_ssize_t n = cnp.PyArray_DIM(scores, 0), n_labels = cnp.PyArray_DIM(steps, 0)
    cdef Py_ssize_t page, r, a, b, first = 0, size
    cdef cnp.ndarray out = table(n, n_labels, cnp.NPY_FLOAT64)
    cdef cnp.ndarray potentials = table(n, n_labels, cnp.NPY_FLOAT64)
    cdef cnp.ndarray behind = table(2, n_labels, cnp.NPY_FLOAT64)
    cdef cnp.ndarray factors = np.exp(steps - steps.max(initial=-np.inf))
    cdef int64_t* length = <int64_t*> cnp.PyArray_DATA(sizes)
    cdef double* s = <double*> cnp.PyArray_DATA(scores)
    cdef double* e = <double*> cnp.PyArray_DATA(potentials)
    cdef double* o = <double*> cnp.PyArray_DATA(out)
    cdef double* k = <double*> cnp.PyArray_DATA(factors)
    cdef double* back = <double*> cnp.PyArray_DATA(behind)
    cdef double* following = back + n_labels
    cdef double highest, total, value
    for page in range(cnp.PyArray_SIZE(sizes)):
        size = length[page]
        for r in range(first, first + size):  # forward
            highest = s[r * n_labels]
            for b in range(1, n_labels):
                highest = max(highest, s[r * n_labels + b])
            total = 0
            for b in range(n_labels):
                e[r * n_labels + b] = exp(s[r * n_labels + b] - highest)
                value = 1.0
                if r > first:
                    value = 0.0
                    for a in range(n_labels):
                        value += o[(r - 1) * n_labels + a] * k[a * n_labels + b]
                o[r * n_labels + b] = value * e[r * n_labels + b]
                total += o[r * n_labels + b]
            for b in range(n_labels):
                o[r * n_labels + b] /= total
        for b in range(n_labels):
            back[b] = 1.0
        for r in range(first + size - 1, first - 1, -1):  # backward
            total = 0
            for b in range(n_labels):
                following[b] = back[b] * e[r * n_labels + b]
                o[r * n_labels + b] *= back[b]
                total += o[r * n_labels + b]
            for b in range(n_labels):
                o[r * n_labels + b] /= total
            total = 0
            for a in range(n_labels):
                back[a] = 0.0
                for b in range(n_labels):
                    back[a] += k[a * n_labels + b] * following[b]
                total += back[a]
            for a in range(n_labels):
                back[a] /= total
        first += size
    return out


def best_labels(emissions, lengths, transitions):
    cdef cnp.ndarray scores = as_floats(emissions), sizes = as_longs(lengths)
    cdef cnp.ndarray steps = as_floats(transitions)
    check_chain(scores, sizes, steps)
    cdef Py_ssize_t n = cnp.PyArray_DIM(scores, 0), n_labels = cnp.PyArray_DIM(steps, 0)
    cdef Py_ssize_t page, r, a, b, label, first = 0, size
    cdef cnp.ndarray out = empty(n, cnp.NPY_INT64)
    cdef cnp.ndarray totals = table(n, n_labels, cnp.NPY_FLOAT64)
    cdef cnp.ndarray places = table(n, n_labels, cnp.NPY_INT32)
    cdef int64_t* length = <int64_t*> cnp.PyArray_DATA(sizes)
    cdef double* s = <double*> cnp.PyArray_DATA(scores)
    cdef double* t = <double*> cnp.PyArray_DATA(steps)
    cdef double* best = <double*> cnp.PyArray_DATA(totals)
    cdef int32_t* before = <int32_t*> cnp.PyArray_DATA(places)
    cdef int64_t* o = <int64_t*> cnp.PyArray_DATA(out)
    cdef double value, highest
    for page in range(cnp.PyArray_SIZE(sizes)):
        size = length[page]
        for r in range(first, first + size):
            for b in range(n_labels):
                highest, label = 0.0, 0
                if r > first:
                    highest = best[(r - 1) * n_labels] + t[b]
                    for a in range(1, n_labels):
                        value = best[(r - 1) * n_labels + a] + t[a * n_labels + b]
                        if value > highest:
                            highest, label = value, a
                best[r * n_labels + b] = highest + s[r * n_labels + b]
                before[r * n_labels + b] = label
        label = 0
        for b in range(1, n_labels):
            if size and best[(first + size - 1) * n_labels + b] > best[
                (first + size - 1) * n_labels + label
            ]:
                label = b
        for r in range(first + size - 1, first - 1, -1):
            o[r] = label
            label = before[r * n_labels + label]
        first += size
    return out


cdef int check_chain(cnp.ndarray scores, cnp.ndarray sizes, cnp.ndarray steps) except -1:
    cdef Py_ssize_t i, total = 0, n_labels
    expect(
        cnp.PyArray_NDIM(scores) == 2 and cnp.PyArray_NDIM(steps) == 2, "a chain has two tables"
    )
    n_labels = cnp.PyArray_DIM(steps, 0)
    expect(
        n_labels > 0 and cnp.PyArray_DIM(steps, 1) == cnp.PyArray_DIM(scores, 1) == n_labels,
        "a chain has one number of labels",
    )
    cdef int64_t* length = <int64_t*> cnp.PyArray_DATA(sizes)
    for i in range(cnp.PyArray_SIZE(sizes)):
        expect(0 <= length[i] <= cnp.PyArray_DIM(scores, 0), "a page of a wrong length")
        total += length[i]
    return expect(total == cnp.PyArray_DIM(scores, 0), "lengths do not sum to the scores")


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
    cdef cnp.ndarray out = table(10, n, cnp.NPY_INT64)
    cdef int64_t* o = <int64_t*> cnp.PyArray_DATA(out)
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
    N_FOLDED = 0x530  # code points that have one letter each in the table
    DIFFICULT = 0xFFFF  # must be normalised together with others
    APART = 0  # separates words

cdef uint16_t FOLDED[N_FOLDED]


cdef int fill_folded() except -1:
    """Fill the table of letters and digits in compatibility form, case folded."""
    cdef Py_ssize_t code
    cdef str character, folded
    for code in range(N_FOLDED):
        character = chr(code)
        folded = character.casefold()
        if unicodedata.normalize("NFKC", character) != character or len(folded) != 1:
            FOLDED[code] = DIFFICULT
        elif ord(folded) >= N_FOLDED:
            FOLDED[code] = DIFFICULT
        elif unicodedata.category(character)[0] == "M":
            FOLDED[code] = DIFFICULT
        else:
            FOLDED[code] = ord(folded) if character.isalnum() else APART
    FOLDED[0xA0] = APART
    return 0


fill_folded()


cdef enum:
    N_WORDS = 8192  # words that are kept for the next texts
    LONGEST_WORD = 24  # letters of a word that is kept

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


cdef inline bint is_mark(Py_UCS4 c):
    """Return whether a character is one of the marks of printed text: dashes, quotation marks."""
    return (
        c == 0x2013 or c == 0x2014 or c == 0x2018 or c == 0x2019 or 0x201C <= c <= 0x201E
        or c == 0x2026
    )


cdef str letters_of(Char* s, Py_ssize_t n, uint16_t* letters):
    cdef Py_ssize_t i, length = 0
    cdef uint16_t folded
    for i in range(n):
        if s[i] >= N_FOLDED:
            if not is_mark(s[i]):
                return None
            continue
        folded = FOLDED[s[i]]
        if folded == DIFFICULT:
            return None
        if folded != APART:
            letters[length] = folded
            length += 1
    return PyUnicode_FromKindAndData(2, letters, length)


cdef object read_text(
    Char* s, Py_ssize_t n, uint16_t* letters, list words, frozenset wanted, uint64_t likely,
    int64_t* counts,
):
    """Return the letters of a text, None if it is not so simple; there is room for all of them.

    Words are added to a list instead, or counted, all and those wanted; ``likely`` has a bit for the
    hash of each of these.
    """
    cdef Py_ssize_t i, length = 0, start = 0
    cdef Py_UCS4 c
    cdef uint16_t folded
    cdef uint32_t hashed = 0
    cdef bint is_digit, was_digit = False
    if words is None and wanted is None:
        return letters_of(s, n, letters)
    for i in range(n + 1):
        folded = APART
        if i < n:
            c = s[i]
            if c < N_FOLDED:
                folded = FOLDED[c]
                if folded == DIFFICULT:
                    return None
            elif not is_mark(c):
                return None
        is_digit = c"0" <= folded <= c"9"
        if length > start and (folded == APART or is_digit != was_digit):
            if words is not None:
                words.append(word_of(letters + start, length - start, hashed))
            else:
                counts[0] += 1
                if likely >> (hashed & 63) & 1:
                    counts[1] += word_of(letters + start, length - start, hashed) in wanted
            start, hashed = length, 0
        if folded != APART:
            letters[length] = folded
            length += 1
            hashed = hashed * 31 + folded
            was_digit = is_digit
    return words or ()


def cue_signs(list texts not None, list words not None, dict starts not None, Py_ssize_t longest):
    cdef Py_ssize_t i, k, n
    cdef int storage, signs
    cdef void* data
    cdef Py_UCS4 c
    cdef str text
    cdef tuple own
    cdef list result = []
    expect(len(texts) == len(words), "cue_signs: expected the words of each text")
    for k in range(len(texts)):
        text, own, signs = texts[k], <tuple?> words[k], 0
        n, storage, data = len(text), PyUnicode_KIND(text), PyUnicode_DATA(text)
        if n <= longest:
            for i in range(n):
                c = PyUnicode_READ(storage, data, i)
                if c"0" <= c <= c"9":
                    signs |= 2
                elif c == c"@" or c == c"(" or c == 0xA9:
                    signs |= 4
                elif c >= 128:
                    signs |= 2 * Py_UNICODE_ISDECIMAL(c) | 8 * (0x2E80 <= c <= 0xFFEF)
            for word in own:
                if PyDict_GetItemWithError(starts, word) != NULL:
                    signs |= 1
                    break
        result.append(signs)
    return result


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
                if entry[1] not in matches:
                    matches[entry[1]] = []
                matches[entry[1]].append((start, phrase))
    return matches


def normalise(list texts not None, otherwise):
    return simple_texts(texts, otherwise, False, None, NULL)


def split_words(list texts not None, otherwise):
    return simple_texts(texts, otherwise, True, None, NULL)


def count_words(list texts not None, frozenset wanted not None, otherwise):
    cdef cnp.ndarray out = table(len(texts), 2, cnp.NPY_INT64)
    simple_texts(texts, otherwise, False, wanted, <int64_t*> cnp.PyArray_DATA(out))
    return out.T


cdef list simple_texts(
    list texts, object otherwise, bint is_split, frozenset wanted, int64_t* counts
):
    """Return the words or the letters of texts, or count words; a function reads difficult ones."""
    cdef list result = [], words = None
    cdef Py_ssize_t longest = 1, i, k, n = len(texts)
    cdef str text
    cdef object own
    cdef uint64_t likely = 0
    cdef uint32_t hashed
    cdef void* data
    for text in texts:
        longest = max(longest, len(text))
    for text in wanted or ():
        hashed = 0
        for i in range(len(text)):
            hashed = hashed * 31 + <uint32_t> <Py_UCS4> text[i]
        likely |= <uint64_t> 1 << (hashed & 63)
    cdef uint16_t* letters = <uint16_t*> malloc(longest * sizeof(uint16_t))
    if letters == NULL:
        raise MemoryError
    try:
        for i in range(n):
            text, own = texts[i], None
            k, data = len(text), PyUnicode_DATA(text)
            if is_split:
                words = []
            if k <= longest and PyUnicode_KIND(text) == 1:
                own = read_text(<const uint8_t*> data, k, letters, words, wanted, likely, counts)
            elif k <= longest and PyUnicode_KIND(text) == 2:
                own = read_text(<const uint16_t*> data, k, letters, words, wanted, likely, counts)
            if own is None:
                own = otherwise(text)
                if wanted is not None:
                    counts[0], counts[1] = len(own), sum([word in wanted for word in own])
            elif is_split:
                own = tuple(words)
            if wanted is None:
                result.append(own)
            else:
                counts += 2
    finally:
        free(letters)
    return result


cdef frozenset meanings_of(str part, dict known, object learn):
    cdef PyObject* found = PyDict_GetItemWithError(known, part)
    return learn(part) if found == NULL else <frozenset?> <object> found


cdef tuple meanings_of_names(
    str names, uint16_t* letters, dict known, object learn, object learn_joined, frozenset joining
):
    """Return words and meanings of names, read part by part unless parts depend on neighbours."""
    cdef Py_ssize_t i, n = PyUnicode_GET_LENGTH(names), part = -1, word = -1, name = 0
    cdef const uint8_t* given = <const uint8_t*> PyUnicode_DATA(names)
    cdef uint8_t c = 0, before = 0
    cdef uint32_t hashed = 0, hashed_part = 0
    cdef bint is_small, is_camel, is_alphabetic, is_joined = False
    cdef str text
    cdef object meant = frozenset(), own = meant
    cdef set words = set()
    for i in range(n + 1):
        c = given[i] if i < n else 32
        letters[i] = c | 0x20 if c"A" <= c <= c"Z" else c
        is_small = c"a" <= letters[i] <= c"z"
        is_alphabetic = is_small or c"0" <= c <= c"9"
        is_camel = c != letters[i] and before >= c"a" and before == letters[i - 1] and i > 0
        text = None
        if word >= 0 and (not is_small or is_camel):
            if 2 <= i - word <= 20:
                text = word_of(letters + word, i - word, hashed)
                words.add(text)
                text = text if word == part else None
            word, hashed = -1, 0
        if part >= 0 and (not is_alphabetic or is_camel):
            if text is None:
                text = word_of(letters + part, i - part, hashed_part)
            if text in joining:
                is_joined = True
            elif not is_joined:
                added = meanings_of(text, known, learn)
                own = own | added if own and added else added or own
            part, hashed_part = -1, 0
        if Py_UNICODE_ISSPACE(c):  # behind a name
            if is_joined:
                own, is_joined = learn_joined(names[name:i]), False
            meant = meant | own if meant and own else own or meant
            own, name = NO_NAMES, i + 1
        if is_small:
            word = i if word < 0 else word
            hashed = hashed * 31 + letters[i]
        if is_alphabetic:
            part = i if part < 0 else part
            hashed_part = hashed_part * 31 + letters[i]
        before = c
    return frozenset(words), meant


NO_NAMES = frozenset()


def read_names(
    list names not None, dict known not None, learn, learn_joined, frozenset joining not None
):
    cdef list result = []
    cdef Py_ssize_t longest = 0
    cdef str own
    for own in names:
        longest = max(longest, len(own))
    cdef uint16_t* letters = <uint16_t*> malloc((longest + 1) * sizeof(uint16_t))
    if letters == NULL:
        raise MemoryError
    try:
        for own in names:
            if own.isascii() and len(own) <= longest:
                result.append(meanings_of_names(own, letters, known, learn, learn_joined, joining))
            else:
                result.append(None)
    finally:
        free(letters)
    return result


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


def count_tags(bytes html not None, frozenset formatting not None, frozenset raw not None,
               Py_ssize_t short_tag):
    cdef const uint8_t* s = html
    cdef Py_ssize_t n = len(html), i, k, end = -1, n_separators
    cdef list packed = [int.from_bytes(name, "big") for names in (formatting, raw) for name in names]
    cdef uint64_t codes[64]
    cdef int n_codes = len(packed), n_first = len(formatting)
    cdef uint64_t code
    expect(n_codes <= 64, "count_tags: too many names")
    for k in range(n_codes):
        codes[k] = packed[k]
    cdef Py_ssize_t n_tags = 0, n_ends = 0, n_formatting = 0, most = 0, merged = 0, merged_end = 0
    cdef bint is_new, has_empty = False
    cdef const void* place = memchr(s, c"<", n)
    while place != NULL:
        i = <const uint8_t*> place - s
        n_tags += 1
        if at(s, n, i + 1) == c"/":
            n_ends += 1
        elif is_letter(at(s, n, i + 1)):
            if end < i:
                place = memchr(s + i, c">", n - i)
                end = n if place == NULL else <const uint8_t*> place - s
                if end - i > short_tag:
                    n_separators = 0
                    for k in range(i, end):
                        n_separators += is_white(s[k]) or s[k] == c"/" or s[k] == c"=" or (
                            s[k] == c"'" or s[k] == c'"'
                        )
                    most = max(most, n_separators)
            if i >= merged_end and (has(s, n, "html", i + 1) or has(s, n, "body", i + 1)):
                merged, merged_end = merged + end - i, end
            code = name_code(s, n, i + 1)
            if code:
                for k in range(n_first):
                    n_formatting += codes[k] == code
                if s[end - 1] == c"/":
                    for k in range(n_first, n_codes):
                        has_empty |= codes[k] == code
        place = memchr(s + i + 1, c"<", n - i - 1)
    return n_tags, n_ends, n_formatting, most, merged, has_empty


cdef class Column:
    """Growing column of numbers."""

    cdef int32_t* data
    cdef Py_ssize_t size, capacity

    def __dealloc__(self):
        free(self.data)

    cdef int add(self, Py_ssize_t value) except -1:
        cdef void* larger
        if self.size == self.capacity:
            larger = realloc(self.data, (2 * self.capacity + 256) * sizeof(int32_t))
            if larger == NULL:
                raise MemoryError
            self.data, self.capacity = <int32_t*> larger, 2 * self.capacity + 256
        self.data[self.size] = value
        self.size += 1
        return 0

    cdef object numbers(self):
        return array("i", (<char*> self.data)[:self.size * sizeof(int32_t)] if self.size else b"")


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

    cdef Column number, above, start, end
    cdef bint has_empty  # one of an element that would swallow what follows ends in "/>"


cdef class Names:
    """Numbers of the distinct names of tags, in lower case, and what they mean."""

    cdef list known, ends
    cdef dict numbers
    cdef Column flags, n_open
    cdef int32_t slots[N_SLOTS]  # number of a short name + 1, by its hash
    cdef tuple rules

    cdef int number(self, str name) except -1:
        cdef int flags = 0
        found = self.numbers.get(name)
        if found is None:
            found = self.numbers[name] = len(self.known)
            for bit, names in enumerate(self.rules):
                flags |= (name in names) << bit
            self.known.append(name)
            self.ends.append(self.rules[4].get(name))
            self.flags.add(flags)
            self.n_open.add(0)
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


def find_excess(str html not None, tuple rules not None, tuple limits not None):
    cdef Py_ssize_t n = PyUnicode_GET_LENGTH(html), i = 0, begin, stop, k
    expect(PyUnicode_KIND(html) == 1, "find_excess: expected a character for each byte")
    cdef const uint8_t* s = <const uint8_t*> PyUnicode_DATA(html)
    cdef Py_ssize_t most_attributed = limits[0], most_open = limits[1], most_repeated = limits[2]
    cdef Py_ssize_t n_open = 0, n_repeated = 0
    cdef Names names = new_names(rules)
    cdef Column attributed = Column(), stack = Column()
    cdef bint is_closing, has_attributes
    cdef int number, flags
    while True:
        i = find(s, n, c"<", i)
        if i >= n:
            return 0
        is_closing = at(s, n, i + 1) == c"/"
        begin = i + 1 + is_closing
        if not is_letter(at(s, n, begin)):
            i += 1
            continue
        stop = begin + 1
        while stop < n and not is_white(s[stop]) and s[stop] != c"/" and s[stop] != c">":
            stop += 1
        k = stop
        while k < n and (is_white(s[k]) or s[k] == c"/"):
            k += 1
        has_attributes = k < n and s[k] != c">"
        i = k + 1 if has_attributes else stop
        number = name_number(s, stop - begin, html, begin, names)
        while attributed.size <= number:
            attributed.add(0)
        flags = names.flags.data[number]
        if flags & 1:  # formatting
            if not is_closing or names.n_open.data[number]:
                names.n_open.data[number] += -1 if is_closing else 1
                n_open += -1 if is_closing else 1
            if is_closing:
                attributed.data[number] = max(attributed.data[number] - 1, 0)
            else:
                attributed.data[number] += has_attributes
        elif not is_closing:
            n_repeated += n_open
            if not flags & 2:  # may be nested in its own kind
                stack.add(number)
        elif stack.size and stack.data[stack.size - 1] == number:
            stack.size -= 1
        if attributed.data[number] > most_attributed:
            return 1
        if stack.size > most_open:
            return 2
        if n_repeated > most_repeated:
            return 3


def find_texts(str html not None, list texts not None, dict holders not None, list names not None,
               read, holder_of):
    cdef dict times = {}, matches = {}
    cdef Py_ssize_t start, end, opening, n = PyUnicode_GET_LENGTH(html), n_names = len(names)
    cdef tuple match, content
    cdef str text, name
    cdef PyObject* held
    cdef PyObject* same
    for match in texts:
        start, end, opening = match
        expect(0 <= start <= end <= n and -1 <= opening < n_names, "find_texts: no such place")
        text = html[start:end]
        held = NULL
        if PyUnicode_FindChar(html, c"&", start, end, 1) < 0:
            held = PyDict_GetItemWithError(holders, text)
        if held == NULL:
            text = read(text)
            held = PyDict_GetItemWithError(holders, text)
            if held == NULL:
                continue
        times[text] = times.get(text, 0) + 1
        name = names[opening] if opening >= 0 else ""
        if name not in <list?> <object> held:
            name = holder_of(opening, <object> held)
            if not name:
                continue
        content = (text, name)
        same = PyDict_GetItemWithError(matches, content)
        if same == NULL:
            matches[content] = [match]
        else:
            (<list> same).append(match)
    return matches, times


def read_attributes(str tag not None, Py_ssize_t start):
    cdef dict attributes = {}
    cdef Py_ssize_t n = PyUnicode_GET_LENGTH(tag), i = start, begin, stop
    cdef Py_UCS4 c
    cdef str name
    expect(start >= 0, "read_attributes: no such place")
    if n and tag[n - 1] == c">":
        n -= 1
    while i < n:
        c = tag[i]
        if is_space(c) or c == c"/" or c == c">":
            i += 1
            continue
        begin = i
        i += 1
        while i < n and not is_space(tag[i]) and tag[i] not in "/>=":
            i += 1
        name = tag[begin:i].lower()
        begin = stop = i
        while stop < n and is_space(tag[stop]):
            stop += 1
        if stop < n and tag[stop] == c"=":
            begin = stop + 1
            while begin < n and is_space(tag[begin]):
                begin += 1
            c = tag[begin] if begin < n else 0
            if c == c'"' or c == c"'":
                begin += 1
                stop = begin
                while stop < n and tag[stop] != c:
                    stop += 1
                i = stop + 1
            else:
                stop = begin
                while stop < n and not is_space(tag[stop]) and tag[stop] != c">":
                    stop += 1
                i = stop
        else:
            stop = begin
        if name not in attributes:
            attributes[name] = tag[begin:stop]
    return attributes


cdef Names new_names(tuple rules):
    cdef Names names = Names.__new__(Names)
    names.known, names.ends, names.numbers, names.rules = [], [], {}, rules
    names.flags, names.n_open = Column(), Column()
    return names


def scan_markup(str html not None, tuple rules not None):
    cdef Py_ssize_t n = PyUnicode_GET_LENGTH(html), i
    cdef int storage = PyUnicode_KIND(html)
    expect(n < 0x7FFFFFFF, "scan_markup: a source of over 2 GB")
    cdef Names names = new_names(rules)
    cdef Column texts = Column(), media = Column()
    cdef Tags tags = Tags.__new__(Tags)
    tags.number, tags.above, tags.start, tags.end = Column(), Column(), Column(), Column()
    if storage == 1:
        scan(<const uint8_t*> PyUnicode_DATA(html), n, html, names, texts, media, tags)
    elif storage == 2:
        scan(<const uint16_t*> PyUnicode_DATA(html), n, html, names, texts, media, tags)
    else:
        scan(<const uint32_t*> PyUnicode_DATA(html), n, html, names, texts, media, tags)
    return (
        [(texts.data[i], texts.data[i + 1], texts.data[i + 2]) for i in range(0, texts.size, 3)],
        [(media.data[i], media.data[i + 1], media.data[i + 2]) for i in range(0, media.size, 3)],
        [names.known[tags.number.data[i]] for i in range(tags.number.size)],
        tags.above.numbers(), tags.start.numbers(), tags.end.numbers(), tags.has_empty,
    )


cdef int scan(
    Char* s, Py_ssize_t n, str html, Names names, Column texts, Column media, Tags tags
) except -1:
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
            texts.add(first)
            texts.add(last)
            texts.add(top)
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
            popped = -1 if names.n_open.data[number] else number
            while popped != number:
                popped = tags.number.data[top]
                names.n_open.data[popped] -= 1
                top = tags.above.data[top]
            i = end
            continue
        while top >= 0 and names.flags.data[tags.number.data[top]] & OMITTED:
            ends = names.ends[tags.number.data[top]]
            if names.known[number] not in ends:
                break
            names.n_open.data[tags.number.data[top]] -= 1
            top = tags.above.data[top]
        outer = tags.number.size
        tags.number.add(number)
        tags.above.add(top)
        tags.start.add(i)
        tags.end.add(end)
        flags = names.flags.data[number]
        if flags & MEDIUM:
            media.add(i)
            media.add(end)
            media.add(outer)
        if flags & SWALLOWING:
            tags.has_empty |= s[find(s, n, c">", stop) - 1] == c"/"
        is_empty = at(s, n, end - 2) == c"/" and at(s, n, end - 1) == c">"
        if not flags & VOID and not (is_empty and flags & FOREIGN):
            top = outer
            names.n_open.data[number] += 1
        if flags & RAW and ends_name(s, n, stop) and not is_empty_in_svg(s, n, stop):
            i = end_of_raw(s, n, names.known[number], end)
        else:
            i = end
    return 0
