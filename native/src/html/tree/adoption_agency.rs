//! The adoption agency: what the end tag of a formatting element does when blocks are open inside it.
//!
//! `<b>one<p>two</b>three` becomes `<b>one</b><p><b>two</b>three</p>`: the paragraph is adopted by the parent of the `<b>`,
//! and a copy of the `<b>` takes over its children
//! (<https://html.spec.whatwg.org/multipage/parsing.html#adoption-agency-algorithm>).

#![forbid(unsafe_code)]

use super::active_formatting::Entry;
use super::builder::Builder;
use super::document::NodeId;
use super::open_elements::OpenElement;
use crate::html::tags::Tag;

/// Blocks that one end tag moves, at most: the standard's "outer loop counter".
const MOST_BLOCKS: usize = 8;

/// Formatting elements between element and block that are copied; further ones are closed.
const MOST_COPIES: usize = 3;

impl Builder<'_> {
    /// Close a formatting element.
    pub fn run_adoption_agency(&mut self, tag: Tag) {
        let current = self.open.current().copied();
        // Most have nothing open in them, and were the last to be listed.
        if matches!(current, Some(element) if self.formatting.ends_with(tag, element.node)) {
            self.pop();
            self.formatting.pop();
            return;
        }
        if matches!(current, Some(element) if element.is(tag) && self.formatting.find_node(element.node).is_none()) {
            self.pop();
            return;
        }
        for _ in 0..MOST_BLOCKS {
            match self.formatting.find_tag(tag) {
                Some(entry) if self.adopt_once(entry) => {}
                Some(_) => return,
                None => return self.end_any_other(tag),
            }
        }
    }

    /// One round of the outer loop; whether there may be another.
    fn adopt_once(&mut self, entry: usize) -> bool {
        let formatting = *self.formatting.get(entry);
        self.open.count_steps(self.formatting.recent().count());
        let position = match self.open.position_of(formatting.node) {
            Some(position) if self.open.is_in_scope_from(position) => position,
            Some(_) => return false,
            None => {
                self.formatting.remove(entry);
                return false;
            }
        };
        let furthest_block = self.open.as_slice()[position + 1..].iter().position(OpenElement::is_special);
        match furthest_block {
            Some(distance) => self.adopt(entry, position, position + 1 + distance),
            None => {
                self.truncate_open(position);
                self.formatting.remove(entry);
            }
        }
        furthest_block.is_some()
    }

    /// Move the block at `block` out of the formatting element at `position`.
    fn adopt(&mut self, entry: usize, position: usize, block: usize) {
        let formatting = *self.formatting.get(entry);
        let furthest_block = self.open.as_slice()[block];
        let common_ancestor = self.open.as_slice()[position - 1];

        let (last, bookmark) = self.copy_between(position, block);
        self.document.detach(last);
        let place = self.place_in(&common_ancestor);
        self.document.insert(place, last);

        let copy = self.copy_of(&formatting);
        let moved = self.document.move_children(furthest_block.node, copy);
        self.open.count_steps(moved);
        self.document.append(furthest_block.node, copy);

        self.replace_entry(formatting.node, bookmark, Entry { node: copy, ..formatting });
        self.replace_open(formatting.node, furthest_block.node, OpenElement::html(copy, formatting.start.tag));
    }

    fn copy_of(&mut self, entry: &Entry) -> NodeId {
        self.document.add_element(entry.start.tag, entry.start.attributes)
    }

    /// Copy the formatting elements between element and block, and close everything else between them ("inner loop").
    ///
    /// Returns the outermost node that is to be moved, and the copy, if any, after which the element will be listed.
    fn copy_between(&mut self, position: usize, block: usize) -> (NodeId, Option<NodeId>) {
        let mut last = self.open.as_slice()[block].node;
        let mut bookmark = None;
        let mut copied = 0;
        for index in (position + 1..block).rev() {
            copied += 1;
            let node = self.open.as_slice()[index].node;
            let listed = self.formatting.find_node(node);
            self.open.count_steps(self.formatting.recent().count());
            match listed {
                Some(listed) if copied <= MOST_COPIES => {
                    let copied_entry = *self.formatting.get(listed);
                    let copy = self.copy_of(&copied_entry);
                    self.formatting.set_node(listed, copy);
                    self.open.replace_node(index, copy);
                    self.document.node_mut(node).is_open = false;
                    self.document.node_mut(copy).is_open = true;
                    bookmark = bookmark.or(Some(copy));
                    self.document.detach(last);
                    self.document.append(copy, last);
                    last = copy;
                }
                Some(listed) => {
                    self.formatting.remove(listed);
                    self.remove_open(index);
                }
                None => self.remove_open(index),
            }
        }
        (last, bookmark)
    }

    /// Take an element from the list, and put its copy in its place, or after the bookmark.
    fn replace_entry(&mut self, node: NodeId, bookmark: Option<NodeId>, copy: Entry) {
        let entry = self.formatting.find_node(node);
        let after = bookmark.and_then(|bookmark| self.formatting.find_node(bookmark));
        match (entry, after) {
            (Some(entry), Some(after)) => {
                self.formatting.insert(after + 1, copy);
                self.formatting.remove(if entry > after { entry + 1 } else { entry });
            }
            (Some(entry), None) => {
                self.formatting.remove(entry);
                self.formatting.insert(entry, copy);
            }
            (None, _) => {}
        }
    }

    /// Take an element from the stack, and put its copy just inside the block.
    fn replace_open(&mut self, node: NodeId, block: NodeId, copy: OpenElement) {
        if let Some(position) = self.open.position_of(node) {
            self.remove_open(position);
        }
        if let Some(position) = self.open.position_of(block) {
            self.document.node_mut(copy.node).is_open = true;
            self.open.insert(position + 1, copy);
        }
    }
}
