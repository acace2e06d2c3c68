//! Headings: what is in them for visitors only, their levels, and the title of the page among them.
#![forbid(unsafe_code)]

use super::callouts::is_sign;
use super::class_signs::CARDS;
use super::class_words::words;
use super::code_parts::{has_class, has_part_of_class};
use super::footnote_marks::text_of;
use super::image_signs::has_word;
use super::site_names::ends_of;
use super::source::{show, Source};
use super::steps::count;
use super::tree::{Document, Node, Part, Span, SpanKind};
use crate::blocks::character_properties::WordClass;
use crate::blocks::characters::{property_of, strip};
use crate::blocks::kinds::kind;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{attribute, number_of, set};
use crate::html::attributes::code_of;
use std::collections::HashSet;

const LINK: i32 = number_of("a");
const HREF: u8 = code_of("href");
/// Parts of the classes of links to a heading itself: Sphinx, Docusaurus, VitePress, AnchorJS, Jekyll and others.
#[rustfmt::skip]
const NAMES_OF_ANCHORS: [&str; 12] = [
    "headerlink", "hash-link", "header-anchor", "anchorjs", "heading-anchor", "permalink", "anchor-link", "heading-link",
    "header-link", "sl-anchor", "subheading-anchor", "link-to-heading",
];
/// What links to a place itself show, also if no class names them.
const PERMALINKS: [&str; 3] = ["¶", "§", "🔗"];
/// What links to the source of a definition say in Sphinx, and the class of that text.
const SOURCE: &str = "[source]";
const CLASS_OF_SOURCE: &str = "viewcode-link";
/// What links in headings say that lead to the top of the page: manuals of Linux.
const TOPS: [&str; 4] = ["top", "[top]", "Top", "Back to top"];
/// Class of the sign that a callout of Zenn begins with: an exclamation mark in a circle.
const SIGN_OF_ZENN: &str = "msg-symbol";
/// Parts of the classes of what lets visitors change a section, or copy its address.
const NAMES_OF_TOOLS: [&str; 6] =
    ["mw-editsection", "editsection", "edit-section", "edit-link", "copy-link", "copylink"];
/// Class of the links that MediaWiki writes beside a heading.
pub const EDIT_SECTION: &str = "mw-editsection";
/// Elements around the text of such a link.
const REACH_OF_TOOLS: usize = 4;
/// Characters of the text of a link to the heading itself, if its class names it: `Link to this section`.
const LONGEST_ANCHOR: usize = 40;
/// Headings among which the title of the page is.
const FIRST_HEADINGS: usize = 5;
/// Nodes among which a heading of the first level is the title.
const FIRST_NODES: usize = 12;
/// Part of the title that a heading must have to be it: the rest is the name of the site.
const LEAST_OF_TITLE: f64 = 0.4;
/// Letters of a title: fewer may be those of anything.
const FEWEST_LETTERS: usize = 8;
/// Characters of a title that are compared.
const MOST_CHARACTERS: usize = 400;
const TITLE_LEVEL: i32 = 1;
/// How many times as long as the title a heading may be that has the name of a board before it.
const MOST_OF_BOARD: usize = 3;
/// Bytes of paragraphs above the title: a breadcrumb, a date, a standfirst.
const MOST_ABOVE_TITLE: usize = 1_000;
/// Bytes of paragraphs above a heading that says the title, at most.
const FURTHEST_TITLE: usize = 4_000;
/// Bytes of paragraphs above the first of several sections.
const FEWEST_ABOVE_SECTION: usize = 80;
/// Bytes of the letters of a heading that is not written twice: those of a table or an index may be alike.
const FEWEST_REPEATED: usize = 4;
/// Signs before the name of who said something.
const DASHES: [char; 4] = ['~', '–', '—', '―'];
/// Bytes of such a name.
const LONGEST_NAME: usize = 80;
const DATE_OF_BLOGGER: &str = "date-header";
const BUTTON: i32 = number_of("button");
const GROUP: i32 = number_of("hgroup");
const FIRST_LEVEL: i32 = number_of("h1");
const SMALL: i32 = number_of("small");
/// Words in the classes of what opens and closes, and how those of its labels end.
const FOLDING: [&str; 6] = ["accordion", "accordions", "faq", "faqs", "collapsible", "toggle"];
const LABELS: [&str; 6] = ["title", "header", "heading", "question", "trigger", "label"];
/// Words in such classes that are those of menus.
const MENUS: [&str; 6] = ["nav", "menu", "navbar", "sidebar", "footer", "search"];
/// Elements from the text of such a label to the one that is named so.
const REACH_OF_LABEL: usize = 4;
/// Bytes of the text of such a label, with white space.
const LONGEST_LABEL: usize = 400;
/// Bytes of the classes of an element that are read.
const LONGEST_CLASSES: usize = 400;
/// What the classes of names of those who said something have in them, or of what is around them.
const SPEAKERS: [&str; 1] = ["testimonial"];
/// Elements from such a name to the one around what was said.
const REACH_OF_SPEAKER: usize = 5;
/// Bytes of what somebody said, with the name and white space, and rows of it.
const LONGEST_SAYING: usize = 2_500;
const ROWS_OF_SAYING: usize = 200;
/// Bytes of what is said at least, above the name.
const SHORTEST_SAYING: usize = 40;
/// Elements from the heading of a card to the card.
const REACH_OF_CARD: usize = 6;
/// Further classes of cards that stand for another page: XenForo, DEV, and themes and plugins of WordPress. Decisions do not
/// know them.
const FURTHER_CARDS: [&str; 6] =
    ["bbCodeBlock--unfurl", "ltag__link", "blogcard", "linkcard", "link-preview", "embedly-card"];
const TIME: i32 = number_of("time");
/// Element of GitHub, GitLab, Gitea and Forgejo for times.
const TIME_OF_GITHUB: &str = "relative-time";
/// Words in the classes of the name of an author.
const AUTHORS: [&str; 2] = ["author", "byline"];
/// Rows of a heading that are looked at for its numbers.
const MOST_ROWS: usize = 24;
/// Digits of a year, which is the heading of what happened in it.
const DIGITS_OF_YEARS: usize = 4;
/// Elements between the button of an accordion and the heading around it.
const REACH_OF_HEADING: usize = 3;
/// Classes of text for screen readers only: Bootstrap, Tailwind, WordPress, Quarto.
pub const FOR_LISTENERS: [&str; 4] = ["sr-only", "visually-hidden", "screen-reader-text", "screen-reader-only"];
/// How the class of such headings begins on GitHub.
const LISTENERS_OF_GITHUB: &str = "ScreenReaderHeading";
/// Words, and ends of words, in the classes of the sentence below a title: Substack, Ghost, WordPress, Brightspot, Vox, BBC.
const STANDFIRSTS: [&str; 15] = [
    "subtitle",
    "subhead",
    "subheading",
    "subheadline",
    "subhed",
    "standfirst",
    "dek",
    "deck",
    "excerpt",
    "strapline",
    "tagline",
    "summary",
    "teaser",
    "lede",
    "description",
];
/// Words of such a sentence if its class does not tell.
const FEWEST_WORDS: usize = 8;
/// Kept blocks among which the title and what is below it are.
const FIRST_BLOCKS: usize = 12;
const LEVEL: u8 = code_of("aria-level");
const REL: u8 = code_of("rel");
/// Nodes among which the title is: pictures of a product may stand above it.
const NODES_ABOVE_TITLE: usize = 24;
/// The level that ARIA gives headings which do not say theirs.
const DEFAULT_LEVEL: i32 = 2;

/// Rows in kept headings that are not shown: links to the heading itself, and links to change it.
pub fn tools_in_headings(source: &Source) -> Vec<usize> {
    let page = source.page;
    let mut found = Vec::new();
    let mut end = 0;
    for block in source.kept().filter(|&block| source.kind(block) == kind::HEADING) {
        let heading = source.kind_row(block).max(0) as usize;
        let rows = heading.max(end)..page.subtree_end[heading] as usize;
        count(rows.len() + 1);
        end = end.max(rows.end);
        found.extend(rows.filter(|&row| page.tag[row] != 0 && is_tool(page, row)));
    }
    found
}

/// Rows outside headings that are not shown: links of captions, definitions and equations to themselves, as Sphinx writes them,
/// and what the title of a callout says to screen readers only. Plain text has them as they are.
pub fn tools_elsewhere(source: &Source) -> Vec<usize> {
    let page = source.page;
    if source.shows(show::PLAIN) {
        return Vec::new();
    }
    let is_anchor = |classes: &str| NAMES_OF_ANCHORS.iter().any(|name| classes.contains(name));
    let is_permalink = |&row: &usize| {
        let text = strip(page.text_within(row));
        let is_named = || page.value(row, attribute::CLASS).is_some_and(is_anchor) && !text.chars().any(is_letter);
        let is_of_source = || text == SOURCE && has_part_of_class(page, row + 1, &[CLASS_OF_SOURCE]);
        let is_to_top =
            || TOPS.contains(&text) && page.ancestors(row).take(2).any(|outer| page.is_in(outer, set::HEADING));
        let is_short = text.len() <= LONGEST_ANCHOR && (PERMALINKS.contains(&text) || is_named());
        page.tag[row] == LINK && (is_short || is_of_source() || is_to_top())
    };
    let links = source.structures.fragments.iter().map(|&index| page.row_of_attribute(index)).filter(is_permalink);
    let for_listeners = |&title: &usize| {
        let rows = title..page.subtree_end[title] as usize;
        count(rows.len());
        let length = strip(page.text_within(title)).len();
        let is_more = move |row: &usize| strip(page.text_within(*row)).len() < length;
        rows.filter(|&row| has_class(page, row, &FOR_LISTENERS)).filter(is_more)
    };
    // What a callout is, a sign says once more.
    let drawn = |&title: &usize| {
        let is_drawn = move |row: usize| row == title || is_of_icon(page, row);
        (title..page.subtree_end[title] as usize).filter(move |&row| is_drawn(row) && is_sign(page, row))
    };
    let callouts = &source.structures.callouts;
    let is_of_zenn = |row: &usize| has_class(page, *row, &[SIGN_OF_ZENN]);
    let signs = callouts.kinds.keys().map(|&row| row + 1).filter(|&row| row < page.len()).filter(is_of_zenn);
    let in_titles = callouts.titles.iter().flat_map(for_listeners).chain(callouts.titles.iter().flat_map(drawn));
    links.chain(signs).chain(in_titles).collect()
}

/// Whether a class of an element says that it is an icon.
fn is_of_icon(page: &PageView, row: usize) -> bool {
    let mut classes = page.value(row, attribute::CLASS).unwrap_or("").split_ascii_whitespace();
    classes.any(|class| words(class).last().is_some_and(|word| matches!(word, "icon" | "emoji")))
}

/// Kept blocks right behind a heading that are for visitors only: MediaWiki writes its links beside the heading now.
pub fn tools_beside_headings(source: &Source) -> Vec<usize> {
    let page = source.page;
    if !source.structures.has_edit_sections {
        return Vec::new();
    }
    let is_tool = |block: &usize| {
        let mut around = page.ancestors(source.rows(*block).0).take(REACH_OF_TOOLS);
        around.any(|row| page.value(row, attribute::CLASS).is_some_and(|classes| classes.contains(EDIT_SECTION)))
    };
    let is_behind = |&block: &usize| block > 0 && source.kind(block - 1) == kind::HEADING;
    source.kept().filter(is_behind).filter(is_tool).collect()
}

/// Kept headings for screen readers only: `Comments`, `Description`. A heading of the first level may be the title where a
/// drawing shows it, and goes only where there is another one.
pub fn headings_for_listeners(source: &Source) -> Vec<usize> {
    let page = source.page;
    let headings = || source.kept().filter(|&block| source.kind(block) == kind::HEADING);
    let is_for_listeners = |&block: &usize| {
        let row = source.kind_row(block).max(0) as usize;
        has_class(page, row, &FOR_LISTENERS)
            || short_classes(page, row).any(|class| class.starts_with(LISTENERS_OF_GITHUB))
    };
    let mut found: Vec<usize> = headings().filter(is_for_listeners).collect();
    let is_title = |&block: &usize| source.heading_level(block) == TITLE_LEVEL;
    if found.iter().any(is_title) && !headings().filter(is_title).any(|block| found.binary_search(&block).is_err()) {
        found.retain(|block| !is_title(block));
    }
    found
}

/// Whether an element of a heading is for visitors only.
fn is_tool(page: &PageView, row: usize) -> bool {
    let classes = page.value(row, attribute::CLASS).unwrap_or("");
    let is_named = |names: &[&str]| names.iter().any(|name| classes.contains(name));
    if is_named(&NAMES_OF_TOOLS) {
        return true;
    }
    let leads_within = || page.value(row, HREF).is_some_and(|address| address.contains('#'));
    if page.tag[row] != LINK || !leads_within() {
        return false;
    }
    let text = text_of(page, row);
    let is_word = |character: char| property_of(character).is_alphanumeric;
    let heading = page.parent[row].max(0) as usize;
    let has_more = || text_of(page, heading).chars().count() > text.chars().count();
    let is_anchor = || is_named(&NAMES_OF_ANCHORS) || has_class(page, row, &["anchor"]) || is_for_listeners(page, row);
    !text.chars().any(is_word) || (is_anchor() && text.chars().count() <= LONGEST_ANCHOR && has_more())
}

/// Whether an element shows its text to screen readers only.
fn is_for_listeners(page: &PageView, row: usize) -> bool {
    let first = (row + 1..page.subtree_end[row] as usize).find(|&inner| page.tag[inner] != 0);
    first.is_some_and(|inner| has_class(page, inner, &FOR_LISTENERS))
}

/// The heading closely around a button that opens and closes what is below: that of an accordion.
pub fn heading_around_button(page: &PageView, row: i32) -> Option<usize> {
    let button = usize::try_from(row).ok().filter(|&row| page.tag[row] == BUTTON)?;
    let heading = page.ancestors(button).take(REACH_OF_HEADING).find(|&row| page.is_in(row, set::HEADING))?;
    Some(heading).filter(|_| !has_text_before(page, heading, button))
}

/// Whether a heading says something before a button in it, which is then for the heading: rustdoc copies the path.
fn has_text_before(page: &PageView, heading: usize, button: usize) -> bool {
    let before = &page.text[page.text_start[heading] as usize..page.text_start[button] as usize];
    !strip(before).is_empty()
}

/// Kept blocks of buttons behind the text of a heading.
pub fn buttons_in_headings(source: &Source) -> Vec<usize> {
    let page = source.page;
    let is_behind = |&button: &usize| {
        let mut around = page.ancestors(button).take(REACH_OF_HEADING);
        around.find(|&row| page.is_in(row, set::HEADING)).is_some_and(|heading| has_text_before(page, heading, button))
    };
    if source.shows(show::PLAIN) {
        return Vec::new();
    }
    let blocks = |button: usize| source.blocks_in(button).filter(|&block| source.is_kept(block));
    page.rows_of(BUTTON).filter(is_behind).flat_map(blocks).collect()
}

/// The level of a heading by its tag.
pub fn level_by_tag(page: &PageView, row: usize) -> i32 {
    page.tag[row] - FIRST_LEVEL + 1
}

/// Gives headings the level below that of the heading they stand under, so that none is left out.
pub fn close_gaps_between_levels(nodes: &mut [Node]) {
    // A page without a heading of the first level has a title all the same.
    let mut open = vec![TITLE_LEVEL];
    for node in nodes {
        match node {
            Node::Heading { level, .. } => {
                let own = *level;
                while open.last().is_some_and(|&outer| outer >= own) {
                    open.pop();
                }
                open.push(own);
                *level = open.len() as i32;
            }
            Node::Comments(children) => close_gaps_between_levels(children),
            _ => (),
        }
    }
}

/// Whether an element that is no heading by its tag says that it is one.
pub fn is_heading_by_role(page: &PageView, row: i32) -> bool {
    let role = usize::try_from(row).ok().and_then(|row| page.value(row, attribute::ROLE));
    role.is_some_and(|role| strip(role) == "heading")
}

/// The level that such an element gives, from 1 to 6.
pub fn level_by_role(page: &PageView, row: i32) -> i32 {
    let level = usize::try_from(row).ok().and_then(|row| page.value(row, LEVEL));
    level.and_then(|level| strip(level).parse().ok()).filter(|level| (1..=6).contains(level)).unwrap_or(DEFAULT_LEVEL)
}

/// Whether a heading is none for readers: the date above the posts of a day that Blogger writes, or the name below what
/// somebody said, after a dash.
pub fn is_no_heading(source: &Source, block: usize, below_title: Option<usize>) -> bool {
    let text = source.text(block);
    let is_name = text.starts_with(DASHES) && text.len() <= LONGEST_NAME && text.chars().any(is_letter);
    let row = source.kind_row(block).max(0) as usize;
    is_name
        || source.page.value(row, attribute::CLASS) == Some(DATE_OF_BLOGGER)
        || is_number(source.page, row)
        || is_name_of_person(source, block, row)
        || (source.heading_level(block) != TITLE_LEVEL && is_of_card(source.page, row))
        || is_standfirst(source, block, below_title)
}

/// Whether a link opens the page of another site.
fn leads_outside(page: &PageView, link: usize) -> bool {
    page.value(link, REL).is_some_and(|rel| has_word(rel, &["noopener"]))
        && page.value(link, HREF).is_some_and(|address| address.starts_with("http"))
}

/// Whether the class of an element names it as a second title.
fn page_names_subtitle(page: &PageView, row: usize) -> bool {
    page.value(row, attribute::CLASS).is_some_and(|classes| has_word(classes, &STANDFIRSTS[..1]))
}

/// Whether a heading is that of a card which stands for another page, or a lower one below the first in a link: what that
/// says at more length.
fn is_of_card(page: &PageView, row: usize) -> bool {
    let mut around = page.ancestors(row).take(REACH_OF_CARD);
    let is_higher = |inner: usize| page.is_in(inner, set::HEADING) && page.tag[inner] < page.tag[row];
    let is_second = |link: usize| row - link <= MOST_ROWS && (link..row).any(is_higher);
    let is_lower = |inner: usize| page.is_in(inner, set::HEADING) && page.tag[inner] > page.tag[row];
    // Medium's cards of other pages have two.
    let is_first = |link: usize| {
        let rows = row + 1..(page.subtree_end[link] as usize).min(row + MOST_ROWS);
        leads_outside(page, link) && rows.into_iter().any(is_lower)
    };
    around.any(|outer| {
        has_class(page, outer, &CARDS)
            || has_class(page, outer, &FURTHER_CARDS)
            || (page.tag[outer] == LINK && (is_second(outer) || is_first(outer)))
    })
}

/// Whether a heading is a number with or without a small label, and no year: figures that a page shows in large, or the
/// numbers of steps.
fn is_number(page: &PageView, row: usize) -> bool {
    let end = (page.subtree_end[row] as usize).min(row + MOST_ROWS);
    count(end - row);
    let (mut inner, mut digits, mut has_label) = (row + 1, 0, false);
    while inner < end {
        if page.tag[inner] == SMALL {
            has_label = true;
            inner = page.subtree_end[inner] as usize;
            continue;
        }
        if page.is_text(inner) {
            let text = page.text_within(inner);
            if text.chars().any(char::is_alphabetic) {
                return false;
            }
            digits += text.chars().filter(char::is_ascii_digit).count();
        }
        inner += 1;
    }
    digits > 0 && (has_label || digits != DIGITS_OF_YEARS)
}

/// Whether a heading is the name of an author, or of somebody below what they said.
fn is_name_of_person(source: &Source, block: usize, row: usize) -> bool {
    let (page, text) = (source.page, source.text(block));
    if text.len() > LONGEST_NAME || source.heading_level(block) == TITLE_LEVEL {
        return false;
    }
    let is_of_author = |class: &str| {
        let mut read = words(class).skip_while(|word| !is_one_of(word, &AUTHORS));
        read.next().is_some() && words(class).last().is_some_and(|word| is_one_of(word, &["name", "author", "byline"]))
    };
    short_classes(page, row).any(is_of_author) || is_byline(page, row) || is_below_saying(page, row)
}

/// Whether a heading has an author and a time in it, as those of the remarks on a change have: `lin on May 4`.
fn is_byline(page: &PageView, row: usize) -> bool {
    let rows = row + 1..(page.subtree_end[row] as usize).min(row + MOST_ROWS);
    count(rows.len());
    let is_time = |row: usize| page.tag[row] == TIME || page.tag_name(page.tag[row]) == TIME_OF_GITHUB;
    let is_of_author =
        |row: usize| page.tag[row] == LINK && has_word(page.value(row, attribute::CLASS).unwrap_or(""), &AUTHORS);
    rows.clone().any(is_time) && rows.into_iter().any(is_of_author)
}

/// Whether a heading ends a small part that is named as what somebody says, and has text above it there.
fn is_below_saying(page: &PageView, row: usize) -> bool {
    let length = |first: usize, end: usize| -> usize {
        (first..end).filter(|&inner| page.is_text(inner)).map(|inner| strip(page.text_within(inner)).len()).sum()
    };
    let is_saying = |around: usize| {
        let (after, end) = (page.subtree_end[row] as usize, page.subtree_end[around] as usize);
        page.text_within(around).len() <= LONGEST_SAYING && end - around <= ROWS_OF_SAYING && {
            count(end - around);
            length(around, row) >= SHORTEST_SAYING && length(after, end) <= LONGEST_NAME
        }
    };
    let is_named =
        |&around: &usize| short_classes(page, around).any(|class| words(class).any(|word| is_one_of(word, &SPEAKERS)));
    page.ancestors(row).take(REACH_OF_SPEAKER).filter(is_named).any(is_saying)
}

/// The classes of an element, if they are as short as those that people write: many blocks may be in one element.
fn short_classes<'a>(page: &PageView<'a>, row: usize) -> impl Iterator<Item = &'a str> {
    let classes = page.value(row, attribute::CLASS).filter(|classes| classes.len() <= LONGEST_CLASSES);
    classes.unwrap_or("").split_ascii_whitespace()
}

/// Whether a word is one of some, in any case.
fn is_one_of(word: &str, known: &[&str]) -> bool {
    known.iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// Whether an element is the label of a part that opens and closes, by a class of it or closely around it: the question of a
/// list of those, or the label of an accordion that is no heading by its tag.
pub fn is_label_of_accordion(page: &PageView, row: i32) -> bool {
    let is_label = |class: &str| {
        // Most classes end otherwise, and need not be read.
        if !ends_with_label(class) {
            return false;
        }
        let (mut folds, mut is_of_menu, mut is_last) = (false, false, false);
        for word in words(class) {
            folds |= is_one_of(word, &FOLDING);
            is_of_menu |= is_one_of(word, &MENUS);
            is_last = folds && is_one_of(word, &LABELS);
        }
        is_last && !is_of_menu
    };
    let is_named = |&row: &usize| short_classes(page, row).any(is_label);
    let row = match usize::try_from(row) {
        Ok(row) => row,
        Err(_) => return false,
    };
    let found = std::iter::once(row).chain(page.ancestors(row)).take(REACH_OF_LABEL).find(is_named);
    // Beside a heading in it stand facts: a price, a number of lessons.
    let has_heading = |label: usize| {
        let inside = label + 1..(page.subtree_end[label] as usize).min(label + MOST_ROWS);
        count(inside.len());
        inside.into_iter().any(|inner| page.is_in(inner, set::HEADING))
    };
    found.is_some_and(|label| page.text_within(label).len() <= LONGEST_LABEL && !has_heading(label))
}

/// Whether a class may end with one of the words for labels: what is before it may still be part of the last word.
fn ends_with_label(class: &str) -> bool {
    let class = class.as_bytes();
    let last = match class.iter().rposition(u8::is_ascii_alphanumeric) {
        Some(last) => last,
        None => return false,
    };
    let (name, last) = (&class[..=last], class[last].to_ascii_lowercase());
    let is_end = |label: &&str| {
        let start = name.len().checked_sub(label.len());
        // Its last letter tells most others from a label.
        label.as_bytes().last() == Some(&last)
            && start.is_some_and(|start| name[start..].eq_ignore_ascii_case(label.as_bytes()))
    };
    LABELS.iter().any(is_end)
}

/// The block right below the title, if that is among the first blocks of the page.
pub fn block_below_title(source: &Source) -> Option<usize> {
    let mut first = source.kept().filter(|&block| !source.is_hidden(block)).take(FIRST_BLOCKS);
    first.find(|&block| source.kind(block) == kind::HEADING && source.heading_level(block) == TITLE_LEVEL)?;
    first.next()
}

/// Whether a heading right below the title is the sentence that says what an article is about: by its class, or as it is
/// long and no other heading looks the same.
fn is_standfirst(source: &Source, block: usize, below_title: Option<usize>) -> bool {
    if below_title != Some(block) || source.heading_level(block) <= TITLE_LEVEL {
        return false;
    }
    let (page, text) = (source.page, source.text(block));
    // The name of the site may be above the title.
    let title = (0..source.keep.len()).find(|&block| source.kind(block) == kind::TITLE);
    let row = source.kind_row(block).max(0) as usize;
    let title = title.map(|title| comparable(source.text(title)));
    if title.as_ref().is_some_and(|title| title.contains(&comparable(text))) {
        // Medium writes the sentence behind the title there, too.
        let above = source.kept().find(|&block| !source.is_hidden(block) && source.kind(block) == kind::HEADING);
        let is_of_page = |above: usize| title.is_some_and(|title| title.starts_with(&comparable(source.text(above))));
        let is_subtitle = page_names_subtitle(source.page, row);
        return is_subtitle && above.is_some_and(is_of_page);
    }
    let parent = page.parent[row].max(0) as usize;
    let is_named = |row: usize| {
        let classes = page.value(row, attribute::CLASS).unwrap_or("");
        has_word(classes, &STANDFIRSTS) || classes.ends_with("Dek")
    };
    if is_named(row) || page.tag[parent] == GROUP {
        return true;
    }
    let class_of = |block: usize| page.value(source.kind_row(block).max(0) as usize, attribute::CLASS);
    let looks_same = |other: usize| {
        let is_like = source.kind(other) == kind::HEADING && source.heading_level(other) == source.heading_level(block);
        other != block && is_like && class_of(other) == class_of(block)
    };
    let is_sentence = text.split_whitespace().count() >= FEWEST_WORDS
        && !text.ends_with(['?', ':', '!'].as_slice())
        && !text.starts_with(|character: char| character.is_ascii_digit());
    count(source.keep.len());
    is_sentence && !source.kept().any(looks_same)
}

/// A letter or a digit.
fn is_letter(character: char) -> bool {
    property_of(character).is_alphanumeric
}

/// Drops the second heading if it says the same as the first: templates write a title twice. Further down, teasers may be
/// there twice, and each is shown.
pub fn drop_repeated_title(document: &mut Document) {
    let is_heading = |node: &Node| matches!(node, Node::Heading { .. });
    // Pictures of a product may stand above its name.
    let place = document.children.iter().take(NODES_ABOVE_TITLE).position(is_heading).unwrap_or(0);
    let says_same = match document.children.get(place..place + 2) {
        Some([first @ Node::Heading { .. }, second @ Node::Heading { .. }]) => {
            let letters = letters_of(document, first);
            letters.len() >= FEWEST_REPEATED && letters == letters_of(document, second)
        }
        _ => false,
    };
    if says_same {
        document.children.remove(place + 1);
    }
}

/// Makes the heading that is the title of the page one of the first level; says whether there is one.
pub fn raise_title(document: &mut Document) -> bool {
    let is_top = |node: &Node| matches!(node, Node::Heading { level: TITLE_LEVEL, .. });
    let title = comparable(document.title);
    let top = document.children.iter().take(FIRST_NODES).position(is_top);
    if let Some(place) = top.filter(|&place| !is_first_section(document, place, &title)) {
        let is_only = document.children.iter().filter(|node| is_top(node)).count() == 1;
        if is_only || is_title(document, &document.children[place], &title) {
            drop_links(document, place);
        }
        return true;
    }
    let is_heading = |place: &usize| matches!(document.children[*place], Node::Heading { .. });
    let headings = (0..places_for_title(document)).filter(is_heading).take(FIRST_HEADINGS);
    let found = headings
        .into_iter()
        .find(|&place| is_title(document, &document.children[place], &title) || is_end_of_title(document, place));
    if let Some(Node::Heading { level, .. }) = found.map(|place| &mut document.children[place]) {
        *level = TITLE_LEVEL;
    }
    if let Some(place) = found {
        drop_links(document, place);
    }
    found.is_some()
}

/// Takes the links off the title: blogs link it to the page that it is the title of.
fn drop_links(document: &mut Document, place: usize) {
    if let Node::Heading { spans, .. } = document.children[place] {
        document.spans[spans.range()].iter_mut().for_each(|span| span.marks.link = 0);
    }
}

/// Whether a heading of the first level is that of a section: text is above it, or it shares no word with the title, more of
/// them are below, and it does not say what the title says.
fn is_first_section(document: &Document, place: usize, title: &str) -> bool {
    let is_top = |node: &&Node| matches!(node, Node::Heading { level: TITLE_LEVEL, .. });
    let heading = &document.children[place];
    let above = || document.children[..place].iter().map(|node| length_of(document, node)).sum::<usize>();
    document.children.iter().filter(is_top).nth(1).is_some()
        && (above() >= FEWEST_ABOVE_SECTION || !shares_word(document, heading))
        && !is_title(document, heading, title)
}

/// Whether a heading has one of the words of the title, or one of the characters of a language that is written without
/// blanks.
fn shares_word(document: &Document, heading: &Node) -> bool {
    let spans = match heading {
        Node::Heading { spans, .. } => document.spans_of(*spans),
        _ => return true,
    };
    let title = document.title.to_lowercase();
    let known: HashSet<&str> = words_of(&title).into_iter().collect();
    let is_known =
        |span: &Span| words_of(&document.text_of(span.text).to_lowercase()).iter().any(|word| known.contains(word));
    known.is_empty() || spans.iter().filter(is_text).any(is_known)
}

/// The words of a text, or its characters where it is written without blanks.
fn words_of(text: &str) -> Vec<&str> {
    count(text.len());
    let is_apart = |character: char| !property_of(character).is_alphanumeric;
    let is_alone = |character: char| property_of(character).class == WordClass::Alone;
    let mut found = Vec::new();
    for part in text.split(is_apart).filter(|part| !part.is_empty()) {
        if part.contains(is_alone) {
            found.extend(part.char_indices().map(|(start, character)| &part[start..start + character.len_utf8()]));
        } else {
            found.push(part);
        }
    }
    found
}

/// Bytes of a paragraph.
fn length_of(document: &Document, node: &Node) -> usize {
    match node {
        Node::Paragraph { spans, .. } => document.spans_of(*spans).iter().map(|span| span.text.range().len()).sum(),
        _ => 0,
    }
}

/// How many nodes at the start may be the title: those below much text are headings of sections.
fn places_for_title(document: &Document) -> usize {
    places_above(document, MOST_ABOVE_TITLE)
}

/// How many nodes at the start have at most so many bytes of paragraphs above them.
fn places_above(document: &Document, most: usize) -> usize {
    let mut above = 0;
    let is_below_text = |node: &Node| {
        above += length_of(document, node);
        above > most
    };
    document.children.iter().position(is_below_text).unwrap_or(document.children.len())
}

/// Whether the first node is a heading that is an end of the title, or has its first part: the rest are names of the site,
/// its sections or its boards.
fn is_end_of_title(document: &Document, place: usize) -> bool {
    let text = letters_of(document, &document.children[place]);
    let (first, last) = match ends_of(document.title) {
        Some((first, last)) => (comparable(first), comparable(last)),
        None => return false,
    };
    let has_first =
        first.len() >= FEWEST_LETTERS && text.contains(&*first) && first.len() * MOST_OF_BOARD >= text.len();
    // Where signs other than colons divide a title, its last part is the name of the site.
    let is_last = || text == last && document.title.rsplit_once(": ").is_some_and(|(_, rest)| comparable(rest) == last);
    place == 0 && !text.is_empty() && (text == first || has_first || is_last())
}

/// Makes a heading of the paragraph before all headings that is the title: Word, Google Docs and others write it so.
pub fn make_title_of_paragraph(document: &mut Document) {
    let before = document.children.iter().take(FIRST_NODES).take_while(|node| !matches!(node, Node::Heading { .. }));
    let is_of_title = |node: &Node| match node {
        Node::Paragraph { spans, .. } => begins_title(document.title, &text_of_spans(document, *spans)),
        _ => false,
    };
    let found = before.enumerate().find(|(_, node)| is_of_title(node)).map(|(place, _)| place);
    if let Some(node) = found.map(|place| &mut document.children[place]) {
        if let Node::Paragraph { spans, locale } = *node {
            *node = Node::Heading { level: TITLE_LEVEL, spans, locale };
        }
    }
}

/// Whether a text is the title of a page, or all of it but the name of the site behind a sign.
fn begins_title(title: &str, text: &str) -> bool {
    let rest = title.strip_prefix(text).filter(|_| !text.is_empty());
    let is_sign = |character: char| matches!(character, '-' | '–' | '—' | '|' | '·' | '•' | '»' | ':');
    rest.is_some_and(|rest| rest.is_empty() || rest.strip_prefix(' ').is_some_and(|rest| rest.starts_with(is_sign)))
}

/// The letters and digits of the headings in the first part of a document, a NUL after those of each: what says the title
/// again below much text is no title.
pub fn letters_of_headings(document: &Document) -> String {
    let mut letters = String::new();
    let mut rest: Vec<&Node> = document.children[..places_above(document, FURTHEST_TITLE)].iter().collect();
    while let Some(node) = rest.pop() {
        match node {
            Node::Heading { .. } => {
                letters.push_str(&letters_of(document, node));
                letters.push('\0');
            }
            Node::Comments(children) | Node::Quote(children) => rest.extend(children),
            Node::Callout { title, children, .. } => rest.extend(title.iter().chain(children)),
            Node::Figure { children, .. } => rest.extend(children),
            Node::List(list) => rest.extend(list.items.iter().flat_map(|item| &item.children)),
            Node::Table(table) => rest.extend(table.rows.iter().flatten().flat_map(|cell| &cell.children)),
            _ => (),
        }
    }
    letters
}

/// Whether one of the headings, given as from `letters_of_headings`, says what a title says.
pub fn repeat_title(headings: &str, title: &str) -> bool {
    let title = comparable(title);
    headings.split_terminator('\0').any(|letters| letters == title)
}

/// The letters and digits of a heading, in lower case.
fn letters_of(document: &Document, heading: &Node) -> String {
    match heading {
        Node::Heading { spans, .. } => comparable(&text_of_spans(document, *spans)),
        _ => String::new(),
    }
}

/// The text of some spans.
fn text_of_spans(document: &Document, spans: Part) -> String {
    document.spans_of(spans).iter().filter(is_text).map(|span| document.text_of(span.text)).collect()
}

/// Whether a heading has most of the words of the title.
fn is_title(document: &Document, heading: &Node, title: &str) -> bool {
    let text = letters_of(document, heading);
    text.len() >= FEWEST_LETTERS && title.contains(&*text) && text.len() as f64 >= LEAST_OF_TITLE * title.len() as f64
}

/// Whether a span is text.
fn is_text(span: &&Span) -> bool {
    span.kind == SpanKind::Text
}

/// The letters and digits of a text, in lower case.
pub fn comparable(text: &str) -> String {
    let letters = text.chars().take(MOST_CHARACTERS).filter(|&character| property_of(character).is_alphanumeric);
    letters.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::super::read_documents::markdown_of;

    #[test]
    fn levels_do_not_jump() {
        let html = "<h1>a</h1><h3>b</h3><h6>c</h6><h3>d</h3><h2>e</h2><h4>f</h4><h1>g</h1>";
        assert_eq!(markdown_of(html), "# a\n\n## b\n\n### c\n\n## d\n\n## e\n\n### f\n\n# g\n");
        assert_eq!(markdown_of("<h4>a</h4><h5>b</h5><h4>c</h4>"), "## a\n\n### b\n\n## c\n");
    }

    #[test]
    fn links_to_a_heading_itself_go() {
        for inside in [
            "a<a class=headerlink href=#a title=Permalink>¶</a>",
            "<a class=anchor href=#a>#</a> a",
            "a<span class=mw-editsection>[<a href=/e>edit</a>]</span>",
            "a <a class=hash-link href=#a>\u{200b}</a>",
            "a <a class=header-anchor href=#a>Link to this section</a>",
        ] {
            assert_eq!(markdown_of(&format!("<h2 id=a>{inside}</h2>")), "## a\n", "{inside}");
        }
    }
}
