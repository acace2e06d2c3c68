//! Parts of a page that React sends late: at the end of the page, to be put where they belong by a script.
//!
//! Where a part is missing stands `<template id="B:1">`, or `P:1` for a part of such a part. The part comes in a
//! `<div hidden id="S:1">`. What is in it stands in the place of the template once scripts have run, and is what readers see.

#![forbid(unsafe_code)]

use super::attributes::{HIDDEN, ID};
use super::tags::{DIV, TEXT};
use super::tree::{Document, NodeId, Place, NONE, ROOT};
use std::collections::HashMap;

/// How the `id` of a part begins; what follows is its number.
const PART: &[u8] = b"S:";
/// How those of the templates begin that stand where a part belongs.
const PLACES: [&[u8]; 2] = [b"B:", b"P:"];
/// What comments between which a missing part belongs say: that it begins, `$?` or `$`, and ends.
const BEGIN: &str = "$";
const END: &str = "/$";
/// How what is shown until a part has come begins where pages are stored without comments.
const LOADING: &str = "Loading";
/// Nodes that are shown until then, at most.
const MOST_NODES: usize = 100;
/// Parts that are put in place, at most; and elements around a place, at most. Pages have a few dozen.
const MOST_PARTS: usize = 1000;
const DEEPEST: usize = 1000;

/// Whether an element that is hidden by its attribute is so only until a script has run, by its `id`.
pub fn is_part(id: &[u8]) -> bool {
    id.starts_with(PART)
}

/// Put the parts of a page where they belong.
pub fn put_in_place(document: &mut Document) {
    if document.templates.is_empty() {
        return;
    }
    let places = places(document);
    if places.is_empty() {
        return;
    }
    for (part, place) in parts(document, &places) {
        if can_be_put(document, part, place) {
            document.leave_order();
            take_out_stand_in(document, place);
            put(document, part, place);
        }
    }
}

/// The first template for each number.
fn places(document: &Document) -> HashMap<Vec<u8>, NodeId> {
    let mut places = HashMap::new();
    for &template in &document.templates {
        let id = id_of(document, template);
        let number = PLACES.iter().find_map(|place| id.strip_prefix(*place));
        if let Some(number) = number.filter(|_| places.len() < MOST_PARTS) {
            places.entry(number.to_vec()).or_insert(template);
        }
    }
    places
}

/// The parts that have a place, each with it. A place has one part.
fn parts(document: &Document, places: &HashMap<Vec<u8>, NodeId>) -> Vec<(NodeId, NodeId)> {
    let mut left = places.clone();
    let elements = (0..).zip(&document.nodes).filter(|(_, node)| node.tag == DIV);
    let is_hidden = |range| document.attributes.value_of(range, HIDDEN).is_some();
    let hidden = elements.filter(|(_, node)| is_hidden((node.start, node.end)));
    let numbered = hidden.filter_map(|(part, _)| Some((part, id_of(document, part).strip_prefix(PART)?)));
    numbered.filter_map(|(part, number)| Some((part, left.remove(number)?))).collect()
}

/// The `id` of an element; empty if it has none.
fn id_of<'a>(document: &'a Document, element: NodeId) -> &'a [u8] {
    let node = document.node(element);
    document.attributes.value_of((node.start, node.end), ID).unwrap_or(b"")
}

/// Whether a place is in the tree and not in the part itself; not if it is so deep that this takes too long to find out.
fn can_be_put(document: &Document, part: NodeId, place: NodeId) -> bool {
    let mut outer = place;
    for _ in 0..DEEPEST {
        match document.node(outer).parent {
            // What stood there for another part is gone, with all places in it.
            NONE => return outer == ROOT,
            parent if parent == part => return false,
            parent => outer = parent,
        }
    }
    false
}

/// Move what is in a part before its place.
fn put(document: &mut Document, part: NodeId, place: NodeId) {
    let place = Place { parent: document.node(place).parent, before: place };
    let mut child = document.links(part).first_child;
    while child != NONE {
        let next = document.links(child).next;
        document.detach(child);
        document.insert(place, child);
        child = next;
    }
}

/// Take out what is shown until a part has come: all up to the comment that ends it, or one element that says so itself.
fn take_out_stand_in(document: &mut Document, place: NodeId) {
    let mut behind = Vec::new();
    let mut inner = 0;
    let mut node = document.links(place).next;
    while node != NONE && behind.len() < MOST_NODES {
        match document.comment(node) {
            Some(END) if inner == 0 => return behind.into_iter().for_each(|node| document.detach(node)),
            Some(END) => inner -= 1,
            Some(comment) if comment.starts_with(BEGIN) => inner += 1,
            _ => (),
        }
        behind.push(node);
        node = document.links(node).next;
    }
    if let Some(&next) = behind.first().filter(|&&next| says_that_it_loads(document, next)) {
        document.detach(next);
    }
}

/// Whether an element begins with a text that says that something is loaded.
fn says_that_it_loads(document: &Document, element: NodeId) -> bool {
    let mut first = element;
    for _ in 0..MOST_NODES {
        let node = document.node(first);
        if node.tag == TEXT {
            return first != element && document.text_of(node).trim_start().starts_with(LOADING);
        }
        first = match document.links(first).first_child {
            NONE => return false,
            child => child,
        };
    }
    false
}

#[cfg(test)]
mod tests {
    use crate::columns::{Limits, Page};
    use crate::html::read;

    fn read_whole(html: &str) -> Page {
        read(html, &Limits { nodes: 100_000, attributes: 100_000, depth: 2000 })
    }

    /// The text that is shown, without white space.
    fn shown(html: &str) -> String {
        let page = read_whole(html);
        let is_shown = |row: &usize| page.hidden[*row] == 0 && page.text_length[*row] > 0;
        let text = |row: usize| {
            let begin = page.text_start[row] as usize;
            page.text.chars().skip(begin).take(page.text_length[row] as usize).collect::<String>()
        };
        (0..page.tag.len()).filter(is_shown).map(text).collect::<String>().split_whitespace().collect()
    }

    #[test]
    fn parts_stand_where_their_templates_do() {
        let page = "<p>a<p>b<template id=B:0></template><p>e<div hidden id=S:0><p>c<p>d</div>";
        assert_eq!(shown(page), "abcde");
        let nested =
            "<i>a</i><template id=B:0></template><i>e</i><div hidden id=S:0><i>b</i><template id=P:1></template>\
            <i>d</i></div><div hidden id=S:1><i>c</i></div>";
        assert_eq!(shown(nested), "abcde");
    }

    #[test]
    fn what_stands_there_until_then_goes() {
        let page = |behind: &str| {
            shown(&format!("a<!--$?--><template id=B:0></template>{behind}<p>c<div hidden id=S:0>b</div>"))
        };
        assert_eq!(page("<i>wait</i>!<!--/$-->"), "abc");
        assert_eq!(page("<i>wait</i><!--$-->for<!--/$-->it<!--/$-->"), "abc");
        assert_eq!(page("<div><b>Loading text</b></div>"), "abc");
        assert_eq!(page("<div><b>Text</b></div>"), "abTextc");
        // With a place for another part, which goes, too, or comes too late.
        let inner = "<div>Loading<template id=B:1></template></div>";
        assert_eq!(page(&format!("{inner}<div hidden id=S:1>d</div>")), "abc");
        let late = format!("a<template id=B:0></template>{inner}<div hidden id=S:0>b</div><div hidden id=S:1>d</div>");
        assert_eq!(shown(&late), "abd");
        // That it ends must be said within the same element.
        assert_eq!(page("<i>wait<!--/$--></i>"), "abwaitc");
        assert_eq!(shown("a<template id=B:0></template><i>Loading</i>c"), "aLoadingc");
    }

    #[test]
    fn parts_without_a_place_are_shown_where_they_are() {
        assert_eq!(shown("<p>a<div hidden id=S:0><p>b</div><p>c"), "abc");
        assert_eq!(shown("<p>a<template id=B:1></template><div hidden id=S:0><p>b</div><p>c"), "abc");
        // Hidden, and no part.
        assert_eq!(shown("<p>a<template id=B:1></template><div hidden id=menu><p>b</div><p>c"), "ac");
    }

    #[test]
    fn a_part_is_not_put_into_itself() {
        assert_eq!(shown("<p>a<div hidden id=S:0><p>b<template id=B:0></template><p>c</div>"), "abc");
        let crossed = "<div hidden id=S:0>a<template id=B:1></template></div>\
            <div hidden id=S:1>b<template id=B:0></template></div>";
        assert_eq!(shown(crossed), "ba");
    }

    #[test]
    fn of_too_many_parts_all_are_shown() {
        let page = |count: usize| {
            let places: String = (0..count).map(|number| format!("<b><template id=B:{number}></template>")).collect();
            let parts: String = (0..count).map(|number| format!("<div hidden id=S:{number}>a</div>")).collect();
            places + &parts
        };
        // Deeper than places are looked for, and more than are put in place: those stay where they are.
        assert_eq!(shown(&page(3000)).len(), 3000);
    }
}
