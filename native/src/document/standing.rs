//! Whether something without text, an image or a video, stands within the kept content.
//!
//! The closest element around it that shows any text tells: most of its text must be kept, and nothing in between may be
//! named as an advertisement, a menu or the like. Before the first and after the last kept block, where logos and teasers
//! are, that element must be the part of the page that holds nearly all of the content, or be inside it.
#![forbid(unsafe_code)]

use super::code_parts::{has_class, has_part_of_class};
use super::image_signs::is_named;
use super::source::Source;
use super::steps::count;
use crate::blocks::kinds::kind;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{by_tag, look_up, number_of, TAGS};

const ARTICLE: i32 = number_of("article");
const MAIN: i32 = number_of("main");
/// Elements that divide a page, one of which holds the content.
#[rustfmt::skip]
const PARTS: [u32; TAGS.len() + 1] = by_tag([
    ("article", 1), ("section", 1), ("main", 1), ("div", 1), ("center", 1), ("td", 1), ("li", 1), ("blockquote", 1),
    ("form", 1),
]);
/// Elements without content of their own.
#[rustfmt::skip]
const BARRED: [u32; TAGS.len() + 1] = by_tag([("nav", 1), ("footer", 1), ("button", 1), ("dialog", 1), ("template", 1)]);
/// Words in the names of elements whose images are not content.
#[rustfmt::skip]
const BARRED_NAMES: [&str; 35] = [
    "ad", "ads", "advert", "adverts", "advertisement", "sponsor", "sponsored", "promo", "share", "sharing", "social",
    "sidebar", "related", "recommended", "newsletter", "subscribe", "logo", "logos", "avatar", "author", "byline", "menu",
    "nav", "navbar", "navigation", "breadcrumb", "breadcrumbs", "cookie", "popup", "comments", "profile", "icon", "icons",
    "partners", "tracking",
];
/// Class of what WordPress puts around each picture of a gallery.
const PICTURE_OF_GALLERY: &str = "gallery-icon";
/// Part of the kept text that the main part of the page holds: a title or a note may stand outside.
const MOST_OF_TEXT: f64 = 0.8;
/// Part of the text around an image that must be kept.
const HALF: f64 = 0.5;
/// The same where no paragraph and no heading is dropped.
const QUARTER: f64 = 0.25;

/// Characters of text beside an image that say nothing of where it stands, if they are dropped.
const LONGEST_LABEL: u32 = 32;
/// Elements with such texts around an image, at most.
const MOST_STEPS: usize = 4;

/// Where text is kept on a page.
pub struct Standing {
    /// By row: characters shown inside it, how many of them are kept, and how many are in paragraphs and headings that
    /// are not.
    shown: Vec<u32>,
    kept: Vec<u32>,
    dropped_prose: Vec<u32>,
    /// By row: the closest element around it that shows text, and the closest that bars what is in it.
    closest_text: Vec<i32>,
    closest_barred: Vec<i32>,
    /// The element with nearly all of the kept text; none if only the body has so much.
    main: Option<usize>,
    /// First row of the first kept block, and of the last.
    kept_rows: (usize, usize),
}

impl Standing {
    /// Of the labelled blocks of a page.
    pub fn new(source: &Source) -> Self {
        let page = source.page;
        count(page.len());
        let [shown, kept, dropped_prose] = characters_within(source);
        let closest_text = page.closest(|row| page.tag[row] != 0 && shown[row] > 0);
        let closest_barred = page.closest(|row| page.tag[row] != 0 && is_barred(page, row));
        let rows = source.kept().filter(|&block| !source.is_hidden(block)).map(|block| source.rows(block).0);
        let kept_rows = rows.fold((usize::MAX, 0), |(first, last), row| (first.min(row), last.max(row)));
        Standing { main: main_part(page, &kept), shown, kept, dropped_prose, closest_text, closest_barred, kept_rows }
    }

    /// Whether nothing around a row says that its content is none.
    pub fn is_allowed(&self, row: usize) -> bool {
        self.closest_barred[row] <= self.closest_text[row]
    }

    /// Whether a row stands within the kept content.
    pub fn is_within(&self, page: &PageView, row: usize) -> bool {
        let around = match self.text_around(page, row) {
            Some(around) => around,
            None => return false,
        };
        // Of a product, the name may be kept, but not how it is rated.
        let least = if self.dropped_prose[around] == 0 { QUARTER } else { HALF };
        let is_mostly_kept = f64::from(self.kept[around]) >= least * f64::from(self.shown[around]);
        let is_between = self.kept_rows.0 < row && row < self.kept_rows.1;
        self.is_allowed(row) && is_mostly_kept && (is_between || self.is_in_main(page, around))
    }

    /// The closest element around a row that shows more than a few dropped words: a badge, a button, the size of a file, or
    /// a caption.
    fn text_around(&self, page: &PageView, row: usize) -> Option<usize> {
        let mut around = usize::try_from(self.closest_text[row]).ok()?;
        let barred = self.closest_barred[row];
        for _ in 0..MOST_STEPS {
            let is_short = self.shown[around] <= LONGEST_LABEL && self.dropped_prose[around] == 0;
            let is_label = is_short || has_part_of_class(page, around, &["caption"]);
            let parent = page.parent[around];
            let may_go_on = self.kept[around] == 0 && is_label && parent > barred;
            match usize::try_from(parent) {
                Ok(parent) if may_go_on => around = self.closest_text[parent].max(0) as usize,
                _ => break,
            }
        }
        Some(around)
    }

    /// Whether an element is the main part, inside it, or the article around it.
    fn is_in_main(&self, page: &PageView, row: usize) -> bool {
        let holds = |outer: usize, inner: usize| outer <= inner && (inner as i32) < page.subtree_end[outer];
        let is_article = matches!(page.tag[row], ARTICLE | MAIN);
        self.main.map_or(false, |main| holds(main, row) || (is_article && holds(row, main)))
    }
}

/// By row: characters of the visible blocks that begin inside it, of the kept ones, and of dropped paragraphs and headings.
fn characters_within(source: &Source) -> [Vec<u32>; 3] {
    let page = source.page;
    let mut within = [vec![0; page.len()], vec![0; page.len()], vec![0; page.len()]];
    for block in (0..source.keep.len()).filter(|&block| !source.is_hidden(block)) {
        let length = source.blocks.segments.length[block].max(0) as u32;
        let is_dropped_prose = !source.is_kept(block) && matches!(source.kind(block), kind::PARAGRAPH | kind::HEADING);
        let row = source.rows(block).0;
        for (counts, is_counted) in within.iter_mut().zip([true, source.is_kept(block), is_dropped_prose]) {
            counts[row] = if is_counted { length } else { 0 };
        }
    }
    for row in (0..page.len()).rev() {
        if let Ok(parent) = usize::try_from(page.parent[row]) {
            within.iter_mut().for_each(|counts| counts[parent] += counts[row]);
        }
    }
    within
}

/// Row of the deepest part of the page with nearly all of the kept text.
fn main_part(page: &PageView, kept: &[u32]) -> Option<usize> {
    let total = f64::from(*kept.first()?);
    let is_main = |row: &usize| {
        let is_part = page.tag[*row] as usize >= TAGS.len() || look_up(&PARTS, page.tag[*row]) != 0;
        is_part && kept[*row] > 0 && f64::from(kept[*row]) >= MOST_OF_TEXT * total
    };
    // Such elements are within each other, so the last one is the deepest.
    (0..page.len()).rfind(is_main)
}

/// Whether an element holds no content, by its tag or its name.
fn is_barred(page: &PageView, row: usize) -> bool {
    look_up(&BARRED, page.tag[row]) != 0
        || (is_named(page, row, &BARRED_NAMES) && !has_class(page, row, &[PICTURE_OF_GALLERY]))
}
