//! Words in the names of classes: `hg_callout` and `ArticleCallout_root__x1` both name a callout.
//!
//! Sites give their parts names of their own, but the word for what a part is stays the same. A class names it if the word is
//! in it, and no other word there makes it a part of that (`callout-title`) or something else (`no-callout`).
#![forbid(unsafe_code)]

use super::steps::count;

/// Bytes of a class that are read: real ones are shorter.
const LONGEST_CLASS: usize = 120;
/// Words for parts of a box or a quotation, which are inside it.
#[rustfmt::skip]
const PARTS: [&str; 38] = [
    "title", "heading", "headline", "header", "head", "label", "icon", "image", "img", "media", "photo", "avatar", "logo",
    "link", "links", "button", "btn", "cta", "list", "item", "items", "group", "grid", "row", "col", "column", "columns",
    "footer", "close", "mark", "marks", "author", "source", "name", "cite", "attribution", "caption", "by",
];
/// Words for the text of a box or a quotation.
const TEXTS: [&str; 9] =
    ["text", "body", "content", "contents", "inner", "copy", "message", "description", "paragraph"];
/// Words before the name that make it something else.
#[rustfmt::skip]
const OTHERS: [&str; 17] = [
    "no", "has", "with", "without", "is", "not", "to", "js", "typography", "font", "get", "request", "free", "select", "open",
    "close", "price",
];

/// The words of a class, at most those of its first bytes.
pub fn words(class: &str) -> impl Iterator<Item = &str> {
    let is_sign = |character: char| !character.is_ascii_alphanumeric();
    // Tailwind's say what other classes look like: `prose-blockquote:pl-10`.
    let read = if class.len() <= LONGEST_CLASS && !class.contains(':') { class } else { "" };
    count(read.len());
    read.split(is_sign).flat_map(words_by_capitals).filter(|word| !word.is_empty())
}

/// The parts of a name, each from a capital after a small letter to the next: `pullQuote` has two.
fn words_by_capitals(name: &str) -> impl Iterator<Item = &str> {
    let mut rest = name;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let bytes = rest.as_bytes();
        let is_end = |&place: &usize| bytes[place].is_ascii_uppercase() && bytes[place - 1].is_ascii_lowercase();
        let end = (1..bytes.len()).find(is_end).unwrap_or(bytes.len());
        let (word, after) = rest.split_at(end);
        rest = after;
        Some(word)
    })
}

/// Whether a class names something by one of some words, none behind it that is a part, and none before it that makes it
/// something else.
pub fn names(class: &str, wanted: &[&str]) -> bool {
    let mut is_found = false;
    for word in words(class) {
        if is_one_of(word, wanted) {
            is_found = true;
        } else if is_found && (is_one_of(word, &PARTS) || is_one_of(word, &TEXTS))
            || !is_found && is_one_of(word, &OTHERS)
        {
            return false;
        }
    }
    is_found
}

/// Whether a class ends by naming something, or the text of it.
pub fn names_text(class: &str, wanted: &str) -> bool {
    let (mut is_found, mut is_text) = (false, false);
    for word in words(class) {
        is_text = is_one_of(word, &TEXTS) || word.eq_ignore_ascii_case(wanted);
        is_found |= word.eq_ignore_ascii_case(wanted);
    }
    is_found && is_text
}

/// Whether a word is one of a list, in any case.
fn is_one_of(word: &str, list: &[&str]) -> bool {
    list.iter().any(|known| word.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_classes() {
        let cases = [
            ("hg_callout", vec!["hg", "callout"]),
            ("ArticleCallout_root__x1", vec!["Article", "Callout", "root", "x1"]),
            ("wp-block--x", vec!["wp", "block", "x"]),
            ("", vec![]),
            ("prose-quote:pl-1", vec![]),
            ("ÉcoleA", vec!["cole", "A"]),
        ];
        for (class, expected) in cases {
            assert_eq!(words(class).collect::<Vec<_>>(), expected, "{class}");
        }
    }

    #[test]
    fn names_of_boxes() {
        for class in ["callout", "hg_callout", "calloutBox", "Callout_root__text1", "callout--yellow", "my-CALLOUT-box"]
        {
            assert!(names(class, &["callout"]), "{class}");
        }
        for class in ["callouts", "callout-title", "hg_callout_text", "no-callout", "CalloutIcon", "typography-callout"]
        {
            assert!(!names(class, &["callout"]), "{class}");
        }
        for (class, is_text) in
            [("testimonial-4-text", true), ("x_testimonial", true), ("testimonial-name", false), ("text", false)]
        {
            assert_eq!(names_text(class, "testimonial"), is_text, "{class}");
        }
    }
}
