//! The document: headings, paragraphs, lists, tables and so on, made of spans of text.
//!
//! Texts are parts of one buffer and spans are parts of one list, so that building a document allocates little. The
//! marks of a span are a set, not nested: `<b><i>a</i></b>` and `<i><b>a</b></i>` are the same.
#![forbid(unsafe_code)]

use super::callouts::CalloutKind;
use std::ops::Range;
use std::rc::Rc;

/// A part of the text of a document, or of its list of spans.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// The first byte, or span.
    pub start: usize,
    /// One past the last.
    pub end: usize,
}

impl Part {
    /// The part as a range.
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }

    /// Whether there is nothing in it.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// Marks that are either there or not: bits of `Marks::flags`, from the outermost to the innermost.
pub mod mark {
    /// The reading of the ruby text before it.
    pub const READING: u8 = 1 << 0;
    /// Bold.
    pub const STRONG: u8 = 1 << 1;
    /// Italic.
    pub const EMPHASIS: u8 = 1 << 2;
    /// Struck out.
    pub const DELETED: u8 = 1 << 3;
    /// Inside quotation marks.
    pub const QUOTED: u8 = 1 << 4;
    /// Lowered.
    pub const SUBSCRIPT: u8 = 1 << 5;
    /// Raised.
    pub const SUPERSCRIPT: u8 = 1 << 6;
    /// Code.
    pub const CODE: u8 = 1 << 7;
}

/// Inline formatting of a span.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// The link target: a number in `Document::addresses`, 0 for none.
    pub link: u32,
    /// Row of the ruby annotation it belongs to; 0 for none.
    pub ruby: i32,
    /// Bits of `mark`.
    pub flags: u8,
}

impl Marks {
    /// Whether a mark is there.
    pub fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }
}

/// What a span is. The numbers are those of `SpanKind` in Python.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpanKind {
    /// Text.
    Text = 1,
    /// A line break; its text is a newline.
    LineBreak = 2,
    /// An image: alternative text and address.
    Image = 3,
    /// LaTeX of a formula amid text.
    Formula = 4,
    /// The number of a footnote.
    Note = 5,
    /// LaTeX of a formula with a line of its own.
    DisplayFormula = 6,
    /// The box of a task, `[ ]` or `[x]`, and a blank.
    Task = 7,
}

impl SpanKind {
    /// Whether the text is LaTeX.
    pub fn is_formula(self) -> bool {
        matches!(self, SpanKind::Formula | SpanKind::DisplayFormula)
    }
}

/// Inline content with the same marks throughout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// What it shows.
    pub text: Part,
    /// Its formatting.
    pub marks: Marks,
    /// What it is.
    pub kind: SpanKind,
    /// The address of an image, a number in `Document::addresses`; else 0.
    pub address: u32,
}

/// Language and writing direction of a text; empty where they are those of the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Locale<'a> {
    /// `en`, `pt-BR`.
    pub language: &'a str,
    /// `ltr`, `rtl` or `auto`.
    pub direction: &'static str,
}

/// A piece of the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// A heading.
    Heading {
        /// 1 to 6.
        level: i32,
        /// Its text.
        spans: Part,
        /// A number in `Document::locales`.
        locale: usize,
    },
    /// Running text.
    Paragraph {
        /// The text.
        spans: Part,
        /// A number in `Document::locales`.
        locale: usize,
    },
    /// Preformatted text.
    Code {
        /// Verbatim.
        text: Part,
        /// The name that the page gives; empty if none.
        language: Part,
    },
    /// A block quotation.
    Quote(Vec<Node>),
    /// A note, a tip or a warning that the page sets apart.
    Callout {
        /// What it is.
        kind: CalloutKind,
        /// What stands above it; empty if nothing does.
        title: Vec<Node>,
        /// What it says.
        children: Vec<Node>,
    },
    /// A list, numbered or not.
    List(List),
    /// A list of definitions.
    Definitions(Vec<Definition>),
    /// A data table.
    Table(Table),
    /// Images, or other content in a figure, with or without a caption.
    Figure {
        /// What is shown.
        children: Vec<Node>,
        /// What stands below.
        caption: Vec<Node>,
    },
    /// Readers' comments.
    Comments(Vec<Node>),
}

impl Default for Node {
    /// A paragraph without text, which takes the place of a node that has moved.
    fn default() -> Self {
        Node::Paragraph { spans: Part::default(), locale: 0 }
    }
}

impl Node {
    /// The nodes in it, in the order of the text; none for headings, paragraphs and code.
    pub fn inner_nodes(&self) -> Box<dyn Iterator<Item = &Node> + '_> {
        match self {
            Node::Heading { .. } | Node::Paragraph { .. } | Node::Code { .. } => Box::new([].iter()),
            Node::Quote(children) | Node::Comments(children) => Box::new(children.iter()),
            Node::Callout { title, children, .. } => Box::new(title.iter().chain(children)),
            Node::List(list) => Box::new(list.items.iter().flat_map(|item| &item.children)),
            Node::Definitions(definitions) => Box::new(definitions.iter().flat_map(Definition::parts).flatten()),
            Node::Table(table) => {
                let cells = table.rows.iter().flatten();
                Box::new(table.caption.iter().chain(cells.flat_map(|cell| &cell.children)))
            }
            Node::Figure { children, caption } => Box::new(children.iter().chain(caption)),
        }
    }
}

/// A list item; `number` is the one an ordered list shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// What is in it.
    pub children: Vec<Node>,
    /// What an ordered list shows before it.
    pub number: i32,
}

/// A list, numbered or not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct List {
    /// At least one.
    pub items: Vec<Item>,
    /// Whether the items are numbered.
    pub is_ordered: bool,
}

/// Terms and their descriptions; either may be missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Definition {
    /// What is defined.
    pub terms: Vec<Vec<Node>>,
    /// What it means.
    pub descriptions: Vec<Vec<Node>>,
}

impl Definition {
    /// Terms, then descriptions.
    pub fn parts(&self) -> impl Iterator<Item = &Vec<Node>> {
        self.terms.iter().chain(&self.descriptions)
    }
}

/// A table cell; one that spans several rows or columns is at the first of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// What is in it.
    pub children: Vec<Node>,
    /// Its column, from 0.
    pub column: usize,
    /// Whether it is a `<th>`.
    pub is_header: bool,
    /// How many columns it spans.
    pub columns: usize,
    /// How many rows it spans.
    pub rows: usize,
}

/// Rows of cells from left to right. Empty cells are included, unless another cell spans their position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// The rows.
    pub rows: Vec<Vec<Cell>>,
    /// Number of columns.
    pub width: usize,
    /// What stands above the table.
    pub caption: Vec<Node>,
    /// Number of header rows at the top.
    pub header_rows: usize,
    /// One entry per column.
    pub alignments: Vec<Alignment>,
}

/// How a column of a table is aligned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Alignment {
    /// As the reader likes.
    #[default]
    None,
    /// To the left.
    Left,
    /// In the middle.
    Center,
    /// To the right.
    Right,
}

/// A footnote. Labels are unique in a document, and made of letters and digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// What references show.
    pub label: Part,
    /// What it says.
    pub children: Vec<Node>,
}

/// The kept content of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document<'a> {
    /// All texts, in no particular order.
    pub text: String,
    /// The spans of all headings and paragraphs.
    pub spans: Vec<Span>,
    /// Link targets and addresses of images; the first is empty.
    pub addresses: Vec<Rc<str>>,
    /// Locales of headings and paragraphs; the first is that of the page, and empty.
    pub locales: Vec<Locale<'a>>,
    /// The title of the page, whether or not it is kept as a heading.
    pub title: &'a str,
    /// Whether one of the first headings is the title.
    pub has_title: bool,
    /// Language and direction of the page.
    pub locale: Locale<'a>,
    /// The content.
    pub children: Vec<Node>,
    /// Footnotes.
    pub notes: Vec<Note>,
}

impl Document<'_> {
    /// A part of the text.
    pub fn text_of(&self, part: Part) -> &str {
        &self.text[part.range()]
    }

    /// Some of the spans.
    pub fn spans_of(&self, part: Part) -> &[Span] {
        &self.spans[part.range()]
    }
}
