"""Addresses of images and links: which are safe, and what becomes of the others."""

import pytest

from structce.article.images import checked_address

BASE = "https://ferry.example/news/today.html"


@pytest.mark.parametrize(
    ("address", "base", "expected"),
    [
        ("/a/b.html?x=1&y#z", BASE, "https://ferry.example/a/b.html?x=1&y#z"),
        ("https://other.example/a%20b;c?d", BASE, "https://other.example/a%20b;c?d"),
        ("https://other.example/a?", BASE, "https://other.example/a"),
        ("/a/../b/./c", BASE, "https://ferry.example/b/c"),
        ("//other.example/a", BASE, "https://other.example/a"),
        ("boat.png", BASE, "https://ferry.example/news/boat.png"),
        ("/a b<", BASE, "https://ferry.example/a%20b%3C"),
        ("/a", "HTTPS://Ferry.example:80/b", "https://Ferry.example:80/a"),
        ("/a", "", "/a"),
        ("javascript:a()", BASE, ""),
        ("data:image/png;base64,AA", BASE, ""),
        (" ", BASE, ""),
    ],
)
def test_addresses_are_joined_and_made_safe(address, base, expected):
    assert checked_address(address, base) == expected
