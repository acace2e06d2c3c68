//! The key of an element's tag and looks: its class names alone, normalised, or all attributes that change how it looks.
//!
//! Two elements have the same presentation style when tag, class tokens and presentational attributes agree, as the papers
//! define it. Keys of class names alone are for finding the same element on another page. Class tokens have no order.
#![forbid(unsafe_code)]

use std::collections::{BTreeSet, HashMap};

use super::class_tokens::{normalised, words};
use super::stable_hash::key_of;
use crate::blocks::characters::{is_space, strip};
use crate::blocks::page_view::PageView;
use crate::blocks::tags::attribute;
use crate::metadata::text_lists::TextList;

/// The attributes below this number change how an element looks.
const DISPLAY_ATTRIBUTES: u8 = attribute::ID;

/// Keys of tag and class names. Most elements share these with others: each is hashed once.
#[derive(Default)]
pub struct ClassKeys<'a> {
    known: HashMap<(i32, &'a str), u64>,
}

impl<'a> ClassKeys<'a> {
    /// The key of a row.
    pub fn of(&mut self, page: &PageView<'a>, row: usize) -> u64 {
        let (tag, classes) = (page.tag[row], page.value(row, attribute::CLASS).unwrap_or(""));
        *self.known.entry((tag, classes)).or_insert_with(|| {
            let names = normalised_names(classes);
            hashed(page.tag_name(tag), names.iter().map(|name| written(attribute::CLASS, name)).collect())
        })
    }
}

/// One key per row, of the tag and the class names.
pub fn class_keys(page: &PageView) -> Vec<u64> {
    let mut keys = ClassKeys::default();
    (0..page.len()).map(|row| keys.of(page, row)).collect()
}

/// The class names that are hashed, of each row: sorted, with full stops between them.
pub fn class_names(page: &PageView) -> TextList {
    let mut found = TextList::default();
    for row in 0..page.len() {
        let names = normalised_names(page.value(row, attribute::CLASS).unwrap_or(""));
        found.push(&names.into_iter().collect::<Vec<_>>().join("."));
    }
    found
}

/// The names in a class attribute, normalised.
fn normalised_names(classes: &str) -> BTreeSet<String> {
    words(classes).map(normalised).collect()
}

/// One key per row, of the tag and all attributes that change how the element looks, as written.
pub fn style_keys(page: &PageView) -> Vec<u64> {
    let mut of_tag: HashMap<i32, u64> = HashMap::new();
    (0..page.len())
        .map(|row| {
            let tag = page.tag[row];
            if page.attributes(row).any(|index| page.attribute_name[index] < DISPLAY_ATTRIBUTES) {
                return hashed(page.tag_name(tag), looks(page, row));
            }
            *of_tag.entry(tag).or_insert_with(|| hashed(page.tag_name(tag), Vec::new()))
        })
        .collect()
}

/// What an element looks like by its attributes.
fn looks(page: &PageView, row: usize) -> Vec<String> {
    let mut found = Vec::new();
    for index in page.attributes(row).filter(|&index| page.attribute_name[index] < DISPLAY_ATTRIBUTES) {
        let (name, value) = (page.attribute_name[index], page.value_of(index));
        match name {
            attribute::CLASS => {
                let names: BTreeSet<&str> = words(value).collect();
                found.extend(names.iter().map(|word| written(name, word)));
            }
            attribute::STYLE => found.extend(rules(value).map(|rule| written(name, &rule))),
            _ => found.push(written(name, &strip(value).to_lowercase())),
        }
    }
    found
}

/// The rules of a style attribute, in lower case and without white space.
fn rules(value: &str) -> impl Iterator<Item = String> + '_ {
    let bare = value.split(';').map(|rule| rule.split(is_space).collect::<String>().to_lowercase());
    bare.filter(|rule| !rule.is_empty())
}

/// A value with the number of its attribute.
fn written(name: u8, value: &str) -> String {
    format!("{}={}", name, value)
}

/// The key of a tag and what it looks like, in a fixed order.
fn hashed(tag: &str, mut looks: Vec<String>) -> u64 {
    looks.sort_unstable();
    let mut text = tag.to_string();
    for look in looks {
        text.push('\0');
        text.push_str(&look);
    }
    key_of(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Limits;
    use crate::html::read;

    fn last(html: &str, keys: impl Fn(&PageView) -> Vec<u64>) -> u64 {
        *keys(&read(html, &Limits::default()).view()).last().unwrap()
    }

    #[test]
    fn tags_and_texts_have_keys_of_their_own() {
        assert_eq!(last("<div>", class_keys), key_of(b"div"));
        assert_eq!(last("<div>", style_keys), key_of(b"div"));
        assert_eq!(last("<div>a", class_keys), key_of(b"#text"));
        assert_eq!(last("<other>", class_keys), key_of(b"other"));
    }

    #[test]
    fn names_as_people_see_them() {
        let page = read("<p class='wide post-12 post-3'>a", &Limits::default());
        assert_eq!(class_names(&page.view()).texts()[3..], ["post-0.wide", ""]);
    }

    #[test]
    fn what_is_hashed() {
        let html = "<div class='b a-12 b' style=' Color : RED;; width:1px;color:red ' bgcolor=' #FFF ' id=x>";
        assert_eq!(last(html, class_keys), key_of(b"div\x000=a-0\x000=b"));
        let looks = b"div\x000=a-12\x000=b\x001=color:red\x001=color:red\x001=width:1px\x004=#fff";
        assert_eq!(last(html, style_keys), key_of(looks));
    }
}
