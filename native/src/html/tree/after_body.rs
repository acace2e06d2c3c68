//! The insertion modes of templates, framesets, and after the body.

#![forbid(unsafe_code)]

use super::builder::{Builder, Mode, Outcome};
use super::start_tag::StartTag;
use crate::html::tags::*;
use Outcome::{Again, Done};

impl Builder<'_> {
    /// "In template" insertion mode: the first tag decides what the template is part of.
    pub fn start_in_template(&mut self, start: StartTag) -> Outcome {
        if is(start.tag, IN_HEAD) {
            return self.start_of_head(start);
        }
        let mode = match start.tag {
            CAPTION | COLGROUP | TBODY | TFOOT | THEAD => Mode::InTable,
            COL => Mode::InColumnGroup,
            TR => Mode::InTableBody,
            TD | TH => Mode::InRow,
            _ => Mode::InBody,
        };
        self.template_modes.pop();
        self.template_modes.push(mode);
        self.mode = mode;
        Again
    }

    pub fn end_in_template(&mut self, tag: Tag) -> Outcome {
        match tag {
            TEMPLATE => self.end_template(),
            _ => Done,
        }
    }

    /// "After body" and "after after body": anything but the end leads back into the body.
    pub fn start_after_body(&mut self, start: StartTag) -> Outcome {
        if start.tag == HTML {
            return self.start_in_body(start);
        }
        self.mode = Mode::InBody;
        Again
    }

    pub fn end_after_body(&mut self, tag: Tag) -> Outcome {
        if self.mode == Mode::AfterBody && tag == HTML {
            self.mode = Mode::AfterAfterBody;
            return Done;
        }
        self.mode = Mode::InBody;
        Again
    }

    pub fn start_in_frameset(&mut self, start: StartTag) -> Outcome {
        match start.tag {
            HTML => return self.start_in_body(start),
            FRAMESET => self.insert_block(start),
            FRAME => self.insert_void(start),
            NOFRAMES => return self.start_of_head(start),
            _ => {}
        }
        Done
    }

    pub fn end_in_frameset(&mut self, tag: Tag) -> Outcome {
        if tag == FRAMESET && self.open.len() > 1 {
            self.pop();
            if !self.open.current_is(FRAMESET) {
                self.mode = Mode::AfterFrameset;
            }
        }
        Done
    }

    pub fn start_after_frameset(&mut self, start: StartTag) -> Outcome {
        match start.tag {
            HTML => self.start_in_body(start),
            NOFRAMES => self.start_of_head(start),
            _ => Done,
        }
    }

    pub fn end_after_frameset(&mut self, tag: Tag) -> Outcome {
        if tag == HTML && self.mode == Mode::AfterFrameset {
            self.mode = Mode::AfterAfterFrameset;
        }
        Done
    }
}
