//! Preformatted text: the name of its programming language.
#![forbid(unsafe_code)]

use crate::blocks::characters::{is_space, is_word};
use crate::blocks::page_view::PageView;
use crate::blocks::tags::attribute;
use crate::html::attributes::code_of;

const DATA_LANG: u8 = code_of("data-lang");
const DATA_LANGUAGE: u8 = code_of("data-language");

/// Characters; anything longer is no name of a programming language.
const LONGEST_LANGUAGE: usize = 40;
/// What stands before the name in a class; the first that leads to a name decides.
const PREFIXES: [&str; 5] = ["language-", "lang-", "brush:", "highlight-source-", "highlight-"];

/// The language in class names like `language-python`, on the `<pre>`, the `<code>` in it, or its parent.
pub fn code_language<'a>(page: &PageView<'a>, element: usize) -> &'a str {
    let inside = (element + 1..page.subtree_end[element] as usize).find(|&row| !page.is_text(row));
    let parent = usize::try_from(page.parent[element]).ok();
    let places = [Some(element), inside, parent];
    let named = |row: usize| Some(language_of(page, row)).filter(|name| is_language(name));
    places.iter().flatten().find_map(|&row| named(row)).unwrap_or("")
}

/// What an element gives as the language of its text.
fn language_of<'a>(page: &PageView<'a>, row: usize) -> &'a str {
    let given = |name: u8| page.value(row, name).filter(|value| !value.is_empty());
    let in_class = given(attribute::CLASS).and_then(language_in_class);
    in_class.or_else(|| given(DATA_LANG)).or_else(|| given(DATA_LANGUAGE)).unwrap_or("")
}

/// Whether a text can be the name of a language.
fn is_language(name: &str) -> bool {
    !name.is_empty() && name.chars().all(is_in_name) && name.chars().count() <= LONGEST_LANGUAGE
}

/// Whether a character occurs in names of languages: `c++`, `c#`, `objective-c`.
fn is_in_name(character: char) -> bool {
    is_word(character) || matches!(character, '+' | '#' | '.' | '-')
}

/// The name after a prefix, where the prefix follows white space or begins the class.
fn language_in_class(classes: &str) -> Option<&str> {
    let after_space = classes.match_indices(is_space).map(|(place, space)| place + space.len());
    std::iter::once(0).chain(after_space).find_map(|place| {
        PREFIXES.iter().find_map(|prefix| {
            let rest = classes[place..].strip_prefix(prefix)?;
            let rest = if *prefix == "brush:" { rest.trim_start_matches(is_space) } else { rest };
            let name = &rest[..rest.find(|character| !is_in_name(character)).unwrap_or(rest.len())];
            Some(name).filter(|name| !name.is_empty())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_in_classes() {
        let cases = [
            ("language-python", Some("python")),
            ("x lang-c++ y", Some("c++")),
            ("brush: js; gutter: false", Some("js")),
            ("highlight-source-c#", Some("c#")),
            ("highlight-source-", Some("source-")),
            ("highlight-text highlight-default", Some("text")),
            ("slang-c", None),
            ("lang-", None),
            ("lang- lang-go", Some("go")),
            ("", None),
        ];
        for (classes, language) in cases {
            assert_eq!(language_in_class(classes), language, "{classes}");
        }
    }
}
