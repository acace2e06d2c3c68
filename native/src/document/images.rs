//! Images: which of them belong to the kept content, and next to which block they stand.
//!
//! An image inside the text of a kept block belongs to it. An image between blocks belongs if it stands within the kept
//! content (`standing`), if the blocks before and after it are kept, or if it is in a figure whose caption is kept. The
//! twin of an image for browsers without script counts where the image itself has no address.
#![forbid(unsafe_code)]

use super::background_images::{background_images, background_of};
use super::image_addresses::has_address;
use super::image_signs::has_word;
use super::lead_images::LeadImages;
use super::repeated_images::leave_each_once;
use super::silent_images::{is_on_copy, is_silent_slide, silent_images};
use super::source::{show, Source};
use super::standing::{is_named_as_drawing, Standing};
use super::steps::count;
use crate::blocks::characters::strip;
use crate::blocks::kinds::kind;
use crate::blocks::page_view::{entry, PageView};
use crate::blocks::tags::{attribute, number_of, TAGS};
use crate::features::numbering::Hashing;
use crate::html::attributes::code_of;
use std::collections::HashMap;

const IMAGE: i32 = number_of("img");
const FIGURE: i32 = number_of("figure");
const QUOTE: i32 = number_of("blockquote");
const LINK: i32 = number_of("a");
const NO_SCRIPT: i32 = number_of("noscript");
const ALT: u8 = code_of("alt");
const LABEL: u8 = code_of("aria-label");
const IMAGE_OF_AMP: &str = "amp-img";
/// Alternative texts that tools write where nobody has written any: Webflow, Jupyter, Stack Overflow, react-notion-x, LaTeXML.
#[rustfmt::skip]
const SAYS_NOTHING: [&str; 9] = [
    "__wf_reserved_inherit", "__wf_reserved_decorative", "No description has been provided for this image",
    "enter image description here", "notion image", "Refer to caption", "undefined", "null", "image description",
];

/// Whether a tag is that of images.
fn is_tag_of_images(page: &PageView, tag: i32) -> bool {
    tag == IMAGE || (tag as usize >= TAGS.len() && page.tag_name(tag) == IMAGE_OF_AMP)
}

/// Whether a row is an image, or an element with one as its background.
pub fn is_image(page: &PageView, row: usize) -> bool {
    is_tag_of_images(page, page.tag[row]) || background_of(page, row).is_some()
}

/// Rows of the images that are shown, with or without script, in order.
pub fn shown_images(page: &PageView) -> Vec<usize> {
    let has_images_of_amp = (0..page.other_tags.len()).any(|place| page.other_tags.get(place) == IMAGE_OF_AMP);
    let is_shown = |row: &usize| page.hidden[*row] == 0;
    let mut rows: Vec<usize> = if has_images_of_amp {
        (0..page.len()).filter(|&row| is_tag_of_images(page, page.tag[row])).filter(is_shown).collect()
    } else {
        page.rows_of(IMAGE).filter(is_shown).collect()
    };
    if page.has_tag(NO_SCRIPT) {
        rows.extend(images_without_script(page, &rows));
        rows.sort_unstable();
    }
    let silent = silent_images(page);
    if !silent.is_empty() {
        rows.extend(silent);
        rows.sort_unstable();
    }
    let backgrounds = background_images(page);
    if !backgrounds.is_empty() {
        rows.extend(backgrounds);
        rows.sort_unstable();
    }
    rows.retain(|&row| !is_on_copy(page, row));
    rows
}

/// Rows of images in `<noscript>` that have no twin beside them with an address.
fn images_without_script(page: &PageView, visible: &[usize]) -> Vec<usize> {
    let mut images = Vec::new();
    let mut end = 0;
    for outer in page.rows_of(NO_SCRIPT) {
        // One within another was looked at with that.
        let inside = outer.max(end)..page.subtree_end[outer] as usize;
        end = end.max(inside.end);
        images.extend(inside.filter(|&row| page.tag[row] == IMAGE));
    }
    let around = |row: usize| page.ancestors(row).find(|&row| page.tag[row] == NO_SCRIPT);
    let is_only_choice =
        |&row: &usize| around(row).is_some_and(|around| is_shown_without_script(page, around, visible));
    images.into_iter().filter(is_only_choice).collect()
}

/// Whether the content of a `<noscript>` is the only form in which its image has an address.
fn is_shown_without_script(page: &PageView, row: usize, visible: &[usize]) -> bool {
    let parent = parent_of(page, row);
    let end = page.subtree_end[row] as usize;
    let place = visible.partition_point(|&image| image < row);
    let is_blank = |first: usize, end: usize| page.text_length[first..end].iter().all(|&length| length == 0);
    let before = place.checked_sub(1).map(|place| visible[place]);
    let before = before.filter(|&image| image >= parent && row - image <= MOST_ROWS && is_blank(image, row));
    let after = visible.get(place).copied().filter(|&image| {
        image < page.subtree_end[parent] as usize && image - end.min(image) <= MOST_ROWS && is_blank(end, image)
    });
    page.hidden[parent] == 0 && !before.or(after).is_some_and(|image| has_address(page, image))
}

/// Words of the alternative text of a button.
const WORDS_OF_BUTTON: usize = 3;
/// Words in the addresses of pages of authors.
const AUTHORS: [&str; 8] = ["author", "authors", "profile", "profiles", "user", "users", "people", "staff"];
/// Bytes of such an address.
const LONGEST_ADDRESS: usize = 400;
/// Elements between an image, or a text, and the link around it.
const REACH_OF_LINK: usize = 4;
/// Rows between the picture of an item and its name.
const LARGEST_ITEM: usize = 150;
/// Rows between an image and its twin, or its figure: an element or two around each, and white space.
const MOST_ROWS: usize = 12;

/// The blocks that a browser shows, and where they begin.
pub struct VisibleBlocks<'a> {
    source: &'a Source<'a>,
    blocks: Vec<usize>,
}

impl<'a> VisibleBlocks<'a> {
    /// Those of a page.
    pub fn new(source: &'a Source<'a>) -> Self {
        let blocks = (0..source.blocks.segments.len()).filter(|&block| !source.is_hidden(block)).collect();
        VisibleBlocks { source, blocks }
    }

    /// Those of them that are kept.
    fn kept(source: &'a Source<'a>) -> Self {
        VisibleBlocks { source, blocks: source.kept().filter(|&block| !source.is_hidden(block)).collect() }
    }

    /// The blocks that begin before a row and at or after it, closest first.
    pub fn around(&self, row: usize) -> (Option<usize>, Option<usize>) {
        let place = self.blocks.partition_point(|&block| self.source.rows(block).0 < row);
        let before = place.checked_sub(1).map(|place| self.blocks[place]);
        (before, self.blocks.get(place).copied())
    }

    /// The blocks that begin before an element and after its end, closest first.
    fn around_element(&self, row: usize) -> (Option<usize>, Option<usize>) {
        (self.around(row).0, self.around(self.source.page.subtree_end[row] as usize).1)
    }

    /// Whether a row is within the text of a block.
    pub fn contain(&self, row: usize) -> bool {
        self.around(row).0.is_some_and(|before| row < self.source.rows(before).1)
    }
}

/// Rows of images, embedded media and formulas without text that are next to a block.
#[derive(Debug, Default)]
pub struct Beside {
    before: HashMap<usize, Vec<usize>, Hashing>,
    after: HashMap<usize, Vec<usize>, Hashing>,
    before_tables: HashMap<usize, Vec<usize>, Hashing>,
    after_tables: HashMap<usize, Vec<usize>, Hashing>,
}

impl Beside {
    /// Those of some rows, in order, that belong to the content: next to which block they stand.
    pub fn new(source: &Source, visible: &VisibleBlocks, rows: &[usize], is_in_note: &[bool]) -> Self {
        let mut beside = Beside::default();
        if rows.is_empty() {
            return beside;
        }
        let closest_figure = closest_figures(source.page);
        let captions = captions_of_figures(source, &closest_figure);
        let (mut standing, kept) = (Standing::new(source), VisibleBlocks::kept(source));
        let mut leads = LeadImages::new(source, &standing);
        let title = source.kept().next().filter(|&block| source.kind(block) == kind::HEADING);
        for &row in rows.iter().filter(|&&row| !visible.contain(row)) {
            // A dropped caption says nothing about where its figure stands, nor do the words of an embedded post.
            let is_figure = closest_figure[row] >= 0;
            let own = if is_figure { outermost_figure(source.page, &closest_figure, row) } else { row };
            let stands = if is_figure || source.page.tag[own] == QUOTE { parent_of(source.page, own) } else { own };
            if let Some(&caption) = captions.get(&closest_figure[row]) {
                let is_before = row < source.rows(caption).0;
                let side = if is_before { &mut beside.before } else { &mut beside.after };
                side.entry(caption).or_default().push(row);
                leads.has_image = true;
                continue;
            }
            let is_enclosed = || match visible.around_element(own) {
                (Some(before), Some(behind)) => source.is_kept(before) && source.is_kept(behind),
                _ => false,
            };
            let is_amid = |standing: &Standing| is_figure && standing.is_amid(row, stands);
            let around = kept.around(row);
            // What screen readers pass over belongs only as a part of a gallery.
            let is_one = !is_silent_slide(source.page, row)
                && !is_sign_below_title(source, title, around.0, row)
                && (standing.is_within(source.page, stands)
                    || (standing.is_allowed(source.page, stands)
                        && (is_enclosed() || is_amid(&standing) || leads_where_next_does(source, around.1, row)))
                    || leads.is_lead(source.page, &standing, row));
            if is_one || leads.is_in_gallery(source.page, &standing, row) {
                leads.note_gallery_of_lead(source.page, &standing, row);
                leads.has_image = leads.has_image || is_image(source.page, row);
                beside.place(source, around, row, is_in_note);
            }
        }
        let places = [&mut beside.before, &mut beside.after, &mut beside.before_tables, &mut beside.after_tables];
        places.into_iter().flat_map(HashMap::values_mut).for_each(|rows| leave_each_once(source.page, rows));
        beside
    }

    /// Puts a row before the kept block after it, or after the one before; outside of a table it is not in.
    fn place(&mut self, source: &Source, around: (Option<usize>, Option<usize>), row: usize, is_in_note: &[bool]) {
        let holds = |table: usize| table <= row && (row as i32) < source.page.subtree_end[table];
        let table_apart = |block: usize| {
            let table = usize::try_from(source.table(block)).ok();
            table.filter(|&table| source.shows(show::TABLES) && !holds(table))
        };
        let (place, block, side, tables) = match around {
            (_, Some(behind)) if !is_in_note[behind] => {
                (table_apart(behind), behind, &mut self.before, &mut self.before_tables)
            }
            (Some(before), _) if !is_in_note[before] => {
                (table_apart(before), before, &mut self.after, &mut self.after_tables)
            }
            _ => return,
        };
        match place {
            Some(table) => tables.entry(table).or_default().push(row),
            None => side.entry(block).or_default().push(row),
        }
    }

    /// Rows directly before a block.
    pub fn before(&self, block: usize) -> &[usize] {
        self.before.get(&block).map_or(&[], Vec::as_slice)
    }

    /// Rows after a block: the caption of a figure, or the last block of the content.
    pub fn after(&self, block: usize) -> &[usize] {
        self.after.get(&block).map_or(&[], Vec::as_slice)
    }

    /// Rows directly before a table, given its row.
    pub fn before_table(&self, table: usize) -> &[usize] {
        self.before_tables.get(&table).map_or(&[], Vec::as_slice)
    }

    /// Rows directly after a table, given its row.
    pub fn after_table(&self, table: usize) -> &[usize] {
        self.after_tables.get(&table).map_or(&[], Vec::as_slice)
    }
}

/// Whether an image right below the title, which is the first kept block, is a drawing or leads to an author: a button for the
/// size of letters, or a portrait.
fn is_sign_below_title(source: &Source, title: Option<usize>, before: Option<usize>, row: usize) -> bool {
    let page = source.page;
    before.is_some()
        && before == title
        && is_tag_of_images(page, page.tag[row])
        && match link_around(page, row) {
            Some(link) => leads_to_author(page, link),
            None => {
                is_named_as_drawing(page, row)
                    && alternative_of(page, row).split_whitespace().count() <= WORDS_OF_BUTTON
            }
        }
}

/// Whether a link leads to the page of an author.
fn leads_to_author(page: &PageView, link: usize) -> bool {
    let address = page.value(link, attribute::HREF).filter(|address| address.len() <= LONGEST_ADDRESS);
    address.is_some_and(|address| {
        count(address.len());
        has_word(address, &AUTHORS)
    })
}

/// The link closely around an image or a text.
pub fn link_around(page: &PageView, row: usize) -> Option<usize> {
    page.ancestors(row).take(REACH_OF_LINK).find(|&row| page.tag[row] == LINK)
}

/// Whether an image is a link to the same page as the start of the kept block after it: the picture of an item in a shop or
/// a list, between which ratings and labels are dropped.
fn leads_where_next_does(source: &Source, next: Option<usize>, row: usize) -> bool {
    let own = link_around(source.page, row).and_then(|link| target_of(source.page, link));
    own.is_some() && next.is_some_and(|block| leads_to(source, block, row, own))
}

/// Where a link leads, if to another page.
fn target_of<'a>(page: &PageView<'a>, link: usize) -> Option<&'a str> {
    page.value(link, attribute::HREF).filter(|address| !address.is_empty() && !address.starts_with('#'))
}

/// Whether the start of a block not far behind a row leads somewhere.
fn leads_to(source: &Source, block: usize, row: usize, target: Option<&str>) -> bool {
    let (page, (first, last)) = (source.page, source.rows(block));
    if first - row > LARGEST_ITEM {
        return false;
    }
    let inside = (first..=last).take(REACH_OF_LINK).find(|&row| page.tag[row] == LINK);
    inside.or_else(|| link_around(page, first)).and_then(|link| target_of(page, link)) == target
}

/// For each row, the closest figure at or above it; -1 where there is none.
fn closest_figures(page: &PageView) -> Vec<i32> {
    if page.has_tag(FIGURE) {
        page.closest(|row| page.tag[row] == FIGURE)
    } else {
        vec![-1; page.len()]
    }
}

/// Row of the outermost figure around a row that is in one: galleries are figures of figures.
fn outermost_figure(page: &PageView, closest_figure: &[i32], row: usize) -> usize {
    let mut figure = closest_figure[row] as usize;
    for _ in 0..MOST_ROWS {
        match usize::try_from(entry(closest_figure, page.parent[figure])) {
            Ok(outer) => figure = outer,
            Err(_) => break,
        }
    }
    figure
}

/// Row of the parent of a row; 0 for the root.
fn parent_of(page: &PageView, row: usize) -> usize {
    page.parent[row].max(0) as usize
}

/// The alternative text of an image; empty if it has none.
pub fn alternative_of<'a>(page: &PageView<'a>, row: usize) -> &'a str {
    let name = if is_tag_of_images(page, page.tag[row]) { ALT } else { LABEL };
    page.value(row, name).map(strip).filter(|text| !says_nothing(text)).unwrap_or("")
}

/// Whether an alternative text is the one that a tool writes where nobody has written any.
fn says_nothing(text: &str) -> bool {
    SAYS_NOTHING.iter().any(|known| text.eq_ignore_ascii_case(known))
}

/// The caption that a figure shows around an image, if it is not kept.
pub fn dropped_caption(source: &Source, row: usize) -> Option<usize> {
    let (page, mut figure) = (source.page, row);
    for _ in 0..MOST_ROWS {
        figure = usize::try_from(page.parent[figure]).ok()?;
        if page.tag[figure] == FIGURE {
            let is_caption = |block: &usize| source.kind(*block) == kind::CAPTION && !source.is_kept(*block);
            return source.blocks_in(figure).find(is_caption);
        }
    }
    None
}

/// Row of a figure -> the first block of its caption, if that is kept.
fn captions_of_figures(source: &Source, closest_figure: &[i32]) -> HashMap<i32, usize> {
    let mut captions = HashMap::new();
    for block in source.kept().filter(|&block| source.kind(block) == kind::CAPTION) {
        let figure = entry(closest_figure, source.owner(block));
        if figure >= 0 {
            captions.entry(figure).or_insert(block);
        }
    }
    captions
}
