//! The state of the tree builder, and the tokens' way to the rules.

#![forbid(unsafe_code)]

use super::active_formatting::ActiveFormatting;
use super::document::{Document, NodeId, NONE, ROOT};
use super::namespaces::Namespace;
use super::open_elements::{OpenElement, OpenElements};
use super::start_tag::StartTag;
use crate::html::attributes::TYPE;
use crate::html::count_tags;
use crate::html::scripts::is_kept;
use crate::html::tags::*;
use crate::html::tokenizer::{Content, Source, TextKind, Token, Tokenizer};
use std::ops::Range;

/// The insertion modes of the standard. "In table text" is `Builder.pending_table_text`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Initial,
    BeforeHtml,
    BeforeHead,
    InHead,
    InHeadNoscript,
    AfterHead,
    InBody,
    Text,
    InTable,
    InCaption,
    InColumnGroup,
    InTableBody,
    InRow,
    InCell,
    InTemplate,
    AfterBody,
    InFrameset,
    AfterFrameset,
    AfterAfterBody,
    AfterAfterFrameset,
}

/// What a rule did with a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    Done,
    /// "Reprocess the token": in the mode that is set now.
    Again,
}

/// Elements per `<` from which formatting elements are read as ordinary ones. Of 27,527 pages of all ages none has more
/// than 1.1; implied elements (`<table><td>`) make at most three of one.
const MOST_ELEMENTS_A_TAG: usize = 4;

/// Elements that any page may have beyond that: so few cost nothing.
const FREE_ELEMENTS: usize = 1_000;

/// How far unclosed formatting elements, which html reopens in every block, may multiply a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Growth {
    /// Up to `MOST_ELEMENTS_A_TAG`, and so many reopened elements; building stops where there are more.
    Bounded { reopened: usize },
    /// Not at all: they are read as ordinary elements.
    None,
}

/// How many elements the tags of a page allow. Tags are counted as far as its elements ask for it: most pages have so few
/// that none are.
struct Allowance<'source> {
    elements: usize,
    uncounted: &'source [u8],
}

impl<'source> Allowance<'source> {
    /// Bytes in which tags are counted at once.
    const STEP: usize = 1 << 12;

    fn of(source: &'source [u8], growth: Growth) -> Self {
        match growth {
            Growth::Bounded { .. } => Self { elements: FREE_ELEMENTS, uncounted: source },
            Growth::None => Self { elements: usize::MAX, uncounted: source },
        }
    }

    /// Whether a page may have so many elements.
    #[inline(always)]
    fn permits(&mut self, elements: usize) -> bool {
        elements <= self.elements || self.permits_after_counting(elements)
    }

    fn permits_after_counting(&mut self, elements: usize) -> bool {
        while elements > self.elements && !self.uncounted.is_empty() {
            let (counted, uncounted) = self.uncounted.split_at(self.uncounted.len().min(Self::STEP));
            self.elements += MOST_ELEMENTS_A_TAG * count_tags(counted);
            self.uncounted = uncounted;
        }
        elements <= self.elements
    }
}

/// A finished tree.
pub struct Built<'source> {
    pub document: Document<'source>,
    /// The page has more elements than `Growth` allows; the tree is not complete.
    pub has_multiplied: bool,
    /// Elements and list entries that were looked at or moved: the work besides reading the source once.
    pub steps: u64,
}

pub(super) struct Builder<'source> {
    pub source: &'source Source<'source>,
    pub document: Document<'source>,
    pub open: OpenElements,
    pub formatting: ActiveFormatting,
    pub mode: Mode,
    /// Where to return to after raw text.
    pub original_mode: Mode,
    pub template_modes: Vec<Mode>,
    pub head: NodeId,
    pub form: NodeId,
    pub frameset_ok: bool,
    pub foster_parenting: bool,
    pub is_quirky: bool,
    pub skips_line_feed: bool,
    pub pending_table_text: String,
    pub without_nul: String,
    pub growth: Growth,
    pub reopened: usize,
    pub has_multiplied: bool,
    /// What the tokenizer shall read next.
    pub content: Option<(Content, Tag)>,
}

/// Build the tree of a page.
pub fn build<'source>(source: &'source Source, growth: Growth) -> Built<'source> {
    let mut tokenizer = Tokenizer::of_source(source);
    let mut builder = Builder::new(source, growth);
    let mut allowance = Allowance::of(source.text.as_bytes(), growth);
    while !builder.has_multiplied {
        let open = &builder.open;
        let token = tokenizer.next(&mut builder.document.attributes, || open.is_in_foreign_content());
        if token == Token::EndOfFile {
            break;
        }
        builder.process(token, &mut tokenizer);
        if !allowance.permits(builder.document.elements_at_insertion) {
            builder.has_multiplied = true;
        }
    }
    builder.end_of_file();
    builder.has_multiplied |= !allowance.permits(builder.document.elements_at_insertion);
    let steps = builder.open.steps();
    Built { document: builder.document, has_multiplied: builder.has_multiplied, steps }
}

impl<'source> Builder<'source> {
    fn new(source: &'source Source, growth: Growth) -> Self {
        Self {
            source,
            document: Document::new(&source.text),
            open: OpenElements::new(),
            formatting: ActiveFormatting::default(),
            mode: Mode::Initial,
            original_mode: Mode::Initial,
            template_modes: Vec::new(),
            head: NONE,
            form: NONE,
            frameset_ok: true,
            foster_parenting: false,
            is_quirky: false,
            skips_line_feed: false,
            pending_table_text: String::new(),
            without_nul: String::new(),
            growth,
            reopened: 0,
            has_multiplied: false,
            content: None,
        }
    }

    #[inline(always)]
    fn process(&mut self, token: Token, tokenizer: &mut Tokenizer) {
        match token {
            Token::Text { kind: TextKind::Raw, .. } if self.is_in_unread_script() => {
                self.document.add_unread_text(self.open.current().map_or(ROOT, |script| script.node));
            }
            Token::Text { span, kind } => self.text(tokenizer.text_characters(&span, kind)),
            Token::StartTag { name, code, attributes, self_closing } => {
                self.end_text();
                let tag = code.unwrap_or_else(|| self.document.names.other_code(tokenizer.written(&name)));
                let attributes_start = name.end as u32;
                self.start_tag(StartTag { tag, attributes, self_closing, attributes_start });
                if let Some((content, tag)) = self.content.take() {
                    tokenizer.switch_to(content, NAMES[tag as usize].as_bytes());
                }
            }
            Token::EndTag { name, code } => {
                self.end_text();
                let tag = code.unwrap_or_else(|| self.document.names.existing_code(tokenizer.written(&name)));
                self.end_tag(tag);
            }
            Token::Comment(span) => {
                self.end_text();
                self.comment(&span);
            }
            Token::Doctype => {
                self.end_text();
                self.doctype(tokenizer);
            }
            Token::EndOfFile => {}
        }
    }

    /// Markup ends the text before it.
    #[inline(always)]
    fn end_text(&mut self) {
        if !self.pending_table_text.is_empty() {
            self.flush_table_text();
        }
        self.skips_line_feed = false;
    }

    /// Whether the text of the current element is a script that no page keeps.
    fn is_in_unread_script(&self) -> bool {
        match self.open.current() {
            Some(script) if self.mode == Mode::Text && script.is(SCRIPT) => {
                let node = self.document.node(script.node);
                !is_kept(self.document.attributes.value_of((node.start, node.end), TYPE).unwrap_or(b""))
            }
            _ => false,
        }
    }

    #[inline]
    fn start_tag(&mut self, start: StartTag) {
        if self.is_foreign_start(&start) {
            return self.foreign_start_tag(start);
        }
        self.html_start_tag(start);
    }

    /// A start tag by the rules of the insertion modes: nearly always those of the body.
    #[inline(always)]
    pub fn html_start_tag(&mut self, start: StartTag) {
        if self.mode == Mode::InBody && self.start_in_body(start) == Outcome::Done {
            return;
        }
        while self.start_tag_in_mode(start) == Outcome::Again {}
    }

    fn start_tag_in_mode(&mut self, start: StartTag) -> Outcome {
        match self.mode {
            Mode::InBody | Mode::Text => self.start_in_body(start),
            Mode::Initial => self.leave_initial(),
            Mode::BeforeHtml => self.start_before_html(start),
            Mode::BeforeHead => self.start_before_head(start),
            Mode::InHead => self.start_in_head(start),
            Mode::InHeadNoscript => self.start_in_head_noscript(start),
            Mode::AfterHead => self.start_after_head(start),
            Mode::InTable => self.start_in_table(start),
            Mode::InCaption => self.start_in_caption(start),
            Mode::InColumnGroup => self.start_in_column_group(start),
            Mode::InTableBody => self.start_in_table_body(start),
            Mode::InRow => self.start_in_row(start),
            Mode::InCell => self.start_in_cell(start),
            Mode::InTemplate => self.start_in_template(start),
            Mode::AfterBody | Mode::AfterAfterBody => self.start_after_body(start),
            Mode::InFrameset => self.start_in_frameset(start),
            Mode::AfterFrameset | Mode::AfterAfterFrameset => self.start_after_frameset(start),
        }
    }

    #[inline]
    fn end_tag(&mut self, tag: Tag) {
        if self.open.is_in_foreign_content() && self.foreign_end_tag(tag) == Outcome::Done {
            return;
        }
        self.html_end_tag(tag);
    }

    /// An end tag by the rules of the insertion modes.
    #[inline]
    pub fn html_end_tag(&mut self, tag: Tag) {
        while self.end_tag_in_mode(tag) == Outcome::Again {}
    }

    #[inline]
    fn end_tag_in_mode(&mut self, tag: Tag) -> Outcome {
        match self.mode {
            Mode::InBody => self.end_in_body(tag),
            Mode::Text => self.leave_text(),
            Mode::Initial => self.leave_initial(),
            Mode::BeforeHtml => self.end_before_html(tag),
            Mode::BeforeHead => self.end_before_head(tag),
            Mode::InHead => self.end_in_head(tag),
            Mode::InHeadNoscript => self.end_in_head_noscript(tag),
            Mode::AfterHead => self.end_after_head(tag),
            Mode::InTable => self.end_in_table(tag),
            Mode::InCaption => self.end_in_caption(tag),
            Mode::InColumnGroup => self.end_in_column_group(tag),
            Mode::InTableBody => self.end_in_table_body(tag),
            Mode::InRow => self.end_in_row(tag),
            Mode::InCell => self.end_in_cell(tag),
            Mode::InTemplate => self.end_in_template(tag),
            Mode::AfterBody | Mode::AfterAfterBody => self.end_after_body(tag),
            Mode::InFrameset => self.end_in_frameset(tag),
            Mode::AfterFrameset | Mode::AfterAfterFrameset => self.end_after_frameset(tag),
        }
    }

    /// The end of raw text: "text" insertion mode.
    pub fn leave_text(&mut self) -> Outcome {
        self.pop();
        self.mode = self.original_mode;
        Outcome::Done
    }

    /// A comment keeps texts apart. Outside of `<html>` and after the body there are none.
    fn comment(&mut self, span: &Range<usize>) {
        match self.mode {
            Mode::Initial | Mode::BeforeHtml | Mode::AfterBody | Mode::AfterAfterBody | Mode::AfterAfterFrameset
                if !self.open.is_in_foreign_content() => {}
            _ => {
                let place = self.place();
                self.document.add_comment(place, span);
            }
        }
    }

    /// Reset the insertion mode: to that of the innermost element that has one.
    pub fn reset_mode(&mut self) {
        let found = self.open.innermost(|element| mode_of(element).is_some());
        self.mode = match found.map(|index| self.open.as_slice()[index]) {
            Some(element) if element.is(TEMPLATE) => self.template_modes.last().copied().unwrap_or(Mode::InBody),
            Some(element) if element.is(HTML) && self.head == NONE => Mode::BeforeHead,
            Some(element) => mode_of(&element).unwrap_or(Mode::InBody),
            None => Mode::InBody,
        };
    }
}

/// The insertion mode that an element stands for when the mode is reset.
fn mode_of(element: &OpenElement) -> Option<Mode> {
    if element.namespace != Namespace::Html {
        return None;
    }
    Some(match element.tag {
        TD | TH => Mode::InCell,
        TR => Mode::InRow,
        TBODY | THEAD | TFOOT => Mode::InTableBody,
        CAPTION => Mode::InCaption,
        COLGROUP => Mode::InColumnGroup,
        TABLE => Mode::InTable,
        TEMPLATE => Mode::InTemplate,
        HEAD => Mode::InHead,
        BODY => Mode::InBody,
        FRAMESET => Mode::InFrameset,
        HTML => Mode::AfterHead,
        _ => return None,
    })
}
