//! Callouts: notes, tips and warnings that a page sets apart, by the classes of the tools that write them.
//!
//! GitHub, Obsidian, Docusaurus, MkDocs, Sphinx, VitePress, Starlight, AsciiDoc, Quarto, Hugo, Bootstrap, Confluence,
//! GitBook, Notion, Ghost, MDN and others. Their kinds are read as one of the five that GitHub shows.
#![forbid(unsafe_code)]

use super::box_styles::{is_box, is_framed, words_of_colour};
use super::class_signs::is_shouted;
use super::class_words::words;
use super::code_parts::has_class;
use super::named_boxes::{is_coloured, is_named_box, is_small};
use super::steps::count;
use crate::blocks::characters::{property_of, strip};
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{attribute, by_tag, look_up, number_of, set, TAGS};
use crate::html::attributes::code_of;
use std::collections::{HashMap, HashSet};

const DRAWING: i32 = number_of("svg");
const SPAN: i32 = number_of("span");
const DIVISION: i32 = number_of("div");
const SUMMARY: i32 = number_of("summary");
const DETAILS: i32 = number_of("details");
const ASIDE: i32 = number_of("aside");
const QUOTE: i32 = number_of("blockquote");
const PARAGRAPH: i32 = number_of("p");
const DEFINITIONS: i32 = number_of("dl");
/// Elements that can be callouts, besides those with names of their own.
#[rustfmt::skip]
const ELEMENTS: [u32; TAGS.len() + 1] = by_tag([
    ("div", 1), ("aside", 1), ("section", 1), ("blockquote", 1), ("details", 1), ("figure", 1),
    ("dl", 1), ("article", 1), ("p", 1),
]);
/// Attributes that say of which kind a callout is.
const KINDS_BY_ATTRIBUTE: [u8; 3] = [code_of("data-callout"), code_of("data-callout-type"), code_of("data-type")];
/// Attribute of the callouts that Obsidian writes.
pub const OBSIDIAN: u8 = KINDS_BY_ATTRIBUTE[0];
/// Attribute of the parts of an article that Hashnode writes, and its value for callouts.
pub const NODE_TYPE: u8 = code_of("data-node-type");
const CALLOUT_OF_HASHNODE: &str = "callout";
/// Attribute of the kind of a callout in what this program writes as html, on an `<aside>`.
pub const TITLE: u8 = code_of("title");
/// Classes of callouts, whatever their kind.
#[rustfmt::skip]
pub const ALWAYS: [&str; 66] = [
    "callout", "notion-callout", "nextra-callout", "custom-callout", "bd-callout", "hextra-callout", "fd-callout",
    "intercom-interblocks-callout", "mntl-sc-block-callout", "expandable-callout",
    "markdown-alert", "theme-admonition", "admonition", "admonitionblock", "starlight-aside",
    "confluence-information-macro", "kg-callout-card", "notion-callout-block",
    "notecard", "blockquote-tag", "awsdocs-note", "attention-header",
    // Elastic, GitLab, Atlassian, Help Scout, ArchWiki, and boxes of WordPress.
    "admon", "gl-alert", "ak-editor-panel", "callout-blue", "callout-green", "callout-yellow", "callout-red",
    "archwiki-template-box", "su-note", "su-box", "gb-block-notice", "ub-styled-box", "uagb-inline_notice__outer-wrap",
    // Libraries of components: Chakra, Material UI, Ant Design, Element, Radix, UIkit.
    "chakra-alert", "muialert-root", "ant-alert", "el-alert", "rt-calloutroot", "uk-alert",
    // Cocoon, a theme of WordPress; Stackable.
    "information-box", "memo-box", "stk-block-notification", "ugb-notification",
    // The design systems of the governments of the United Kingdom and of the United States, and of the NHS.
    "govuk-inset-text", "govuk-warning-text", "info-notice", "help-notice", "nhsuk-inset-text", "nhsuk-warning-callout",
    "usa-alert",
    // Plugins of DokuWiki: note, wrap.
    "noteclassic", "noteimportant", "notetip", "notewarning", "wrap_info", "wrap_tip", "wrap_important", "wrap_alert",
    "wrap_help",
    // XWiki, and the sidebars of AsciiDoc.
    "infomessage", "warningmessage", "successmessage", "sidebarblock",
    // GitHub's documentation.
    "ghd-alert",
];
/// Classes of callouts, if another class says of which kind: they are used for other things as well.
#[rustfmt::skip]
pub const WITH_KIND: [&str; 39] = [
    // Foundation, Outline, Geekdoc.
    "alert-box", "notice-block", "gdoc-hint",
    "interstitial", "box-note", "box-info", "box-tip", "box-warning",
    "alert", "custom-block", "hint", "book-hint", "notice", "notices", "docs-alert", "admonish", "note-box", "message-box",
    "infobox-note", "crayons-notice", "custom-container", "hint-container",
    "message", "elementor-alert", "prompt", "prompt-info", "prompt-tip", "prompt-warning", "prompt-danger",
    "rmdnote", "rmdtip", "rmdimportant", "rmdwarning", "rmdcaution",
    "notice--primary", "notice--info", "notice--success", "notice--warning", "notice--danger",
];
/// Classes of callouts on an `<aside>` or a quotation; on other elements if these begin by saying so, or by their role. The
/// last ones are of Wiki.js, Document360, Oracle and Google.
#[rustfmt::skip]
pub const SOMETIMES: [&str; 22] = [
    "note", "tip", "info", "warning", "caution", "danger", "important", "hint", "msg", "success",
    "is-info", "is-success", "is-warning", "is-danger",
    "infobox", "warningbox", "errorbox", "infoboxnote",
    "key-point", "key-term", "objective", "w3-note",
];
/// The class, alone, of the warnings that rustdoc writes.
const WARNING_OF_RUSTDOC: &str = "warning";
/// Classes, each alone, of the paragraphs that are callouts, and bytes of these, at least.
const KINDS_OF_PARAGRAPHS: [&str; 7] = ["note", "tip", "hint", "important", "warning", "caution", "danger"];
const SHORTEST_PARAGRAPH: usize = 40;
/// Classes of the boxes that Sphinx sets beside a text, if they begin with a title named as such; and of tables of contents.
const TOPICS: [&str; 2] = ["topic", "sidebar"];
/// Classes of their titles.
pub const TITLES_OF_TOPICS: [&str; 2] = ["topic-title", "sidebar-title"];
const CONTENTS: &str = "contents";
/// Elements from a drawing to the box that it begins, and rows from the box to it.
const REACH_OF_BOX: usize = 3;
const REACH_OF_DRAWING: usize = 6;
/// Bytes of the text of such a box, at most, and of the label of its drawing.
const LONGEST_BOX: usize = 1600;
const LONGEST_LABEL: usize = 12;
/// Attribute with the label of a drawing.
pub const LABEL: u8 = code_of("aria-label");
/// Class of the definition lists that Doxygen writes for callouts, beside their kind.
const SECTION: &str = "section";
/// Class of the callouts that Zenn writes, and of the sign in them.
const OF_ZENN: &str = "msg";
/// Classes beside `note` or that of Zenn that say of which kind a callout is, on Qiita and Zenn; alone they say something else.
const BESIDE_NOTE: [(&str, CalloutKind); 2] = [("warn", CalloutKind::Warning), ("alert", CalloutKind::Caution)];
/// Colours of hints that are named as their kinds are.
const COLOURS: [&str; 4] = ["info", "success", "warning", "danger"];
/// How the class of what folds begins in Docusaurus: it is coloured as a callout is.
const FOLDED: &str = "details_";
/// Role of callouts, and the class that they have beside their kind in themes of Hexo.
const NOTE: &str = "note";
/// Signs before the text of a callout that say of which kind it is, where no class does.
const SIGNS: [(char, CalloutKind); 8] = [
    ('⚠', CalloutKind::Warning),
    ('❗', CalloutKind::Important),
    ('❕', CalloutKind::Important),
    ('🚨', CalloutKind::Caution),
    ('⛔', CalloutKind::Caution),
    ('🛑', CalloutKind::Caution),
    ('🚫', CalloutKind::Caution),
    ('❌', CalloutKind::Caution),
];
/// Bytes of a sign in the place of a title: some are made of several characters.
const LONGEST_SIGN: usize = 32;
/// What may stand before the kind in a class: `markdown-alert-note`, `is-info`, `callout_warn`.
#[rustfmt::skip]
const BEFORE_KINDS: [&str; 38] = [
    "usa-alert", "govuk", "myst-admonition", "note", "wrap",
    "gl-alert", "uk-alert", "ant-alert", "el-alert", "muialert-standard", "muialert-outlined", "muialert-filled",
    "fd-callout", "archwiki-template-box", "box",
    "markdown-alert", "theme-admonition", "admonition", "admonish", "starlight-aside", "confluence-information-macro",
    "callout", "alert", "hint", "notice", "docs-alert", "is", "book-hint", "icon", "bd-callout", "notecard", "custom-block",
    "blockquote-tag", "crayons-notice", "attention", "elementor-alert", "prompt", OF_BOOKDOWN,
];
/// What bookdown writes before the kind, without a sign between them.
const OF_BOOKDOWN: &str = "rmd";
/// How what Material UI writes before the kind begins, without a sign between them.
const OF_MATERIAL: &str = "muialert";
/// Words for the kinds of callouts.
#[rustfmt::skip]
const KINDS: &[(&str, CalloutKind)] = &[
    ("note", CalloutKind::Note), ("info", CalloutKind::Note), ("information", CalloutKind::Note),
    ("abstract", CalloutKind::Note), ("summary", CalloutKind::Note), ("tldr", CalloutKind::Note),
    ("seealso", CalloutKind::Note), ("todo", CalloutKind::Note), ("question", CalloutKind::Note),
    ("help", CalloutKind::Note), ("faq", CalloutKind::Note), ("example", CalloutKind::Note),
    ("quote", CalloutKind::Note), ("primary", CalloutKind::Note), ("secondary", CalloutKind::Note),
    ("default", CalloutKind::Note), ("light", CalloutKind::Note), ("dark", CalloutKind::Note), ("msg", CalloutKind::Note),
    ("helpful", CalloutKind::Note), ("pitfall", CalloutKind::Warning), ("warning-text", CalloutKind::Warning),
    ("key-point", CalloutKind::Note), ("key-term", CalloutKind::Note), ("objective", CalloutKind::Note),
    ("warningmessage", CalloutKind::Warning), ("successmessage", CalloutKind::Tip),
    ("wrap_alert", CalloutKind::Caution), ("notetip", CalloutKind::Tip), ("notewarning", CalloutKind::Warning),
    ("noteimportant", CalloutKind::Important),
    ("tip", CalloutKind::Tip), ("hint", CalloutKind::Tip), ("success", CalloutKind::Tip), ("check", CalloutKind::Tip),
    ("done", CalloutKind::Tip), ("okay", CalloutKind::Tip), ("important", CalloutKind::Important),
    ("warning", CalloutKind::Warning), ("warn", CalloutKind::Warning), ("attention", CalloutKind::Warning),
    ("bug", CalloutKind::Warning), ("caution", CalloutKind::Caution), ("danger", CalloutKind::Caution),
    ("error", CalloutKind::Caution), ("failure", CalloutKind::Caution), ("critical", CalloutKind::Caution),
];
/// Classes of the titles of callouts, and of the signs in their place.
#[rustfmt::skip]
const TITLES: [&str; 37] = [
    "usa-alert__heading", "myst-admonition-header", "header",
    "su-box-title", "gb-notice-title", "uagb-notice-title", "chakra-alert__title", "muialerttitle-root",
    "title", "markdown-alert-title", "callout-title", "callout-title-container", "callout-header", "callout-heading",
    "admonition-title", "admonition-heading", "custom-block-title", "starlight-aside__title", "alert-heading",
    "alert-title", "alert__heading", "box-label", "hint-title", "notice-title", "kg-callout-emoji", "notion-callout-emoji",
    "callout-icon-emoji", "icon", "admonition-header", "blockquote-tag-title", "notion-page-icon-inline", "callout-title-inner",
    "crayons-notice__title", "custom-container-title", "hint-container-title",
    "message-header", "elementor-alert-title",
];
/// Classes that Tailwind gives what is bold: of the first paragraph of a callout, its title.
const BOLD: [&str; 3] = ["font-medium", "font-semibold", "font-bold"];
/// How the class of a title begins that ends in a number: Docusaurus.
const START_OF_TITLES: &str = "admonitionHeading";
/// Classes of an element that are read: real ones have fewer.
const MOST_CLASSES: usize = 24;
/// Bytes of the name of a kind, with white space around it.
const LONGEST_NAME: usize = 40;
/// Bytes of a title that only its class makes one, with white space around it.
const LONGEST_TITLE: usize = 200;
/// Coloured paragraphs of a page: where there are more, colours are a matter of taste.
const MOST_COLOURED: usize = 5;
/// Rows from a callout to the text of its first word.
const REACH_OF_WORD: usize = 8;
/// Bytes of white space between the start of a callout and its title.
const MOST_BYTES: usize = 400;

/// The kinds of callouts that GitHub shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CalloutKind {
    /// Information.
    #[default]
    Note = 0,
    /// Advice.
    Tip = 1,
    /// What must be known.
    Important = 2,
    /// What may go wrong.
    Warning = 3,
    /// What does harm.
    Caution = 4,
}

impl CalloutKind {
    /// Its name in capitals, as Markdown has it.
    pub fn name(self) -> &'static str {
        ["NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"][self as usize]
    }

    /// Its name as a word.
    pub fn word(self) -> &'static str {
        ["note", "tip", "important", "warning", "caution"][self as usize]
    }
}

/// The callouts of a page.
#[derive(Debug, Default)]
pub struct Callouts {
    /// Row of a callout -> its kind.
    pub kinds: HashMap<usize, CalloutKind>,
    /// Rows of their titles.
    pub titles: HashSet<usize>,
    /// Rows of those that only a style makes one: they say nothing of whether they are content.
    pub boxes: HashSet<usize>,
}

impl Callouts {
    /// Those of a page among the rows that may be callouts.
    pub fn of(page: &PageView, rows: &[usize]) -> Self {
        let kind_at = |&row: &usize| Some((row, kind_of(page, row).map(|kind| kind_as_said(page, row, kind))?));
        let mut kinds: HashMap<usize, CalloutKind> = rows.iter().filter_map(kind_at).collect();
        let is_new = |row: &usize| !kinds.contains_key(row) && is_box(page, *row);
        let by_style: Vec<usize> = rows.iter().copied().filter(is_new).collect();
        let mut boxes: HashSet<usize> = without_cards(page, by_style).into_iter().collect();
        boxes.extend(named_boxes(page, rows, |row| kinds.contains_key(&row) || boxes.contains(&row)));
        kinds.extend(boxes.iter().map(|&row| (row, kind_of_box(page, row))));
        let titles = if kinds.is_empty() { HashSet::new() } else { titles_within(page, &kinds) };
        Callouts { kinds, titles, boxes }
    }
}

/// Boxes by their style, in order, without those that have lines all around them and stand side by side.
fn without_cards(page: &PageView, boxes: Vec<usize>) -> Vec<usize> {
    let are_cards = |first: usize, second: usize| {
        let end = page.subtree_end[first] as usize;
        let between = || &page.text[page.text_start[end] as usize..page.text_start[second] as usize];
        end <= second && is_framed(page, first) && is_framed(page, second) && {
            let between = between();
            between.len() <= MOST_BYTES && strip(between).is_empty()
        }
    };
    let mut is_card = vec![false; boxes.len()];
    for place in 1..boxes.len() {
        if are_cards(boxes[place - 1], boxes[place]) {
            is_card[place - 1] = true;
            is_card[place] = true;
        }
    }
    boxes.into_iter().zip(is_card).filter(|&(_, is_card)| !is_card).map(|(row, _)| row).collect()
}

/// Boxes by the names of their classes that neither are in another callout nor hold one.
fn named_boxes(page: &PageView, rows: &[usize], is_callout: impl Fn(usize) -> bool) -> Vec<usize> {
    let mut found = Vec::new();
    let mut end = 0;
    for (place, &row) in rows.iter().enumerate() {
        let ends = page.subtree_end[row] as usize;
        if is_callout(row) {
            end = end.max(ends);
            continue;
        }
        let holds_one = || rows[place + 1..].iter().take_while(|&&inner| inner < ends).any(|&inner| is_callout(inner));
        if row >= end && is_named_box(page, row) && !holds_one() {
            end = ends;
            found.push(row);
        }
    }
    if found.iter().filter(|&&row| is_coloured(page, row)).count() > MOST_COLOURED {
        found.retain(|&row| !is_coloured(page, row));
    }
    found
}

/// The kind of a box that only a style or a name of its own makes one.
fn kind_of_box(page: &PageView, row: usize) -> CalloutKind {
    let classes = page.value(row, attribute::CLASS).unwrap_or("").split_ascii_whitespace().take(MOST_CLASSES);
    let by_class = || classes.flat_map(words).find_map(kind_named);
    let by_colour = || words_of_colour(page, row).find_map(kind_named);
    first_kind(page, row).or_else(by_colour).or_else(by_class).unwrap_or_default()
}

/// The kind of a callout by its class, or by the first word that it shows if the class says no more than that it is one.
fn kind_as_said(page: &PageView, row: usize, kind: CalloutKind) -> CalloutKind {
    match kind {
        CalloutKind::Note => first_kind(page, row).unwrap_or(kind),
        _ => kind,
    }
}

/// The kind that the colour behind a hint stands for, which GitBook names so: `bg-warning-subtle`.
fn kind_of_colour(class: &str) -> Option<CalloutKind> {
    let colour = class.strip_prefix("bg-")?.split('-').next().filter(|colour| COLOURS.contains(colour))?;
    kind_named(colour)
}

/// The kind of callout that an element is, if it is one.
fn kind_of(page: &PageView, row: usize) -> Option<CalloutKind> {
    let tag = page.tag[row];
    // Tutorials of DigitalOcean have paragraphs in a `<span class="note">`.
    let holds_paragraph = || tag == SPAN && page.tag.get(row + 1) == Some(&PARAGRAPH);
    if look_up(&ELEMENTS, tag) == 0 && (tag as usize) < TAGS.len() && !holds_paragraph() {
        return None;
    }
    let value = page.value(row, attribute::CLASS).unwrap_or("");
    if tag == DETAILS && value.starts_with(FOLDED) {
        return None;
    }
    let classes = || value.split_ascii_whitespace().take(MOST_CLASSES);
    count(value.len());
    let is_one_of = |names: &[&str]| classes().any(|class| names.iter().any(|name| class.eq_ignore_ascii_case(name)));
    let of_qiita = || classes().find_map(|class| BESIDE_NOTE.iter().find(|(name, _)| class == *name));
    let kind = || {
        let by_attribute = KINDS_BY_ATTRIBUTE.iter().find_map(|&name| kind_named(strip(page.value(row, name)?)));
        // `note warning` is a warning.
        let by_name = || classes().filter(|class| !class.eq_ignore_ascii_case(NOTE)).find_map(kind_named);
        let by_colour = |kind| classes().find_map(kind_of_colour).unwrap_or(kind);
        let named = || by_name().or_else(|| classes().find_map(kind_named)).map(by_colour);
        let beside = || of_qiita().map(|&(_, kind)| kind).filter(|_| is_one_of(&[NOTE, OF_ZENN]));
        by_attribute.or_else(beside).or_else(|| classes().find_map(kind_at_end)).or_else(named)
    };
    let is_of_hashnode = || page.value(row, NODE_TYPE).is_some_and(|value| strip(value) == CALLOUT_OF_HASHNODE);
    // Paragraphs of class `note` or `callout` are of all sorts.
    let is_paragraph = tag == PARAGRAPH;
    if !is_paragraph && (is_one_of(&ALWAYS) || page.attribute(row, OBSIDIAN).is_some() || is_of_hashnode()) {
        return Some(kind().unwrap_or_else(|| kind_by_sign(page, row)));
    }
    if let Some(kind) = kind_of_drawing(page, row) {
        return Some(kind);
    }
    if is_one_of(&TOPICS) && !is_one_of(&[CONTENTS]) && is_topic(page, row) {
        return Some(CalloutKind::Note);
    }
    let is_shouted = |class: &str| is_shouted(class.as_bytes());
    // BookStack writes paragraphs of class `callout info`.
    let is_of_bookstack = is_paragraph && is_one_of(&ALWAYS[..1]);
    let may_be = tag == DETAILS || is_of_bookstack || is_one_of(&WITH_KIND) || classes().any(is_shouted);
    if tag == ASIDE {
        let titled = page.value(row, TITLE).map(strip).filter(|title| SOMETIMES.contains(title)).and_then(kind_named);
        return titled.or_else(|| (may_be || is_one_of(&SOMETIMES)).then(kind).flatten());
    }
    // A class such as `note` on anything but these is used for much else.
    let says_so = || {
        let is_note_of_kind = || is_one_of(&[NOTE]) && (is_one_of(&SOMETIMES[1..]) || of_qiita().is_some());
        let has_role = page.value(row, attribute::ROLE).is_some_and(|role| strip(role) == NOTE);
        tag == QUOTE
            || has_role
            || is_note_of_kind()
            || (tag == DEFINITIONS && is_one_of(&[SECTION]))
            || value == WARNING_OF_RUSTDOC
    };
    if may_be || (!is_paragraph && is_one_of(&SOMETIMES) && says_so()) {
        return kind();
    }
    // Just the Docs gives paragraphs such a class and nothing else, and writes the title by its style sheet.
    if is_paragraph && KINDS_OF_PARAGRAPHS.contains(&value) && page.text_within(row).len() >= SHORTEST_PARAGRAPH {
        return kind_named(value);
    }
    // Apache, DocBook, LibreOffice: a small part that is named so and nothing else.
    if value == NOTE && tag == DIVISION && page.text_within(row).len() >= SHORTEST_PARAGRAPH && is_small(page, row) {
        return Some(first_kind(page, row).unwrap_or_default());
    }
    // Also a paragraph, if it begins with a bold **Note:**, as those of Google and Oracle do.
    let first = if is_one_of(&SOMETIMES) { first_kind(page, row) } else { None };
    first.map(|first| kind().unwrap_or(first))
}

/// The kind that the sign at the start of a callout stands for.
fn kind_by_sign(page: &PageView, row: usize) -> CalloutKind {
    let first = strip(page.text_within(row)).chars().next();
    SIGNS.iter().find(|(sign, _)| Some(*sign) == first).map_or(CalloutKind::Note, |&(_, kind)| kind)
}

/// Whether an element begins with a paragraph that is named as the title of a topic or a sidebar.
fn is_topic(page: &PageView, row: usize) -> bool {
    let end = (page.subtree_end[row] as usize).min(row + REACH_OF_DRAWING);
    let first = (row + 1..end).find(|&inner| !page.is_text(inner));
    first.is_some_and(|first| page.tag[first] == PARAGRAPH && has_class(page, first, &TITLES_OF_TOPICS))
}

/// Row of the box that begins with a drawing whose label is the name of a kind, and has nothing before its text: older
/// versions of Mintlify give their callouts no other name.
pub fn box_of_drawing(page: &PageView, row: usize) -> Option<usize> {
    let drawing = (page.tag[row] == DRAWING).then_some(row)?;
    let has_text = |&outer: &usize| !strip(page.text_within(outer)).is_empty();
    let around = page.ancestors(drawing).take(REACH_OF_BOX).find(has_text)?;
    let before = &page.text[page.text_start[around] as usize..page.text_start[drawing] as usize];
    let length = strip(page.text_within(around)).len();
    (strip(before).is_empty() && (SHORTEST_PARAGRAPH..=LONGEST_BOX).contains(&length)).then_some(around)
}

/// The kind that the label of such a drawing names.
fn kind_of_drawing(page: &PageView, row: usize) -> Option<CalloutKind> {
    let end = (page.subtree_end[row] as usize).min(row + REACH_OF_DRAWING);
    let drawing = (row + 1..end).find(|&inner| page.tag[inner] == DRAWING)?;
    let label = page.value(drawing, LABEL).filter(|label| names_kind(label))?;
    kind_named(label).filter(|_| box_of_drawing(page, drawing) == Some(row))
}

/// Whether the label of a drawing is the name of a kind.
pub fn names_kind(label: &str) -> bool {
    label.len() <= LONGEST_LABEL && label.starts_with(char::is_uppercase) && kind_named(label).is_some()
}

/// The kind that the first text of an element names, alone or before a colon.
fn first_kind(page: &PageView, row: usize) -> Option<CalloutKind> {
    let end = (page.subtree_end[row] as usize).min(row + REACH_OF_WORD);
    let texts =
        (row..end).filter(|&inside| page.is_text(inside)).map(|inside| strip(page.text_between(inside, inside)));
    let first = texts.into_iter().find(|text| !text.is_empty()).unwrap_or("");
    first.split(':').next().and_then(kind_named)
}

/// The kind that a word stands for.
pub fn kind_named(word: &str) -> Option<CalloutKind> {
    KINDS.iter().find(|(name, _)| word.eq_ignore_ascii_case(name)).map(|&(_, kind)| kind)
}

/// The kind that a class ends with: `alert-info`, `starlight-aside--tip`.
fn kind_at_end(class: &str) -> Option<CalloutKind> {
    let after = |start: &&str| {
        let rest = class.get(..start.len()).filter(|begin| begin.eq_ignore_ascii_case(start))?;
        let kind = class[rest.len()..].trim_start_matches(['-', '_']);
        Some(kind).filter(|kind| {
            kind.len() + start.len() < class.len() || *start == OF_BOOKDOWN || start.starts_with(OF_MATERIAL)
        })
    };
    BEFORE_KINDS.iter().filter_map(after).find_map(kind_named)
}

/// Rows of the titles at the start of callouts.
fn titles_within(page: &PageView, kinds: &HashMap<usize, CalloutKind>) -> HashSet<usize> {
    count(page.len());
    let mut is_callout = vec![false; page.len()];
    kinds.keys().for_each(|&row| is_callout[row] = true);
    let closest = page.closest(|row| is_callout[row]);
    let is_title = |row: usize| {
        let callout = closest[row];
        let is_title = || looks_like_title(page, row) || is_named_title(page, callout as usize, row);
        callout >= 0 && callout as usize != row && is_title() && {
            let between = page.text_start[callout as usize] as usize..page.text_start[row] as usize;
            between.len() <= MOST_BYTES && strip(&page.text[between]).is_empty()
        }
    };
    let elements = (0..page.len()).filter(|&row| page.tag[row] != 0 && is_title(row));
    elements.filter_map(|row| block_of_title(page, row)).filter(|&row| !is_callout[row]).collect()
}

/// The block-level element that is a title: itself, or the one around it that holds nothing else.
fn block_of_title(page: &PageView, row: usize) -> Option<usize> {
    if page.is_in(row, set::BLOCK) {
        return Some(row);
    }
    let parent = usize::try_from(page.parent[row]).ok()?;
    let end_of =
        |row: usize| page.text_start.get(page.subtree_end[row] as usize).map_or(page.text.len(), |&at| at as usize);
    let rest = &page.text[end_of(row)..end_of(parent)];
    (rest.len() <= MOST_BYTES && strip(rest).is_empty()).then_some(parent)
}

/// Whether an element is the title of what it is in.
fn looks_like_title(page: &PageView, row: usize) -> bool {
    let is_known = |class: &str| TITLES.iter().any(|title| class.eq_ignore_ascii_case(title));
    let is_title = |class: &str| is_known(class) || class.starts_with(START_OF_TITLES);
    let classes = page.value(row, attribute::CLASS).unwrap_or("");
    let is_titled = page.tag[row] == SUMMARY
        || page.is_in(row, set::HEADING)
        || says_kind(page, row)
        || (page.is_in(row, set::BLOCK) && is_sign(page, row));
    is_titled || classes.split_ascii_whitespace().take(MOST_CLASSES).any(is_title)
}

/// Whether an element is the title of a callout by a class that ends as those of titles do: `callout__title`. Sites name them
/// as they name their boxes.
fn is_named_title(page: &PageView, callout: usize, row: usize) -> bool {
    let is_last = |word: &str| ["title", "heading"].iter().any(|known| word.eq_ignore_ascii_case(known));
    let is_named = |class: &str| BOLD.contains(&class) || words(class).last().is_some_and(is_last);
    let mut classes = page.value(row, attribute::CLASS).unwrap_or("").split_ascii_whitespace().take(MOST_CLASSES);
    page.is_in(row, set::BLOCK) && page.text_within(row).len() <= LONGEST_TITLE && classes.any(is_named) && {
        strip(page.text_within(row)).len() < strip(page.text_within(callout)).len()
    }
}

/// Whether the text of a block-level element is nothing but the name of a kind.
fn says_kind(page: &PageView, row: usize) -> bool {
    let text = page.text_within(row);
    page.is_in(row, set::BLOCK) && text.len() <= LONGEST_NAME && kind_named(strip(text).trim_end_matches(':')).is_some()
}

/// Whether an element has nothing but a sign: an emoji, for example.
pub fn is_sign(page: &PageView, row: usize) -> bool {
    let text = strip(page.text_within(row));
    let is_of_signs = |character: char| !character.is_ascii() && !property_of(character).is_alphanumeric;
    !text.is_empty() && text.len() <= LONGEST_SIGN && text.chars().all(is_of_signs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_classes() {
        let cases = [
            ("note", None),
            ("markdown-alert-important", Some(CalloutKind::Important)),
            ("starlight-aside--caution", Some(CalloutKind::Caution)),
            ("callout_warn", Some(CalloutKind::Warning)),
            ("Alert-Danger", Some(CalloutKind::Caution)),
            ("is-success", Some(CalloutKind::Tip)),
            ("rmdtip", Some(CalloutKind::Tip)),
            ("alert", None),
            ("alert-dismissible", None),
            ("notebook", None),
            ("é", None),
        ];
        for (class, kind) in cases {
            assert_eq!(kind_at_end(class), kind, "{class}");
        }
    }
}
