//! Spans of images and of what a page embeds.
#![forbid(unsafe_code)]

use super::embeds::embed_at;
use super::image_addresses::{filled, image_addresses};
use super::image_signs::{is_character, is_no_picture};
use super::images::{alternative_of, dropped_caption};
use super::spans::SpanReader;
use super::texts::{append_folded, without_controls};
use super::tree::{Marks, Part, Span, SpanKind};

impl SpanReader<'_, '_> {
    /// An image, or the character that it stands for; nothing if it has no address.
    pub(super) fn image(&mut self, row: usize) -> Option<Span> {
        let (page, links) = (self.page, &mut self.links);
        let addresses = image_addresses(page, row);
        let numbers = addresses.iter().map(|written| links.number_of_written(&filled(written)));
        let is_character = is_character(page, row);
        // A character needs none: forums draw theirs from one file by a style.
        let address = if is_character { 0 } else { numbers.into_iter().find(|&number| number != 0)? };
        if !is_character && is_no_picture(page, row, &links.distinct[address as usize]) {
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
        let marks = Marks { link: self.links.taken(link), ..Marks::default() };
        let kind = if is_character { SpanKind::Text } else { SpanKind::Image };
        Some(Span { text, marks, kind, address })
    }

    /// A link to what is embedded.
    pub(super) fn embed(&mut self, row: usize) -> Option<Span> {
        let embed = embed_at(self.page, row)?;
        let number = self.links.number_of_written(&embed.address);
        let number = self.links.counted(number);
        let link = Some(self.links.taken(number)).filter(|&link| link != 0)?;
        let text = self.document.add_text(&embed.title);
        Some(Span { text, marks: Marks { link, ..Marks::default() }, kind: SpanKind::Text, address: 0 })
    }
}
