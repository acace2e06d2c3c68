//! Clues to the type of a page, as written: OpenGraph types, and schema.org types in attributes and scripts.
#![forbid(unsafe_code)]

use std::collections::HashSet;

use crate::blocks::characters::{is_space, is_word, strip};
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{attribute, number_of};
use crate::columns::Page;

const SCRIPT: i32 = number_of("script");
/// Characters read of a script, and of all scripts of a page together.
const LONGEST_SCRIPT: usize = 200_000;
const BEFORE_TYPE: &str = "\"@type\"";
const ADDRESSES: [&str; 2] = ["https://schema.org/", "http://schema.org/"];

/// The clues of a page, each followed by a NUL and given once, in the order in which they occur.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TypeClues {
    /// Contents of `<meta property=og:type>`.
    pub open_graph: String,
    /// Values of `itemtype`, then the names after `"@type":` in scripts.
    pub schema: String,
}

/// The clues of a page.
pub fn type_clues(page: &Page) -> TypeClues {
    let view = page.view();
    let (mut open_graph, mut schema) = (Distinct::default(), Distinct::default());
    for (index, &name) in view.attribute_name.iter().enumerate() {
        if name == attribute::PROPERTY && strip(view.value_of(index)).eq_ignore_ascii_case("og:type") {
            open_graph.add(content_beside(&view, index));
        } else if name == attribute::ITEMTYPE {
            schema.add(view.value_of(index));
        }
    }
    let mut left = LONGEST_SCRIPT;
    for (index, &row) in page.embedded_row.iter().enumerate() {
        if view.tag[row as usize] == SCRIPT && left > 0 {
            let script = page.embedded().get(index);
            add_schema_types(beginning(script, left), &mut schema);
            left = left.saturating_sub(script.chars().count());
        }
    }
    TypeClues { open_graph: open_graph.joined, schema: schema.joined }
}

/// The `content` of the element that has an attribute.
fn content_beside<'a>(page: &PageView<'a>, index: usize) -> &'a str {
    page.value(page.row_of_attribute(index), attribute::CONTENT).unwrap_or("")
}

/// The first characters of a text.
fn beginning(text: &str, characters: usize) -> &str {
    if text.len() <= characters {
        return text;
    }
    text.char_indices().nth(characters).map_or(text, |(end, _)| &text[..end])
}

/// Add what `"@type"\s*:[\s\[]*"(?:https?://schema\.org/)?(\w+)` finds in a script.
fn add_schema_types<'a>(script: &'a str, types: &mut Distinct<'a>) {
    let mut rest = script;
    // Signs are rarer than quotation marks, and a search for one byte is fast.
    while let Some(at) = rest.find('@') {
        if rest[..at].ends_with('"') && rest[at - 1..].starts_with(BEFORE_TYPE) {
            let value = &rest[at - 1 + BEFORE_TYPE.len()..];
            if let Some(name) = type_name(value) {
                types.add(name);
            }
        }
        rest = &rest[at + 1..];
    }
}

/// The name of a type after `"@type"`, if one follows.
fn type_name(value: &str) -> Option<&str> {
    let value = value.trim_start_matches(is_space).strip_prefix(':')?;
    let quoted = value.trim_start_matches(|character| character == '[' || is_space(character)).strip_prefix('"')?;
    let named = ADDRESSES.iter().find_map(|address| quoted.strip_prefix(address)).unwrap_or("");
    [named, quoted].iter().map(|name| leading_word(name)).find(|name| !name.is_empty())
}

/// The letters, digits and underscores that a text starts with.
fn leading_word(text: &str) -> &str {
    &text[..text.find(|character| !is_word(character)).unwrap_or(text.len())]
}

/// Strings one after the other, each once.
#[derive(Default)]
struct Distinct<'a> {
    seen: HashSet<&'a str>,
    joined: String,
}

impl<'a> Distinct<'a> {
    /// Add a string, if it is not there.
    fn add(&mut self, value: &'a str) {
        if self.seen.insert(value) {
            self.joined.push_str(value);
            self.joined.push('\0');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Limits;
    use crate::html::read;

    fn clues_of(html: &str) -> (String, String) {
        let clues = type_clues(&read(html, &Limits::default()));
        (clues.open_graph, clues.schema)
    }

    fn in_script(script: &str) -> String {
        clues_of(&format!("<script type=application/ld+json>{{{}</script>", script)).1
    }

    #[test]
    fn attributes_are_given_once_and_as_written() {
        let html =
            "<meta property=' OG:Type' content=Article><meta property=og:type><meta property=og:title content=a>\
                    <p itemtype='http://schema.org/Offer/'><p itemtype='http://schema.org/Offer/'><p itemtype=Rating>";
        let (open_graph, schema) = clues_of(html);
        assert_eq!(open_graph, "Article\0\0");
        assert_eq!(schema, "http://schema.org/Offer/\0Rating\0");
    }

    #[test]
    fn types_in_scripts() {
        for (script, found) in [
            ("{\"@type\": \"Product\", \"@type\":[ \"https://schema.org/Thing\", \"Other\"]}", "Product\0Thing\0"),
            ("\"@type\"\n:\u{a0}[[\"é_1-x\"", "é_1\0"),
            ("\"@type\":\"http://schema.org/\"", "http\0"),
            ("\"@type\":\"\" \"@type\" \"A\" '@type':\"B\" @type\":\"C\" \"@types\":\"D\" \"@type\"", ""),
            ("\"@type\":\"@type\":\"A\"", "A\0"),
            ("@", ""),
        ] {
            assert_eq!(in_script(script), found, "{}", script);
        }
        assert_eq!(clues_of("<style>\"@type\":\"A\"</style><script>\"@type\":\"B\"</script>").1, "");
    }

    #[test]
    fn long_scripts_are_read_in_part() {
        let filled = |length: usize| format!("{}\"@type\":\"Product\"", "é".repeat(length));
        assert_eq!(in_script(&filled(LONGEST_SCRIPT)), "");
        assert_eq!(in_script(&filled(LONGEST_SCRIPT - 14)), "Prod\0"); // a brace before, and the name from its tenth place
        let first = format!("<script type=application/ld+json>{{{}</script>", "é".repeat(LONGEST_SCRIPT));
        assert_eq!(clues_of(&format!("{}{}", first, first.replace('é', "\"@type\":\"A\""))).1, "");
    }
}
