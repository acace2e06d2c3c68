//! The key of an element's tag and looks: its class names alone, normalised, or all attributes that change how it looks.
//!
//! Two elements have the same presentation style when tag, class tokens and presentational attributes agree, as the papers
//! define it. Keys of class names alone are for finding the same element on another page. Class tokens have no order.
#![forbid(unsafe_code)]

use std::collections::{BTreeSet, HashMap};

use super::class_tokens::{add_normalised, words};
use super::stable_hash::key_of;
use crate::blocks::characters::{is_space, strip};
use crate::blocks::page_view::PageView;
use crate::blocks::tags::attribute;
use crate::html::kept_attributes::slot_of;
use crate::metadata::text_lists::TextList;

/// The attributes below this number change how an element looks.
const DISPLAY_ATTRIBUTES: u8 = attribute::ID;

/// Keys of tag and class names that are remembered; others with the same place take theirs.
const REMEMBERED: usize = 256;

/// Keys of tag and class names. Most elements share these with others near them: each is hashed about once.
pub struct ClassKeys<'a> {
    known: [(i32, &'a str, u64); REMEMBERED],
    names: ClassNames,
    text: String,
}

impl Default for ClassKeys<'_> {
    fn default() -> Self {
        ClassKeys { known: [(NO_TAG, "", 0); REMEMBERED], names: ClassNames::default(), text: String::new() }
    }
}

impl<'a> ClassKeys<'a> {
    /// The key of a row.
    pub fn of(&mut self, page: &PageView<'a>, row: usize) -> u64 {
        let (tag, classes) = (page.tag[row], page.value(row, attribute::CLASS).unwrap_or(""));
        let place = slot_of(classes.as_bytes()).wrapping_add(tag as usize) % REMEMBERED;
        if (self.known[place].0, self.known[place].1) != (tag, classes) {
            self.known[place] = (tag, classes, self.hashed(page.tag_name(tag), classes));
        }
        self.known[place].2
    }

    /// The key of a tag with class names.
    fn hashed(&mut self, tag: &str, classes: &str) -> u64 {
        self.text.clear();
        self.text.push_str(tag);
        for name in self.names.of(classes) {
            self.text.push('\0');
            self.text.push_str(CLASS_IS);
            self.text.push_str(name);
        }
        key_of(self.text.as_bytes())
    }
}

/// Of no row.
const NO_TAG: i32 = -1;
/// How `written` begins for a class name.
const CLASS_IS: &str = "0=";

/// The names in a class attribute, normalised, each once and sorted. The buffers are used again.
#[derive(Default)]
struct ClassNames {
    text: String,
    /// Where in the text each name begins and ends.
    spans: Vec<(usize, usize)>,
}

impl ClassNames {
    /// The names of a class attribute.
    fn of(&mut self, classes: &str) -> impl Iterator<Item = &str> {
        let ClassNames { text, spans } = self;
        text.clear();
        spans.clear();
        for word in words(classes) {
            let start = text.len();
            add_normalised(word, text);
            spans.push((start, text.len()));
        }
        let text = text.as_str();
        spans.sort_unstable_by_key(|&(start, end)| &text[start..end]);
        spans.dedup_by_key(|&mut (start, end)| &text[start..end]);
        spans.iter().map(move |&(start, end)| &text[start..end])
    }
}

/// One key per row, of the tag and the class names.
pub fn class_keys(page: &PageView) -> Vec<u64> {
    let mut keys = ClassKeys::default();
    (0..page.len()).map(|row| keys.of(page, row)).collect()
}

/// The class names that are hashed, of each row: sorted, with full stops between them.
pub fn class_names(page: &PageView) -> TextList {
    let (mut found, mut names) = (TextList::default(), ClassNames::default());
    for row in 0..page.len() {
        let classes = page.value(row, attribute::CLASS).unwrap_or("");
        found.push(&names.of(classes).collect::<Vec<_>>().join("."));
    }
    found
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
