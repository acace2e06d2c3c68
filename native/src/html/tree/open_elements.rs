//! The stack of open elements, and the scopes that are searched in it.
//!
//! The stack is bounded, so every search takes a bounded number of steps: that is what keeps the whole reader linear,
//! whatever a page leaves open. Counts per tag answer most questions ("is there a `<p>` at all?") without a search.

#![forbid(unsafe_code)]

use super::document::{NodeId, NONE};
use super::namespaces::Namespace;
use crate::html::tags::*;
use std::cell::Cell;

/// Elements that may be open: browsers nest as many. Further ones are inserted, but not opened.
///
/// Parts of an open table, and elements with raw text, are opened even then: four more at most.
pub const MOST_OPEN: usize = 512;

/// An element whose end tag has not come.
#[derive(Clone, Copy)]
pub struct OpenElement {
    pub node: NodeId,
    /// The name in lower case, whatever the node's is.
    pub tag: Tag,
    pub namespace: Namespace,
    /// Whether the content of this foreign element is html.
    pub holds_html: bool,
}

impl OpenElement {
    pub fn html(node: NodeId, tag: Tag) -> Self {
        Self { node, tag, namespace: Namespace::Html, holds_html: false }
    }

    /// Whether this is an html element of that name.
    #[inline]
    pub fn is(&self, tag: Tag) -> bool {
        self.tag == tag && self.namespace == Namespace::Html
    }

    /// Whether this is an html element with any of some traits.
    #[inline]
    pub fn has(&self, traits: Traits) -> bool {
        self.namespace == Namespace::Html && is(self.tag, traits)
    }

    #[inline]
    pub fn is_one_of(&self, tags: &[Tag]) -> bool {
        self.namespace == Namespace::Html && tags.contains(&self.tag)
    }

    /// "Special" to the standard: ends searches for the element an end tag closes.
    #[inline]
    pub fn is_special(&self) -> bool {
        self.has(SPECIAL) || self.is_foreign_boundary()
    }

    /// Whether scopes end here.
    #[inline]
    fn bounds_scope(&self) -> bool {
        self.has(SCOPE) || self.is_foreign_boundary()
    }

    /// Foreign elements that are special and bound scopes.
    fn is_foreign_boundary(&self) -> bool {
        match self.namespace {
            Namespace::Html => false,
            Namespace::MathMl => matches!(self.tag, MI | MO | MN | MS | MTEXT | ANNOTATION_XML),
            Namespace::Svg => matches!(self.tag, FOREIGN_OBJECT | DESC | TITLE),
        }
    }
}

/// The stack of open elements, `<html>` first.
pub struct OpenElements {
    elements: Vec<OpenElement>,
    /// How many html elements of each known tag are open.
    counts: Vec<u32>,
    steps: Cell<u64>,
}

impl OpenElements {
    pub fn new() -> Self {
        Self { elements: Vec::with_capacity(64), counts: vec![0; NAMES.len()], steps: Cell::new(0) }
    }

    /// Elements looked at so far.
    pub fn steps(&self) -> u64 {
        self.steps.get()
    }

    /// Count steps of a search.
    pub fn count_steps(&self, steps: usize) {
        self.steps.set(self.steps.get() + steps as u64);
    }

    pub fn len(&self) -> usize {
        self.elements.len()
    }

    pub fn is_full(&self) -> bool {
        self.elements.len() >= MOST_OPEN
    }

    pub fn as_slice(&self) -> &[OpenElement] {
        &self.elements
    }

    /// The innermost open element.
    #[inline]
    pub fn current(&self) -> Option<&OpenElement> {
        self.elements.last()
    }

    /// Whether the innermost open element is an html element of that name.
    #[inline]
    pub fn current_is(&self, tag: Tag) -> bool {
        matches!(self.elements.last(), Some(element) if element.is(tag))
    }

    /// Whether the innermost open element is foreign.
    #[inline]
    pub fn is_in_foreign_content(&self) -> bool {
        matches!(self.current(), Some(element) if element.namespace != Namespace::Html)
    }

    #[inline]
    pub fn push(&mut self, element: OpenElement) {
        self.count(&element, 1);
        self.elements.push(element);
    }

    #[inline]
    pub fn pop(&mut self) -> Option<OpenElement> {
        let element = self.elements.pop()?;
        self.count(&element, u32::MAX);
        Some(element)
    }

    pub fn insert(&mut self, index: usize, element: OpenElement) {
        self.count(&element, 1);
        self.count_steps(self.elements.len() - index);
        self.elements.insert(index, element);
    }

    pub fn remove(&mut self, index: usize) -> OpenElement {
        self.count_steps(self.elements.len() - index);
        let element = self.elements.remove(index);
        self.count(&element, u32::MAX);
        element
    }

    /// Let another node take the place of one, as a copy does.
    pub fn replace_node(&mut self, index: usize, node: NodeId) {
        self.elements[index].node = node;
    }

    #[inline]
    fn count(&mut self, element: &OpenElement, change: u32) {
        if element.namespace == Namespace::Html {
            if let Some(count) = self.counts.get_mut(element.tag as usize) {
                *count = count.wrapping_add(change);
            }
        }
    }

    /// How many html elements of a known tag are open.
    #[inline]
    pub fn number_of(&self, tag: Tag) -> u32 {
        self.counts.get(tag as usize).copied().unwrap_or(0)
    }

    #[inline]
    pub fn contains(&self, tag: Tag) -> bool {
        self.number_of(tag) > 0
    }

    /// Where the innermost element is that fits.
    #[inline]
    pub fn innermost(&self, fits: impl Fn(&OpenElement) -> bool) -> Option<usize> {
        let found = self.elements.iter().rposition(fits);
        self.count_steps(self.elements.len() - found.unwrap_or(0));
        found
    }

    /// Where a node is open.
    pub fn position_of(&self, node: NodeId) -> Option<usize> {
        if node == NONE {
            return None;
        }
        self.innermost(|element| element.node == node)
    }

    #[inline]
    fn in_scope_within(&self, tag: Tag, bounds: impl Fn(&OpenElement) -> bool) -> bool {
        if !self.contains(tag) {
            return false;
        }
        let found = self.innermost(|element| element.is(tag) || bounds(element));
        found.is_some_and(|index| self.elements[index].is(tag))
    }

    #[inline]
    pub fn in_scope(&self, tag: Tag) -> bool {
        self.in_scope_within(tag, OpenElement::bounds_scope)
    }

    #[inline]
    pub fn in_button_scope(&self, tag: Tag) -> bool {
        self.in_scope_within(tag, |element| element.bounds_scope() || element.is(BUTTON))
    }

    pub fn in_list_scope(&self, tag: Tag) -> bool {
        self.in_scope_within(tag, |element| element.bounds_scope() || element.is_one_of(&[OL, UL]))
    }

    pub fn in_table_scope(&self, tag: Tag) -> bool {
        self.in_scope_within(tag, |element| element.is_one_of(&[HTML, TABLE, TEMPLATE]))
    }

    /// Whether any heading is in scope.
    pub fn heading_in_scope(&self) -> bool {
        let found = self.innermost(|element| element.is_one_of(&[H1, H2, H3, H4, H5, H6]) || element.bounds_scope());
        found.is_some_and(|index| self.elements[index].is_one_of(&[H1, H2, H3, H4, H5, H6]))
    }

    /// Whether scopes of nothing between an index and the innermost element end.
    pub fn is_in_scope_from(&self, index: usize) -> bool {
        self.count_steps(self.elements.len() - index);
        !self.elements[index + 1..].iter().any(OpenElement::bounds_scope)
    }
}
