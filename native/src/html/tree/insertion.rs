//! Inserting elements, and closing them.

#![forbid(unsafe_code)]

use super::builder::{Builder, Mode};
use super::document::{NodeId, Place, NONE, ROOT};
use super::open_elements::OpenElement;
use super::start_tag::StartTag;
use crate::html::tags::*;
use crate::html::tokenizer::Content;

/// Elements whose content is moved out, before the table, while foster parenting is on.
const FOSTERING: &[Tag] = &[TABLE, TBODY, TFOOT, THEAD, TR];

impl Builder<'_> {
    /// "The appropriate place for inserting a node".
    #[inline]
    pub fn place(&mut self) -> Place {
        match self.open.current().copied() {
            None => Place::end_of(ROOT),
            Some(current) if self.foster_parenting => self.place_in(&current),
            Some(current) => Place::end_of(current.node),
        }
    }

    /// The same for a target other than the current node.
    pub fn place_in(&mut self, target: &OpenElement) -> Place {
        if !self.foster_parenting || !target.is_one_of(FOSTERING) {
            return Place::end_of(target.node);
        }
        self.document.leave_order();
        let found = self.open.innermost(|element| element.is_one_of(&[TABLE, TEMPLATE]));
        let (index, element) = match found {
            Some(index) => (index, self.open.as_slice()[index]),
            None => return Place::end_of(self.open.as_slice()[0].node),
        };
        let parent = self.document.node(element.node).parent;
        if element.is(TEMPLATE) {
            Place::end_of(element.node)
        } else if parent != NONE {
            Place { parent, before: element.node }
        } else {
            Place::end_of(self.open.as_slice()[index - 1].node)
        }
    }

    /// A new element in the tree, not opened.
    #[inline]
    pub fn insert_closed(&mut self, tag: Tag, attributes: (u32, u32)) -> NodeId {
        let place = self.place();
        self.document.insert_element(place, tag, attributes)
    }

    /// Insert an html element and open it, if there is room; `None` if there is not.
    #[inline(always)]
    pub fn insert(&mut self, start: StartTag) -> Option<NodeId> {
        let node = self.insert_closed(start.tag, start.attributes);
        if self.open.is_full() && !is(start.tag, TABLE_PART) {
            return None;
        }
        self.push(OpenElement::html(node, start.tag));
        Some(node)
    }

    /// The same where nothing depends on whether it was opened.
    #[inline(never)]
    pub fn insert_block(&mut self, start: StartTag) {
        self.insert(start);
    }

    /// Insert an element that is always empty.
    #[inline]
    pub fn insert_void(&mut self, start: StartTag) {
        self.insert_closed(start.tag, start.attributes);
    }

    /// Insert an element without attributes that no tag stands for.
    pub fn insert_implied(&mut self, tag: Tag) -> NodeId {
        let node = self.insert_closed(tag, (0, 0));
        self.push(OpenElement::html(node, tag));
        node
    }

    /// Insert an element whose content is text up to its end tag.
    pub fn insert_raw(&mut self, start: StartTag, content: Content) {
        let node = self.insert_closed(start.tag, start.attributes);
        self.push(OpenElement::html(node, start.tag));
        self.content = Some((content, start.tag));
        if content != Content::PlainText {
            self.original_mode = self.mode;
            self.mode = Mode::Text;
        }
    }

    #[inline]
    pub fn push(&mut self, element: OpenElement) {
        if element.has(FORMATTING) {
            self.document.node_mut(element.node).is_open = true;
        }
        self.open.push(element);
    }

    #[inline]
    pub fn pop(&mut self) -> Option<OpenElement> {
        let element = self.open.pop()?;
        if element.has(FORMATTING) {
            self.document.node_mut(element.node).is_open = false;
        }
        Some(element)
    }

    /// Close an element that may not be the current one.
    pub fn remove_open(&mut self, index: usize) {
        let element = self.open.remove(index);
        if element.has(FORMATTING) {
            self.document.node_mut(element.node).is_open = false;
        }
    }

    /// Close elements until one fits, that one included.
    pub fn pop_through(&mut self, fits: impl Fn(&OpenElement) -> bool) {
        while let Some(element) = self.pop() {
            if fits(&element) {
                return;
            }
        }
    }

    /// Close elements up to an html element of that name, that one included.
    pub fn pop_until(&mut self, tag: Tag) {
        self.pop_through(|element| element.is(tag));
    }

    /// Close elements down to a place in the stack.
    pub fn truncate_open(&mut self, length: usize) {
        while self.open.len() > length {
            self.pop();
        }
    }

    /// Close elements until the current one is one of some, or the root, or a template.
    pub fn clear_back_to(&mut self, context: &[Tag]) {
        while let Some(element) = self.open.current() {
            if element.is_one_of(context) || element.is_one_of(&[TEMPLATE, HTML]) {
                return;
            }
            self.pop();
        }
    }

    /// "Generate implied end tags", except for one.
    pub fn imply_end_tags_except(&mut self, spared: Tag) {
        while matches!(self.open.current(), Some(element) if element.has(IMPLIED_END) && element.tag != spared) {
            self.pop();
        }
    }

    pub fn imply_end_tags(&mut self) {
        self.imply_end_tags_except(NO_TAG);
    }

    pub fn imply_end_tags_thoroughly(&mut self) {
        while matches!(self.open.current(), Some(element) if element.has(IMPLIED_END_THOROUGHLY)) {
            self.pop();
        }
    }

    /// Close an open paragraph, as the start of a block does.
    #[inline]
    pub fn close_paragraph(&mut self) {
        if self.open.in_button_scope(P) {
            self.imply_end_tags_except(P);
            self.pop_until(P);
        }
    }
}
