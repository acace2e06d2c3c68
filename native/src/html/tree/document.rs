//! The nodes of a page while it is built: a tree in one array, and the text and attribute values they point to.

#![forbid(unsafe_code)]

use crate::html::kept_attributes::KeptAttributes;
use crate::html::names::Names;
use crate::html::tags::{Tag, COMMENT, NO_TAG, TEXT};
use std::ops::Range;

/// A node: its position in `Document.nodes`.
pub type NodeId = u32;

/// The document itself, parent of `<html>`.
pub const ROOT: NodeId = 0;

/// No node.
pub const NONE: NodeId = NodeId::MAX;

/// An element, text or comment.
#[derive(Clone, Copy)]
pub struct Node {
    pub parent: NodeId,
    pub tag: Tag,
    /// Of an element: where its attributes start and end; of a text or comment: its bytes, in the source or in the text of the
    /// document.
    pub start: u32,
    pub end: u32,
    /// Of a text: whether it goes on with the text before it, as one text in two places of the buffer.
    pub continues: bool,
    /// Of a text: whether it is where it stands in the source.
    pub is_in_source: bool,
    /// Of a formatting element: whether it is in the stack of open elements.
    pub is_open: bool,
}

impl Node {
    /// A node without a parent.
    #[inline(always)]
    fn new(tag: Tag, start: u32, end: u32) -> Self {
        Self { parent: NONE, tag, start, end, continues: false, is_in_source: false, is_open: false }
    }
}

/// The nodes around one.
#[derive(Clone, Copy)]
pub struct Links {
    pub first_child: NodeId,
    pub last_child: NodeId,
    pub next: NodeId,
    pub previous: NodeId,
}

impl Links {
    const NONE: Self = Self { first_child: NONE, last_child: NONE, next: NONE, previous: NONE };
}

/// Where to insert a node: at the end of a parent, or before one of its children.
#[derive(Clone, Copy)]
pub struct Place {
    pub parent: NodeId,
    pub before: NodeId,
}

impl Place {
    pub fn end_of(parent: NodeId) -> Self {
        Self { parent, before: NONE }
    }
}

/// A page as a tree.
pub struct Document<'source> {
    pub nodes: Vec<Node>,
    /// Those of each node once the order of `nodes` is not that of the document any more: until then, nobody needs them.
    links: Vec<Links>,
    source: &'source str,
    /// The texts that are not what stands in the source: those with character references, and those made of several.
    text: String,
    /// Bytes of all texts.
    pub text_length: usize,
    pub attributes: KeptAttributes,
    pub names: Names,
    /// Whether the order of `nodes` is that of the document: so in most pages, which are then written without a walk.
    is_in_order: bool,
    elements: usize,
    /// Its `<template>` elements.
    pub templates: Vec<NodeId>,
    /// How many elements there were when the last one was inserted: copies, which are added first and put in place later,
    /// are not counted before the next.
    pub elements_at_insertion: usize,
}

impl<'source> Document<'source> {
    /// An empty document, with room for a page.
    pub fn new(source: &'source str) -> Self {
        let mut document = Self {
            // Typical pages have a node for every 40 bytes.
            nodes: Vec::with_capacity(source.len() / 32 + 8),
            links: Vec::new(),
            source,
            // Few texts have references: this is room for those of most pages.
            text: String::with_capacity(source.len() / 64),
            text_length: 0,
            attributes: KeptAttributes::for_page(source.len()),
            names: Names::default(),
            is_in_order: true,
            elements: 0,
            templates: Vec::new(),
            elements_at_insertion: 0,
        };
        document.nodes.push(Node::new(NO_TAG, 0, 0));
        document
    }

    /// Whether the order of `nodes` is that of the document.
    pub fn is_in_order(&self) -> bool {
        self.is_in_order
    }

    /// From here on, nodes may be inserted or moved anywhere.
    #[inline]
    pub fn leave_order(&mut self) {
        if self.is_in_order {
            self.is_in_order = false;
            self.link_nodes();
        }
    }

    /// Link all nodes that are there: so far, every one was inserted at the end of its parent.
    #[inline(never)]
    fn link_nodes(&mut self) {
        self.links = Vec::with_capacity(self.nodes.capacity());
        self.links.push(Links::NONE);
        for id in 1..self.nodes.len() {
            self.links.push(Links::NONE);
            self.append(self.nodes[id].parent, id as NodeId);
        }
    }

    /// The nodes around one, of a document that is not in order.
    #[inline]
    pub fn links(&self, id: NodeId) -> &Links {
        &self.links[id as usize]
    }

    #[inline]
    fn links_mut(&mut self, id: NodeId) -> &mut Links {
        &mut self.links[id as usize]
    }

    #[inline]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    #[inline]
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id as usize]
    }

    /// A new element, not yet in the tree, with attributes that are already there.
    pub fn add_element(&mut self, tag: Tag, attributes: (u32, u32)) -> NodeId {
        self.leave_order();
        self.elements += 1;
        let id = self.nodes.len() as NodeId;
        self.nodes.push(Node::new(tag, attributes.0, attributes.1));
        self.links.push(Links::NONE);
        id
    }

    /// A new element in the tree, with attributes that are already there.
    #[inline]
    pub fn insert_element(&mut self, place: Place, tag: Tag, attributes: (u32, u32)) -> NodeId {
        self.elements += 1;
        self.elements_at_insertion = self.elements;
        self.insert_new(place, Node::new(tag, attributes.0, attributes.1))
    }

    /// Insert a node that is not in the tree yet. As long as nodes are in order, places are at the end of the last node, or of
    /// one around it.
    #[inline(always)]
    fn insert_new(&mut self, place: Place, node: Node) -> NodeId {
        let id = self.nodes.len() as NodeId;
        self.nodes.push(Node { parent: place.parent, ..node });
        if !self.is_in_order {
            self.links.push(Links::NONE);
            self.insert(place, id);
        }
        id
    }

    /// Insert a comment, that is a gap between texts, with where its text stands in the source.
    pub fn add_comment(&mut self, place: Place, span: &Range<usize>) {
        let node = Node::new(COMMENT, span.start as u32, span.end as u32);
        self.insert_new(place, Node { is_in_source: true, ..node });
    }

    /// What a comment says; None if a node is none.
    pub fn comment(&self, id: NodeId) -> Option<&'source str> {
        let node = self.node(id);
        self.source.get(node.start as usize..node.end as usize).filter(|_| node.tag == COMMENT)
    }

    /// What is written in a stretch of the source.
    #[inline]
    pub fn written(&self, span: &Range<usize>) -> &'source str {
        &self.source[span.clone()]
    }

    /// Insert a text that stands in the source, or let the text before the place go on with it.
    #[inline(always)]
    pub fn add_text_in_source(&mut self, place: Place, span: Range<usize>) {
        if self.text_before(place).is_some() {
            return self.add_text(place, self.written(&span));
        }
        self.text_length += span.len();
        let node = Node::new(TEXT, span.start as u32, span.end as u32);
        self.insert_new(place, Node { is_in_source: true, ..node });
    }

    /// The text before a place.
    #[inline(always)]
    fn text_before(&self, place: Place) -> Option<NodeId> {
        if !self.is_in_order {
            return self.linked_text_before(place);
        }
        // A text in order is the last node, as long as it can go on.
        let last = self.nodes.len() - 1;
        let node = &self.nodes[last];
        Some(last as NodeId).filter(|_| node.tag == TEXT && node.parent == place.parent)
    }

    /// The same in a document that is not in order.
    #[inline(never)]
    fn linked_text_before(&self, place: Place) -> Option<NodeId> {
        let previous = match place.before {
            NONE => self.links(place.parent).last_child,
            before => self.links(before).previous,
        };
        Some(previous).filter(|&previous| previous != NONE && self.node(previous).tag == TEXT)
    }

    /// Insert a copy of a text, or let the one before the place go on with it.
    #[inline(never)]
    pub fn add_text(&mut self, place: Place, text: &str) {
        self.text_length += text.len();
        let previous = self.text_before(place);
        if let Some(previous) = previous {
            self.copy_out_of_source(previous);
        }
        let start = self.text.len() as u32;
        self.text.push_str(text);
        let end = self.text.len() as u32;
        match previous {
            Some(previous) if self.node(previous).end == start => self.node_mut(previous).end = end,
            _ => {
                let continues = previous.is_some();
                if continues {
                    self.leave_order();
                }
                self.insert_new(place, Node { continues, ..Node::new(TEXT, start, end) });
            }
        }
    }

    /// Copy a text that stands in the source, so that it can go on: once, since then it does not stand there any more.
    fn copy_out_of_source(&mut self, text: NodeId) {
        let node = &mut self.nodes[text as usize];
        if node.is_in_source {
            let written = &self.source[node.start as usize..node.end as usize];
            node.start = self.text.len() as u32;
            self.text.push_str(written);
            node.end = self.text.len() as u32;
            node.is_in_source = false;
        }
    }

    /// A text.
    #[inline]
    pub fn text_of(&self, node: &Node) -> &str {
        let (all, part) = self.place_of(node);
        &all[part]
    }

    /// What a text is a part of, and which part.
    #[inline]
    pub fn place_of(&self, node: &Node) -> (&str, Range<usize>) {
        let all = if node.is_in_source { self.source } else { &self.text };
        (all, node.start as usize..node.end as usize)
    }

    /// Whether the next node goes on with a text, in a document that is not in order.
    pub fn goes_on(&self, text: NodeId) -> bool {
        let next = self.links(text).next;
        next != NONE && self.node(next).continues
    }

    /// Insert a text that nobody will read: a row without characters.
    pub fn add_unread_text(&mut self, parent: NodeId) {
        self.insert_new(Place::end_of(parent), Node::new(TEXT, 0, 0));
    }

    /// Insert a node into a document that is not in order.
    pub fn insert(&mut self, place: Place, child: NodeId) {
        match place.before {
            NONE => self.append(place.parent, child),
            before => self.insert_before(before, child),
        }
    }

    #[inline]
    pub fn append(&mut self, parent: NodeId, child: NodeId) {
        let last = std::mem::replace(&mut self.links_mut(parent).last_child, child);
        self.node_mut(child).parent = parent;
        let links = self.links_mut(child);
        links.previous = last;
        links.next = NONE;
        match last {
            NONE => self.links_mut(parent).first_child = child,
            last => self.links_mut(last).next = child,
        }
    }

    fn insert_before(&mut self, sibling: NodeId, child: NodeId) {
        let parent = self.node(sibling).parent;
        let previous = std::mem::replace(&mut self.links_mut(sibling).previous, child);
        self.node_mut(child).parent = parent;
        let links = self.links_mut(child);
        links.previous = previous;
        links.next = sibling;
        match previous {
            NONE => self.links_mut(parent).first_child = child,
            previous => self.links_mut(previous).next = child,
        }
    }

    /// Take a node out of the tree, with all it contains.
    pub fn detach(&mut self, child: NodeId) {
        self.leave_order();
        let parent = self.node(child).parent;
        let Links { previous, next, .. } = *self.links(child);
        if parent == NONE {
            return;
        }
        match previous {
            NONE => self.links_mut(parent).first_child = next,
            previous => self.links_mut(previous).next = next,
        }
        match next {
            NONE => self.links_mut(parent).last_child = previous,
            next => self.links_mut(next).previous = previous,
        }
        self.node_mut(child).parent = NONE;
        let links = self.links_mut(child);
        links.previous = NONE;
        links.next = NONE;
    }

    /// Move all children of one element to another, which has none. Returns their number.
    pub fn move_children(&mut self, from: NodeId, to: NodeId) -> usize {
        self.leave_order();
        let Links { first_child, last_child, .. } = *self.links(from);
        self.links_mut(to).first_child = first_child;
        self.links_mut(to).last_child = last_child;
        self.links_mut(from).first_child = NONE;
        self.links_mut(from).last_child = NONE;
        let (mut child, mut moved) = (first_child, 0);
        while child != NONE {
            self.node_mut(child).parent = to;
            child = self.links(child).next;
            moved += 1;
        }
        moved
    }

    /// Give an element the attributes it does not have yet.
    pub fn add_missing_attributes(&mut self, element: NodeId, given: (u32, u32)) {
        let own = (self.node(element).start, self.node(element).end);
        if let Some((start, end)) = self.attributes.add_united(own, given) {
            self.node_mut(element).start = start;
            self.node_mut(element).end = end;
        }
    }

    /// A new element without attributes, the first child of a parent.
    pub fn prepend_element(&mut self, parent: NodeId, tag: Tag) -> NodeId {
        self.leave_order();
        let before = self.links(parent).first_child;
        self.insert_element(Place { parent, before }, tag, (0, 0))
    }

    /// A new element without attributes, the last child of a parent.
    pub fn append_element(&mut self, parent: NodeId, tag: Tag) -> NodeId {
        self.insert_element(Place::end_of(parent), tag, (0, 0))
    }

    /// Text at the end of a parent.
    pub fn append_text(&mut self, parent: NodeId, text: &str) {
        self.add_text(Place::end_of(parent), text);
    }

    /// All nodes of a document that is not in order, in the order of the document, which is not among them.
    pub fn in_order(&self) -> impl Iterator<Item = NodeId> + '_ {
        let first = Some(self.links(ROOT).first_child).filter(|&node| node != NONE);
        std::iter::successors(first, move |&node| self.next_in_order(node))
    }

    fn next_in_order(&self, node: NodeId) -> Option<NodeId> {
        let child = self.links(node).first_child;
        if child != NONE {
            return Some(child);
        }
        let mut ended = node;
        while ended != ROOT {
            let next = self.links(ended).next;
            if next != NONE {
                return Some(next);
            }
            ended = self.node(ended).parent;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use crate::columns::Limits;
    use crate::html::read;

    #[test]
    fn texts_that_go_on_are_one_row_wherever_their_parts_stand() {
        for (html, text) in [
            ("<p>one</x>two</x>three", "onetwothree"),
            ("<p>one</x>&amp;</x>two", "one&two"),
            ("<p>&amp;</x>one</x>&lt;", "&one<"),
            ("<p>one</body>two</html>three", "onetwothree"),
        ] {
            let page = read(html, &Limits::default());
            assert_eq!((page.text.as_str(), page.len()), (text, 5), "{html}");
        }
        let page = read("<table>one<tr>two<td>&amp;</td>three</table>four", &Limits::default());
        assert_eq!(page.text, "onetwothree&four");
    }
}
