//! Signs of structures in the classes and attributes of a page, found in one pass over them.
//!
//! A sign is necessary, not sufficient: code, callouts, notes amid the text and formulas are then looked for only where there
//! is one. Most pages have hardly any.
#![forbid(unsafe_code)]

use super::box_styles::may_be_box;
use super::callouts::{
    box_of_drawing, names_kind, ALWAYS, LABEL, NODE_TYPE, OBSIDIAN, SOMETIMES, TITLE, TITLES_OF_TOPICS, WITH_KIND,
};
use super::code_parts::{has_class, is_of_writerside, COMMANDS, DIAGRAM, OF_WRITERSIDE, SIGNATURE};
use super::drawn_tables::{ROW, ROWS};
use super::footnote_marks::{BIBLIOGRAPHIES, NOTES_AMID_TEXT, SCRIPTED_REFERENCE, TOOLTIP_OF_NOTE};
use super::formulas::is_attribute_of_formulas;
use super::headings::EDIT_SECTION;
use super::named_boxes::{BOXES, COLOURED, LINES};
use super::pull_quotes::{
    begins, ends, is_named_quote, is_pull_quote, is_quote_in_post, is_word_for_quote, QUOTES_IN_POSTS,
};
use super::tabs::PANE;
use super::tasks::DRAWN;
use super::word_lists::ITEMS_OF_WORD;
use crate::blocks::code_areas::{CLASSES, CLASS_OF_FIGURES};
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{attribute, number_of};
use crate::html::attributes::{same, STYLE};
use crate::html::has;

const ASIDE: i32 = number_of("aside");
const DETAILS: i32 = number_of("details");
const CELL: i32 = number_of("td");
const TABLE_ELEMENT: i32 = number_of("table");
/// Classes of listings that have no `<pre>`: of cells in the posts of phpBB 2, then of other elements in those of SMF, in
/// W3Schools, Quill, Notion, the wiki of Gentoo, Mermaid, the signatures of Doxygen and Writerside.
#[rustfmt::skip]
const LISTINGS: [&str; 9] = [
    "code", "bbc_code", "w3-code", "ql-code-block-container", "notion-code-block", COMMANDS, DIAGRAM, SIGNATURE, OF_WRITERSIDE,
];

/// Classes of cards that stand for a page: a link with the title of that page, and what it says.
#[rustfmt::skip]
pub const CARDS: [&str; 11] = [
    "onebox", "kg-bookmark-card", "bookmark-info", "c-embed", "embed-card", "wp-block-embed", "link-card",
    "notion-bookmark-block", "wp-block-file", "kg-file-card", "ltag__link",
];

/// Classes of what tools set amid or below a text to lead the reader elsewhere: lists of other posts (Divi, Elementor, Jetpack,
/// Squarespace, Avada, WordPress, Feast, YARPP, Contextual Related Posts), and boxes to subscribe (Ghost, Substack, Jetpack,
/// MailPoet, Mailchimp for WordPress, Kit, MailerLite).
#[rustfmt::skip]
pub const MODULES: [&str; 19] = [
    "et_pb_posts", "et_pb_blog_grid_wrapper", "elementor-widget-posts", "jp-relatedposts", "sqs-block-summary-v2",
    "fusion-recent-posts", "wp-block-latest-posts", "feast-category-index", "feast-recipe-index", "yarpp-related", "crp_related",
    "kg-signup-card", "subscription-widget-wrap-editor", "subscription-widget-wrap", "wp-block-jetpack-subscriptions",
    "mailpoet_form", "mc4wp-form", "formkit-form", "ml-form-embedContainer",
];

/// Classes of what somebody says to a language model, on pages that show such a conversation: ChatGPT, Claude, Gemini, Grok.
#[rustfmt::skip]
pub const TURNS: [&str; 6] =
    ["text-message", "user-message-bubble-color", "font-user-message", "!font-user-message", "user-query-bubble-with-background", "message-bubble"];

/// A class of areas of code.
const AREA: u32 = 1 << 0;
/// A class of callouts.
const CALLOUT: u32 = 1 << 1;
/// A class of notes amid the text.
const NOTE: u32 = 1 << 2;
/// A part of the classes of formulas.
const FORMULA: u32 = 1 << 3;
/// A class of cards.
const CARD: u32 = 1 << 4;
/// A class of the items of lists that Word writes.
const ITEM: u32 = 1 << 5;
/// The class of what MediaWiki writes beside headings.
const TOOL: u32 = 1 << 6;
/// A class of the boxes of tasks.
const BOX: u32 = 1 << 7;
/// A class of bibliographies.
const BIBLIOGRAPHY: u32 = 1 << 8;
/// A class of what posts quote.
const QUOTE: u32 = 1 << 9;
/// A class of listings without `<pre>`.
const LISTING: u32 = 1 << 10;
/// The class of the panels of tabs without roles.
const TAB: u32 = 1 << 11;
/// A part of the classes of pull quotes.
const PULL_QUOTE: u32 = 1 << 12;

/// A word for quotations.
const NAMED_QUOTE: u32 = 1 << 13;
/// A class of the rows of tables without `<table>`.
const TABLE_ROW: u32 = 1 << 14;
/// A class of what somebody says to a language model.
const TURN: u32 = 1 << 15;

/// A class of the titles of boxes that Sphinx sets beside a text.
const TOPIC: u32 = 1 << 16;
/// The word for the value beside a label.
const VALUE: u32 = 1 << 17;
/// The word for the items of lists without `<ul>`.
const DRAWN_ITEM: u32 = 1 << 18;

/// All classes that are signs, and what of.
const KNOWN: [(&[&str], u32); 22] = [
    (&TITLES_OF_TOPICS, TOPIC),
    (&CLASSES, AREA),
    (&[CLASS_OF_FIGURES], AREA),
    (&ALWAYS, CALLOUT),
    (&WITH_KIND, CALLOUT),
    (&SOMETIMES, CALLOUT),
    (&BOXES, CALLOUT),
    (&LINES, CALLOUT),
    (&[COLOURED], CALLOUT),
    (&NOTES_AMID_TEXT, NOTE),
    (&[SCRIPTED_REFERENCE, TOOLTIP_OF_NOTE], NOTE),
    (&CARDS, CARD),
    (&MODULES, CARD),
    (&ITEMS_OF_WORD, ITEM),
    (&[EDIT_SECTION], TOOL),
    (&DRAWN, BOX),
    (&BIBLIOGRAPHIES, BIBLIOGRAPHY),
    (&QUOTES_IN_POSTS, QUOTE),
    (&LISTINGS, LISTING),
    (&[PANE], TAB),
    (&ROWS, TABLE_ROW),
    (&TURNS, TURN),
];

/// Slots for some 200 classes: so many that most others come upon an empty one at once.
const SLOTS: usize = 512;

/// The classes of `KNOWN` with all their signs, each in its slot or in the first free one behind it.
static TABLE: [(&str, u32); SLOTS] = {
    let mut table = [("", 0); SLOTS];
    let mut list = 0;
    while list < KNOWN.len() {
        let (names, sign) = KNOWN[list];
        let mut number = 0;
        while number < names.len() {
            let name = names[number];
            let mut slot = slot_of(name.as_bytes());
            while !table[slot].0.is_empty() && !same(table[slot].0.as_bytes(), name.as_bytes()) {
                slot = (slot + 1) % SLOTS;
            }
            table[slot] = (name, table[slot].1 | sign);
            number += 1;
        }
        list += 1;
    }
    table
};

/// The slot of a class, the same in any case.
const fn slot_of(class: &[u8]) -> usize {
    const SMALL: u8 = b' ';
    let (first, middle, last) = (class[0] | SMALL, class[class.len() / 2] | SMALL, class[class.len() - 1] | SMALL);
    (class.len() + 31 * first as usize + 7 * middle as usize + 131 * last as usize) % SLOTS
}

/// What a byte and the one before it may be, a bit each. A class has few pairs of letters that are in parts of the classes of
/// formulas, pull quotes and boxes.
mod pair {
    /// The end of a word, after any byte.
    pub const END: u16 = 1 << 0;
    /// A `q`, after any byte.
    pub const Q: u16 = 1 << 1;
    /// `th` in `math`.
    pub const TH: u16 = 1 << 2;
    /// `ex` in `latex`, `jx` in `mjx`.
    pub const EX: u16 = 1 << 3;
    /// `e_` in `ee_img`.
    pub const E_: u16 = 1 << 4;
    /// `ou` in `callout`.
    pub const OU: u16 = 1 << 5;
    /// `dm` in `admonition`, `im` in `testimonial`.
    pub const IM: u16 = 1 << 6;
    /// `ak` in `takeaway`.
    pub const AK: u16 = 1 << 7;
    /// `va` in `value`.
    pub const VA: u16 = 1 << 8;
    /// `em` in `item`.
    pub const EM: u16 = 1 << 9;
}

/// By byte: the pairs that it may end, and those that it may begin. All but ASCII ends words, too: it includes blanks, and is
/// in none of the words that are looked for.
static PAIRS: [(u16, u16); 256] = {
    let mut pairs = [(0, 0); 256];
    let mut byte = 0;
    while byte < 256 {
        let ended = match (byte as u8).to_ascii_lowercase() {
            0..=b' ' | 0x7f..=0xff => pair::END,
            b'q' => pair::Q,
            b'h' => pair::TH,
            b'x' => pair::EX,
            b'_' => pair::E_,
            b'u' => pair::OU,
            b'm' => pair::IM | pair::EM,
            b'k' => pair::AK,
            b'a' => pair::VA,
            _ => 0,
        };
        let begun = match (byte as u8).to_ascii_lowercase() {
            b't' => pair::TH,
            b'e' => pair::EX | pair::E_ | pair::EM,
            b'j' => pair::EX,
            b'o' => pair::OU,
            b'd' | b'i' => pair::IM,
            b'a' => pair::AK,
            b'v' => pair::VA,
            _ => 0,
        };
        pairs[byte] = (ended, begun | AFTER_ANY);
        byte += 1;
    }
    pairs
};
/// The pairs that any byte may begin.
const AFTER_ANY: u16 = pair::END | pair::Q;

/// What was found out about values of attributes, by their numbers: elements share most of their classes and styles.
struct KnownValues<'a> {
    number: &'a [i32],
    known: Vec<u32>,
}

impl<'a> KnownValues<'a> {
    /// Stands for what was not found out yet.
    const NOT_READ: u32 = u32::MAX;

    /// Nothing is known of the values of a page.
    fn new(page: &PageView<'a>) -> Self {
        KnownValues { number: page.attribute_value, known: vec![Self::NOT_READ; page.values.len()] }
    }

    /// What is known of the value of an attribute, which is read unless an equal one was.
    #[inline(always)]
    fn of(&mut self, attribute: usize, read: impl FnOnce() -> u32) -> u32 {
        let known = &mut self.known[self.number[attribute] as usize];
        if *known == Self::NOT_READ {
            *known = read();
        }
        *known
    }
}

/// Where the structures of a page may be, in the order of the page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassSigns {
    /// Rows that may be areas of code by their class.
    pub areas: Vec<usize>,
    /// Rows that may be callouts.
    pub callouts: Vec<usize>,
    /// Rows that may be notes amid the text.
    pub notes: Vec<usize>,
    /// Rows that may be cards.
    pub cards: Vec<usize>,
    /// Rows that may be what somebody says to a language model.
    pub turns: Vec<usize>,
    /// Whether there may be items of lists that Word writes.
    pub has_items_of_word: bool,
    /// Whether there may be links to change a section.
    pub has_edit_sections: bool,
    /// Whether there may be boxes of tasks that are no form.
    pub has_drawn_boxes: bool,
    /// Whether there may be a bibliography.
    pub has_bibliography: bool,
    /// Rows with a class of pull quotes, or of what posts quote.
    pub quotes: Vec<usize>,
    /// Listings without `<pre>`.
    pub listings: Vec<usize>,
    /// Rows of tables that may have no `<table>`.
    pub table_rows: Vec<usize>,
    /// Rows that may be values beside their labels.
    pub values: Vec<usize>,
    /// Rows that may be items of lists without `<ul>`.
    pub drawn_items: Vec<usize>,
    /// Panels of tabs that may have no roles.
    pub panes: Vec<usize>,
    /// Attributes that may tell of a formula: the row, and the number of the attribute.
    pub formulas: Vec<(usize, usize)>,
    /// Attributes with the addresses that name a part of a page: of this one, or of another.
    pub fragments: Vec<usize>,
}

impl ClassSigns {
    /// Those of a page.
    pub fn of(page: &PageView) -> Self {
        let mut signs = ClassSigns::default();
        let (mut of_classes, mut of_styles) = (KnownValues::new(page), KnownValues::new(page));
        let has_often = page.has_tag(ASIDE) || page.has_tag(DETAILS);
        // Rows are in the order of their attributes, and few attributes are signs.
        let mut row = 0;
        let mut row_of = |index: usize| {
            while page.attribute_start[row + 1] as usize <= index {
                row += 1;
            }
            row
        };
        for (index, &name) in page.attribute_name.iter().enumerate() {
            match name {
                attribute::CLASS => {
                    let found = of_classes.of(index, || signs_in(page.bytes_of(index)));
                    if found != 0 || has_often {
                        signs.add(page, row_of(index), index, found);
                    }
                }
                attribute::HREF if has(page.bytes_of(index), b'#') => {
                    signs.fragments.push(index);
                }
                attribute::ROLE if page.value_of(index) == ROW && !signs.has_row(row_of(index)) => {
                    signs.table_rows.push(row_of(index));
                }
                OBSIDIAN | NODE_TYPE => signs.callouts.push(row_of(index)),
                STYLE if of_styles.of(index, || u32::from(may_be_box(page.value_of(index)))) != 0 => {
                    signs.callouts.push(row_of(index));
                }
                LABEL if names_kind(page.value_of(index)) => {
                    signs.callouts.extend(box_of_drawing(page, row_of(index)));
                }
                TITLE if has_often && page.tag[row_of(index)] == ASIDE => signs.callouts.push(row_of(index)),
                name if is_attribute_of_formulas(name) => signs.formulas.push((row_of(index), index)),
                _ => (),
            }
        }
        signs
    }

    /// Whether a row was the last that may be one of a table.
    fn has_row(&self, row: usize) -> bool {
        self.table_rows.last() == Some(&row)
    }

    /// Notes the signs in a class attribute.
    fn add(&mut self, page: &PageView, row: usize, index: usize, found: u32) {
        if found & AREA != 0 {
            self.areas.push(row);
        }
        if found & CALLOUT != 0 || is_often_callout(page, row) {
            self.callouts.push(row);
        }
        if found & TOPIC != 0 {
            self.callouts.extend(usize::try_from(page.parent[row]).ok());
        }
        if found & NOTE != 0 {
            self.notes.push(row);
        }
        self.has_items_of_word |= found & ITEM != 0;
        self.has_edit_sections |= found & TOOL != 0;
        self.has_drawn_boxes |= found & BOX != 0;
        // Looked at closely here: what they cause takes longer.
        self.has_bibliography |= found & BIBLIOGRAPHY != 0 && has_class(page, row, &BIBLIOGRAPHIES);
        let is_in_post = || found & QUOTE != 0 && is_quote_in_post(page, row);
        let is_named = || found & NAMED_QUOTE != 0 && is_named_quote(page, row);
        if found & PULL_QUOTE != 0 || is_in_post() || is_named() {
            self.quotes.push(row);
        }
        if found & LISTING != 0 && is_listing(page, row) {
            self.listings.push(row);
        }
        if found & TAB != 0 && has_class(page, row, &[PANE]) {
            self.panes.push(row);
        }
        if found & TABLE_ROW != 0 && !self.has_row(row) {
            self.table_rows.push(row);
        }
        if found & VALUE != 0 {
            self.values.push(row);
        }
        if found & DRAWN_ITEM != 0 {
            self.drawn_items.push(row);
        }
        if found & TURN != 0 {
            self.turns.push(row);
        }
        if found & CARD != 0 {
            self.cards.push(row);
        }
        if found & FORMULA != 0 {
            self.formulas.push((row, index));
        }
    }
}

/// Whether an element with a class of listings is one.
fn is_listing(page: &PageView, row: usize) -> bool {
    let names = if page.tag[row] == CELL { &LISTINGS[..1] } else { &LISTINGS[1..] };
    // Once a diagram is drawn, its text is in the drawing.
    let is_drawn = || has_class(page, row, &[DIAGRAM]) && page.subtree_end[row] as usize != row + 2;
    let is_in_table = || has_class(page, row, &[SIGNATURE]) && page.tag[row] != TABLE_ELEMENT;
    let is_wrapper = || has_class(page, row, &[OF_WRITERSIDE]) && !is_of_writerside(page, row);
    has_class(page, row, names) && !is_drawn() && !is_in_table() && !is_wrapper()
}

/// Whether any class of an element may make it a callout: there, also `note` and the like do.
fn is_often_callout(page: &PageView, row: usize) -> bool {
    matches!(page.tag[row], ASIDE | DETAILS)
}

/// The signs in the value of a class attribute. Not a part of `ClassSigns::of`, which leaves its loop too few registers.
#[inline(never)]
fn signs_in(classes: &[u8]) -> u32 {
    let (mut found, mut start, mut before) = (0, 0, AFTER_ANY);
    for (place, &byte) in classes.iter().enumerate() {
        let (ended, begun) = PAIRS[usize::from(byte)];
        match ended & before {
            0 => (),
            pair::END => {
                found |= signs_of(&classes[start..place]);
                start = place + 1;
            }
            _ => found |= sign_of_pair(classes, place),
        }
        before = begun;
    }
    found | signs_of(&classes[start..])
}

/// The signs of one class.
fn signs_of(class: &[u8]) -> u32 {
    if class.is_empty() {
        return 0;
    }
    let shouted = if is_shouted(class) { CALLOUT } else { 0 };
    let mut slot = slot_of(class);
    loop {
        let (name, signs) = TABLE[slot];
        if name.is_empty() {
            return shouted;
        }
        if class.eq_ignore_ascii_case(name.as_bytes()) {
            return shouted | signs;
        }
        slot = (slot + 1) % SLOTS;
    }
}

/// Whether a class is in capitals: those of some callouts are.
pub fn is_shouted(class: &[u8]) -> bool {
    class.len() > 2 && class.iter().all(u8::is_ascii_uppercase)
}

/// What the classes may be that have one of the pairs before a place, and at it.
#[inline(never)]
fn sign_of_pair(classes: &[u8], place: usize) -> u32 {
    let (before, after) = (&classes[..place], &classes[place + 1..]);
    match byte_at(classes, place) {
        b'q' if is_pull_quote(classes, place) => PULL_QUOTE,
        b'q' | b'm' if is_word_for_quote(classes, place) => NAMED_QUOTE,
        b'u' if ends(before, "callo") => CALLOUT,
        b'm' if ends(before, "ad") && begins(after, "onition") => CALLOUT,
        b'k' if ends(before, "ta") && begins(after, "eaway") => CALLOUT,
        b'm' if ends(before, "ite") => DRAWN_ITEM,
        b'a' if begins(after, "lue") => VALUE,
        b'u' | b'm' | b'k' | b'a' => 0,
        _ if is_part_of_formula(classes, place) => FORMULA,
        _ => 0,
    }
}

/// The letter at a place, in lower case.
fn byte_at(classes: &[u8], place: usize) -> u8 {
    classes[place].to_ascii_lowercase()
}

/// Whether the letter at a place is that of a part of the classes of formulas.
fn is_part_of_formula(classes: &[u8], place: usize) -> bool {
    let (before, after) = (&classes[..place], &classes[place + 1..]);
    match classes[place] {
        b'h' => before.ends_with(b"at"),
        // `text` is in many other classes, and in none of these.
        b'x' => (before.ends_with(b"te") && !after.starts_with(b"t")) || before.ends_with(b"mj"),
        b'X' => before.ends_with(b"TE") || before.ends_with(b"MJ"),
        b'_' => before.ends_with(b"ee") && after.starts_with(b"img"),
        _ => after.starts_with(b"l-img"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Limits;
    use crate::html::read;

    #[test]
    fn every_known_class_has_its_sign() {
        for (words, sign) in KNOWN {
            for word in words {
                for classes in
                    [word.to_string(), word.to_uppercase(), format!("a\u{a0}{word} b"), format!("\t{word}\n")]
                {
                    assert!(signs_in(classes.as_bytes()) & sign != 0, "{classes}");
                }
            }
        }
        assert!(signs_in(b"x NOTE y") & CALLOUT != 0 && signs_in("N".repeat(99).as_bytes()) & CALLOUT != 0);
    }

    #[test]
    fn parts_of_the_classes_of_formulas() {
        for classes in ["a mathjax", "MathJax", "tex", "TEX", "MJX-x", "mjx", "ee_img", "ql-img-inline-formula"] {
            assert!(signs_in(classes.as_bytes()) & FORMULA != 0, "{classes}");
        }
        for classes in ["", "header", "box", "text-center", "a_b", "qa", "ee_", "at h"] {
            assert!(signs_in(classes.as_bytes()) & FORMULA == 0, "{classes}");
        }
    }

    #[test]
    fn parts_of_the_classes_of_pull_quotes() {
        for classes in ["pullquote", "pull-quote", "a-pull_quote b", "x_pullquote__z", "PULLQUOTE"] {
            assert!(signs_in(classes.as_bytes()) & PULL_QUOTE != 0, "{classes}");
        }
    }

    #[test]
    fn other_classes_have_none() {
        assert_eq!(signs_in(b"post entry-content main"), 0);
    }

    #[test]
    fn rows_with_the_same_classes_have_the_same_signs() {
        let html =
            "<p class='a note-box mathjax'>x<p class=b>x<p class='a note-box mathjax'>x".replace("note-box", BOXES[0]);
        let page = read(&html, &Limits::default());
        let signs = ClassSigns::of(&page.view());
        assert_eq!(signs.callouts.len(), 2);
        assert_eq!(signs.formulas.iter().map(|&(row, _)| row).collect::<Vec<_>>(), signs.callouts);
    }

    #[test]
    fn parts_of_classes_are_found_in_any_case_and_place() {
        for (part, sign) in [
            ("callout", CALLOUT),
            ("admonition", CALLOUT),
            ("takeaway", CALLOUT),
            ("testimonial", NAMED_QUOTE),
            ("quote", NAMED_QUOTE),
            ("pullquote", PULL_QUOTE),
            ("item", DRAWN_ITEM),
            ("value", VALUE),
        ] {
            for classes in [part.to_string(), part.to_uppercase(), format!("a x-{part}_y"), format!("é{part}é")] {
                assert!(signs_in(classes.as_bytes()) & sign != 0, "{classes}");
            }
        }
    }

    #[test]
    fn classes_that_look_alike_have_no_sign() {
        assert_eq!(signs_in(b"pagination Alert-boxes Note-pad References-x container"), 0);
    }
}
