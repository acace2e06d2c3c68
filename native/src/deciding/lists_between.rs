//! Lists and quotations that stand between the paragraphs of a kept text: the network takes short items for those of a menu.
//!
//! Only what is dropped whole is looked at, and only where its siblings are texts: a list after the header of an article is
//! more often one of tags or of links to share it.
#![forbid(unsafe_code)]

use super::kept_together::{announces_others, is_code, is_likely_on_average, UNLIKELY};
use super::situations::Situation;
use crate::blocks::kinds::kind;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{attribute, by_tag, look_up, number_of, TAGS};
use crate::document::groups::groups;
use crate::document::image_signs::has_word;
use std::collections::BTreeSet;

/// Blocks of a short page.
const MOST_BLOCKS: usize = 60;
const LIST: i32 = number_of("ul");
const NUMBERED_LIST: i32 = number_of("ol");
const LINK: i32 = number_of("a");
const DIVISION: i32 = number_of("div");
const PARAGRAPH: i32 = number_of("p");
/// Elements from a block to the sibling of the list that it is in.
const REACH: usize = 16;

/// Elements that are kept here.
#[rustfmt::skip]
const PARTS: [u32; TAGS.len() + 1] = by_tag([("ul", 1), ("ol", 1), ("blockquote", 1)]);
/// Elements of a running text.
#[rustfmt::skip]
const TEXTS: [u32; TAGS.len() + 1] = by_tag([
    ("p", 1), ("h2", 1), ("h3", 1), ("h4", 1), ("h5", 1), ("h6", 1), ("pre", 1), ("blockquote", 1), ("ul", 1), ("ol", 1),
    ("dl", 1), ("table", 1), ("figure", 1), ("details", 1),
]);
/// Words in the classes of lists that are none of a text.
#[rustfmt::skip]
const NAMES: [&str; 24] = [
    "share", "sharing", "social", "tag", "tags", "meta", "nav", "navigation", "menu", "breadcrumb", "breadcrumbs",
    "pagination", "toolbar", "related", "author", "byline", "category", "categories", "toc", "buttons",
    "signature", "source", "date", "contents",
];

/// The dropped blocks of such lists and quotations. What parts that are set apart the blocks are in is given, -1 for none;
/// empty if there are no such parts.
pub fn lists_between_texts(situation: &Situation, parts: &[i32]) -> Vec<usize> {
    let least = (UNLIKELY * situation.threshold) as f32;
    let is_part = |index: usize| {
        !situation.keep[index]
            && matches!(situation.kinds[index], kind::LIST_ITEM | kind::QUOTE)
            && situation.scores[index] >= least
    };
    let is_apart = |index: usize| parts.get(index).is_some_and(|&row| row >= 0);
    let (mut found, mut run, mut before) = (Vec::new(), Vec::new(), None);
    for index in (0..situation.len()).filter(|&index| situation.is_shown(index)) {
        // Other rules keep code and parts that are set apart within a text.
        let is_likely = || before.is_some() && situation.scores[index] >= least;
        if situation.keep[index] || (is_apart(index) || is_code(situation, index)) && is_likely() {
            if let (Some(before), false) = (before, run.is_empty()) {
                if are_between(situation, before, &run, index, is_apart) {
                    found.append(&mut run);
                }
            }
            run.clear();
            before = Some(index);
        } else if is_part(index) {
            run.push(index);
        } else if !matches!(situation.kinds[index], kind::CAPTION | kind::FORM) {
            run.clear();
            before = None;
        }
    }
    found
}

/// The dropped blocks of lists right below kept headings, if a list below another heading beside them is kept: the sections of
/// a page of links, of which the network doubts the one and not the other.
pub fn lists_like_kept_ones(situation: &Situation) -> Vec<usize> {
    let (page, segments) = (situation.page, &situation.blocks.segments);
    let is_item = |index: usize| situation.kinds[index] == kind::LIST_ITEM;
    let is_heading =
        |index: usize| situation.kinds[index] == kind::HEADING && situation.keep[index] && situation.is_shown(index);
    let row = |index: usize| segments.first_row[index] as usize;
    let is_above_items =
        |heading: usize| is_item(heading + 1) && is_heading(heading) && situation.is_shown(heading + 1);
    let headings: Vec<usize> =
        (1..situation.len()).map(|index| index - 1).filter(|&index| is_above_items(index)).collect();
    let list_below = |heading: usize| outermost_without(page, row(heading + 1), row(heading), row(heading));
    let (below_kept, below_dropped): (Vec<usize>, Vec<usize>) =
        headings.into_iter().partition(|&heading| situation.keep[heading + 1]);
    let kept: BTreeSet<i32> = below_kept.into_iter().filter_map(list_below).map(|list| page.parent[list]).collect();
    let mut found = Vec::new();
    for heading in below_dropped {
        let list = match list_below(heading).filter(|&list| kept.contains(&page.parent[list]) && is_list(page, list)) {
            Some(list) if !announces_others(segments.texts.get(heading)) && !is_named(page, list) => list,
            _ => continue,
        };
        let is_inside = |&index: &usize| row(index) < page.subtree_end[list] as usize;
        let items: Vec<usize> = (heading + 1..situation.len()).take_while(is_inside).collect();
        if items.iter().all(|&index| !situation.keep[index]) && is_likely_on_average(situation, &items) {
            found.extend(items.into_iter().filter(|&index| situation.is_shown(index)));
        }
    }
    found
}

/// The dropped items of lists below kept headings on short pages, of which most are kept, and the rest is doubtful: a list of names with holes.
pub fn holes_of_lists(situation: &Situation) -> Vec<usize> {
    let (page, segments) = (situation.page, &situation.blocks.segments);
    if situation.len() > MOST_BLOCKS {
        return Vec::new();
    }
    let list_of = |index: usize| {
        let row = segments.first_row[index] as usize;
        page.ancestors(row).take(REACH).find(|&outer| is_list(page, outer))
    };
    let is_item = |index: usize| situation.kinds[index] == kind::LIST_ITEM && situation.is_shown(index);
    let items: Vec<(Option<usize>, usize)> =
        (0..situation.len()).filter(|&index| is_item(index)).map(|index| (list_of(index), index)).collect();
    let mut found = Vec::new();
    for (list, members) in groups(&items, |&(list, _)| list) {
        let kept = members.iter().filter(|&&(_, index)| situation.keep[index]).count();
        let dropped: Vec<usize> =
            members.iter().map(|&(_, index)| index).filter(|&index| !situation.keep[index]).collect();
        let is_below_heading = members[0]
            .1
            .checked_sub(1)
            .is_some_and(|before| situation.keep[before] && situation.kinds[before] == kind::HEADING);
        let is_text = is_below_heading && list.is_some_and(|list| !is_named(page, list));
        if is_text && kept >= dropped.len() && !dropped.is_empty() && is_likely_on_average(situation, &dropped) {
            found.extend(dropped);
        }
    }
    found
}

/// Whether an element is a list.
fn is_list(page: &PageView, row: usize) -> bool {
    matches!(page.tag[row], LIST | NUMBERED_LIST)
}

/// Whether dropped blocks between two kept ones are those of whole lists between texts.
fn are_between(
    situation: &Situation,
    before: usize,
    run: &[usize],
    after: usize,
    is_apart: impl Fn(usize) -> bool,
) -> bool {
    let (page, segments) = (situation.page, &situation.blocks.segments);
    if situation.kinds[before] == kind::HEADING && announces_others(segments.texts.get(before)) {
        return false;
    }
    let row = |index: usize| segments.first_row[index] as usize;
    let is_below_part = is_apart(before);
    let (before, after) = (row(before), row(after));
    let mut next = run.iter().map(|&index| row(index)).peekable();
    while let Some(&first) = next.peek() {
        let top = match outermost_without(page, first, before, after) {
            Some(top) if is_of_text(page, top, before, after, is_below_part) => top,
            _ => return false,
        };
        while next.next_if(|&row| row < page.subtree_end[top] as usize).is_some() {}
    }
    true
}

/// The outermost element around a row that has neither of two others in it.
fn outermost_without(page: &PageView, row: usize, before: usize, after: usize) -> Option<usize> {
    page.ancestors(row).take(REACH).take_while(|&outer| !has(page, outer, before) && !has(page, outer, after)).last()
}

/// Whether an element has a row in it.
fn has(page: &PageView, outer: usize, row: usize) -> bool {
    outer <= row && row < page.subtree_end[outer] as usize
}

/// Whether an element is a list or a quotation, with few links, between two texts that are its siblings.
fn is_of_text(page: &PageView, top: usize, before: usize, after: usize, is_below_part: bool) -> bool {
    let parent = page.parent[top];
    if look_up(&PARTS, page.tag[top]) == 0 || parent < 0 {
        return false;
    }
    let sibling = |row: usize| {
        std::iter::once(row).chain(page.ancestors(row)).take(REACH).find(|&outer| page.parent[outer] == parent)
    };
    let (before, after) = match (sibling(before), sibling(after)) {
        (Some(before), Some(after)) => (page.tag[before], page.tag[after]),
        _ => return false,
    };
    let is_text = |tag: i32| look_up(&TEXTS, tag) != 0;
    let is_above = is_text(before) || is_below_part;
    let are_texts = is_above && (is_text(after) || after == DIVISION) || before == DIVISION && after == PARAGRAPH;
    are_texts && !is_named(page, top) && !is_mostly_links(page, top)
}

/// Whether the class of a list says that it is none of a text.
fn is_named(page: &PageView, list: usize) -> bool {
    has_word(page.value(list, attribute::CLASS).unwrap_or(""), &NAMES)
}

/// Whether a quarter of the text of an element or more is links.
fn is_mostly_links(page: &PageView, top: usize) -> bool {
    let links = (top..page.subtree_end[top] as usize).filter(|&row| page.tag[row] == LINK);
    4 * links.map(|link| page.text_within(link).len()).sum::<usize>() >= page.text_within(top).len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deciding::situations::with_situation;

    /// Of how many blocks of a page with all of its lists and quotations dropped these are kept again.
    fn found(html: &str) -> usize {
        with_situation(html, false, |situation| {
            let is_part = |index: &usize| matches!(situation.kinds[*index], kind::LIST_ITEM | kind::QUOTE);
            let is_caption = |index: usize| situation.kinds[index] == kind::CAPTION;
            let keep: Vec<bool> = (0..situation.len()).map(|index| !is_part(&index) && !is_caption(index)).collect();
            lists_between_texts(&Situation { keep: &keep, ..*situation }, &[]).len()
        })
    }

    #[test]
    fn lists_between_paragraphs() {
        assert_eq!(found("<p>a</p><ul><li>b</li><li><p>c</p></li></ul><p>d</p>"), 2);
        assert_eq!(found("<h2>a</h2><ul><li>b<ul><li>c</li></ul></li></ul><ol><li>d</li></ol><div>e</div>"), 3);
        assert_eq!(found("<p>a</p><blockquote><p>b</p></blockquote><h2>c</h2>"), 1);
        assert_eq!(found("<p>a</p><ul><li>b</li></ul><figure><figcaption>c</figcaption></figure><p>d</p>"), 1);
    }

    /// How many blocks of a page are kept again, all of its lists but the first dropped.
    fn found_like_first(html: &str) -> usize {
        with_situation(html, true, |situation| {
            let mut is_below = false;
            let keep: Vec<bool> = (0..situation.len())
                .map(|index| {
                    let is_item = situation.kinds[index] == kind::LIST_ITEM;
                    let is_dropped = is_below && is_item;
                    is_below |= index > 0 && situation.kinds[index] == kind::HEADING;
                    !is_dropped
                })
                .collect();
            lists_like_kept_ones(&Situation { keep: &keep, ..*situation }).len()
        })
    }

    #[test]
    fn lists_of_the_same_kind() {
        let html = "<h2>a</h2><ul><li>b</ul><h2>c</h2><ul><li><a href=/d>d</a><li>e</ul>";
        assert_eq!(found_like_first(html), 2);
        for other in [
            html.replace("<h2>c</h2>", "<h2>c</h2><p>d</p>"),
            html.replace("<h2>c</h2>", "<h2>Related posts</h2>"),
            html.replace("<h2>c</h2>", "<div><h2>c</h2>"),
            html.replace("<ul><li><a", "<ul class=post-tags><li><a"),
        ] {
            assert_eq!(found_like_first(&other), 0, "{other}");
        }
    }

    #[test]
    fn other_lists() {
        for html in [
            "<h1>a</h1><ul><li>b</li></ul><p>c</p>",
            "<p>a</p><ul><li>b</li></ul>",
            "<p>a</p><ul class='post-tags'><li>b</li></ul><p>c</p>",
            "<p>a</p><ul><li><a href=/b>b</a></li></ul><p>c</p>",
            "<p>a</p><div><ul><li>b</li></ul></div><p>c</p>",
            "<h2>Table of contents</h2><ul><li>b</li></ul><p>c</p>",
            "<header><p>a</p></header><ul><li>b</li></ul><p>c</p>",
        ] {
            assert_eq!(found(html), 0, "{html}");
        }
    }
}
