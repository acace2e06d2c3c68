//! Writes a tree as the columns of a `Page`.

#![forbid(unsafe_code)]

use super::attributes::{ARIA_HIDDEN, CLASS, HIDDEN, ID, STYLE, TYPE};
use super::bytes::count_characters;
use super::displays::{Display, Displays};
use super::python_text::{strip, strip_start, style_hides};
use super::scripts::{is_formula, is_json_ld};
use super::tag_sets::{self, flags_of};
use super::tags::{self, Tag, BR, COMMENT, TABLE_SIZE, TEXT};
use super::tree::{Document, Node, NodeId, NONE, ROOT};
use crate::columns::{Limits, Page};

/// Stands for `<br>` in the text.
const LINE_SEPARATOR: &[u8] = b"\x0b";

/// JSON-LD starts, within so many characters, with one of these, comments included.
const JSON_START: usize = 200;
const STARTS_JSON: &[u8] = b"{[</";

/// Write all rows of a document; nothing if its source was not UTF-8.
pub fn write(document: Document, limits: &Limits) -> Option<Page> {
    let mut writer = RowWriter::new(&document, limits);
    if document.is_in_order {
        writer.write_rows(1..document.nodes.len() as NodeId);
    } else {
        writer.write_rows(document.in_order());
    }
    let mut page = writer.finish()?;
    page.value_end = document.value_ends;
    page.values = String::from_utf8(document.values).ok()?;
    Some(page)
}

struct RowWriter<'document> {
    document: &'document Document,
    most_attributes: usize,
    depth_limit: i32,
    page: Page,
    /// The strings of the page, until all of them are there.
    text: Vec<u8>,
    embedded_text: Vec<u8>,
    other_tags: Vec<u8>,
    displays: Displays,
    /// The open elements that are shown as boxes though they are inline.
    boxes: Vec<OpenBox>,
    /// Depth of the open element whose white space is exact.
    preformatted: Option<i32>,
    /// The row of each element.
    row_of: Vec<i32>,
    /// The code in the page of each name outside Python's table; -1 until it occurs.
    other_codes: Vec<i32>,
    deepest: i32,
}

/// How the class of the element begins that shows the lines of the editor Monaco.
const LINES_OF_MONACO: &[u8] = b"view-lines";

/// An element that is shown as a box.
struct OpenBox {
    depth: i32,
    row: i32,
    /// Whether its children are boxes, too.
    is_holder: bool,
}

/// What the attributes of an element say about how it is shown.
#[derive(Default)]
struct Appearance<'document> {
    class: &'document [u8],
    id: &'document [u8],
    style: &'document [u8],
    hides: bool,
}

impl<'document> Appearance<'document> {
    /// Look at all attributes of a node once.
    #[inline]
    fn of(document: &'document Document, node: &Node) -> Self {
        let mut appearance = Self::default();
        let mut is_silent = false;
        for attribute in document.kept((node.start, node.end)) {
            match attribute.code {
                CLASS => appearance.class = document.value(attribute.value),
                ID => appearance.id = document.value(attribute.value),
                STYLE => {
                    appearance.style = document.value(attribute.value);
                    appearance.hides |= style_hides(appearance.style);
                }
                HIDDEN => appearance.hides = true,
                ARIA_HIDDEN => is_silent = strip(document.value(attribute.value)).eq_ignore_ascii_case(b"true"),
                _ => (),
            }
        }
        // Monaco reads its lines aloud by itself, but they are all there is to see of the code.
        appearance.hides |= is_silent && !appearance.class.starts_with(LINES_OF_MONACO);
        appearance
    }
}

impl<'document> RowWriter<'document> {
    fn new(document: &'document Document, limits: &Limits) -> Self {
        // A `<br>` makes two rows of one node; most pages have more comments, which make none, than that.
        let size = document.nodes.len() + document.nodes.len() / 16;
        let page = Page {
            tag: Vec::with_capacity(size),
            parent: Vec::with_capacity(size),
            depth: Vec::with_capacity(size),
            text_start: Vec::with_capacity(size),
            text_length: Vec::with_capacity(size),
            hidden: Vec::with_capacity(size),
            attribute_start: Vec::with_capacity(size + 1),
            attribute_name: Vec::with_capacity(document.attributes.len()),
            attribute_value: Vec::with_capacity(document.attributes.len()),
            ..Page::default()
        };
        Self {
            document,
            most_attributes: limits.attributes,
            depth_limit: limits.depth,
            page,
            text: Vec::with_capacity(document.text.len()),
            embedded_text: Vec::new(),
            other_tags: Vec::new(),
            displays: Displays::default(),
            boxes: Vec::new(),
            preformatted: None,
            row_of: vec![-1; document.nodes.len()],
            other_codes: Vec::new(),
            deepest: 0,
        }
    }

    fn write_rows(&mut self, order: impl Iterator<Item = NodeId>) {
        for id in order {
            let node = self.document.node(id);
            match node.tag {
                COMMENT => {}
                TEXT if node.continues => {}
                TEXT => self.write_text(node),
                _ => self.write_element(id, node),
            }
        }
    }

    /// Add a row; the columns that depend on other rows are computed at the end.
    #[inline]
    fn add_row(&mut self, tag: Tag, parent: i32, hides: bool) -> usize {
        let page = &mut self.page;
        let row = page.tag.len();
        let (depth, hidden) = match page.depth.get(parent as usize) {
            Some(depth) => (depth + 1, page.hidden[parent as usize]),
            None => (0, 0),
        };
        self.deepest = self.deepest.max(depth);
        page.tag.push(tag as i32);
        page.parent.push(parent);
        page.depth.push(depth);
        page.text_start.push(self.text.len() as i64);
        page.text_length.push(0);
        page.hidden.push(hidden | u8::from(hides));
        page.attribute_start.push(page.attribute_name.len() as i32);
        row
    }

    #[inline]
    fn write_element(&mut self, id: NodeId, node: &Node) {
        let parent = if node.parent == ROOT { -1 } else { self.row_of[node.parent as usize] };
        let tag = if (node.tag as usize) < TABLE_SIZE { node.tag } else { self.other_code(node.tag) };
        self.close_boxes(parent);
        let (flags, appearance) = (flags_of(node.tag), Appearance::of(self.document, node));
        let display = self.display_of(node.tag, flags, &appearance, parent);
        if display != Display::Inline {
            self.set_apart();
        }
        let keeps_attributes = self.page.attribute_name.len() < self.most_attributes;
        let hides = flags & tag_sets::HIDDEN != 0 || appearance.hides && keeps_attributes;
        let row = self.add_row(tag, parent, hides);
        self.open_box(row, flags, display);
        self.row_of[id as usize] = row as i32;
        if keeps_attributes {
            for attribute in self.document.kept((node.start, node.end)) {
                self.page.attribute_name.push(attribute.code);
                self.page.attribute_value.push(attribute.value as i32);
            }
        }
        if tag == BR {
            let text = self.add_row(TEXT, row as i32, false);
            self.set_text(text, LINE_SEPARATOR);
        }
    }

    /// How an element is shown; inline for block-level ones, which are cut apart anyway, unless their children are boxes.
    #[inline]
    fn display_of(&self, tag: Tag, flags: u16, appearance: &Appearance, parent: i32) -> Display {
        let name = tags::NAMES.get(tag as usize).map_or(&b""[..], |name| name.as_bytes());
        let own = self.displays.of(name, appearance.class, appearance.id, appearance.style);
        // Boxes inside the parent were closed before: if the parent is one, it is the last.
        let is_in_holder = || self.boxes.last().map_or(false, |open| open.is_holder && open.row == parent);
        match own {
            Some(Display::Holder) => Display::Holder,
            _ if flags & tag_sets::BLOCK != 0 || tag == BR => Display::Inline,
            _ if is_in_holder() => Display::Box,
            other => other.unwrap_or(Display::Inline),
        }
    }

    /// Notes that an element is a box, a holder of boxes, or preformatted.
    #[inline]
    fn open_box(&mut self, row: usize, flags: u16, display: Display) {
        let depth = self.page.depth[row];
        if display != Display::Inline {
            self.boxes.push(OpenBox { depth, row: row as i32, is_holder: display == Display::Holder });
        }
        if self.preformatted.is_none() && flags & tag_sets::PREFORMATTED != 0 {
            self.preformatted = Some(depth);
        }
    }

    /// Closes the boxes that end before a new child of some row.
    #[inline]
    fn close_boxes(&mut self, parent: i32) {
        if self.boxes.is_empty() && self.preformatted.is_none() {
            return;
        }
        let depth = if parent < 0 { 0 } else { self.page.depth[parent as usize] + 1 };
        while self.boxes.last().map_or(false, |open| open.depth >= depth) {
            self.boxes.pop();
            self.set_apart();
        }
        self.preformatted = self.preformatted.filter(|&open| open < depth);
    }

    /// Separates what follows from the text before it, except where white space is exact.
    fn set_apart(&mut self) {
        let is_white = |byte: &u8| byte.is_ascii_whitespace() || *byte == LINE_SEPARATOR[0];
        if self.preformatted.is_none() && !self.text.last().map_or(true, is_white) {
            self.text.push(b' ');
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
            self.other_tags.extend_from_slice(self.document.names.name(tag));
            self.page.other_tag_end.push(self.other_tags.len() as i64);
        }
        self.other_codes[index] as Tag
    }

    #[inline]
    fn write_text(&mut self, node: &Node) {
        let parent = self.row_of[node.parent as usize];
        self.close_boxes(parent);
        let row = self.add_row(TEXT, parent, false);
        let bytes = &self.document.text[node.start as usize..node.end as usize];
        if node.next == NONE || !self.document.node(node.next).continues {
            return self.place_text(row, bytes);
        }
        let mut whole = bytes.to_vec();
        let mut next = self.document.node(node.next);
        while next.continues {
            whole.extend_from_slice(&self.document.text[next.start as usize..next.end as usize]);
            match next.next {
                NONE => break,
                after => next = self.document.node(after),
            }
        }
        self.place_text(row, &whole);
    }

    /// Text goes to the page, unless it is that of a script or style sheet.
    #[inline]
    fn place_text(&mut self, row: usize, text: &[u8]) {
        let owner = self.page.parent[row];
        if owner >= 0 && flags_of(self.page.tag[owner as usize] as Tag) & tag_sets::RAW_TEXT != 0 {
            self.take_out(owner as usize, text);
        } else {
            self.set_text(row, text);
        }
    }

    #[inline]
    fn set_text(&mut self, row: usize, text: &[u8]) {
        self.text.extend_from_slice(text);
        self.page.text_length[row] = count_characters(strip(text)) as i32;
    }

    /// Keep a text that later parts read apart from the page's, and drop others.
    fn take_out(&mut self, owner: usize, text: &[u8]) {
        let is_style = self.page.tag[owner] == tags::STYLE as i32;
        if is_style {
            self.displays.read(text);
        }
        if is_style || is_formula(self.type_of(owner)) || starts_json(text) && is_json_ld(self.type_of(owner)) {
            self.page.embedded_row.push(owner as i32);
            self.embedded_text.extend_from_slice(text);
            self.page.embedded_end.push(self.embedded_text.len() as i64);
        }
    }

    /// The `type` of an element that has just been written, or the empty string.
    fn type_of(&self, row: usize) -> &[u8] {
        let first = self.page.attribute_start[row] as usize;
        let end = self.page.attribute_start.get(row + 1).map_or(self.page.attribute_name.len(), |&end| end as usize);
        let found = (first..end).find(|&index| self.page.attribute_name[index] == TYPE);
        found.map_or(b"", |index| self.document.value(self.page.attribute_value[index] as u32))
    }

    /// Compute what depends on other rows; nothing if the strings are not UTF-8.
    fn finish(mut self) -> Option<Page> {
        let page = &mut self.page;
        page.attribute_start.push(page.attribute_name.len() as i32);
        page.flags = page.tag.iter().map(|&tag| flags_of(tag as Tag)).collect();
        page.subtree_end = (1..=page.tag.len() as i32).collect();
        for row in (0..page.tag.len()).rev() {
            let (parent, end) = (page.parent[row], page.subtree_end[row]);
            if parent >= 0 && page.subtree_end[parent as usize] < end {
                page.subtree_end[parent as usize] = end;
            }
        }
        page.text = String::from_utf8(self.text).ok()?;
        page.embedded_text = String::from_utf8(self.embedded_text).ok()?;
        page.other_tags = String::from_utf8(self.other_tags).ok()?;
        if self.deepest > self.depth_limit {
            limit_depth(page, self.depth_limit);
        }
        Some(self.page)
    }
}

/// Whether a text may be JSON.
fn starts_json(text: &[u8]) -> bool {
    let start = strip_start(text);
    let skipped = count_characters(&text[..text.len() - start.len()]);
    skipped < JSON_START && start.first().map_or(false, |byte| STARTS_JSON.contains(byte))
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
