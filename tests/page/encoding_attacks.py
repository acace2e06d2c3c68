"""Pages whose labels say one encoding and whose bytes are in another: what `test_encoding_attacks` tries."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from typing import Final

ENGLISH: Final = (
    "Tea grows best on slopes where the mist stays until noon, and pickers know each bush by its shade of green.",
    "Pour the water – just off the boil – over the leaves, “wait three minutes”, and don’t stir the pot at all.",
)
FRENCH: Final = (
    "Le thé vert préféré des gens d'ici pousse à côté de la forêt, où l'été dure jusqu'à la fin de septembre.",
    "Même après la pluie, les cueilleuses montent très tôt : elles goûtent la rosée, où qu'elle soit tombée.",
)
GERMAN: Final = (
    "Über den Dächern von Köln hört man früh die Glöckchen der Händler, die süße Brötchen und Tee verkaufen.",
    "Später wäscht der Gärtner die Gläser, öffnet die Tür und begrüßt die Gäste mit größter Höflichkeit.",
)
POLISH: Final = (
    "Zażółć gęślą jaźń, a potem usiądź z herbatą na werandzie i słuchaj, jak wiatr porusza liście brzóz.",
    "Dziewczęta niosły koszyki pełne świeżych ziół, które później suszyły się na słońcu przez cały tydzień.",
)
TURKISH: Final = (
    "İyi günler, çay çok güzel oldu; şeker ister misiniz, yoksa böyle sade içmeyi mi tercih edersiniz?",
    "Karadeniz'in yağmurlu yamaçlarında yetişen bu çayın kokusu, bütün eve huzur ve sıcaklık yayıyor.",
)
RUSSIAN: Final = (
    "Утренний чай пьют медленно, из тонких чашек, пока над долиной ещё держится лёгкий и прохладный туман.",
    "Сборщицы поднимаются на склон затемно, чтобы успеть собрать молодые листья до того, как станет жарко.",
)
GREEK: Final = (
    "Το τσάι του βουνού μαζεύεται νωρίς το πρωί, όταν τα φύλλα κρατούν ακόμη τη δροσιά της νύχτας.",
    "Οι γυναίκες του χωριού το στεγνώνουν στη σκιά και το φυλάνε σε υφασμάτινες σακούλες για τον χειμώνα.",
)
HEBREW: Final = (
    "בשעות הבוקר המוקדמות יוצאים הקוטפים אל המדרונות ואוספים את העלים הצעירים לפני שהשמש מתחזקת.",
    "אחר כך מייבשים את העלים בצל, טועמים מן המשקה הראשון ומספרים סיפורים ישנים על הגשם ועל הרוח.",
)
ARABIC: Final = (
    "يخرج القاطفون إلى المنحدرات في الصباح الباكر ويجمعون الأوراق الصغيرة قبل أن تشتد حرارة الشمس.",
    "ثم تجفف الأوراق في الظل ويشرب الجميع الكأس الأولى وهم يروون حكايات قديمة عن المطر والريح.",
)
THAI: Final = (
    "คนเก็บชาขึ้นไปบนเนินเขาตั้งแต่เช้ามืดและเก็บใบอ่อนก่อนที่แดดจะแรงในตอนกลางวัน",
    "จากนั้นจึงผึ่งใบชาไว้ในที่ร่มแล้วชงดื่มถ้วยแรกด้วยกันพร้อมกับเล่าเรื่องเก่าเกี่ยวกับฝนและลม",
)
CHINESE: Final = (
    "清晨的茶园里，人们一边采茶一边唱歌，远处的山被云雾包围着，空气里有淡淡的香味。",
    "采下来的叶子先放在竹席上晾干，再用小火慢慢炒，这样泡出来的茶才会清甜，回味很长。",
)
TRADITIONAL: Final = (
    "清晨的茶園裡，人們一邊採茶一邊唱歌，遠處的山被雲霧包圍著，空氣裡有淡淡的香味。",
    "採下來的葉子先放在竹蓆上晾乾，再用小火慢慢炒，這樣泡出來的茶才會清甜，回味很長。",
)
JAPANESE: Final = (
    "朝早くから茶畑では人々が歌いながら葉を摘み、遠くの山は霧に包まれて静かに見えていました。",
    "摘んだ葉はまず蒸してから手で揉み、ゆっくりと乾かすと、香りのよいおいしいお茶になります。",
)
KOREAN: Final = (
    "이른 아침 차밭에서는 사람들이 노래를 부르며 잎을 따고, 먼 산은 안개에 싸여 조용히 보였습니다.",
    "딴 잎은 먼저 그늘에서 말린 다음 약한 불에 천천히 덖어야 향기롭고 맛있는 차가 됩니다.",
)


@dataclass(frozen=True)
class Attack:
    """A page, and the sentences that are in it."""

    name: str
    body: bytes
    sentences: tuple[str, ...]
    content_type: str = ""


def page(sentences: tuple[str, ...], codec: str, head: str = "") -> bytes:
    """A page of a few paragraphs, in an encoding."""
    paragraphs = "".join(f"<p>{sentence}</p>\n" for sentence in sentences)
    html = f"<html><head>{head}<title>{sentences[0].split()[0]}</title></head><body>\n{paragraphs}</body></html>\n"
    return html.encode(codec)


def _meta(label: str) -> str:
    return f'<meta charset="{label}">'


def _type(label: str) -> str:
    return f"text/html; charset={label}"


def _labelled(label: str, codec: str, sentences: tuple[str, ...]) -> Attack:
    return Attack(f"{codec} under {label}", page(sentences, codec, _meta(label)), sentences)


def _by_header(label: str, codec: str, sentences: tuple[str, ...]) -> Attack:
    return Attack(f"{codec} under the header {label}", page(sentences, codec), sentences, _type(label))


UNDER_UTF8: Final = (
    *(("cp1252", FRENCH), ("mac_roman", GERMAN), ("cp1250", POLISH), ("iso8859_2", POLISH), ("cp1254", TURKISH)),
    *(("cp1251", RUSSIAN), ("koi8_r", RUSSIAN), ("iso8859_5", RUSSIAN), ("cp866", RUSSIAN), ("cp1253", GREEK)),
    *(("cp1255", HEBREW), ("cp1256", ARABIC), ("cp874", THAI), ("gb18030", CHINESE), ("big5", TRADITIONAL)),
    *(("cp932", JAPANESE), ("euc_jp", JAPANESE), ("iso2022_jp", JAPANESE), ("cp949", KOREAN)),
)
UNDER_LATIN_1: Final = (
    *(("cp1251", RUSSIAN), ("koi8_r", RUSSIAN), ("cp1253", GREEK), ("cp1255", HEBREW), ("cp1256", ARABIC)),
    *(("cp874", THAI), ("gb18030", CHINESE), ("big5", TRADITIONAL), ("cp932", JAPANESE), ("euc_jp", JAPANESE)),
    *(("iso2022_jp", JAPANESE), ("cp949", KOREAN), ("utf-8", RUSSIAN), ("utf-16le", RUSSIAN)),
)
UNDER_A_SIBLING: Final = (
    *(("shift_jis", "euc_jp", JAPANESE), ("euc-jp", "cp932", JAPANESE), ("shift_jis", "iso2022_jp", JAPANESE)),
    *(("gbk", "big5", TRADITIONAL), ("big5", "gb18030", CHINESE), ("gb2312", "cp949", KOREAN)),
    *(("euc-kr", "gb18030", CHINESE), ("big5", "cp949", KOREAN), ("gbk", "cp932", JAPANESE)),
    *(("iso-8859-2", "cp1250", POLISH), ("shift_jis", "cp1251", RUSSIAN), ("gbk", "cp1252", GERMAN)),
    *(("shift_jis", "utf-8", JAPANESE), ("big5", "utf-8", TRADITIONAL), ("utf-16", "utf-8", RUSSIAN)),
)


def _twice(sentences: tuple[str, ...], codec: str) -> bytes:
    """UTF-8 that was taken for another encoding, and written as UTF-8 again."""
    return page(sentences, "utf-8", _meta("utf-8")).decode(codec).encode()


def _special() -> list[Attack]:
    two = _meta("utf-8") + _meta("euc-jp")
    return [
        Attack("two metas, the second is right", page(JAPANESE, "euc_jp", two), JAPANESE),
        Attack("two metas of Cyrillic", page(RUSSIAN, "cp1251", _meta("koi8-r") + _meta("windows-1251")), RUSSIAN),
        Attack("two metas of Chinese", page(TRADITIONAL, "big5", _meta("gbk") + _meta("big5")), TRADITIONAL),
        Attack("header against meta", page(GREEK, "cp1253", _meta("windows-1253")), GREEK, _type("windows-1251")),
        Attack("EBCDIC of the USA", page(ENGLISH[:1], "cp037"), ENGLISH[:1]),
        Attack("EBCDIC of Europe", page(GERMAN, "cp500"), GERMAN),
        Attack("EBCDIC under utf-8", page(FRENCH, "cp037", _meta("utf-8")), FRENCH, _type("utf-8")),
        Attack("UTF-7 that is declared", page(FRENCH, "utf-7", _meta("utf-7")), FRENCH),
        Attack("UTF-7 that nothing declares", page(RUSSIAN, "utf-7"), RUSSIAN),
        Attack("UTF-7 under utf-8", page(JAPANESE, "utf-7", _meta("utf-8")), JAPANESE),
        Attack("UTF-8 twice by latin-1", _twice(RUSSIAN, "latin-1"), RUSSIAN),
        Attack("UTF-8 twice by windows-1252", _twice(FRENCH, "cp1252"), FRENCH),
        Attack("UTF-8 twice by latin-1, Chinese", _twice(CHINESE, "latin-1"), CHINESE),
        Attack("a byte order mark that lies", codecs.BOM_UTF8 + page(RUSSIAN, "cp1251"), RUSSIAN),
        Attack("UTF-16 without a mark", page(CHINESE, "utf-16be", _meta("gbk")), CHINESE),
        Attack("UTF-32 without a mark", page(RUSSIAN, "utf-32le", _meta("utf-8")), RUSSIAN),
        Attack("HZ that is declared", page(CHINESE, "hz", _meta("hz-gb-2312")), CHINESE),
        Attack("HZ that nothing declares", page(CHINESE, "hz"), CHINESE),
        Attack("ISO-2022-KR under utf-8", page(KOREAN, "iso2022_kr", _meta("utf-8")), KOREAN),
        Attack("a label that the page only comments on", page(GREEK, "cp1253", f"<!--{_meta('big5')}-->"), GREEK),
        Attack("UTF-8 with a byte of another", page(KOREAN, "utf-8").replace(b"<p>", b"<p>\xff", 1), KOREAN),
    ]


ATTACKS: Final = (
    *(_labelled("utf-8", codec, sentences) for codec, sentences in UNDER_UTF8),
    *(_by_header("iso-8859-1", codec, sentences) for codec, sentences in UNDER_LATIN_1),
    *(_labelled(label, codec, sentences) for label, codec, sentences in UNDER_A_SIBLING),
    *_special(),
)
