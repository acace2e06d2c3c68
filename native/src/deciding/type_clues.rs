//! Clues to the type of a page: its address, OpenGraph types, and schema.org types in attributes and scripts.
#![forbid(unsafe_code)]

use std::collections::HashSet;

use super::address_clues::add_address_clues;
use super::clues::Clues;
use crate::blocks::characters::{beginning, is_space, is_word, strip};
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{attribute, number_of};
use crate::columns::Page;
use crate::features::numbering::Hashing;

const SCRIPT: i32 = number_of("script");
const LINK: i32 = number_of("link");
/// Characters of a canonical address; longer ones work in no browser's address bar.
const LONGEST_CANONICAL: usize = 2000;
/// Characters read of a script, and of all scripts of a page together.
const LONGEST_SCRIPT: usize = 200_000;
const BEFORE_TYPE: &str = "\"@type\"";
const ADDRESSES: [&str; 2] = ["https://schema.org/", "http://schema.org/"];

/// The clues of a page. One from a file has no address; its canonical one serves as well.
pub fn type_clues(page: &Page, address: &str) -> Clues {
    let view = page.view();
    let mut clues = Clues::default();
    add_address_clues(if address.is_empty() { canonical_address(&view) } else { address }, &mut clues);
    let (mut open_graph, mut schema) = (HashSet::with_hasher(Hashing::new()), Distinct::default());
    let is_type = |&index: &usize| strip(view.value_of(index)).eq_ignore_ascii_case("og:type");
    for index in view.attributes_named(attribute::PROPERTY).filter(is_type) {
        let content = content_beside(&view, index);
        if open_graph.insert(content) {
            clues.add("og ", &strip(content).to_lowercase());
        }
    }
    view.attributes_named(attribute::ITEMTYPE).for_each(|index| schema.add(view.value_of(index)));
    add_types_of_scripts(page, &mut schema);
    schema.in_order.iter().for_each(|value| clues.add("schema ", last_step(value)));
    clues
}

/// The target of `<link rel=canonical>`, as written; empty if there is none.
pub fn canonical_address<'a>(page: &PageView<'a>) -> &'a str {
    let rows = page.attributes_named(attribute::REL).map(|index| (index, page.row_of_attribute(index)));
    rows.filter(|&(index, row)| page.tag[row] == LINK && page.attribute(row, attribute::REL) == Some(index))
        .filter(|&(index, _)| strip(page.value_of(index)).to_lowercase() == "canonical")
        .map(|(_, row)| strip(page.value(row, attribute::HREF).unwrap_or("")))
        .find(|address| address.chars().count() <= LONGEST_CANONICAL)
        .unwrap_or("")
}

/// Add the types named in scripts, as far as these are read.
fn add_types_of_scripts<'a>(page: &'a Page, schema: &mut Distinct<'a>) {
    let mut left = LONGEST_SCRIPT;
    for (index, &row) in page.embedded_row.iter().enumerate() {
        if page.tag[row as usize] == SCRIPT && left > 0 {
            let script = page.embedded().get(index);
            add_schema_types(beginning(script, left), schema);
            left = left.saturating_sub(script.chars().count());
        }
    }
}

/// The name of a type: the last step of its address.
fn last_step(value: &str) -> &str {
    let value = strip(value).trim_end_matches('/');
    value.rsplit('/').next().unwrap_or(value)
}

/// The `content` of the element that has an attribute.
fn content_beside<'a>(page: &PageView<'a>, index: usize) -> &'a str {
    page.value(page.row_of_attribute(index), attribute::CONTENT).unwrap_or("")
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

/// Strings as written, each once: far fewer than there are attributes.
#[derive(Default)]
struct Distinct<'a> {
    seen: HashSet<&'a str, Hashing>,
    in_order: Vec<&'a str>,
}

impl<'a> Distinct<'a> {
    /// Add a string, if it is not there.
    fn add(&mut self, value: &'a str) {
        if self.seen.insert(value) {
            self.in_order.push(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::clues::MOST;
    use super::*;
    use crate::columns::Limits;
    use crate::html::read;

    fn clues_of(html: &str) -> Vec<String> {
        type_clues(&read(html, &Limits::default()), "").names().map(str::to_string).collect()
    }

    fn in_script(script: &str) -> Vec<String> {
        clues_of(&format!("<script type=application/ld+json>{{{}</script>", script))
    }

    #[test]
    fn attributes_are_given_once() {
        let html =
            "<meta property=' OG:Type' content=Article><meta property=og:type><meta property=og:title content=a>\
                    <p itemtype='http://schema.org/Offer/'><p itemtype='http://schema.org/Offer'><p itemtype=Rating>";
        assert_eq!(clues_of(html), ["og article", "og ", "schema Offer", "schema Rating"]);
    }

    #[test]
    fn the_address_or_the_canonical_one() {
        let html = "<a rel=canonical href=http://x.example></a><link rel=icon href=http://y.example>\
                    <link rel=' Canonical' href=' http://forum.example/tea '><link rel=canonical href=http://z.example>";
        let expected = ["host forum", "address of 1 steps", "address tea"];
        assert_eq!(clues_of(html), expected);
        let page = read(html, &Limits::default());
        assert_eq!(type_clues(&page, "http://a/").names().collect::<Vec<_>>(), ["address of 0 steps"]);
        assert_eq!(canonical_address(&page.view()), "http://forum.example/tea");
    }

    #[test]
    fn there_are_not_too_many_and_none_is_long() {
        let types: String = (0..300).map(|number| format!("\"@type\":\"{}{}\" ", "T".repeat(50), number)).collect();
        assert_eq!(in_script(&types).len(), 1);
        let types: String = (0..300).map(|number| format!("\"@type\":\"T{}\" ", number)).collect();
        assert_eq!(in_script(&types).len(), MOST);
    }

    #[test]
    fn types_in_scripts() {
        for (script, found) in [
            (
                "{\"@type\": \"Product\", \"@type\":[ \"https://schema.org/Thing\", \"Other\"]}",
                &["schema Product", "schema Thing"][..],
            ),
            ("\"@type\"\n:\u{a0}[[\"é_1-x\"", &["schema é_1"]),
            ("\"@type\":\"http://schema.org/\"", &["schema http"]),
            ("\"@type\":\"\" \"@type\" \"A\" '@type':\"B\" @type\":\"C\" \"@types\":\"D\" \"@type\"", &[]),
            ("\"@type\":\"@type\":\"A\"", &["schema A"]),
            ("@", &[]),
        ] {
            assert_eq!(in_script(script), found, "{}", script);
        }
        assert_eq!(clues_of("<style>\"@type\":\"A\"</style><script>\"@type\":\"B\"</script>"), [""; 0]);
    }

    #[test]
    fn long_scripts_are_read_in_part() {
        let filled = |length: usize| format!("{}\"@type\":\"Product\"", "é".repeat(length));
        assert_eq!(in_script(&filled(LONGEST_SCRIPT)), [""; 0]);
        assert_eq!(in_script(&filled(LONGEST_SCRIPT - 14)), ["schema Prod"]); // a brace before, and the name from its tenth place
        let first = format!("<script type=application/ld+json>{{{}</script>", "é".repeat(LONGEST_SCRIPT));
        assert_eq!(clues_of(&format!("{}{}", first, first.replace('é', "\"@type\":\"A\""))), [""; 0]);
    }
}
