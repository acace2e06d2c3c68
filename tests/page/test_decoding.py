"""Which encoding a page is read with, and the reason that is given for it."""

from __future__ import annotations

import codecs

import pytest
import webencodings
from hypothesis import given
from hypothesis import strategies as st

from dehusk.page.decoding import Decoded, decode, lookup_encoding
from dehusk.page.page_reading import read_page
from dehusk.sources.raw_page import RawPage

RUSSIAN = "Привет, как дела? Это обычный русский текст, в котором много слов."
FRENCH = "Un café très agréable à côté de la forêt, où l'été dure jusqu'à la fin."
JAPANESE = "日本語の文章です。今日は天気がいいですね。"
CHINESE = "这是一个普通的中文网页，内容是关于茶叶的种植和加工。"

BYTE_ORDER_MARK, HTTP, IN_PAGE, DETECTED = "byte order mark", "HTTP header", "declared in the page", "detected"
VALID_UTF8, NEARLY_UTF8 = "valid UTF-8 with non-ASCII characters", "nearly valid UTF-8"


def page_with_meta(label: str, text: str, codec: str) -> bytes:
    return b'<meta charset="' + label.encode() + b'"><p>' + text.encode(codec)


def choice(decoded: Decoded) -> tuple[str, str]:
    return decoded.encoding, decoded.reason


class TestByteOrderMark:
    @pytest.mark.parametrize(
        ("mark", "codec", "name"),
        [
            (codecs.BOM_UTF8, "utf-8", "utf-8"),
            (codecs.BOM_UTF16_LE, "utf-16le", "utf-16le"),
            (codecs.BOM_UTF16_BE, "utf-16be", "utf-16be"),
        ],
    )
    def test_decides_and_is_removed(self, mark: bytes, codec: str, name: str) -> None:
        decoded = decode(mark + f"<p>{RUSSIAN}".encode(codec))
        assert decoded == Decoded(f"<p>{RUSSIAN}", name, BYTE_ORDER_MARK)

    def test_comes_before_the_http_header_and_the_meta(self) -> None:
        body = codecs.BOM_UTF8 + page_with_meta("koi8-r", FRENCH, "utf-8")
        decoded = decode(body, "text/html; charset=windows-1251")
        assert choice(decoded) == ("utf-8", BYTE_ORDER_MARK)
        assert FRENCH in decoded.text

    def test_alone_is_an_empty_page(self) -> None:
        assert decode(codecs.BOM_UTF8).text == ""


class TestHttpHeader:
    def test_comes_before_the_meta(self) -> None:
        decoded = decode(page_with_meta("windows-1251", RUSSIAN, "koi8-r"), "text/html; charset=koi8-r")
        assert choice(decoded) == ("koi8-r", HTTP)
        assert RUSSIAN in decoded.text

    @pytest.mark.parametrize(
        "content_type",
        [
            "text/html;charset=koi8-r",
            'text/html; charset="KOI8-R"',
            "text/html; Charset = 'koi8-r'",
            "text/html; version=1; charset=koi8-r; x=y",
        ],
    )
    def test_is_understood_in_every_spelling(self, content_type: str) -> None:
        assert choice(decode(RUSSIAN.encode("koi8-r"), content_type)) == ("koi8-r", HTTP)

    @pytest.mark.parametrize("content_type", ["", "text/html", "text/html; charset=", "text/html; charset=no-such"])
    def test_without_a_known_charset_leaves_it_to_the_meta(self, content_type: str) -> None:
        assert choice(decode(page_with_meta("koi8-r", RUSSIAN, "koi8-r"), content_type)) == ("koi8-r", IN_PAGE)

    def test_that_is_wrong_leaves_it_to_the_meta(self) -> None:
        decoded = decode(page_with_meta("koi8-r", RUSSIAN, "koi8-r"), "text/html; charset=utf-8")
        assert choice(decoded) == ("koi8-r", IN_PAGE)

    def test_of_a_servers_default_is_not_believed_against_valid_utf8(self) -> None:
        decoded = decode(FRENCH.encode(), "text/html; charset=iso-8859-1")
        assert decoded == Decoded(FRENCH, "utf-8", VALID_UTF8)

    def test_reaches_the_page(self) -> None:
        raw = RawPage(RUSSIAN.encode("koi8-r"), headers=(("CONTENT-TYPE", "text/html; charset=koi8-r"),))
        page = read_page(raw)
        assert (page.encoding, page.encoding_reason, page.text) == ("koi8-r", HTTP, RUSSIAN)


class TestDeclarationInThePage:
    @pytest.mark.parametrize(
        "declaration",
        [
            "<meta charset=koi8-r>",
            '<META CharSet = " KOI8-R ">',
            "<meta http-equiv='Content-Type' content='text/html; charset=koi8-r'>",
            '<meta content="text/html;charset=koi8-r" http-equiv=content-type />',
            '<?xml version="1.0" encoding="koi8-r"?>',
            "<?xml version='1.0' encoding = 'koi8-r' standalone='yes' ?>",
        ],
    )
    def test_is_understood_in_every_spelling(self, declaration: str) -> None:
        decoded = decode(f"{declaration}<p>{RUSSIAN}".encode("koi8-r"))
        assert choice(decoded) == ("koi8-r", IN_PAGE)
        assert RUSSIAN in decoded.text

    @pytest.mark.parametrize("distance", [2_000, 100_000])
    @pytest.mark.parametrize(
        "declaration", ["<meta charset=koi8-r>", "<meta http-equiv=x content='a; charset=koi8-r'>"]
    )
    def test_is_found_far_into_the_page(self, distance: int, declaration: str) -> None:
        style = "<style>" + "p { color: red }\n" * (distance // 17) + "</style>"
        assert choice(decode(f"{style}{declaration}<p>{RUSSIAN}".encode("koi8-r"))) == ("koi8-r", IN_PAGE)

    def test_in_a_comment_does_not_count(self) -> None:
        html = f"<!-- was <meta charset=koi8-r> once --><meta charset=windows-1251><p>{RUSSIAN}"
        decoded = decode(html.encode("windows-1251"))
        assert choice(decoded) == ("windows-1251", IN_PAGE)

    def test_after_a_comment_counts(self) -> None:
        html = f"<!-- encoding --><meta charset=koi8-r><p>{RUSSIAN}"
        assert choice(decode(html.encode("koi8-r"))) == ("koi8-r", IN_PAGE)

    @pytest.mark.parametrize(
        "other", ["<script charset=koi8-r></script>", "<a href='?charset=koi8-r'>", "<p>charset=koi8-r</p>"]
    )
    def test_on_another_element_does_not_count(self, other: str) -> None:
        html = f"{other}<meta charset=windows-1251><p>{RUSSIAN}"
        assert choice(decode(html.encode("windows-1251"))) == ("windows-1251", IN_PAGE)

    @pytest.mark.parametrize("before", range(4_060, 4_100, 3))
    def test_is_found_across_the_end_of_the_window_that_is_searched_first(self, before: int) -> None:
        html = f"{' ' * before}<meta charset=koi8-r><p>{RUSSIAN}"
        assert choice(decode(html.encode("koi8-r"))) == ("koi8-r", IN_PAGE)

    def test_is_found_at_the_end_of_a_page_of_that_size(self) -> None:
        html = f"<p>{RUSSIAN}<meta charset=koi8-r"
        assert choice(decode(html.encode("koi8-r").rjust(4_096))) == ("koi8-r", IN_PAGE)

    def test_of_an_unknown_name_gives_way_to_the_next(self) -> None:
        html = f"<meta charset=no-such-thing><meta charset=koi8-r><p>{RUSSIAN}"
        assert choice(decode(html.encode("koi8-r"))) == ("koi8-r", IN_PAGE)

    def test_of_utf16_means_utf8(self) -> None:
        # Whoever can read the declaration byte by byte is not reading UTF-16; so says the html standard.
        body = b"<meta charset=utf-16><p>A caf\xc3"  # cut off: nothing but the label tells
        assert decode(body) == Decoded("<meta charset=utf-16><p>A caf", "utf-8", IN_PAGE)

    def test_of_x_user_defined_means_windows_1252(self) -> None:
        # So says the html standard, in the same breath as the line about UTF-16.
        assert FRENCH in decode(page_with_meta("x-user-defined", FRENCH, "windows-1252")).text

    @pytest.mark.parametrize(
        ("label", "codec", "text"),
        [
            ("shift_jis", "cp932", JAPANESE),
            ("euc-jp", "euc_jp", JAPANESE),
            ("iso-2022-jp", "iso2022_jp", JAPANESE),
            ("big5", "big5", "這是一個普通的中文網頁"),
            ("gb2312", "gb18030", CHINESE),
            ("euc-kr", "cp949", "안녕하세요 여러분"),
            ("windows-1255", "cp1255", "שלום עולם"),
            ("iso-8859-2", "iso8859_2", "Zażółć gęślą jaźń"),
        ],
    )
    def test_is_used_for_the_text(self, label: str, codec: str, text: str) -> None:
        decoded = decode(page_with_meta(label, text, codec))
        assert decoded.reason == IN_PAGE
        assert decoded.text.endswith(text)


class TestNames:
    @pytest.mark.parametrize(
        ("label", "name"),
        [
            ("latin-1", "windows-1252"),
            ("latin1", "windows-1252"),
            ("iso-8859-1", "windows-1252"),
            ("ISO_8859-1", "windows-1252"),
            ("us-ascii", "windows-1252"),
            ("iso-8859-9", "windows-1254"),
            ("gb2312", "gb18030"),
            ("gbk", "gb18030"),
            ("x-gbk", "gb18030"),
            ("cp936", "gb18030"),
            ("x-sjis", "shift_jis"),
            ("windows-31j", "shift_jis"),
            ("x-x-big5", "big5"),
            ("ks_c_5601-1987", "euc-kr"),
            ("tis-620", "windows-874"),
            ("utf8", "utf-8"),
            ("unicode-1-1-utf-8", "utf-8"),
            ("utf_8", "utf-8"),
            ("x-cp1251", "windows-1251"),
        ],
    )
    def test_are_those_of_the_standard(self, label: str, name: str) -> None:
        assert lookup_encoding(label) == name

    @pytest.mark.parametrize(
        "label", ["", "no-such", "hex", "zip", "idna", "undefined", "unicode_escape", "../x", "iso-2022-cn"]
    )
    def test_that_are_no_encoding_of_the_web_are_unknown(self, label: str) -> None:
        assert lookup_encoding(label) is None

    def test_windows_1252_is_what_latin_1_means(self) -> None:
        # In real ISO 8859-1 these bytes would be control characters.
        assert decode(b"<meta charset=iso-8859-1><p>\x93quoted\x94 \x80 5").text.endswith("“quoted” € 5")


class TestUtf16WithoutDeclaration:
    @pytest.mark.parametrize("codec", ["utf-16le", "utf-16be"])
    @pytest.mark.parametrize("text", ["plain English text", RUSSIAN, CHINESE])
    def test_is_recognised(self, codec: str, text: str) -> None:
        html = f"<html><head><title>t</title></head><body><p>{text}</p></body></html>"
        assert decode(html.encode(codec)) == Decoded(html, codec, "every other byte is NUL")

    def test_is_recognised_whatever_the_header_says(self) -> None:
        html = f"<html><body><p>{FRENCH}</p>"
        assert decode(html.encode("utf-16le"), "text/html; charset=utf-8").text == html

    def test_is_not_seen_in_a_page_with_a_few_nul_bytes(self) -> None:
        assert decode(f"<p>\0{FRENCH}\0</p>".encode()).encoding == "utf-8"


class TestUtf8:
    @pytest.mark.parametrize("label", ["iso-8859-1", "windows-1251", "shift_jis", "gb2312"])
    def test_that_is_valid_is_utf8_under_a_stale_meta(self, label: str) -> None:
        decoded = decode(page_with_meta(label, FRENCH, "utf-8"))
        assert choice(decoded) == ("utf-8", VALID_UTF8)
        assert decoded.text.endswith(FRENCH)

    @pytest.mark.parametrize("lost", [1, 2])
    def test_cut_off_within_a_character_stays_utf8(self, lost: int) -> None:
        decoded = decode(page_with_meta("utf-8", CHINESE * 3, "utf-8")[:-lost])
        assert decoded == Decoded(f'<meta charset="utf-8"><p>{(CHINESE * 3)[:-1]}', "utf-8", VALID_UTF8)

    @pytest.mark.parametrize("text", ["Mostly English, and then a café", "naïve café", "Tea costs £3, coffee costs €"])
    def test_cut_off_stays_utf8_where_other_characters_are_few(self, text: str) -> None:
        # A crawl that stops at a number of bytes cuts English pages, too.
        decoded = decode(page_with_meta("utf-8", text, "utf-8")[:-1])
        assert decoded.reason == (IN_PAGE if text[:-1].isascii() else VALID_UTF8)
        assert (decoded.encoding, decoded.text.endswith(text[:-1]), decoded.damaged) == ("utf-8", True, 0)

    def test_with_a_few_broken_bytes_stays_utf8(self) -> None:
        decoded = decode(page_with_meta("utf-8", RUSSIAN, "utf-8") + b" \xff\xfe " + RUSSIAN.encode())
        assert choice(decoded) == ("utf-8", NEARLY_UTF8)
        assert (decoded.text.count(RUSSIAN), decoded.damaged) == (2, 2)

    def test_plain_ascii_is_utf8_under_any_meta(self) -> None:
        assert choice(decode(page_with_meta("koi8-r", "plain", "ascii"))) == ("utf-8", "plain ASCII")


class TestDetection:
    @pytest.mark.parametrize(
        ("text", "codec", "name"),
        [(RUSSIAN, "cp1251", "windows-1251"), (FRENCH, "latin-1", "windows-1252"), (JAPANESE * 3, "euc_jp", "euc-jp")],
    )
    def test_corrects_a_page_that_falsely_declares_utf8(self, text: str, codec: str, name: str) -> None:
        decoded = decode(page_with_meta("utf-8", text, codec))
        assert choice(decoded) == (name, DETECTED)
        assert decoded.text.endswith(text)

    @pytest.mark.parametrize(
        ("text", "codec"),
        [
            (RUSSIAN, "cp1251"),
            (FRENCH, "latin-1"),
            (JAPANESE * 3, "cp932"),
            (JAPANESE, "iso2022_jp"),
            (CHINESE * 3, "gb18030"),
        ],
    )
    def test_reads_a_page_that_declares_nothing(self, text: str, codec: str) -> None:
        decoded = decode(f"<html><body><p>{text}".encode(codec))
        assert decoded.reason == DETECTED
        assert decoded.text.endswith(text)

    def test_looks_beyond_a_long_ascii_beginning(self) -> None:
        html = "<style>" + "p { color: red }\n" * 10_000 + f"</style><p>{RUSSIAN}"
        assert decode(html.encode("cp1251")).text.endswith(RUSSIAN)

    @pytest.mark.parametrize("text", ["a template: ~{name}", "a terminal: \x1b[31mred\x1b[0m"])
    def test_leaves_ascii_that_looks_like_an_escape_alone(self, text: str) -> None:
        assert decode(f"<p>{text}".encode()).text == f"<p>{text}"


def test_an_empty_page_is_empty_text() -> None:
    assert decode(b"") == Decoded("", "utf-8", "plain ASCII")


def test_a_page_given_as_text_was_not_decoded() -> None:
    page = read_page("<meta charset=koi8-r><p>Привет")
    assert (page.encoding, page.encoding_reason, page.text) == ("", "given as text", "Привет")


content_types = st.sampled_from(["", "text/html", *(f"text/html; charset={label}" for label in webencodings.LABELS)])
metas = st.sampled_from([b"", *(f"<meta charset={label}>".encode() for label in webencodings.LABELS)])


@given(start=metas, rest=st.binary(max_size=300), content_type=content_types | st.text(max_size=40))
def test_no_bytes_under_no_declaration_fail(start: bytes, rest: bytes, content_type: str) -> None:
    decoded = decode(start + rest, content_type)
    assert isinstance(decoded.text, str)
    assert webencodings.lookup(decoded.encoding) is not None or decoded.encoding in {"utf-32le", "utf-32be"}
    assert decoded.reason


@given(st.text(max_size=200))
def test_every_text_survives_utf8(text: str) -> None:
    # With a byte order mark, so that no text can pass for something else.
    assert decode(codecs.BOM_UTF8 + text.encode()).text == text


def test_typographic_signs_alone_mean_windows_1252() -> None:
    # Detectors guess at Thai, Turkish or Polish here.
    text = "<p>“It’s here” – so they said… © 2006 Acme™, 20° · all rights « reserved » —"
    decoded = decode(text.encode("windows-1252"))
    assert (decoded.text, decoded.encoding, decoded.reason) == (text, "windows-1252", "detected")


@pytest.mark.parametrize("text", ["Tea, £2.50 a cup; £ per pound", "A café in München – £4", "Émile’s tea"])
def test_what_english_uses_means_windows_1252(text: str) -> None:
    # Detectors take the pound for the Polish Ł.
    decoded = decode(f"<p>{text}".encode("windows-1252"))
    assert (decoded.text, decoded.encoding) == (f"<p>{text}", "windows-1252")


def test_escape_sequences_that_never_end_are_no_error() -> None:
    assert "Tea" in decode(b"<meta charset=iso-2022-jp>\x1b$!#\x1b(a><p>Tea").text


@given(st.lists(st.sampled_from([*(bytes([byte]) for byte in range(0x7E, 0x100)), b"a", "é漢😀".encode()]), max_size=6))
def test_valid_utf8_is_what_python_decodes(parts: list[bytes]) -> None:
    body = b"".join(parts)
    try:
        expected = codecs.utf_8_decode(body, "strict", False)[0]
    except UnicodeDecodeError:
        return
    if expected.isascii() and not body.isascii():
        return  # half a character alone may be anything
    decoded = decode(body)
    assert (decoded.encoding, decoded.text, decoded.damaged) == ("utf-8", expected, 0)


def test_pages_in_utf8_are_not_decoded() -> None:
    for body in (b"<p>tea", FRENCH.encode()):
        assert decode(body).content is body


OF_ONE_BYTE = [
    name for name in webencodings.LABELS.values() if name.startswith(("iso-8859", "windows", "koi8-r", "ibm"))
]


@pytest.mark.parametrize("name", sorted(set(OF_ONE_BYTE)))
def test_a_label_reads_what_python_writes(name: str) -> None:
    codec = webencodings.lookup(name).codec_info
    letters = codec.decode(bytes(range(0xA0, 0x100)), "ignore")[0]
    for start in range(0, len(letters), 12):  # so few that no detector doubts the label
        text = f"<p>{letters[start : start + 12]}</p>"
        decoded = decode(codec.encode(text)[0], f"text/html; charset={name}")
        assert (decoded.text, decoded.damaged) == (text, 0), decoded.encoding
