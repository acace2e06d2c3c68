//! Text that a page stores in JSON-LD: the body of an article, or the description of a product.
#![forbid(unsafe_code)]

use super::bytes::find_any;
use super::tags::SCRIPT;
use crate::columns::Page;

/// The name of the text of an article.
pub const ARTICLE_BODY: &str = "articleBody";
/// The type of what has a description.
pub const PRODUCT: &str = "Product";
/// Names of what stores text, each with the offset of a letter that few texts have: the search looks for that letter.
const NAMES: [(&str, usize); 2] = [(ARTICLE_BODY, 7), (PRODUCT, 0)];

/// The scripts that the page keeps: JSON-LD and formulas.
pub fn kept_scripts(page: &Page) -> impl Iterator<Item = &str> {
    let texts = page.embedded();
    let is_script = move |&index: &usize| page.tag[page.embedded_row[index] as usize] == SCRIPT as i32;
    (0..texts.len()).filter(is_script).map(move |index| texts.get(index))
}

/// Whether a script names something that stores text.
pub fn names_stored_text(script: &str) -> bool {
    let (script, letters) = (script.as_bytes(), NAMES.map(|(name, offset)| name.as_bytes()[offset]));
    let mut at = 0;
    loop {
        at = find_any(script, at, [letters[0], letters[1], letters[1]]);
        if at >= script.len() {
            return false;
        }
        if NAMES.iter().any(|&(name, offset)| at >= offset && script[at - offset..].starts_with(name.as_bytes())) {
            return true;
        }
        at += 1;
    }
}

/// The bodies of articles in a script: strings as they are written.
pub fn article_bodies(script: &str) -> impl Iterator<Item = &str> {
    rests_after(script, ARTICLE_BODY).filter_map(|value| {
        let string = after_name(value)?.strip_prefix('"')?;
        Some(&string[..end_of_string(string)])
    })
}

/// What comes after each place of a name in a script.
pub fn rests_after<'a>(script: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    script.match_indices(name).map(move |(place, name)| &script[place + name.len()..])
}

/// The value after a name, which ends with the quotation mark at the beginning.
pub fn after_name(text: &str) -> Option<&str> {
    Some(text.strip_prefix('"')?.trim_start_matches(&[' ', '\t', '\r', '\n', ':'][..]))
}

/// The number in an escape sequence such as `\u00e9`; halves of characters have one, too.
pub fn escaped_number(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    // Reading a number would accept a sign, too.
    let is_number = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    u32::from_str_radix(digits, 16).ok().filter(|_| is_number)
}

/// Where a string of JSON ends.
fn end_of_string(string: &str) -> usize {
    let mut is_escaped = false;
    let is_end = |byte: u8| {
        let ends = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        ends
    };
    string.bytes().position(is_end).unwrap_or(string.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Limits;
    use crate::html::read;

    #[test]
    fn bodies_are_strings_as_written() {
        let script = r#"{"articleBody" : "a \"b\" \\", "x": {"articleBody":"c"}, "articleBody": 3, "articleBody": "d"#;
        assert_eq!(article_bodies(script).collect::<Vec<_>>(), [r#"a \"b\" \\"#, "c", "d"]);
        assert_eq!(article_bodies("articleBody articleBody\" articleBody\\\":").count(), 0);
    }

    #[test]
    fn escape_sequences_have_four_digits() {
        assert_eq!(escaped_number("\\u00e9t\\u00e9"), Some(0xe9));
        assert_eq!(escaped_number("\\ud83d"), Some(0xd83d));
        for text in ["", "\\n", "\\u12", "\\u+12f", "\\u12é4", "u00e9"] {
            assert_eq!(escaped_number(text), None);
        }
    }

    #[test]
    fn names_are_found_anywhere() {
        for found in ["articleBody", "xBarticleBody", "PP Product", "\"articleBody\": \"x\""] {
            assert!(names_stored_text(found), "{found}");
        }
        for other in ["", "B", "Body", "articleBod", "Produc", "articlebody product"] {
            assert!(!names_stored_text(other), "{other}");
        }
    }

    #[test]
    fn only_scripts_count() {
        let stores = |html: &str| kept_scripts(&read(html, &Limits::default())).any(names_stored_text);
        assert!(stores("<script type=application/ld+json>{\"@type\": \"Product\"}</script>"));
        assert!(!stores("<style>.Product {}</style><p>Product</p><script>Product</script>"));
        assert!(!stores("<p>text"));
    }
}
