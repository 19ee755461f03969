"""Pages without an article, whose quality must say so."""

import random

import pytest

from structce.article import label
from structce.article.page_type import is_plausible

CHANCE = random.Random(7)
WORDS = "the of ferry bank river house tree stone water light green walk paper glass".split()
MESSAGES = {
    "404": "<h1>Not Found</h1><p>The requested URL was not found on this server.</p>",
    "403": "<h1>Forbidden</h1><p>You don't have permission to access this resource.</p>",
    "500": "<h1>Error</h1><p>The server encountered an internal error or misconfiguration and was"
    " unable to complete your request.</p>",
    "captcha": "<h1>Are you a robot?</h1><p>Please complete the check.</p><p>Ray ID: 7a</p>",
    "wait": "<h1>Checking your browser before access to a.example.</h1><p>This is automatic."
    " Your browser will redirect shortly.</p>",
    "script": "<p>You need to enable JavaScript to run this app.</p><div id=root></div>",
    "server": "<h1>Welcome to nginx!</h1><p>If you see this page, the web server is successfully"
    " installed and working. Further configuration is required.</p>",
    "log-in": "<form><h1>Log in</h1><label>Email</label><input><button>Log in</button></form>",
    "search": "<h1>Search results</h1><p>No results found for ferry.</p>",
    "subscribe": "<h1>Subscribe to read</h1><p>Get unlimited access for a pound a week.</p>",
    "empty": "",
    "one word": "<p>hello</p>",
    "images": "".join(f"<img src='/{n}.jpg' alt='quay'>" for n in range(30)),
    "words": "".join(f"<p>{' '.join(CHANCE.choices(WORDS, k=30))}</p>" for _ in range(10)),
    "letters": f"<p>{' '.join(''.join(CHANCE.choices('etaoinsh', k=6)) for _ in range(200))}</p>",
    "numbers": "".join(f"<tr><td>{n * 37}<td>{n * 91}" for n in range(200)).join(
        ("<table>", "</table>")
    ),
    "addresses": f"<p>{' '.join(f'https://a.example/{n}' for n in range(100))}</p>",
    "repeated": "<p>The same line again and again.</p>" * 30,
    "symbols": f"<p>{' '.join(CHANCE.choices('!@#$%^&*()_+', k=300))}</p>",
    "mojibake": f"<p>{'Ð¿Ñ€Ð¸Ð²ÐµÑ‚ ' * 100}</p>",
}


@pytest.mark.filterwarnings("ignore::structce.EmptyPageWarning")
@pytest.mark.parametrize("name", MESSAGES)
def test_the_quality_of_a_page_without_an_article_is_low(name):
    quality = label(
        f"<html lang=en><title>Page</title><body>{MESSAGES[name]}</body></html>"
    ).quality
    assert quality is not None
    assert quality <= 0.3


@pytest.mark.parametrize(
    "text",
    [
        "The parish council of Calder Bridge voted on Thursday night to keep the swimming bath "
        "open for another winter, although the boiler has failed twice since the spring, and two "
        "hundred people had signed a petition for it.",
        "周四晚上，教区委员会投票决定让游泳池再开放一个冬天，尽管锅炉自春天以来已经坏了两次。",
        "木曜日の夜、カルダー橋の教区会は、もう一冬プールを開けておくことを決めた。",
    ],
)
def test_a_short_text_that_somebody_wrote_is_plausible(text):
    assert is_plausible(text)


@pytest.mark.parametrize("mark", ["", "’", "é", "ő", "ж", "字"])
def test_a_repeated_line_is_not_plausible_in_any_script(mark):
    assert not is_plausible(f"The same line again and {mark}again. " * 30)
    assert not is_plausible(f"The same line ÉTÉ été {mark}. " * 30)
