//! Formatting elements: listed where they are inserted, and reopened where they were left open.

#![forbid(unsafe_code)]

use super::active_formatting::Entry;
use super::builder::{Builder, Growth};
use super::start_tag::StartTag;

impl Builder<'_> {
    /// Insert a formatting element. One that is not opened is not listed: it would be reopened for ever.
    pub fn insert_formatting(&mut self, start: StartTag) {
        if let Some(node) = self.insert(start) {
            let searched = self.formatting.add(Entry::new(node, start), self.source);
            self.open.count_steps(searched);
        }
    }

    /// Reopen the formatting elements that were closed by something other than their end tag.
    #[inline(always)]
    pub fn reconstruct_formatting(&mut self) {
        match self.formatting.entries.last() {
            Some(last) if !last.is_marker() && !self.document.node(last.node).is_open => self.reopen(),
            _ => {}
        }
    }

    /// Apart from the question whether there is anything to reopen, which every text and most tags ask.
    #[inline(never)]
    fn reopen(&mut self) {
        let nodes = &self.document.nodes;
        let first = self.formatting.first_closed(|node| nodes[node as usize].is_open);
        self.open.count_steps(self.formatting.entries.len() - first);
        for index in first..self.formatting.entries.len() {
            if self.open.is_full() || self.has_multiplied {
                return;
            }
            if let Some(node) = self.insert(self.formatting.get(index).start) {
                self.formatting.set_node(index, node);
            }
            self.count_reopened();
        }
    }

    fn count_reopened(&mut self) {
        self.reopened += 1;
        if let Growth::Bounded { reopened } = self.growth {
            self.has_multiplied |= self.reopened > reopened;
        }
    }
}
