"""The reader of bylines: names, agencies and what is neither, in odd lines of many languages."""

import numpy as np
import pytest

from structce.bylines import (
    BYLINE_LABELS,
    BylineReader,
    PageNames,
    current_reader,
    load_reader,
    save_reader,
    shipped_reader,
    use_reader,
)
from structce.bylines.reader import names_in
from structce.bylines.tokens import tokens_of
from structce.errors import ModelError
from structce.learners import LinearChainCRF


def labelled(byline, *labels):
    tokens = tokens_of(byline)
    indices = [BYLINE_LABELS.index(label) for label in labels]
    names = names_in(byline, tokens, indices, [0.5] * len(tokens))
    return [(name.text, name.is_group) for name in names]


def test_labels_of_tokens_become_names():
    labels = ("noise", "name", "more", "noise", "name", "more", "noise", "group", "organisation")
    names = labelled("By Ann Lee and Tom Rost, AP Post", *labels)
    assert names == [("Ann Lee", False), ("Tom Rost", False), ("AP", True)]
    assert (
        labelled("Photo : Ann Lee, AP", "noise", "noise", "name", "more", *labels[6:8]) == names[2:]
    )


@pytest.fixture
def small_reader():
    """A reader that takes capitals for names, and knows nothing else."""
    learner = LinearChainCRF()
    columns = {"shape=Xx": 0, "-1:shape=Xx": 1}
    learner.classes_, learner.n_columns_ = np.arange(len(BYLINE_LABELS)), len(columns)
    learner.temperature_, learner.calibration_ = 1.0, None
    learner.emissions_ = np.zeros((2, len(BYLINE_LABELS)))
    learner.emissions_[0, 1] = 2.0
    learner.emissions_[1, 2] = 3.0
    learner.emissions_[:, 0] = 0.5
    learner.transitions_ = np.zeros((len(BYLINE_LABELS),) * 2)
    learner.objective_ = learner.gradient_norm_ = 0.0
    learner.n_iterations_, learner.curve_ = 1, []
    return BylineReader(learner, columns, frozenset({"ann"}))


def test_a_reader_survives_the_disk(small_reader, tmp_path):
    save_reader(tmp_path / "r", small_reader, about={"pages": 1}, card="# small")
    read = load_reader(tmp_path / "r")
    assert (read.columns, read.given) == (small_reader.columns, small_reader.given)
    assert read.read("by Ann Lee") == small_reader.read("by Ann Lee")
    assert [name.text for name in read.read("by Ann Lee")] == ["Ann Lee"]


def test_a_reader_whose_columns_are_another_s_is_not_loaded(small_reader, tmp_path):
    save_reader(tmp_path / "r", small_reader, about={}, card="")
    small_reader.columns["any"] = 2
    save_reader(tmp_path / "s", small_reader, about={}, card="")
    with pytest.raises(ModelError, match="other columns or labels"):
        load_reader(tmp_path / "s")
    (tmp_path / "r" / "learner.json").write_bytes(b"{}")
    with pytest.raises(ModelError, match=r"learner\.json is not the file"):
        load_reader(tmp_path / "r")


def test_leaning_to_names_finds_more(small_reader):
    learner = small_reader.learner
    learner.emissions_ = learner.emissions_ - 2 * np.eye(1, len(BYLINE_LABELS), 1)
    counts = [len(small_reader.read_all(["ann Lee"], lean=lean)[0]) for lean in (-5.0, 5.0)]
    assert counts[0] < counts[1]
    together = small_reader.read_all(["ann Lee", "ann Lee"], lean=[-5.0, 5.0])
    assert [len(names) for names in together] == counts


NOBODY = """
de ⇥ Foto: Jan Rost
en ⇥ Photo by Ann Lee
en ⇥ Written By
en ⇥ By
en ⇥ View ORCID Profile
de ⇥ Kommentare
en ⇥ TV Columnist
de ⇥ veröffentlicht am
en ⇥ Technology
en ⇥ No Author
en ⇥ 5 min read
de ⇥ Lesezeit: 3 Minuten
fr ⇥ Temps de lecture
en ⇥ Share on Facebook
en ⇥ Follow
en ⇥ Read more
de ⇥ Mehr zum Thema
en ⇥ Published
en ⇥ Last updated: 3 May 2026
en ⇥ Leave a comment
en ⇥ 0 Comments
en ⇥ Subscribe to our newsletter
en ⇥ Staff Writer
en ⇥ Senior Reporter
de ⇥ Redakteurin
en ⇥ Getty Images
en ⇥ Advertisement
de ⇥ Anzeige
en ⇥ Home
en ⇥ Breaking News
en ⇥ About the author
de ⇥ Über den Autor
en ⇥ Related articles
en ⇥ All rights reserved
de ⇥ Politik
fr ⇥ Publié le 14 mars 2026
es ⇥ Publicado el 3 de mayo de 2026
pl ⇥ Opublikowano
zh ⇥ 来源：新华网
zh ⇥ 发布时间：2026-03-14 09:30
ja ⇥ 関連記事
ja ⇥ 公開日 2026年3月14日
ko ⇥ 입력 2026.03.14 09:30
ru ⇥ Комментарии
el ⇥ Σχόλια
"""
SOMEBODY = """
en ⇥ Story by Ann Lee; photos by Tom Rost ⇥ Ann Lee
de ⇥ Text: Mia Öz, Fotos: Jan Rost ⇥ Mia Öz
en ⇥ By Ann Lee ⇥ Ann Lee
en ⇥ Ann Lee ⇥ Ann Lee
en ⇥ BY ANN LEE AND TOM ROST ⇥ ANN LEE; TOM ROST
en ⇥ By Ann Lee, Staff Writer ⇥ Ann Lee
en ⇥ Written by Ann Lee¶Reviewed by Tom Rost, MD ⇥ Ann Lee; Tom Rost
en ⇥ By Ann Lee | Harbour Post ⇥ Ann Lee
en ⇥ Ann Lee¶TV Columnist ⇥ Ann Lee
en ⇥ By¶Ann Lee¶3 May 2026 ⇥ Ann Lee
en ⇥ Ann Lee, Reuters ⇥ Ann Lee
en ⇥ By Reuters ⇥ Reuters
en ⇥ By Associated Press ⇥ Associated Press
de ⇥ dpa ⇥ dpa
de ⇥ Von dpa ⇥ dpa
en ⇥ Posted by Ann Lee on 3 May 2026 ⇥ Ann Lee
en ⇥ By Ann Lee in Berlin ⇥ Ann Lee
en ⇥ By Norah O'Donnell ⇥ Norah O'Donnell
en ⇥ By Dr. Ann Lee ⇥ Dr. Ann Lee
en ⇥ Ann Lee and Tom Rost ⇥ Ann Lee; Tom Rost
en ⇥ Ann Lee, Tom Rost & Mia Öz ⇥ Ann Lee; Tom Rost; Mia Öz
en ⇥ More from Ann Lee ⇥ Ann Lee
en ⇥ Ann Lee - May 3, 2026 ⇥ Ann Lee
en ⇥ By Ann Lee · 5 min read ⇥ Ann Lee
de ⇥ Von Mia Öz ⇥ Mia Öz
de ⇥ Von Mia Öz und Jan Rost ⇥ Mia Öz; Jan Rost
de ⇥ Mia Öz, Redakteurin ⇥ Mia Öz
de ⇥ Mia Öz | 3. Mai 2026, 9:30 Uhr ⇥ Mia Öz
de ⇥ Ein Artikel von Mia Öz ⇥ Mia Öz
de ⇥ Von Mia Öz, Hamburg ⇥ Mia Öz
de ⇥ Autor: Jan Rost ⇥ Jan Rost
fr ⇥ Par Zoé Moreau ⇥ Zoé Moreau
fr ⇥ Par Zoé Moreau avec AFP ⇥ Zoé Moreau
fr ⇥ Propos recueillis par Zoé Moreau ⇥ Zoé Moreau
es ⇥ Por José Marin ⇥ José Marin
es ⇥ José Marin¶Madrid - 3 may 2026 ⇥ José Marin
it ⇥ di Luca Rossi ⇥ Luca Rossi
it ⇥ A cura di Luca Rossi ⇥ Luca Rossi
pt ⇥ Por Ana Costa, jornalista ⇥ Ana Costa
nl ⇥ Door Jan van der Berg en Mia de Wit ⇥ Jan van der Berg; Mia de Wit
pl ⇥ Autor: Ewa Nowak ⇥ Ewa Nowak
cs ⇥ Autor: Jan Novák ⇥ Jan Novák
ru ⇥ Автор: Анна Петрова ⇥ Анна Петрова
ru ⇥ Анна Петрова, корреспондент ⇥ Анна Петрова
el ⇥ Γράφει ο Νίκος Παπαδάκης ⇥ Νίκος Παπαδάκης
tr ⇥ Yazan: Elif Yılmaz ⇥ Elif Yılmaz
sv ⇥ Av Lars Lindqvist ⇥ Lars Lindqvist
ar ⇥ بقلم: ليلى حداد ⇥ ليلى حداد
zh ⇥ 记者 张三 ⇥ 张三
zh ⇥ 文/张伟 ⇥ 张伟
zh ⇥ 本报记者 李明 王芳 ⇥ 李明; 王芳
zh ⇥ 作者：张三 ⇥ 张三
zh ⇥ 来源：河口日报 作者：张三 ⇥ 张三
zh-TW ⇥ 記者王小明／台北報導 ⇥ 王小明
zh ⇥ （记者 张三） ⇥ 张三
ja ⇥ 記者 山田太郎 ⇥ 山田太郎
ja ⇥ 文・山田太郎 ⇥ 山田太郎
ja ⇥ 著者：佐藤花子 ⇥ 佐藤花子
ja ⇥ 山田 太郎 記者 ⇥ 山田 太郎
ko ⇥ 홍길동 기자 ⇥ 홍길동
ko ⇥ 홍길동기자 ⇥ 홍길동
ko ⇥ 글 김민수 ⇥ 김민수
ko ⇥ 홍길동 기자 hong@post.example ⇥ 홍길동
"""

# What the reader that is shipped still reads wrong, so that a better one is noticed.
STILL_WRONG = """
en ⇥ Medical Xpress ⇥
en ⇥ Ann Lee Senior Autos Editor ⇥ Ann Lee
de ⇥ Von unserer Redakteurin Mia Öz ⇥ Mia Öz
"""


def rows(table):
    lines = table.strip("\n").splitlines()
    return [[part.strip() for part in line.replace("¶", "\n").split("⇥")] for line in lines]


def read(byline, lang):
    return [name.text for name in shipped_reader().read(byline, lang)]


@pytest.mark.parametrize(("lang", "byline"), rows(NOBODY))
def test_what_stands_where_bylines_do_names_nobody(lang, byline):
    assert read(byline, lang) == []


@pytest.mark.parametrize(("lang", "byline", "names"), rows(SOMEBODY))
def test_names_are_read_out_of_odd_bylines(lang, byline, names):
    assert read(byline, lang) == names.split("; ")


@pytest.mark.parametrize(("lang", "byline", "names"), rows(STILL_WRONG))
@pytest.mark.xfail(strict=True, reason="the shipped reader takes it for something else")
def test_names_that_the_shipped_reader_does_not_read_yet(lang, byline, names):
    assert read(byline, lang) == [name for name in names.split("; ") if name]


def test_what_a_page_states_tells_a_name_from_a_site():
    names = PageNames.of(["Juno Kvist"], ["Harbour Post"])
    (stated,) = shipped_reader().read_all(["Juno Kvist"], "en", names)
    assert [name.text for name in stated] == ["Juno Kvist"]
    name, line = shipped_reader().likeness(["Ann Lee", "7 comments"])
    assert name[0] > 0.5 > line[0]


def test_byline_reader_can_be_replaced_for_a_while():
    shipped = shipped_reader()
    other = BylineReader(shipped.learner, {}, frozenset())
    with use_reader(other):
        assert current_reader() is other
        with use_reader(None):
            assert current_reader() is shipped
    assert current_reader() is shipped
