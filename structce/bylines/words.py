"""Words around the names in bylines, by language; all tables are ours.

Words and phrases are in lower case and parted by commas. A language is one line of each table.
"""

from __future__ import annotations

BEFORE = {
    "en": "by, words by, written by, reported by, text by, story by, posted by, author, authors",
    "de": "von, text von, ein artikel von, verfasst von, autor, autorin, autoren, text",
    "fr": "par, texte, texte de, propos recueillis par, publié par, écrit par, auteur, autrice",
    "es": "por, texto, texto de, escrito por, redactado por, autor, autora",
    "it": "di, a cura di, scritto da, testo di, autore, autrice",
    "pt": "por, texto de, escrito por, publicado por, autor, autora",
    "nl": "door, tekst, geschreven door, auteur",
    "da": "af, skrevet af, tekst, forfatter",
    "nb": "av, skrevet av, tekst, forfatter",
    "sv": "av, skriven av, text, författare",
    "fi": "kirjoittanut, teksti, kirjoittaja",
    "is": "eftir, höfundur, skrifar",
    "pl": "autor, autorka, autorzy, napisał, napisała, opracował, opracowała, oprac, tekst",
    "cs": "autor, autorka, autoři, napsal, napsala, připravil, připravila",
    "sk": "autor, autorka, autori, napísal, napísala, pripravil, pripravila",
    "sl": "avtor, avtorica, piše, besedilo",
    "hr": "piše, autor, autorica, napisao, napisala",
    "sr": "пише, аутор, piše, autor",
    "ro": "de, scris de, text de, autor, autori",
    "hu": "írta, szerző, szöveg",
    "tr": "yazan, haber, hazırlayan",
    "el": "του, της, γράφει, γράφει ο, γράφει η, κείμενο, επιμέλεια, ρεπορτάζ",
    "ru": "автор, авторы, текст, подготовил, подготовила",
    "uk": "автор, авторка, автори, текст, підготував, підготувала",
    "bg": "от, автор, автори, текст",
    "lt": "autorius, autorė, parašė, parengė",
    "lv": "autors, autore, raksta, sagatavoja",
    "et": "autor, kirjutas, kirjutab, tekst",
    "ca": "per, text de, escrit per, autor, autora",
    "ja": "文, 取材, 執筆, 著者, 筆者",
    "ko": "글, 글쓴이",
    "zh": "作者, 撰文, 文, 编辑, 編輯, 责编",
    "ar": "بقلم, كتب, كتبت, إعداد, الكاتب",
    "he": "מאת",
    "fa": "نویسنده, نوشته, به قلم",
    "hi": "लेखक, द्वारा",
    "vi": "theo, tác giả, bài",
    "id": "oleh, penulis",
    "ms": "oleh, penulis",
    "sw": "na, mwandishi, imeandikwa na",
    "zu": "ngu, nga, ibhalwe ngu",
}
"""What stands before a name."""

BETWEEN = {
    **{"en": "and", "de": "und", "fr": "et", "es": "y, e", "it": "e", "pt": "e", "nl": "en"},
    **{"da": "og", "nb": "og", "sv": "och", "fi": "ja", "is": "og", "pl": "i, oraz", "cs": "a"},
    **{"sk": "a", "sl": "in", "hr": "i", "sr": "и, i", "ro": "și, şi, si", "hu": "és", "tr": "ve"},
    **{"el": "και", "ru": "и", "uk": "і, й, та", "bg": "и", "lt": "ir", "lv": "un", "et": "ja"},
    **{"ca": "i", "ja": "と", "ko": "와, 과", "zh": "和", "ar": "و", "he": "ו", "fa": "و"},
    **{"hi": "और, व", "vi": "và", "id": "dan", "ms": "dan", "sw": "na", "zu": "no"},
}
"""What stands between two names."""

ROLES = {
    "en": "reporter, correspondent, editor, journalist, columnist, writer, contributor, producer",
    "de": "reporter, reporterin, redakteur, redakteurin, korrespondent, korrespondentin, "
    "journalist, journalistin, kolumnist, kolumnistin, volontär, volontärin, chefredakteur",
    "fr": "journaliste, correspondant, correspondante, rédacteur, rédactrice, reporter, "
    "envoyé spécial, envoyée spéciale, chroniqueur, chroniqueuse",
    "es": "periodista, redactor, redactora, corresponsal, enviado especial, enviada especial, "
    "columnista, editor, editora",
    "it": "giornalista, corrispondente, inviato, inviata, redattore, redattrice, editorialista",
    "pt": "jornalista, repórter, correspondente, redator, redatora, colunista, editor, editora",
    "nl": "verslaggever, verslaggeefster, redacteur, correspondent, journalist, columnist",
    "da": "journalist, korrespondent, redaktør, reporter, kommentator",
    "nb": "journalist, korrespondent, redaktør, reporter, kommentator",
    "sv": "reporter, journalist, korrespondent, redaktör, krönikör",
    "fi": "toimittaja, kirjeenvaihtaja, päätoimittaja",
    "is": "blaðamaður, fréttamaður, ritstjóri",
    "pl": "dziennikarz, dziennikarka, korespondent, korespondentka, reporter, redaktor",
    "cs": "redaktor, redaktorka, novinář, novinářka, zpravodaj, zpravodajka, reportér, reportérka",
    "sk": "redaktor, redaktorka, novinár, novinárka, spravodajca, reportér, reportérka",
    "sl": "novinar, novinarka, dopisnik, dopisnica, urednik, urednica",
    "hr": "novinar, novinarka, dopisnik, dopisnica, urednik, urednica",
    "sr": "новинар, новинарка, дописник, уредник",
    "ro": "jurnalist, jurnalistă, reporter, corespondent, redactor, editor",
    "hu": "újságíró, tudósító, szerkesztő, riporter, munkatárs",
    "tr": "muhabir, muhabiri, gazeteci, editör, yazar, köşe yazarı",
    "el": "δημοσιογράφος, ανταποκριτής, ανταποκρίτρια, συντάκτης, συντάκτρια, ρεπόρτερ",
    "ru": "корреспондент, журналист, журналистка, обозреватель, редактор, репортер, репортёр",
    "uk": "кореспондент, кореспондентка, журналіст, журналістка, оглядач, редактор, редакторка",
    "bg": "кореспондент, журналист, журналистка, репортер, редактор",
    "lt": "žurnalistas, žurnalistė, korespondentas, korespondentė, redaktorius, redaktorė",
    "lv": "žurnālists, žurnāliste, korespondents, korespondente, redaktors, redaktore",
    "et": "ajakirjanik, korrespondent, toimetaja, reporter",
    "ca": "periodista, redactor, redactora, corresponsal, enviat especial, enviada especial",
    "ja": "記者, 編集委員, 論説委員, 特派員, 編集者, ライター",
    "ko": "기자, 특파원, 논설위원, 편집위원, 앵커",
    "zh": "记者, 記者, 通讯员, 特派员, 特派員, 評論員, 评论员",
    "ar": "مراسل, مراسلة, صحفي, صحفية, صحافي, صحافية, كاتب, محرر, محررة",
    "he": "כתב, כתבת, כתבנו, עיתונאי, עיתונאית, פרשן, עורך",
    "fa": "خبرنگار, روزنامه نگار, گزارشگر, سردبیر",
    "hi": "संवाददाता, पत्रकार, रिपोर्टर, संपादक",
    "vi": "phóng viên, nhà báo, biên tập viên",
    "id": "wartawan, jurnalis, reporter, koresponden, redaktur, pewarta",
    "ms": "wartawan, pemberita, koresponden, penyunting",
    "sw": "mwanahabari, mhariri",
    "zu": "intatheli, umhleli",
}
"""What a person in a byline is."""

OTHERS = {
    "en": "staff, staff writer, staff reporter, agencies, newsroom, news desk, newswires, "
    "additional reporting, contributed to this report, with reporting by, wire services",
    "de": "redaktion, agenturen, mitarbeit, mit material von, mit agenturmaterial",
    "fr": "rédaction, agences, avec agences, avec la contribution de",
    "es": "redacción, agencias, con información de, con la colaboración de",
    "it": "redazione, agenzie, con la collaborazione di",
    "pt": "redação, redacção, agências, com agências, com informações de",
    "nl": "redactie, persbureaus, met medewerking van",
    "da": "redaktionen, nyhedsbureauer",
    "nb": "redaksjonen, nyhetsbyråer",
    "sv": "redaktionen, nyhetsbyråer",
    "fi": "toimitus, uutistoimistot",
    "is": "ritstjórn, fréttastofa",
    "pl": "redakcja, agencje, współpraca",
    "cs": "redakce, agentury, spolupráce",
    "sk": "redakcia, agentúry, spolupráca",
    "sl": "uredništvo, agencije",
    "hr": "redakcija, agencije",
    "sr": "редакција, агенције, redakcija, agencije",
    "ro": "redacția, redacţia, agenții",
    "hu": "szerkesztőség, hírügynökségek",
    "tr": "haber merkezi, ajanslar",
    "el": "σύνταξη, πρακτορεία",
    "ru": "редакция, агентства, при участии",
    "uk": "редакція, агентства, за участі",
    "bg": "редакция, агенции, екип",
    "lt": "redakcija, agentūros",
    "lv": "redakcija, aģentūras",
    "et": "toimetus, agentuurid",
    "ca": "redacció, agències, amb informació de",
    "ja": "編集部, 取材班, 取材協力",
    "ko": "편집국, 취재팀, 편집부",
    "zh": "编辑部, 編輯部, 综合报道, 綜合報導, 实习生",
    "ar": "وكالات, هيئة التحرير, بمشاركة",
    "he": "מערכת, סוכנויות הידיעות",
    "fa": "تحریریه, گروه خبر",
    "hi": "डेस्क, एजेंसी, न्यूज़ डेस्क",
    "vi": "ban biên tập, cộng tác viên",
    "id": "tim redaksi, redaksi, kontributor",
    "ms": "agensi, meja berita",
    "sw": "wahariri, mashirika",
    "zu": "abahleli",
}
"""Who wrote instead of a named person, or beside one."""

AGENCIES = (
    "reuters, dpa, afp, ap, apa, associated press, agence france presse, ansa, efe, europa press, "
    "lusa, anp, belga, ntb, tt, ritzau, stt, pap, čtk, tasr, hina, tanjug, mti, anadolu, aa, dha, "
    "iha, tass, тасс, риа новости, ria novosti, interfax, интерфакс, укрінформ, bta, бта, bns, "
    "leta, pti, ians, ani, antara, bernama, xinhua, 新华社, 新華社, kyodo, 共同通信, 時事, yonhap, "
    "연합뉴스, 뉴시스, وام, رويترز, فرانس برس, sda, keystone, sid, kna, epd, bloomberg, upi, "
    "canadian press, press association, pa media, agerpres"
)
"""News agencies."""
