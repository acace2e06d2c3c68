//! The insertion modes before the body: from "initial" to "after head".

#![forbid(unsafe_code)]

use super::builder::{Builder, Mode, Outcome};
use super::open_elements::OpenElement;
use super::start_tag::StartTag;
use crate::html::tags::*;
use crate::html::tokenizer::Content;
use Outcome::{Again, Done};

/// End tags that are read where others are ignored: they imply a body.
const IMPLYING: &[Tag] = &[HEAD, BODY, HTML, BR];

impl Builder<'_> {
    /// No doctype came.
    pub fn leave_initial(&mut self) -> Outcome {
        self.is_quirky = true;
        self.mode = Mode::BeforeHtml;
        Again
    }

    pub fn imply_html(&mut self) {
        self.insert_implied(HTML);
        self.mode = Mode::BeforeHead;
    }

    pub fn imply_head(&mut self) {
        self.head = self.insert_implied(HEAD);
        self.mode = Mode::InHead;
    }

    pub fn leave_head(&mut self) {
        self.pop();
        self.mode = Mode::AfterHead;
    }

    pub fn leave_head_noscript(&mut self) {
        self.pop();
        self.mode = Mode::InHead;
    }

    pub fn imply_body(&mut self) {
        self.insert_implied(BODY);
        self.mode = Mode::InBody;
    }

    pub fn start_before_html(&mut self, start: StartTag) -> Outcome {
        if start.tag != HTML {
            self.imply_html();
            return Again;
        }
        self.insert_block(start);
        self.mode = Mode::BeforeHead;
        Done
    }

    pub fn end_before_html(&mut self, tag: Tag) -> Outcome {
        if !IMPLYING.contains(&tag) {
            return Done;
        }
        self.imply_html();
        Again
    }

    pub fn start_before_head(&mut self, start: StartTag) -> Outcome {
        match start.tag {
            HTML => self.start_in_body(start),
            HEAD => {
                self.head = self.insert_closed(HEAD, start.attributes);
                self.push(OpenElement::html(self.head, HEAD));
                self.mode = Mode::InHead;
                Done
            }
            _ => {
                self.imply_head();
                Again
            }
        }
    }

    pub fn end_before_head(&mut self, tag: Tag) -> Outcome {
        if !IMPLYING.contains(&tag) {
            return Done;
        }
        self.imply_head();
        Again
    }

    pub fn start_in_head(&mut self, start: StartTag) -> Outcome {
        match start.tag {
            HTML => self.start_in_body(start),
            HEAD => Done,
            NOSCRIPT => {
                self.insert_block(start);
                self.mode = Mode::InHeadNoscript;
                Done
            }
            tag if is(tag, IN_HEAD) => self.start_of_head(start),
            _ => {
                self.leave_head();
                Again
            }
        }
    }

    /// Elements of the head, wherever they are.
    pub fn start_of_head(&mut self, start: StartTag) -> Outcome {
        match start.tag {
            TITLE => self.insert_raw(start, Content::EscapableRawText),
            STYLE | NOFRAMES => self.insert_raw(start, Content::RawText),
            SCRIPT => self.insert_raw(start, Content::Script),
            TEMPLATE => self.start_template(start),
            _ => self.insert_void(start),
        }
        Done
    }

    fn start_template(&mut self, start: StartTag) {
        self.frameset_ok = false;
        if let Some(template) = self.insert(start) {
            self.document.templates.push(template);
            self.formatting.add_marker();
            self.mode = Mode::InTemplate;
            self.template_modes.push(Mode::InTemplate);
        }
    }

    pub fn end_template(&mut self) -> Outcome {
        if self.open.contains(TEMPLATE) {
            self.imply_end_tags_thoroughly();
            self.close_template();
        }
        Done
    }

    /// Close the innermost template and return to the mode around it.
    pub fn close_template(&mut self) {
        self.pop_until(TEMPLATE);
        self.formatting.clear_to_marker();
        self.template_modes.pop();
        self.reset_mode();
    }

    pub fn end_in_head(&mut self, tag: Tag) -> Outcome {
        match tag {
            TEMPLATE => self.end_template(),
            HEAD => {
                self.leave_head();
                Done
            }
            BODY | HTML | BR => {
                self.leave_head();
                Again
            }
            _ => Done,
        }
    }

    pub fn start_in_head_noscript(&mut self, start: StartTag) -> Outcome {
        match start.tag {
            HTML => self.start_in_body(start),
            BASEFONT | BGSOUND | LINK | META | NOFRAMES | STYLE => self.start_of_head(start),
            HEAD | NOSCRIPT => Done,
            _ => {
                self.leave_head_noscript();
                Again
            }
        }
    }

    pub fn end_in_head_noscript(&mut self, tag: Tag) -> Outcome {
        if !matches!(tag, NOSCRIPT | BR) {
            return Done;
        }
        self.leave_head_noscript();
        if tag == BR {
            Again
        } else {
            Done
        }
    }

    pub fn start_after_head(&mut self, start: StartTag) -> Outcome {
        match start.tag {
            HTML => return self.start_in_body(start),
            HEAD => {}
            BODY => {
                self.insert_block(start);
                self.frameset_ok = false;
                self.mode = Mode::InBody;
            }
            FRAMESET => {
                self.insert_block(start);
                self.mode = Mode::InFrameset;
            }
            tag if is(tag, IN_HEAD) => self.insert_into_head(start),
            _ => {
                self.imply_body();
                return Again;
            }
        }
        Done
    }

    /// Elements of the head that come after it go into it.
    fn insert_into_head(&mut self, start: StartTag) {
        let head = self.head;
        self.document.leave_order();
        self.push(OpenElement::html(head, HEAD));
        self.start_of_head(start);
        if let Some(position) = self.open.position_of(head) {
            self.remove_open(position);
        }
    }

    pub fn end_after_head(&mut self, tag: Tag) -> Outcome {
        match tag {
            TEMPLATE => self.end_template(),
            BODY | HTML | BR => {
                self.imply_body();
                Again
            }
            _ => Done,
        }
    }
}
