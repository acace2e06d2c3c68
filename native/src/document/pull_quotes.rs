//! Pull quotes: a sentence that a page shows large beside its text, from this text or from elsewhere; and what posts of
//! forums quote from others without marking it up.
#![forbid(unsafe_code)]

use super::class_words::{names, names_text};
use super::code_parts::has_class;
use super::posts::is_text_of_post;
use super::steps::count;
use crate::blocks::characters::strip;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{attribute, by_tag, is_large_heading, look_up, number_of, set, TAGS};
use crate::html::attributes::STYLE;

const QUOTE: i32 = number_of("blockquote");
const CELL: i32 = number_of("td");
const ASIDE: i32 = number_of("aside");
const QUOTED: i32 = number_of("q");
const LINK: i32 = number_of("a");
const FORM: i32 = number_of("form");
const ITEM: i32 = number_of("li");
/// Classes of pull quotes, however long.
const PULL_QUOTES: [&str; 6] =
    ["pullquote", "pull-quote", "pull_quote", "wp-block-pullquote", "pullquote-container", "element-pullquote"];
/// Bytes of others: a longer one is a part of an article beside which one stands.
const LONGEST: usize = 500;
/// What the classes of pull quotes have in them, without the signs between words: `pull-quote`, `ArticlePullquote_root__z1`.
const PULL: [&str; 3] = ["pull", "pull-", "pull_"];
const REST_OF_QUOTE: &str = "uote";

/// Classes of what a post quotes: phpBB 2, vBulletin 3, then modifications of phpBB, Invision, vBulletin 4, UBB.threads,
/// Vanilla, and quotations that only Bootstrap's class marks up. The first two mean so only on a cell, and with the
/// header of SMF 1 before them.
pub const QUOTES_IN_POSTS: [&str; 8] =
    ["quote", "alt2", "quotecontent", "quotemain", "bbcode_quote", "ubbcode-body", "quotetext", "blockquote"];
/// Words that name quotations, whatever is before them, and what customers say.
const WORDS: [&str; 3] = ["quote", "blockquote", "quotebox"];
const TESTIMONIAL: &str = "testimonial";
/// Elements that can be such quotations.
#[rustfmt::skip]
const ELEMENTS: [u32; TAGS.len() + 1] = by_tag([("div", 1), ("p", 1), ("section", 1), ("aside", 1), ("figure", 1)]);
/// Bytes of the text of such a quotation: a shorter one is a label, and a longer one holds several.
const LENGTHS: std::ops::RangeInclusive<usize> = 40..=1200;
/// Rows of such a quotation.
const MOST_ROWS: usize = 60;
/// How vBulletin 3 draws the cell of what is quoted; other cells of the same class have no frame.
const FRAME_OF_VBULLETIN: &str = "inset";
/// Class of the line before what is quoted: SMF 1.
const HEADER_OF_QUOTE: &str = "quoteheader";
/// Rows between that line and the quotation: a link, a date and white space.
const REACH_OF_HEADER: usize = 12;
/// Elements between a quotation and one in it that only its class names so.
const REACH_OF_QUOTE: usize = 3;

/// Whether a letter `q` in classes, at a place, is that of a pull quote.
pub fn is_pull_quote(classes: &[u8], place: usize) -> bool {
    begins(&classes[place + 1..], REST_OF_QUOTE) && PULL.iter().any(|end| ends(&classes[..place], end))
}

/// Whether the letter `q` or `m` in classes, at a place, is that of a word for quotations.
pub fn is_word_for_quote(classes: &[u8], place: usize) -> bool {
    let (before, after) = (&classes[..place], &classes[place + 1..]);
    match classes[place].to_ascii_lowercase() {
        b'q' => begins(after, REST_OF_QUOTE),
        _ => ends(before, "testi") && begins(after, "onial"),
    }
}

/// Whether a text begins with another one, in any case.
pub fn begins(text: &[u8], start: &str) -> bool {
    text.get(..start.len()).is_some_and(|own| own.eq_ignore_ascii_case(start.as_bytes()))
}

/// Whether a text ends with another one, in any case.
pub fn ends(text: &[u8], end: &str) -> bool {
    let start = text.len().checked_sub(end.len());
    start.is_some_and(|start| text[start..].eq_ignore_ascii_case(end.as_bytes()))
}

/// Whether the classes of an element name it a quotation, and it is as small as one, without large headings, lists or links.
pub fn is_named_quote(page: &PageView, row: usize) -> bool {
    let classes = page.value(row, attribute::CLASS).unwrap_or("");
    let rows = row + 1..page.subtree_end[row] as usize;
    let may_be = look_up(&ELEMENTS, page.tag[row]) != 0 && rows.len() <= MOST_ROWS;
    may_be && LENGTHS.contains(&strip(page.text_within(row)).len()) && {
        count(classes.len() + rows.len());
        let is_named = |class: &str| names(class, &WORDS) || names_text(class, TESTIMONIAL);
        let is_other = |row: usize| {
            let tag = page.tag[row];
            // A small heading is the name of whoever says it.
            matches!(tag, QUOTE | LINK | FORM | ITEM | CELL) || is_large_heading(tag)
        };
        classes.split_ascii_whitespace().any(is_named) && !rows.clone().any(is_other) && !is_marked_up(page, row)
    }
}

/// Whether a row with a class of these is what a post quotes.
pub fn is_quote_in_post(page: &PageView, row: usize) -> bool {
    let [of_phpbb, of_vbulletin, others @ ..] = &QUOTES_IN_POSTS;
    let is_framed = || page.value(row, STYLE).is_some_and(|style| style.contains(FRAME_OF_VBULLETIN));
    match page.tag[row] {
        CELL if has_class(page, row, &[of_vbulletin]) => is_framed(),
        CELL => has_class(page, row, &[of_phpbb]) || has_class(page, row, others),
        // What is marked up already is not marked up twice.
        QUOTE => false,
        _ if has_class(page, row, &[of_phpbb]) => follows_header(page, row),
        _ => has_class(page, row, others) && !is_marked_up(page, row),
    }
}

/// Whether the element before a row is the header of what is quoted.
fn follows_header(page: &PageView, row: usize) -> bool {
    let parent = page.parent[row];
    count(REACH_OF_HEADER);
    let mut before = (row.saturating_sub(REACH_OF_HEADER)..row).rev();
    let sibling = before.find(|&other| page.parent[other] == parent && !page.is_text(other));
    sibling.is_some_and(|sibling| has_class(page, sibling, &[HEADER_OF_QUOTE]))
}

/// Whether a quotation is closely around an element, or in it.
fn is_marked_up(page: &PageView, row: usize) -> bool {
    let end = (page.subtree_end[row] as usize).min(row + REACH_OF_HEADER);
    let is_quotation = |row: usize| page.tag[row] == QUOTE && !is_text_of_post(page, row);
    page.tag[row..end].contains(&QUOTE) || page.ancestors(row).take(REACH_OF_QUOTE).any(is_quotation)
}

/// Rows of the asides that hold nothing but a quotation amid text: Vox Media.
fn quoting_asides<'a>(page: &'a PageView) -> impl Iterator<Item = usize> + 'a {
    let has_any = page.tag.contains(&QUOTED);
    let quotations = (0..if has_any { page.len() } else { 0 }).filter(move |&row| page.tag[row] == QUOTED);
    quotations.filter_map(move |row| {
        let parent = usize::try_from(page.parent[row]).ok()?;
        let holds_all = || strip(page.text_within(parent)).len() == strip(page.text_within(row)).len();
        (page.tag[parent] == ASIDE && holds_all()).then_some(parent)
    })
}

/// The pull quotes of a page.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct PullQuotes {
    /// Rows of those whose class says nothing else, ascending: decisions know these.
    pub rows: Vec<usize>,
    /// Those of them that are not marked up as quotations, and what posts quote, ascending.
    pub unmarked: Vec<usize>,
}

impl PullQuotes {
    /// Those of a page among the rows with such a class, outermost first.
    pub fn of(page: &PageView, named: &[usize]) -> Self {
        let mut quotes = PullQuotes::default();
        let mut end = 0;
        let mut named = named.to_vec();
        let known = named.len();
        named.extend(quoting_asides(page));
        if named.len() > known {
            named.sort_unstable();
        }
        for &row in named.iter().filter(|&&row| page.is_in(row, set::BLOCK) || page.tag[row] == CELL) {
            // What posts quote is nested, and never dropped because the text has it.
            if is_quote_in_post(page, row) {
                quotes.unmarked.push(row);
                continue;
            }
            let is_known = has_class(page, row, &PULL_QUOTES);
            if !is_known && is_named_quote(page, row) {
                quotes.unmarked.extend((row >= end).then_some(row));
                end = end.max(page.subtree_end[row] as usize);
                continue;
            }
            if row < end || (!is_known && page.text_within(row).len() > LONGEST) {
                continue;
            }
            end = page.subtree_end[row] as usize;
            count(end - row);
            quotes.rows.extend(is_known.then_some(row));
            let is_marked =
                page.tag[row..end].contains(&QUOTE) || page.ancestors(row).any(|row| page.tag[row] == QUOTE);
            quotes.unmarked.extend((!is_marked).then_some(row));
        }
        quotes
    }

    /// Whether an element is one that nothing else marks as a quotation.
    pub fn is_unmarked(&self, row: usize) -> bool {
        self.unmarked.binary_search(&row).is_ok()
    }

    /// Row of the one that a row is in.
    pub fn around(&self, page: &PageView, row: usize) -> Option<usize> {
        let place = self.rows.partition_point(|&quote| quote <= row).checked_sub(1)?;
        Some(self.rows[place]).filter(|&quote| row < page.subtree_end[quote] as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Limits;
    use crate::document::class_signs::ClassSigns;
    use crate::html::read;

    #[test]
    fn marked_up_as_quotations_or_not() {
        let html = "<aside class=pullquote><p class=pull-quote>a</p></aside><span class=pullquote>b</span>\
            <figure class=wp-block-pullquote><blockquote>c</blockquote></figure><p class=pullquotes>d</p>";
        let page = read(html, &Limits::default());
        let view = page.view();
        let found = PullQuotes::of(&view, &ClassSigns::of(&view).quotes);
        let names =
            |rows: &[usize]| rows.iter().map(|&row| view.tag_name(view.tag[row]).to_string()).collect::<Vec<_>>();
        assert_eq!(
            (names(&found.rows), names(&found.unmarked)),
            (vec!["aside".into(), "figure".into()], vec!["aside".into(), "p".into()])
        );
        assert_eq!(found.around(&view, found.rows[0] + 2), Some(found.rows[0]));
        assert_eq!(found.around(&view, view.len() - 1), None);
    }
}
