//! End tags in the body, and the end of the page.

#![forbid(unsafe_code)]

use super::builder::{Builder, Mode, Outcome};
use super::document::NONE;
use super::start_tag::StartTag;
use crate::html::tags::*;
use Outcome::{Again, Done};

impl Builder<'_> {
    /// "In body" insertion mode.
    #[inline]
    pub fn end_in_body(&mut self, tag: Tag) -> Outcome {
        // Most end tags are those of the current element: all rules then close it, and nothing else.
        if !is(tag, FORMATTING | ENDS_SPECIALLY) && self.open.current_is(tag) {
            self.pop();
            return Done;
        }
        match tag {
            _ if is(tag, ENDS_BLOCK) => self.end_block(tag),
            _ if self.reads_as_ordinary(tag) => self.end_any_other(tag),
            _ if is(tag, FORMATTING) => self.run_adoption_agency(tag),
            P => self.end_paragraph(),
            LI if self.open.in_list_scope(LI) => self.end_item(LI),
            DD | DT if self.open.in_scope(tag) => self.end_item(tag),
            LI | DD | DT => {}
            H1 | H2 | H3 | H4 | H5 | H6 => self.end_heading(),
            BODY | HTML => return self.end_body(tag),
            FORM => self.end_form(),
            APPLET | MARQUEE | OBJECT => self.end_object(tag),
            BR => {
                self.start_in_body(StartTag::bare(BR));
            }
            TEMPLATE => return self.end_template(),
            _ => self.end_any_other(tag),
        }
        Done
    }

    #[inline]
    fn end_block(&mut self, tag: Tag) {
        if self.open.in_scope(tag) {
            self.imply_end_tags();
            self.pop_until(tag);
        }
    }

    /// The end tag of a paragraph that is not open stands for an empty one.
    fn end_paragraph(&mut self) {
        if self.open.in_button_scope(P) {
            self.end_item(P);
        } else {
            self.insert_closed(P, (0, 0));
        }
    }

    fn end_item(&mut self, tag: Tag) {
        self.imply_end_tags_except(tag);
        self.pop_until(tag);
    }

    /// The end tag of any heading closes whichever is open.
    fn end_heading(&mut self) {
        if self.open.heading_in_scope() {
            self.imply_end_tags();
            self.pop_through(|element| element.is_one_of(&[H1, H2, H3, H4, H5, H6]));
        }
    }

    fn end_body(&mut self, tag: Tag) -> Outcome {
        if !self.open.in_scope(BODY) {
            return Done;
        }
        self.mode = Mode::AfterBody;
        if tag == HTML {
            Again
        } else {
            Done
        }
    }

    /// A form is closed without what is open in it.
    fn end_form(&mut self) {
        if self.open.contains(TEMPLATE) {
            return self.end_block(FORM);
        }
        let form = std::mem::replace(&mut self.form, NONE);
        if form == NONE || !self.open.in_scope(FORM) {
            return;
        }
        if let Some(position) = self.open.position_of(form) {
            if self.open.is_in_scope_from(position) {
                self.imply_end_tags();
                self.remove_open(position);
            }
        }
    }

    fn end_object(&mut self, tag: Tag) {
        if self.open.in_scope(tag) {
            self.end_block(tag);
            self.formatting.clear_to_marker();
        }
    }

    /// Close the innermost element of that name, unless a special one is open in it.
    pub fn end_any_other(&mut self, tag: Tag) {
        if tag == NO_TAG || (tag as usize) < NAMES.len() && !self.open.contains(tag) {
            return;
        }
        let found = self.open.innermost(|element| element.is(tag) || element.is_special());
        if let Some(position) = found.filter(|&position| self.open.as_slice()[position].is(tag)) {
            self.imply_end_tags_except(tag);
            self.truncate_open(position);
        }
    }

    /// The page ends: imply what is missing.
    pub fn end_of_file(&mut self) {
        if !self.pending_table_text.is_empty() {
            self.flush_table_text();
        }
        if self.mode == Mode::Text {
            self.leave_text();
        }
        loop {
            if self.leave_mode_before_body() {
                continue;
            }
            if self.template_modes.is_empty() {
                return;
            }
            self.close_template();
        }
    }

    /// Leave a mode that comes before the body, by the tag that the page left out; whether it was such a mode.
    pub fn leave_mode_before_body(&mut self) -> bool {
        match self.mode {
            Mode::Initial => {
                self.leave_initial();
            }
            Mode::BeforeHtml => self.imply_html(),
            Mode::BeforeHead => self.imply_head(),
            Mode::InHead => self.leave_head(),
            Mode::InHeadNoscript => self.leave_head_noscript(),
            Mode::AfterHead => self.imply_body(),
            _ => return false,
        }
        true
    }
}
