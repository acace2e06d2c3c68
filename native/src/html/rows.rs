//! Writes a tree as the columns of a `Page`.

#![forbid(unsafe_code)]

use super::attributes::TYPE;
use super::bytes::{append_part, count_characters};
use super::displays::{Display, Displays};
use super::python_text::{strip_part, strip_start};
use super::scripts::{is_formula, is_json_ld};
use super::tag_sets::{self, flags_of};
use super::tags::{self, Tag, BR, COMMENT, TABLE_SIZE, TEXT};
use super::tree::{Document, Node, NodeId};
use crate::columns::{Limits, Page};
use crate::stopping::may_stop;
use std::ops::Range;

/// Stands for `<br>` in the text.
const LINE_SEPARATOR: char = '\x0b';

/// JSON-LD starts, within so many characters, with one of these, comments included.
const JSON_START: usize = 200;
const STARTS_JSON: &[u8] = b"{[</";

/// Write all rows of a document.
pub fn write(document: Document, limits: &Limits) -> Page {
    let mut writer = RowWriter::new(&document, limits);
    if document.is_in_order() {
        writer.write_rows((0..).zip(&document.nodes).skip(1));
    } else {
        writer.write_rows(document.in_order().map(|id| (id, document.node(id))));
    }
    let mut page = writer.finish();
    page.value_end = document.attributes.value_ends;
    page.values = document.attributes.values;
    page
}

struct RowWriter<'document> {
    document: &'document Document<'document>,
    most_attributes: usize,
    depth_limit: i32,
    page: Page,
    /// The rows, until they become columns.
    rows: Vec<Row>,
    /// The attributes of the last rows, from where to where in the document: the page gets them all at once.
    stretch: (u32, u32),
    /// The strings of the page, until all of them are there.
    text: String,
    embedded_text: String,
    other_tags: String,
    displays: Displays,
    /// The open elements that are shown as boxes though they are inline.
    boxes: Vec<OpenBox>,
    /// Depth of the open element whose white space is exact.
    preformatted: Option<i32>,
    /// Depth of the deepest box or preformatted element that is open; -1 if there is none.
    deepest_open: i32,
    /// What each element, by its node, hands down; `Descent::TOP` until it has a row.
    descents: Vec<Descent>,
    /// The code in the page of each name outside Python's table; -1 until it occurs.
    other_codes: Vec<i32>,
}

/// What the columns say of one row: written in one place.
#[derive(Clone, Copy)]
struct Row {
    text_start: i64,
    tag: i32,
    parent: i32,
    depth: i32,
    text_length: i32,
    attribute_start: i32,
    flags: u16,
    is_hidden: bool,
}

/// What a new row has from its parent.
#[derive(Clone, Copy)]
struct Descent {
    parent: i32,
    depth: i32,
    is_hidden: bool,
    /// Whether its text is that of a script or style sheet.
    is_raw: bool,
}

impl Descent {
    /// From the document itself.
    const TOP: Self = Self { parent: -1, depth: 0, is_hidden: false, is_raw: false };
}

/// An element that is shown as a box.
struct OpenBox {
    depth: i32,
    row: i32,
    /// Whether its children are boxes, too.
    is_holder: bool,
}

impl<'document> RowWriter<'document> {
    fn new(document: &'document Document<'document>, limits: &Limits) -> Self {
        // A `<br>` makes two rows of one node; most pages have more comments, which make none, than that.
        let size = document.nodes.len() + document.nodes.len() / 16;
        let page = Page {
            attribute_name: Vec::with_capacity(document.attributes.list.len()),
            attribute_value: Vec::with_capacity(document.attributes.list.len()),
            ..Page::default()
        };
        Self {
            document,
            most_attributes: limits.attributes,
            depth_limit: limits.depth,
            page,
            rows: Vec::with_capacity(size),
            stretch: (0, 0),
            // Line breaks and boxes add a character each.
            text: String::with_capacity(document.text_length + document.nodes.len()),
            embedded_text: String::new(),
            other_tags: String::new(),
            displays: Displays::for_values(document.attributes.value_ends.len()),
            boxes: Vec::new(),
            preformatted: None,
            deepest_open: -1,
            descents: vec![Descent::TOP; document.nodes.len()],
            other_codes: Vec::new(),
        }
    }

    fn write_rows(&mut self, order: impl Iterator<Item = (NodeId, &'document Node)>) {
        for (id, node) in order {
            may_stop();
            match node.tag {
                COMMENT => {}
                TEXT if node.continues => {}
                TEXT => self.write_text(id, node),
                _ => self.write_element(id, node),
            }
        }
    }

    /// What the row of a node has from its parent. Whatever ended before it is closed.
    #[inline(always)]
    fn descend(&mut self, node: &Node) -> Descent {
        let descent = self.descents[node.parent as usize];
        if descent.depth <= self.deepest_open {
            self.close_boxes(descent.depth);
        }
        descent
    }

    /// Add a row; the columns that depend on other rows are computed at the end.
    #[inline(always)]
    fn add_row(&mut self, tag: Tag, flags: u16, descent: Descent, text_length: i32) -> i32 {
        let row = self.rows.len() as i32;
        self.rows.push(Row {
            text_start: self.text.len() as i64,
            tag: tag as i32,
            parent: descent.parent,
            depth: descent.depth,
            text_length,
            attribute_start: self.attributes() as i32,
            flags,
            is_hidden: descent.is_hidden,
        });
        row
    }

    #[inline(always)]
    fn write_element(&mut self, id: NodeId, node: &Node) {
        let tag = if (node.tag as usize) < TABLE_SIZE { node.tag } else { self.other_code(node.tag) };
        let Descent { parent, depth, is_hidden, .. } = self.descend(node);
        let flags = flags_of(node.tag);
        let (own_display, hides) = self.displays.of_element(self.document, node);
        let display = self.display_of(node.tag, flags, own_display, parent);
        if display != Display::Inline {
            self.set_apart();
        }
        let keeps_attributes = self.attributes() < self.most_attributes;
        let is_hidden = is_hidden | (flags & tag_sets::HIDDEN != 0) | (hides & keeps_attributes);
        let row = self.add_row(tag, flags, Descent { parent, depth, is_hidden, is_raw: false }, 0);
        let inner = Descent { parent: row, depth: depth + 1, is_hidden, is_raw: flags & tag_sets::RAW_TEXT != 0 };
        self.descents[id as usize] = inner;
        if display != Display::Inline || flags & tag_sets::PREFORMATTED != 0 {
            self.open_box(row, depth, flags, display);
        }
        if keeps_attributes && node.start < node.end {
            self.add_attributes(node);
        }
        if tag == BR {
            self.add_row(TEXT, 0, inner, 0);
            self.text.push(LINE_SEPARATOR);
        }
    }

    /// The number of attributes that rows have so far.
    #[inline]
    fn attributes(&self) -> usize {
        self.page.attribute_name.len() + (self.stretch.1 - self.stretch.0) as usize
    }

    /// Give the last row the attributes of a node: nearly always, they follow those before them.
    #[inline]
    fn add_attributes(&mut self, node: &Node) {
        if node.start != self.stretch.1 {
            self.copy_attributes();
            self.stretch.0 = node.start;
        }
        self.stretch.1 = node.end;
    }

    /// Copy the attributes that the page does not have yet.
    fn copy_attributes(&mut self) {
        let attributes = self.document.attributes.within(self.stretch);
        self.page.attribute_name.extend(attributes.iter().map(|attribute| attribute.code));
        self.page.attribute_value.extend(attributes.iter().map(|attribute| attribute.value as i32));
        self.stretch.0 = self.stretch.1;
    }

    /// How an element is shown; inline for block-level ones, which are cut apart anyway, unless their children are boxes.
    #[inline]
    fn display_of(&self, tag: Tag, flags: u16, own: Option<Display>, parent: i32) -> Display {
        // Boxes inside the parent were closed before: if the parent is one, it is the last.
        let is_in_holder = || self.boxes.last().is_some_and(|open| open.is_holder && open.row == parent);
        match own {
            // So for most elements.
            None if self.boxes.is_empty() => Display::Inline,
            Some(Display::Holder) => Display::Holder,
            _ if flags & tag_sets::BLOCK != 0 || tag == BR => Display::Inline,
            _ if is_in_holder() => Display::Box,
            other => other.unwrap_or(Display::Inline),
        }
    }

    /// Notes that an element is a box, a holder of boxes, or preformatted.
    #[inline(never)]
    fn open_box(&mut self, row: i32, depth: i32, flags: u16, display: Display) {
        if display != Display::Inline {
            self.boxes.push(OpenBox { depth, row, is_holder: display == Display::Holder });
        }
        if self.preformatted.is_none() && flags & tag_sets::PREFORMATTED != 0 {
            self.preformatted = Some(depth);
        }
        self.note_deepest_open();
    }

    /// Closes the boxes that end before a new row of some depth.
    #[inline(never)]
    fn close_boxes(&mut self, depth: i32) {
        while self.boxes.last().is_some_and(|open| open.depth >= depth) {
            self.boxes.pop();
            self.set_apart();
        }
        self.preformatted = self.preformatted.filter(|&open| open < depth);
        self.note_deepest_open();
    }

    fn note_deepest_open(&mut self) {
        let deepest_box = self.boxes.last().map_or(-1, |open| open.depth);
        self.deepest_open = deepest_box.max(self.preformatted.unwrap_or(-1));
    }

    /// Separates what follows from the text before it, except where white space is exact.
    fn set_apart(&mut self) {
        let is_white = |&byte: &u8| byte.is_ascii_whitespace() || byte == LINE_SEPARATOR as u8;
        if self.preformatted.is_none() && !self.text.as_bytes().last().is_none_or(is_white) {
            self.text.push(' ');
        }
    }

    /// The code of a name outside Python's table: names get theirs in the order in which they occur.
    fn other_code(&mut self, tag: Tag) -> Tag {
        let index = tag as usize - TABLE_SIZE;
        if self.other_codes.len() <= index {
            self.other_codes.resize(index + 1, -1);
        }
        if self.other_codes[index] < 0 {
            self.other_codes[index] = (TABLE_SIZE + self.page.other_tag_end.len()) as i32;
            self.other_tags.push_str(self.document.names.name(tag));
            self.page.other_tag_end.push(self.other_tags.len() as i64);
        }
        self.other_codes[index] as Tag
    }

    #[inline(always)]
    fn write_text(&mut self, id: NodeId, node: &Node) {
        let document = self.document;
        if !document.is_in_order() && document.goes_on(id) {
            return self.write_whole_text(id, node);
        }
        let (all, part) = document.place_of(node);
        self.place_text(node, all, part);
    }

    /// Write a text together with those that go on with it.
    #[inline(never)]
    fn write_whole_text(&mut self, id: NodeId, node: &Node) {
        let whole = self.whole_text(id);
        self.place_text(node, &whole, 0..whole.len());
    }

    /// A text and those that go on with it.
    fn whole_text(&self, mut part: NodeId) -> String {
        let document = self.document;
        let mut whole = document.text_of(document.node(part)).to_string();
        while document.goes_on(part) {
            part = document.links(part).next;
            whole.push_str(document.text_of(document.node(part)));
        }
        whole
    }

    /// A text, which is part of another, goes to the page, unless it is that of a script or style sheet.
    #[inline(always)]
    fn place_text(&mut self, node: &Node, all: &str, part: Range<usize>) {
        let descent = self.descend(node);
        if descent.is_raw {
            self.add_row(TEXT, 0, descent, 0);
            return self.take_out(descent.parent, &all[part]);
        }
        self.add_row(TEXT, 0, descent, count_characters(strip_part(all.as_bytes(), part.clone())) as i32);
        append_part(&mut self.text, all, part);
    }

    /// Keep a text that later parts read apart from the page's, and drop others.
    #[inline(never)]
    fn take_out(&mut self, owner: i32, text: &str) {
        let is_style = self.rows[owner as usize].tag == tags::STYLE as i32;
        if is_style {
            self.displays.read(text.as_bytes());
        }
        let script_type = self.type_of(owner as usize);
        if is_style || is_formula(script_type) || starts_json(text.as_bytes()) && is_json_ld(script_type) {
            self.page.embedded_row.push(owner);
            self.embedded_text.push_str(text);
            self.page.embedded_end.push(self.embedded_text.len() as i64);
        }
    }

    /// The `type` of an element with rows in it, or the empty string.
    fn type_of(&mut self, row: usize) -> &'document [u8] {
        self.copy_attributes();
        let (first, end) = (self.rows[row].attribute_start as usize, self.rows[row + 1].attribute_start as usize);
        let found = (first..end).find(|&index| self.page.attribute_name[index] == TYPE);
        found.map_or(b"", |index| self.document.attributes.value(self.page.attribute_value[index] as u32))
    }

    /// Make columns of the rows.
    fn finish(mut self) -> Page {
        self.copy_attributes();
        let (mut page, rows) = (self.page, self.rows);
        reserve_rows(&mut page, rows.len());
        rows.chunks(ROWS_AT_ONCE).for_each(|rows| add_rows(&mut page, rows));
        page.attribute_start.push(page.attribute_name.len() as i32);
        page.subtree_end = subtree_ends(&page.parent);
        page.text = self.text;
        page.embedded_text = self.embedded_text;
        page.other_tags = self.other_tags;
        if page.depth.iter().fold(0, |deepest, &depth| depth.max(deepest)) > self.depth_limit {
            limit_depth(&mut page, self.depth_limit);
        }
        page
    }
}

/// Rows that become columns at once: so few that they are in the processor's fastest memory while one column after the
/// other gets its part of them.
const ROWS_AT_ONCE: usize = 256;

/// Make room in the columns for so many rows.
fn reserve_rows(page: &mut Page, rows: usize) {
    page.tag.reserve_exact(rows);
    page.flags.reserve_exact(rows);
    page.parent.reserve_exact(rows);
    page.depth.reserve_exact(rows);
    page.text_start.reserve_exact(rows);
    page.text_length.reserve_exact(rows);
    page.hidden.reserve_exact(rows);
    page.attribute_start.reserve_exact(rows + 1);
}

/// Add rows to the columns.
fn add_rows(page: &mut Page, rows: &[Row]) {
    page.tag.extend(rows.iter().map(|row| row.tag));
    page.flags.extend(rows.iter().map(|row| row.flags));
    page.parent.extend(rows.iter().map(|row| row.parent));
    page.depth.extend(rows.iter().map(|row| row.depth));
    page.text_start.extend(rows.iter().map(|row| row.text_start));
    page.text_length.extend(rows.iter().map(|row| row.text_length));
    page.hidden.extend(rows.iter().map(|row| u8::from(row.is_hidden)));
    page.attribute_start.extend(rows.iter().map(|row| row.attribute_start));
}

/// One past the last row of each subtree.
fn subtree_ends(parents: &[i32]) -> Vec<i32> {
    let size = parents.len();
    let mut ends: Vec<i32> = (1..=size as i32).collect();
    let all = &mut ends[..size];
    for row in (0..size).rev() {
        let (end, parent) = (all[row], parents[row] as usize);
        if parent < size {
            all[parent] = end.max(all[parent]);
        }
    }
    ends
}

/// Whether a text may be JSON.
fn starts_json(text: &[u8]) -> bool {
    let start = strip_start(text);
    let skipped = count_characters(&text[..text.len() - start.len()]);
    skipped < JSON_START && start.first().is_some_and(|byte| STARTS_JSON.contains(byte))
}

/// Make everything deeper than the limit a child of the last element above it, so that every line of ancestors is short.
fn limit_depth(page: &mut Page, limit: i32) {
    for row in 0..page.depth.len() {
        let parent = page.parent[row];
        if parent >= 0 && page.depth[parent as usize] >= limit {
            page.parent[row] = page.parent[parent as usize];
            page.depth[row] = limit;
        }
    }
}
