//! Labels of encodings, as headers and pages write them.
#![forbid(unsafe_code)]

use super::charsets::Charset;
use encoding_rs::{
    Encoding, BIG5, EUC_JP, EUC_KR, GBK, REPLACEMENT, SHIFT_JIS, UTF_16BE, UTF_16LE, UTF_8, WINDOWS_1252, WINDOWS_874,
    X_USER_DEFINED,
};

/// Labels of what the standard does not read: it guards browsers against script that is hidden from filters.
const NOT_STANDARD: [(&str, Charset); 15] = [
    ("hz-gb-2312", Charset::Hz),
    ("iso-2022-kr", Charset::Iso2022Kr),
    ("csiso2022kr", Charset::Iso2022Kr),
    ("utf-7", Charset::Utf7),
    ("utf7", Charset::Utf7),
    ("unicode-1-1-utf-7", Charset::Utf7),
    ("ibm037", Charset::Ebcdic037),
    ("ibm-037", Charset::Ebcdic037),
    ("cp037", Charset::Ebcdic037),
    ("ebcdic-cp-us", Charset::Ebcdic037),
    ("ibm1140", Charset::Ebcdic037),
    ("ibm1047", Charset::Ebcdic037),
    ("ibm500", Charset::Ebcdic500),
    ("ibm-500", Charset::Ebcdic500),
    ("cp500", Charset::Ebcdic500),
];

/// Names that programs use, besides those of the standard, without what separates their parts.
const OF_PROGRAMS: [(&str, &Encoding); 25] = [
    ("latin", WINDOWS_1252),
    ("usascii", WINDOWS_1252),
    ("us", WINDOWS_1252),
    ("iso8859", WINDOWS_1252),
    ("u8", UTF_8),
    ("utf", UTF_8),
    ("utf8mb4", UTF_8),
    ("cp65001", UTF_8),
    ("936", GBK),
    ("cp936", GBK),
    ("ms936", GBK),
    ("windows936", GBK),
    ("euccn", GBK),
    ("gb231280", GBK),
    ("eucjp", EUC_JP),
    ("ujis", EUC_JP),
    ("shiftjis", SHIFT_JIS),
    ("cp932", SHIFT_JIS),
    ("euckr", EUC_KR),
    ("cp949", EUC_KR),
    ("ksx1001", EUC_KR),
    ("cp950", BIG5),
    ("big5tw", BIG5),
    ("tis620", WINDOWS_874),
    ("iso885911", WINDOWS_874),
];

/// The encoding that a label names, if anybody knows it.
pub fn charset_of(label: &str) -> Option<Charset> {
    let label = label.trim().to_ascii_lowercase();
    if let Some((_, charset)) = NOT_STANDARD.iter().find(|(known, _)| *known == label) {
        return Some(*charset);
    }
    let known = Encoding::for_label(label.as_bytes()).or_else(|| of_programs(&label))?;
    (known != REPLACEMENT).then_some(Charset::Standard(known))
}

/// The encoding of a label that the standard does not list: `latin_1`, `utf_8`, `cp936`, `iso8859_15`.
fn of_programs(label: &str) -> Option<&'static Encoding> {
    let plain: String = label.chars().filter(char::is_ascii_alphanumeric).collect();
    let known = OF_PROGRAMS.iter().find(|(known, _)| *known == plain).map(|&(_, encoding)| encoding);
    let number = plain.strip_prefix("windows").or_else(|| plain.strip_prefix("cp")).unwrap_or(&plain);
    known
        .or_else(|| Encoding::for_label(plain.as_bytes()))
        .or_else(|| Encoding::for_label(format!("windows-{number}").as_bytes()))
        .or_else(|| Encoding::for_label(label.replace('_', "-").as_bytes()))
}

/// The encoding that a label means in an HTTP header. Bytes for programs are no text: the standard reads them in a `<meta>` as
/// what is here.
pub fn in_header(label: &str) -> Option<Charset> {
    charset_of(label).map(|charset| if is(charset, X_USER_DEFINED) { Charset::Standard(WINDOWS_1252) } else { charset })
}

/// The encoding that a label means within a page: whoever could read it there was not reading UTF-16. So says the standard.
pub fn in_page(label: &str) -> Option<Charset> {
    let is_wide = |charset| is(charset, UTF_16LE) || is(charset, UTF_16BE);
    in_header(label).map(|charset| if is_wide(charset) { Charset::Standard(UTF_8) } else { charset })
}

fn is(charset: Charset, encoding: &'static Encoding) -> bool {
    charset == Charset::Standard(encoding)
}

/// Characters of a label, at most, and of white space and quotation marks before it.
const LONGEST: usize = 40;
const MOST_SPACE: usize = 9;

/// The label in a content type, if it has one.
pub fn label_of_header(content_type: &str) -> Option<&str> {
    let lower = content_type.to_ascii_lowercase();
    lower.match_indices("charset").find_map(|(place, word)| label_after(&content_type[place + word.len()..]))
}

/// The label after an equals sign.
fn label_after(text: &str) -> Option<&str> {
    let value = without_space(text).strip_prefix('=')?;
    let value = without_space(value);
    let value = without_space(value.strip_prefix(['"', '\'']).unwrap_or(value));
    let is_label = |character: char| character.is_ascii_alphanumeric() || "_.:-".contains(character);
    let length = value.chars().take(LONGEST).take_while(|&character| is_label(character)).count();
    Some(&value[..length]).filter(|label| !label.is_empty())
}

/// A text without the white space before it, unless there is much of it.
fn without_space(text: &str) -> &str {
    let length: usize = text.chars().take(MOST_SPACE).take_while(|c| c.is_whitespace()).map(char::len_utf8).sum();
    &text[length..]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(label: &str) -> String {
        charset_of(label).map(Charset::name).unwrap_or_default()
    }

    #[test]
    fn names_of_the_standard_and_of_programs() {
        for (label, expected) in [
            ("latin-1", "windows-1252"),
            (" ISO_8859-1 ", "windows-1252"),
            ("iso8859_15", "iso-8859-15"),
            ("gb2312", "gb18030"),
            ("CP936", "gb18030"),
            ("utf_8", "utf-8"),
            ("windows_1251", "windows-1251"),
            ("1251", "windows-1251"),
            ("euc_jp", "euc-jp"),
            ("csISO2022KR", "iso-2022-kr"),
            ("UTF-7", "utf-7"),
            ("IBM500", "ibm500"),
            ("iso-2022-cn", ""),
            ("no-such", ""),
            ("", ""),
        ] {
            assert_eq!(name(label), expected, "{label}");
        }
    }

    #[test]
    fn what_a_page_cannot_mean() {
        assert_eq!(in_page("utf-16").map(Charset::name).as_deref(), Some("utf-8"));
        assert_eq!(in_page("x-user-defined").map(Charset::name).as_deref(), Some("windows-1252"));
        assert_eq!(in_header("utf-16").map(Charset::name).as_deref(), Some("utf-16le"));
    }

    #[test]
    fn labels_of_headers() {
        assert_eq!(label_of_header("text/html; Charset = 'KOI8-R' "), Some("KOI8-R"));
        assert_eq!(label_of_header("text/html; charset=\"big5\"; x=y"), Some("big5"));
        for none in ["", "text/html", "charset=", "charset big5", "charset = é"] {
            assert_eq!(label_of_header(none), None, "{none}");
        }
    }
}
