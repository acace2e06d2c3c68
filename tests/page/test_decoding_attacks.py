"""Labels against bytes: no combination of header, `<meta>`, byte order mark and damage loses or garbles a page."""

from __future__ import annotations

import codecs
from itertools import product

import pytest
import webencodings

from dehusk.page.decoding import Decoded, decode, lookup_encoding
from dehusk.page.page_reading import read_page
from dehusk.sources.raw_page import RawPage

FRENCH = "Un café très agréable à côté de la forêt, où l'été dure jusqu'à la fin."
GERMAN = "Über den Dächern von Köln hört man früh die Glöckchen."
RUSSIAN = "Привет, как дела? Это обычный русский текст, в котором много слов."
GREEK = "Το τσάι είναι ένα ρόφημα που πίνεται ζεστό."
CHINESE = "这是一个普通的中文网页，内容是关于茶叶的种植和加工。"
TRADITIONAL = "這是一個普通的中文網頁，內容是關於茶葉的種植和加工。"
JAPANESE = "日本語の文章です。今日は天気がいいですね。"
KOREAN = "안녕하세요 여러분, 오늘은 차에 대해 이야기합니다."
THAI = "ชาเป็นเครื่องดื่มที่ทำจากใบของต้นชา ผ่านกรรมวิธีหลายแบบ"
HEBREW = "תה הוא משקה חם שמכינים מעלים יבשים"
ARABIC = "الشاي مشروب ساخن يحضر من أوراق نبات الشاي"

REPLACED = ("iso-2022-kr", "csiso2022kr", "iso-2022-cn", "iso-2022-cn-ext", "hz-gb-2312", "replacement")
LABELS = (*sorted(set(webencodings.LABELS.values()) - {"replacement"}), *REPLACED, "utf-16", "utf-32", "utf-7", "none")
TEXTS = (FRENCH, RUSSIAN, CHINESE, JAPANESE, KOREAN)

BROKEN = {
    "nothing": (b"", b""),
    "a byte that UTF-8 never has": (b"<p>one \xff byte</p>", b""),
    "a quote of windows-1252": (b"<p>it\x92s</p>", b""),
    "a letter of windows-1252": (b"", b"<p>caf\xe9 noir</p>"),
    "a lost continuation byte": (b"<p>caf\xc3 noir</p>", b""),
    "a continuation byte alone": (b"<p>\xa9 2006</p>", b"<p>\x80 5</p>"),
    "NUL bytes": (b"<p>\0one\0</p>", b"<p>\0</p>"),
    "a last character cut in two": (b"", b"\xe4\xb8"),
}

LEGACY = {
    "windows-1252": (FRENCH, "cp1252"),
    "iso-8859-1": (GERMAN, "latin-1"),
    "iso-8859-15": (FRENCH, "iso8859_15"),
    "macintosh": (GERMAN, "mac_roman"),
    "windows-1251": (RUSSIAN, "cp1251"),
    "koi8-r": (RUSSIAN, "koi8-r"),
    "iso-8859-5": (RUSSIAN, "iso8859_5"),
    "ibm866": (RUSSIAN, "cp866"),
    "windows-1253": (GREEK, "cp1253"),
    "windows-1250": ("Zażółć gęślą jaźń, a potem herbatę", "cp1250"),
    "windows-1254": ("İyi günler, çay çok güzel oldu, şeker ister misiniz", "cp1254"),
    "windows-1255": (HEBREW, "cp1255"),
    "windows-1256": (ARABIC, "cp1256"),
    "windows-874": (THAI, "cp874"),
    "gb2312": (CHINESE, "gb2312"),
    "gb18030": (CHINESE, "gb18030"),
    "big5": (TRADITIONAL, "big5"),
    "shift_jis": (JAPANESE, "cp932"),
    "euc-jp": (JAPANESE, "euc_jp"),
    "iso-2022-jp": (JAPANESE, "iso2022_jp"),
    "euc-kr": (KOREAN, "cp949"),
}


def page(text: str, codec: str, meta: str = "", before: bytes = b"", after: bytes = b"") -> bytes:
    declared = f"<meta charset={meta}>".encode() if meta else b""
    return declared + before + f"<p>{text}</p>".encode(codec) + after


def header(label: str) -> str:
    return f"text/html; charset={label}" if label else ""


@pytest.mark.parametrize("label", LABELS)
def test_utf8_with_a_few_broken_bytes_beats_every_label(label: str) -> None:
    declared = ((label, ""), ("", label), (label, label), (label, "utf-8"))
    for (broken, (before, after)), text, (http, meta) in product(BROKEN.items(), TEXTS, declared):
        decoded = decode(page(text, "utf-8", meta, before, after), header(http))
        damaged = len([*filter(b"\xff\x92\xe9\xc3\xa9\x80".__contains__, before + after)])
        said = (decoded.encoding, f"<p>{text}</p>" in decoded.text, decoded.damaged)
        assert said == ("utf-8", True, damaged), (broken, text, http, meta)


@pytest.mark.parametrize("broken", BROKEN)
@pytest.mark.parametrize("text", ["Café", "naïve café", "“It’s”", "Привет", "日本語", "中文网页", "한국어"])
def test_one_broken_byte_leaves_an_undeclared_page_utf8(broken: str, text: str) -> None:
    if broken == "a continuation byte alone" and text == "Café":
        pytest.skip("one character against two broken bytes proves nothing")
    decoded = decode(page(text, "utf-8", "", *BROKEN[broken]))
    assert (decoded.encoding, f"<p>{text}</p>" in decoded.text) == ("utf-8", True)


@pytest.mark.parametrize("label", LEGACY)
def test_another_encoding_that_is_declared_is_read_under_a_useless_header(label: str) -> None:
    text, codec = LEGACY[label]
    for other, repeated in product(("", *REPLACED, "utf-8", "utf-16", "none"), (1, 20)):
        decoded = decode(page(text * repeated, codec, label), header(other))
        assert (decoded.text, decoded.damaged) == (f"<meta charset={label}><p>{text * repeated}</p>", 0), other


@pytest.mark.parametrize("label", LEGACY)
@pytest.mark.parametrize("broken", [b"\xff", b"\x81 ", b"\xff, \x81 "])
def test_another_encoding_with_a_broken_byte_or_two_is_what_the_label_says(label: str, broken: bytes) -> None:
    text, codec = LEGACY[label]
    for http, meta in ((label, ""), ("", label)):
        decoded = decode(page(text, codec, meta, b"<p>" + broken + b"</p>"), header(http))
        assert decoded.encoding == lookup_encoding(label)
        assert decoded.text.endswith(f"<p>{text}</p>")


@pytest.mark.parametrize(
    ("label", "codec", "text"),
    [
        ("gb2312", "gb2312", "茶"),
        ("big5", "big5", "茶葉"),
        ("euc-kr", "cp949", "한글"),
        ("iso-2022-jp", "iso2022_jp", "茶"),
    ],
)
def test_a_character_or_two_and_a_broken_byte_are_what_the_label_says(label: str, codec: str, text: str) -> None:
    decoded = decode(page(text, codec, label, b"<p>\xff</p>"))
    assert decoded.text.endswith(f"<p>\ufffd</p><p>{text}</p>")


@pytest.mark.parametrize("codec", ["utf-16le", "utf-16be", "utf-32le", "utf-32be"])
@pytest.mark.parametrize("marked", [False, True])
def test_utf16_and_utf32_are_read_under_every_label(codec: str, marked: bool) -> None:
    mark = "\ufeff" if marked else ""
    for label, text, cut in product(("", *LABELS), (*TEXTS, "plain English", CHINESE * 50), (0, 1)):
        html = f"<html><head><meta charset='{label}'></head><body><p>{text}</p></body></html>"
        body = f"{mark}{html}".encode(codec)
        decoded = decode(body[: len(body) - cut], header(label))  # one byte less is one character less
        assert (decoded.text, decoded.encoding, decoded.damaged) == (html[: len(html) - cut], codec, 0), label


@pytest.mark.parametrize("codec", ["utf-16le", "utf-16be"])
def test_utf16_with_hardly_any_markup_is_read(codec: str) -> None:
    html = f"<p>{CHINESE * 20}</p><p>{CHINESE * 20}</p><p>{JAPANESE}"
    assert decode(html.encode(codec)).text == html
    for text, label in product((CHINESE, RUSSIAN, THAI, ARABIC), ("", "utf-16", "gb2312", "utf-8")):
        assert decode(f"<p>{text * 50}".encode(codec), header(label)).text == f"<p>{text * 50}"


@pytest.mark.parametrize(
    "html", ["<p>\0", "<p>\0hi", "a\0b", "ab\0\0", "\0", "\0<p>\0a\0", "<p>h\0i\0</p>été", "<b\0>\0x\0y\0z"]
)
@pytest.mark.parametrize("label", ["", "utf-16", "iso-2022-kr"])
def test_nul_bytes_on_a_page_of_a_few_bytes_change_nothing(html: str, label: str) -> None:
    for mark in (b"", codecs.BOM_UTF8):
        assert decode(mark + html.encode(), header(label)).text == html


def test_a_utf8_mark_before_valid_utf8_is_right_whatever_the_bytes_look_like() -> None:
    text = "a\0b\0c\0d\0e\0f\0"
    assert decode(codecs.BOM_UTF8 + text.encode()) == Decoded(text, "utf-8", "byte order mark")


MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)


@pytest.mark.parametrize("mark", MARKS)
def test_a_byte_order_mark_that_lies_is_ignored(mark: bytes) -> None:
    for label in (*LEGACY, "utf-8", "utf-16le", "utf-16be"):
        if (mark, label) == (codecs.BOM_UTF8, "iso-2022-jp"):
            continue  # these bytes are valid UTF-8, too, and the mark says so
        text, codec = LEGACY.get(label, (FRENCH, label))
        html = f"<html><head><meta charset={label}></head><body><p>{text}</p></body></html>"
        assert decode(mark + html.encode(codec)).text == html, label


def test_a_byte_order_mark_is_believed_before_text_without_markup() -> None:
    for mark, codec in ((codecs.BOM_UTF16_LE, "utf-16le"), (codecs.BOM_UTF16_BE, "utf-16be")):
        assert decode(mark + CHINESE.encode(codec)) == Decoded(CHINESE, codec, "byte order mark")


@pytest.mark.parametrize("label", REPLACED)
@pytest.mark.parametrize(("text", "codec"), [(FRENCH, "cp1252"), (RUSSIAN, "cp1251"), (CHINESE * 3, "gb18030")])
def test_a_label_that_the_standard_replaces_leaves_it_to_detection(label: str, text: str, codec: str) -> None:
    for http, meta in ((label, ""), ("", label), (label, label)):
        decoded = decode(page(text, codec, meta), header(http))
        assert (decoded.reason, f"<p>{text}</p>" in decoded.text) == ("detected", True)


@pytest.mark.parametrize(
    ("label", "codec", "text"), [("hz-gb-2312", "hz", CHINESE), ("iso-2022-kr", "iso2022_kr", KOREAN)]
)
def test_pages_in_an_encoding_that_the_standard_replaces_are_read(label: str, codec: str, text: str) -> None:
    for http, meta in ((label, ""), ("", label)):
        body = b"<html>" + page(text * 5, codec, meta)
        assert decode(body, header(http)).text.endswith(f"<p>{text * 5}</p>")
        assert decode(body + b"<p>\xff</p>", header(http)).text.endswith(f"<p>{text * 5}</p><p>\ufffd</p>")


@pytest.mark.parametrize("text", ["a template: ~{name} of it", "a terminal: \x1b[31mred\x1b[0m", "plain", "a \x0e b"])
@pytest.mark.parametrize("label", REPLACED)
def test_ascii_is_ascii_under_a_label_that_the_standard_replaces(label: str, text: str) -> None:
    for http, meta in ((label, ""), ("", label)):
        assert decode(page(text, "ascii", meta), header(http)).text.endswith(f"<p>{text}</p>")


@pytest.mark.parametrize("text", ["caf\xe9", "\xfcber K\xf6ln und \xc4tna", "\xab\xc9t\xe9\xbb \xa9 2006"])
@pytest.mark.parametrize("label", ["", "utf-8", "utf-16", "iso-8859-1", "iso-2022-kr", "x-user-defined"])
def test_a_few_letters_of_windows_1252_are_not_nearly_utf8(text: str, label: str) -> None:
    for http, meta in ((label, ""), ("", label)):
        decoded = decode(page(text, "cp1252", meta), header(http))
        assert (decoded.encoding, decoded.text.endswith(f"<p>{text}</p>")) == ("windows-1252", True)


class TestDamage:
    def test_is_counted_where_bytes_mean_nothing(self) -> None:
        assert decode(b"<p>\xff" + FRENCH.encode() + b"\xfe").damaged == 2

    @pytest.mark.parametrize("codec", ["utf-8", "utf-16le", "gb18030"])
    def test_is_not_what_the_page_itself_says(self, codec: str) -> None:
        body = f"<meta charset={codec}><p>{CHINESE} \ufffd".encode(codec)
        assert (decode(body).damaged, decode(body).text[-1]) == (0, "\ufffd")
        assert decode(f"<p>{CHINESE} \ufffd ".encode() + b"\xff").damaged == 1

    def test_is_a_share_of_the_text_of_the_page(self) -> None:
        assert read_page("<p>été".encode() + b"\xff <br>\xff").damage == 0.4

    @pytest.mark.parametrize("html", [b"<p>caf\xc3\xa9", b"<p title='\xff'>\xc3\xa9t\xc3\xa9", "<p>\ufffd"])
    def test_is_none_where_all_text_is_read(self, html: bytes | str) -> None:
        assert read_page(html).damage == 0

    def test_of_a_page_says_encoding_and_reason(self) -> None:
        raw = RawPage(f"<p>{FRENCH}".encode() + b"\xff", headers=(("content-type", header("iso-2022-kr")),))
        read = read_page(raw)
        assert (read.encoding, read.encoding_reason) == ("utf-8", "nearly valid UTF-8")
        assert 0 < read.damage < 0.05
