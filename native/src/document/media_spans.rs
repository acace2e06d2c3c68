//! Spans of images and of what a page embeds.
#![forbid(unsafe_code)]

use super::embeds::{embed_at, video_of_picture, without_query};
use super::image_addresses::{filled, image_addresses};
use super::image_signs::{is_character, is_no_picture, DRAWING};
use super::images::{alternative_of, dropped_caption};
use super::source::show;
use super::spans::SpanReader;
use super::steps::count;
use super::texts::{append_folded, without_controls};
use super::tree::{Marks, Part, Span, SpanKind};
use crate::blocks::page_view::PageView;
use crate::blocks::tags::number_of;
use crate::features::numbering::Hashing;
use crate::html::attributes::code_of;
use std::collections::{HashMap, HashSet};

const IMAGE: i32 = number_of("img");
const SRC: u8 = code_of("src");
/// What a video is called whose picture says nothing.
const TITLE_OF_VIDEO: &str = "YouTube video";
/// Places from which on an image is a sign, and of a drawing.
const PLACES_OF_SIGN: usize = 4;
const PLACES_OF_DRAWN_SIGN: usize = 2;
/// How the names of the files of photographs end, which pages repeat for other screens.
const PHOTOGRAPHS: [&str; 6] = [".jpg", ".jpeg", ".JPG", ".webp", ".avif", ".ashx"];

/// Addresses of the images that stand at several places of a page, with text between them.
fn repeated_signs<'a>(page: &PageView<'a>) -> HashSet<&'a str, Hashing> {
    // By address: how many places, and how many texts were before the last of them.
    let mut places: HashMap<&str, (usize, usize), Hashing> = HashMap::default();
    let mut texts = 0;
    count(page.len());
    for row in 0..page.len() {
        texts += usize::from(page.text_length[row] > 0 && page.hidden[row] == 0);
        if page.tag[row] == IMAGE && page.hidden[row] == 0 {
            if let Some(address) = page.value(row, SRC) {
                let (number, before) = places.entry(address).or_insert((0, usize::MAX));
                *number += usize::from(*before != texts);
                *before = texts;
            }
        }
    }
    let is_sign = |address: &str, number: usize| {
        let ends = |end: &&str| without_query(address).ends_with(*end);
        (number >= PLACES_OF_SIGN && !PHOTOGRAPHS.iter().any(ends))
            || (number >= PLACES_OF_DRAWN_SIGN && ends(&DRAWING))
    };
    places.into_iter().filter(|&(address, (number, _))| is_sign(address, number)).map(|(address, _)| address).collect()
}

impl SpanReader<'_, '_> {
    /// An image, or the character that it stands for; nothing if it has no address.
    pub(super) fn image(&mut self, row: usize) -> Option<Span> {
        let (page, links) = (self.page, &mut self.links);
        let addresses = image_addresses(page, row);
        let mut numbers = addresses.iter().map(|written| (*written, links.number_of_written(&filled(written))));
        let is_character = is_character(page, row);
        // A character needs none: forums draw theirs from one file by a style.
        let (written, address) = if is_character { ("", 0) } else { numbers.find(|&(_, number)| number != 0)? };
        if !is_character && is_no_picture(page, row, &links.distinct[address as usize]) {
            return None;
        }
        if !is_character && self.is_repeated_sign(row, written) {
            return None;
        }
        let start = self.document.text.len();
        let mut alternative = alternative_of(page, row);
        if alternative.is_empty() {
            alternative = dropped_caption(self.source, row).map_or("", |block| self.source.text(block));
        }
        append_folded(&mut self.document.text, &without_controls(alternative));
        let text = Part { start, end: self.document.text.len() };
        let around = self.around_of(page.parent[row]);
        let link = around.marks.link.max(around.card);
        if link == 0 && self.source.shows(show::LINKS) {
            if let Some(video) = video_of_picture(written) {
                let title = if text.is_empty() { self.document.add_text(TITLE_OF_VIDEO) } else { text };
                return self.link_to(&video, title);
            }
        }
        let marks = Marks { link: self.links.taken(link), ..Marks::default() };
        let kind = if is_character { SpanKind::Text } else { SpanKind::Image };
        Some(Span { text, marks, kind, address })
    }

    /// Whether an image stands at several places amid the text, as stars, flags and signs of levels do.
    fn is_repeated_sign(&mut self, row: usize, address: &str) -> bool {
        let page = self.page;
        let signs = self.repeated_signs.get_or_insert_with(|| repeated_signs(page));
        page.value(row, SRC).is_some_and(|source| source == address && signs.contains(source))
    }

    /// A link to what is embedded.
    pub(super) fn embed(&mut self, row: usize) -> Option<Span> {
        let embed = embed_at(self.page, row)?;
        let title = self.document.add_text(&embed.title);
        self.link_to(&embed.address, title)
    }

    /// A link with some text; nothing if the address is none to link to.
    fn link_to(&mut self, address: &str, text: Part) -> Option<Span> {
        let number = self.links.number_of_written(address);
        let number = self.links.counted(number);
        let link = Some(self.links.taken(number)).filter(|&link| link != 0)?;
        Some(Span { text, marks: Marks { link, ..Marks::default() }, kind: SpanKind::Text, address: 0 })
    }
}
