//! Texts that JSON-LD may store and the page may not show, found without parsing it.
//!
//! `dehusk.page.json_ld` parses and repairs scripts, which takes longer than to look whether that could matter: the strings
//! after the names of what stores text are compared with the page. Whatever is not plain to see is left to Python.
#![forbid(unsafe_code)]

use super::unshown_text::{unshown_text, FEWEST_LETTERS};
use crate::columns::Page;
use crate::html::stored_text::{
    after_name, escaped_number, kept_scripts, names_stored_text, rests_after, ARTICLE_BODY, PRODUCT,
};

/// The text of a product.
const DESCRIPTION: &str = "description";
/// Values that are compared with a page; each is looked for in all of it.
const MOST_COMPARED: usize = 4;
/// Bytes of the longest value and of the longest page that are compared.
const LONGEST: usize = 1_000_000;

/// Whether a script of a page may store text that the page does not show. Python then reads it.
pub fn may_store_unshown_text(page: &Page) -> bool {
    let mut scripts = kept_scripts(page).filter(|script| names_stored_text(script)).peekable();
    if scripts.peek().is_none() {
        return false;
    }
    let mut compared = 0;
    let mut may_be_unshown = |value: Value| match value {
        Value::Nothing => false,
        Value::Unclear => true,
        Value::Text(text) => {
            compared += 1;
            compared > MOST_COMPARED || page.text.len() > LONGEST || !unshown_text(&text, &page.text).is_empty()
        }
    };
    scripts.any(|script| hides_names(script) || values_in(script).any(&mut may_be_unshown))
}

/// Whether ASCII letters are written as numbers: then names may not be found.
fn hides_names(script: &str) -> bool {
    let is_letter = |(place, _): (usize, &str)| matches!(script.as_bytes().get(place + 4), Some(b'4'..=b'7'));
    script.contains("&#") || script.match_indices("\\u00").any(is_letter)
}

/// The values after all names in a script.
fn values_in(script: &str) -> impl Iterator<Item = Value> + '_ {
    let of_products = if script.contains(PRODUCT) { Some(DESCRIPTION) } else { None };
    let names = std::iter::once(ARTICLE_BODY).chain(of_products);
    names.flat_map(move |name| rests_after(script, name)).map(value_after)
}

/// What comes after a name.
#[derive(Debug, PartialEq, Eq)]
enum Value {
    /// No text, or too little of it to matter.
    Nothing,
    /// A text, a line each paragraph.
    Text(String),
    /// Anything else.
    Unclear,
}

/// The value after a name, from its closing quotation mark on.
fn value_after(name: &str) -> Value {
    let value = match after_name(name) {
        Some(value) => value,
        None if name.starts_with('&') => return Value::Unclear,
        // Part of another name, or of a text.
        None => return Value::Nothing,
    };
    match value.as_bytes().first() {
        Some(b'"') => text_of(&value[1..]),
        // Another kind of value; or the name was no name, but a text.
        Some(b'[' | b'{' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n' | b',' | b']' | b'}') => Value::Nothing,
        _ => Value::Unclear,
    }
}

/// The text of a string, from its first character on.
fn text_of(string: &str) -> Value {
    let mut text = String::new();
    let mut rest = string;
    loop {
        // Entities, and lines that may be comments.
        let end = match rest.find(['"', '\\', '&', '\n']) {
            Some(end) if string.len() - rest.len() + end <= LONGEST => end,
            _ => return Value::Unclear,
        };
        text.push_str(&rest[..end]);
        rest = &rest[end..];
        if rest.starts_with('"') {
            return whole_text(text, string.len() - rest.len());
        }
        match escaped(rest) {
            Some((character, length)) => {
                text.push(character);
                rest = &rest[length..];
            }
            None => return Value::Unclear,
        }
    }
}

/// A text that was written in so many bytes.
fn whole_text(text: String, length: usize) -> Value {
    if length < FEWEST_LETTERS {
        return Value::Nothing;
    }
    if text.contains('<') {
        return Value::Unclear;
    }
    Value::Text(text.replace(&['\r', '\x0b', '\x0c', '\u{2028}', '\u{2029}'][..], "\n"))
}

/// The character that an escape sequence stands for, and bytes of the sequence; nothing if it is no plain one.
fn escaped(rest: &str) -> Option<(char, usize)> {
    match rest.as_bytes() {
        [b'\\', b'n', ..] => Some(('\n', 2)),
        [b'\\', b'r', ..] => Some(('\r', 2)),
        [b'\\', b't', ..] => Some(('\t', 2)),
        [b'\\', mark @ (b'"' | b'\\' | b'/'), ..] => Some((char::from(*mark), 2)),
        [b'\\', b'u', ..] => {
            // Halves of characters, NUL and `&` are left to Python.
            let character = char::from_u32(escaped_number(rest)?)?;
            (!matches!(character, '\0' | '&')).then_some((character, 6))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Limits;
    use crate::html::read;

    const SENTENCE: &str = "The kettle is filled with fresh water every morning. ";

    fn may_store(script: &str, shown: &str) -> bool {
        let html = format!("<p>{}<script type=application/ld+json>{}</script>", shown, script);
        may_store_unshown_text(&read(&html, &Limits::default()))
    }

    #[test]
    fn text_that_is_not_shown_counts() {
        let text = SENTENCE.repeat(6);
        for script in [
            format!("{{\"articleBody\": \"{}\"}}", text),
            format!("{{\"@type\": \"Product\", \"description\" :\n\"{}\"}}", text),
        ] {
            assert!(may_store(&script, "nothing of it"));
            assert!(!may_store(&script, &text));
            assert!(!may_store(&script.replace("water", "w\\u00e4ter"), &text.replace("water", "wäter")));
        }
        assert!(!may_store(&format!("{{\"description\": \"{}\"}}", text), ""));
        assert!(!may_store(&format!("{{\"articleBody\": \"{}\"}}", SENTENCE), ""));
    }

    #[test]
    fn what_is_not_plain_is_left_to_python() {
        let text = SENTENCE.repeat(6);
        for (from, to) in
            [("water", "w&amp;ter"), ("water", "<b>water"), ("water", "\\ud83dwater"), (" every", "\nevery")]
        {
            assert!(may_store(&format!("{{\"articleBody\": \"{}\"}}", text.replace(from, to)), &text), "{}", to);
        }
        for other in [
            "{\"articleBody\": 'x'}",
            "{\"articleBody\": \"x",
            "{&quot;articleBody&quot;: 1}",
            "{\"\\u0061rticleBody\": 1}",
        ] {
            assert!(may_store(&format!("{} articleBody", other), ""), "{}", other);
        }
    }

    #[test]
    fn other_values_are_no_text() {
        for value in ["\": null", "\": [\"x\"]", "\": {}", "\", \"x\"", " of the article", "\": 5", "\": \"\""] {
            assert_eq!(value_after(value), Value::Nothing, "{}", value);
        }
    }
}
