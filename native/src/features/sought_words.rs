//! Words that are sought in the blocks: those of the title, of the first heading, and of what the page says of itself.
#![forbid(unsafe_code)]

use super::word_hashes::hash_words;
use super::word_sets::WordSet;
use crate::blocks::characters::strip;
use crate::blocks::kinds::{kind, Kinds};
use crate::blocks::page_view::PageView;
use crate::blocks::segmentation::Segments;
use crate::blocks::tags::{attribute, number_of};

/// Texts whose words are sought.
pub const SOUGHT: usize = 3;

/// Words of all of these that most pages have, at most.
const USUAL_WORDS: usize = 128;
const TOP_HEADING: i32 = number_of("h1");
const DESCRIPTIONS: [&str; 3] = ["description", "og:description", "twitter:description"];

/// Words to look for on a page.
pub struct SoughtWords {
    /// Each with the flags of the texts it is in, 1 for the first.
    pub set: WordSet,
    /// How many different words there are in the title, the first `<h1>` and the descriptions in the head.
    pub distinct: [u32; SOUGHT],
}

/// The words to look for on a page.
pub fn sought_words(page: &PageView, segments: &Segments, kinds: &Kinds) -> SoughtWords {
    let descriptions = descriptions(page);
    let texts = [title(segments, kinds), first_heading(page, segments, kinds), &descriptions];
    let mut hashes = Vec::with_capacity(USUAL_WORDS);
    let mut ends = [0; SOUGHT];
    // They are hashed as if they stood after the blocks.
    let mut place = segments.texts.joined.chars().count();
    for (text, end) in texts.iter().zip(&mut ends) {
        place += hash_words(text, place, &mut hashes).number + 1;
        *end = hashes.len();
    }
    let mut sought = SoughtWords { set: WordSet::with_room_for(hashes.len()), distinct: [0; SOUGHT] };
    let mut start = 0;
    for (number, end) in ends.into_iter().enumerate() {
        for &hash in &hashes[std::mem::replace(&mut start, end)..end] {
            let flag = 1 << number;
            sought.distinct[number] += u32::from(sought.set.add(hash, flag) & flag == 0);
        }
    }
    sought
}

/// The text of the `<title>`; empty if there is none.
pub fn title<'a>(segments: &'a Segments, kinds: &Kinds) -> &'a str {
    let found = kinds.kind.iter().position(|&kind| kind == kind::TITLE);
    found.map_or("", |index| segments.texts.get(index))
}

/// The text of the first `<h1>` to be seen; empty if there is none.
fn first_heading<'a>(page: &PageView, segments: &'a Segments, kinds: &Kinds) -> &'a str {
    let is_top = |&index: &usize| {
        kinds.kind[index] == kind::HEADING
            && page.tag[kinds.kind_row[index] as usize] == TOP_HEADING
            && segments.hidden[index] == 0
    };
    (0..segments.len()).find(is_top).map_or("", |index| segments.texts.get(index))
}

/// What the page says about itself in its head.
fn descriptions(page: &PageView) -> String {
    let mut all = Vec::new();
    for name in [attribute::NAME, attribute::PROPERTY] {
        let said = page.attributes_named(name).filter(|&index| is_description(page.value_of(index)));
        let content = |index| page.value(page.row_of_attribute(index), attribute::CONTENT);
        all.extend(said.map(|index| content(index).unwrap_or("")));
    }
    all.join(" ")
}

/// Whether a `<meta>` of this name describes the page.
fn is_description(value: &str) -> bool {
    // Most names are shorter.
    if value.len() < DESCRIPTIONS[0].len() {
        return false;
    }
    let name = strip(value);
    DESCRIPTIONS.iter().any(|description| name.eq_ignore_ascii_case(description))
}
