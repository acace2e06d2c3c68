//! Start tags in the body.

#![forbid(unsafe_code)]

use super::builder::{Builder, Growth, Mode, Outcome};
use super::document::NONE;
use super::namespaces::Namespace;
use super::start_tag::StartTag;
use crate::html::attributes::TYPE;
use crate::html::tags::*;
use crate::html::tokenizer::Content;
use Outcome::Done;

impl Builder<'_> {
    /// Whether a formatting element is read as an ordinary one.
    pub fn reads_as_ordinary(&self, tag: Tag) -> bool {
        self.growth == Growth::None && is(tag, PILES_UP)
    }

    /// "In body" insertion mode.
    #[inline]
    pub fn start_in_body(&mut self, start: StartTag) -> Outcome {
        match start.tag {
            tag if is(tag, CLOSES_PARAGRAPH) => self.start_block(start),
            tag if is(tag, IN_HEAD) => return self.start_of_head(start),
            tag if self.reads_as_ordinary(tag) => self.start_ordinary(start),
            A => self.start_link(start),
            tag if is(tag, PILES_UP) => {
                self.reconstruct_formatting();
                self.insert_formatting(start);
            }
            HTML | BODY | FRAMESET => self.start_again(start),
            LI => self.start_item(start, &[LI]),
            DD | DT => self.start_item(start, &[DD, DT]),
            H1 | H2 | H3 | H4 | H5 | H6 => self.start_heading(start),
            PRE | LISTING => {
                self.start_block(start);
                self.skips_line_feed = true;
                self.frameset_ok = false;
            }
            FORM => self.start_form(start),
            BUTTON => self.start_button(start),
            NOBR => self.start_nobr(start),
            APPLET | MARQUEE | OBJECT => self.start_object(start),
            TABLE => self.start_table(start),
            XMP | IFRAME | NOEMBED | TEXTAREA | PLAINTEXT => self.start_raw(start),
            SELECT | OPTION | OPTGROUP => self.start_choice(start),
            RB | RTC => self.start_ruby_part(start, NO_TAG),
            RP | RT => self.start_ruby_part(start, RTC),
            MATH => self.start_foreign(start, Namespace::MathMl),
            SVG => self.start_foreign(start, Namespace::Svg),
            AREA | BR | EMBED | IMG | IMAGE | KEYGEN | WBR | INPUT | HR | PARAM | SOURCE | TRACK => {
                self.start_void(start);
            }
            CAPTION | COL | COLGROUP | FRAME | HEAD | TBODY | TD | TFOOT | TH | THEAD | TR => {}
            _ => self.start_ordinary(start),
        }
        Done
    }

    #[inline]
    fn start_block(&mut self, start: StartTag) {
        self.close_paragraph();
        self.insert_block(start);
    }

    #[inline]
    fn start_ordinary(&mut self, start: StartTag) {
        self.reconstruct_formatting();
        self.insert_block(start);
    }

    /// `<html>` and `<body>` give the ones that are there more attributes; a `<frameset>` may replace the body.
    fn start_again(&mut self, start: StartTag) {
        let body = self.open.as_slice().get(1).filter(|element| element.is(BODY)).map(|element| element.node);
        match (start.tag, body) {
            (HTML, _) if !self.open.contains(TEMPLATE) => {
                let html = self.open.as_slice()[0].node;
                self.document.add_missing_attributes(html, start.attributes);
            }
            (BODY, Some(body)) if !self.open.contains(TEMPLATE) => {
                self.frameset_ok = false;
                self.document.add_missing_attributes(body, start.attributes);
            }
            (FRAMESET, Some(body)) if self.frameset_ok => {
                self.document.detach(body);
                self.truncate_open(1);
                self.insert_block(start);
                self.mode = Mode::InFrameset;
            }
            _ => {}
        }
    }

    fn start_heading(&mut self, start: StartTag) {
        self.close_paragraph();
        if matches!(self.open.current(), Some(current) if current.namespace == Namespace::Html && is_heading(current.tag))
        {
            self.pop();
        }
        self.insert_block(start);
    }

    fn start_form(&mut self, start: StartTag) {
        let in_template = self.open.contains(TEMPLATE);
        if self.form != NONE && !in_template {
            return;
        }
        self.close_paragraph();
        if let (Some(form), false) = (self.insert(start), in_template) {
            self.form = form;
        }
    }

    /// An item closes the one before, unless a block is open in it.
    fn start_item(&mut self, start: StartTag, closed: &[Tag]) {
        self.frameset_ok = false;
        let found = if closed.iter().any(|&tag| self.open.contains(tag)) {
            self.open.innermost(|element| {
                element.is_one_of(closed) || element.is_special() && !element.is_one_of(&[ADDRESS, DIV, P])
            })
        } else {
            None
        };
        if let Some(item) = found.map(|index| self.open.as_slice()[index]).filter(|element| element.is_one_of(closed)) {
            self.imply_end_tags_except(item.tag);
            self.pop_until(item.tag);
        }
        self.start_block(start);
    }

    fn start_button(&mut self, start: StartTag) {
        if self.open.in_scope(BUTTON) {
            self.imply_end_tags();
            self.pop_until(BUTTON);
        }
        self.start_ordinary(start);
        self.frameset_ok = false;
    }

    /// A link closes the one before.
    fn start_link(&mut self, start: StartTag) {
        if let Some(entry) = self.formatting.find_tag(A) {
            let node = self.formatting.get(entry).node;
            self.run_adoption_agency(A);
            if let Some(entry) = self.formatting.find_node(node) {
                self.formatting.remove(entry);
            }
            if let (true, Some(position)) = (self.document.node(node).is_open, self.open.position_of(node)) {
                self.remove_open(position);
            }
        }
        self.reconstruct_formatting();
        self.insert_formatting(start);
    }

    fn start_nobr(&mut self, start: StartTag) {
        self.reconstruct_formatting();
        if self.open.in_scope(NOBR) {
            self.run_adoption_agency(NOBR);
            self.reconstruct_formatting();
        }
        self.insert_formatting(start);
    }

    fn start_object(&mut self, start: StartTag) {
        self.reconstruct_formatting();
        if self.insert(start).is_some() {
            self.formatting.add_marker();
        }
        self.frameset_ok = false;
    }

    fn start_table(&mut self, start: StartTag) {
        if !self.is_quirky {
            self.close_paragraph();
        }
        if self.insert(start).is_some() {
            self.mode = Mode::InTable;
        }
        self.frameset_ok = false;
    }

    /// Elements whose content is text.
    fn start_raw(&mut self, start: StartTag) {
        if matches!(start.tag, XMP | PLAINTEXT) {
            self.close_paragraph();
        }
        if start.tag == XMP {
            self.reconstruct_formatting();
        }
        self.frameset_ok &= matches!(start.tag, NOEMBED | PLAINTEXT);
        self.skips_line_feed = start.tag == TEXTAREA;
        let content = match start.tag {
            TEXTAREA => Content::EscapableRawText,
            PLAINTEXT => Content::PlainText,
            _ => Content::RawText,
        };
        self.insert_raw(start, content);
    }

    /// `<select>`, `<optgroup>` and `<option>`.
    fn start_choice(&mut self, start: StartTag) {
        let in_select = self.open.in_scope(SELECT);
        match start.tag {
            SELECT if in_select => return self.pop_until(SELECT),
            SELECT => self.frameset_ok = false,
            OPTION if in_select => self.imply_end_tags_except(OPTGROUP),
            OPTGROUP if in_select => self.imply_end_tags(),
            _ if self.open.current_is(OPTION) => {
                self.pop();
            }
            _ => {}
        }
        self.start_ordinary(start);
    }

    fn start_ruby_part(&mut self, start: StartTag, spared: Tag) {
        if self.open.in_scope(RUBY) {
            self.imply_end_tags_except(spared);
        }
        self.insert_block(start);
    }

    fn start_foreign(&mut self, start: StartTag, namespace: Namespace) {
        self.reconstruct_formatting();
        self.insert_foreign(start, namespace);
    }

    /// Elements that are always empty.
    fn start_void(&mut self, start: StartTag) {
        match start.tag {
            PARAM | SOURCE | TRACK => return self.insert_void(start),
            HR => {
                self.close_paragraph();
                if self.open.in_scope(SELECT) {
                    self.imply_end_tags();
                }
                self.frameset_ok = false;
                return self.insert_void(start);
            }
            INPUT if self.open.in_scope(SELECT) => self.pop_until(SELECT),
            _ => {}
        }
        self.reconstruct_formatting();
        let tag = if start.tag == IMAGE { IMG } else { start.tag };
        self.insert_void(StartTag { tag, ..start });
        self.frameset_ok &= start.tag == INPUT && self.is_hidden_input(&start);
    }

    pub fn is_hidden_input(&self, start: &StartTag) -> bool {
        self.document
            .attributes
            .value_of(start.attributes, TYPE)
            .is_some_and(|value| value.eq_ignore_ascii_case(b"hidden"))
    }
}
