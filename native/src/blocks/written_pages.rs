//! Pages for tests, from markup that closes every element it opens.
#![forbid(unsafe_code)]

use super::page_view::{PageView, StringList};
use super::tags::{attribute, set, TAGS};

/// The columns of a page.
#[derive(Debug, Default)]
pub struct WrittenPage {
    tag: Vec<i32>,
    flags: Vec<u16>,
    parent: Vec<i32>,
    subtree_end: Vec<i32>,
    depth: Vec<i32>,
    text: String,
    text_start: Vec<i64>,
    text_length: Vec<i32>,
    hidden: Vec<u8>,
    attribute_start: Vec<i32>,
    attribute_name: Vec<u8>,
    attribute_value: Vec<i32>,
    values: String,
    value_end: Vec<i64>,
    other_tags: Vec<String>,
    joined_tags: String,
    tag_end: Vec<i64>,
}

const SETS: [(u16, &str); 9] = [
    (
        set::BLOCK,
        "html head title body div section article nav p h1 h2 h3 ul ol li dl dt dd table tr td th pre blockquote form \
         button hr figure figcaption",
    ),
    (set::LINK, "a"),
    (set::LINE_BREAK, "br"),
    (set::HEADING, "h1 h2 h3"),
    (set::LIST, "ul ol dl"),
    (set::TABLE, "table"),
    (set::TABLE_ROW, "tr"),
    (set::CELL, "td th"),
    (set::PREFORMATTED, "pre"),
];

const ATTRIBUTES: [(&str, u8); 9] = [
    ("class", attribute::CLASS),
    ("id", attribute::ID),
    ("role", attribute::ROLE),
    ("itemprop", attribute::ITEMPROP),
    ("rel", attribute::REL),
    ("name", attribute::NAME),
    ("property", attribute::PROPERTY),
    ("content", attribute::CONTENT),
    ("colspan", attribute::COLSPAN),
];

const WITHOUT_END: &str = "br hr meta img";

/// Whether a name is one of several.
fn is_among(names: &str, name: &str) -> bool {
    names.split(' ').any(|other| other == name)
}

impl WrittenPage {
    /// The page of some markup inside `<html>`: `<p class=x hidden>text<br></p>`. Values have no blanks: `_` stands for
    /// one. An element with `hidden` is hidden.
    pub fn new(markup: &str) -> Self {
        let mut page = WrittenPage::default();
        let mut open = Vec::new();
        page.start("html", &mut open);
        for piece in markup.split('<') {
            let (tag, text) = piece.split_once('>').unwrap_or(("", piece));
            if tag.starts_with('/') {
                page.end(&mut open);
            } else if !tag.is_empty() {
                page.start(tag, &mut open);
            }
            if !text.is_empty() {
                page.add_row(0, &open);
                page.add_text(text);
            }
        }
        page.end(&mut open);
        assert!(open.is_empty(), "{markup}: an element is not closed");
        page.attribute_start.push(page.attribute_name.len() as i32);
        page
    }

    /// The columns.
    pub fn view(&self) -> PageView<'_> {
        PageView {
            tag: &self.tag,
            flags: &self.flags,
            parent: &self.parent,
            subtree_end: &self.subtree_end,
            depth: &self.depth,
            text: &self.text,
            text_start: &self.text_start,
            text_length: &self.text_length,
            hidden: &self.hidden,
            attribute_start: &self.attribute_start,
            attribute_name: &self.attribute_name,
            attribute_value: &self.attribute_value,
            values: StringList { text: &self.values, end: &self.value_end },
            other_tags: StringList { text: &self.joined_tags, end: &self.tag_end },
        }
    }

    /// Adds an element.
    fn start(&mut self, written: &str, open: &mut Vec<usize>) {
        let mut parts = written.split(' ');
        let name = parts.next().unwrap_or("");
        let code = self.code_of(name);
        let row = self.add_row(code, open);
        for (tag_set, names) in SETS {
            self.flags[row] |= if is_among(names, name) { tag_set } else { 0 };
        }
        for part in parts {
            self.add_attribute(part, row);
        }
        open.push(row);
        if name == "br" {
            self.add_row(0, open);
            self.add_text("\x0B");
        }
        if is_among(WITHOUT_END, name) {
            self.end(open);
        }
    }

    /// Closes the last open element.
    fn end(&mut self, open: &mut Vec<usize>) {
        if let Some(row) = open.pop() {
            self.subtree_end[row] = self.tag.len() as i32;
        }
    }

    /// The number of a tag, a new one if its name is new.
    fn code_of(&mut self, name: &str) -> i32 {
        if let Some(code) = TAGS.iter().position(|tag| *tag == name) {
            return code as i32;
        }
        let known = self.other_tags.iter().position(|tag| tag == name);
        let place = known.unwrap_or_else(|| {
            self.other_tags.push(name.to_string());
            self.joined_tags.push_str(name);
            self.tag_end.push(self.joined_tags.len() as i64);
            self.other_tags.len() - 1
        });
        (TAGS.len() + place) as i32
    }

    /// Adds a row inside the open elements.
    fn add_row(&mut self, tag: i32, open: &[usize]) -> usize {
        let row = self.tag.len();
        let parent = open.last().copied();
        self.tag.push(tag);
        self.flags.push(0);
        self.parent.push(parent.map_or(-1, |parent| parent as i32));
        self.subtree_end.push(row as i32 + 1);
        self.depth.push(open.len() as i32);
        self.text_start.push(self.text.len() as i64);
        self.text_length.push(0);
        self.hidden.push(parent.map_or(0, |parent| self.hidden[parent]));
        self.attribute_start.push(self.attribute_name.len() as i32);
        row
    }

    /// Gives the last row a text.
    fn add_text(&mut self, text: &str) {
        self.text.push_str(text);
        let row = self.tag.len() - 1;
        self.text_length[row] = text.trim().chars().count() as i32;
    }

    /// Gives an element an attribute.
    fn add_attribute(&mut self, written: &str, row: usize) {
        let (name, value) = written.split_once('=').unwrap_or((written, ""));
        if name == "hidden" {
            self.hidden[row] = 1;
        }
        for &(_, code) in ATTRIBUTES.iter().filter(|(known, _)| *known == name) {
            self.attribute_name.push(code);
            self.attribute_value.push(self.value_end.len() as i32);
            self.values.push_str(&value.replace('_', " "));
            self.value_end.push(self.values.len() as i64);
        }
    }
}

/// Markup made at random from some tags and texts, every element closed.
pub fn random_markup(seed: u64) -> String {
    const TAGS: [&str; 16] = [
        "div",
        "p",
        "b",
        "a",
        "ul",
        "li",
        "svg",
        "h1",
        "span hidden",
        "div hidden",
        "table",
        "tr",
        "td",
        "pre",
        "div class=x",
        "p class=y_z",
    ];
    const TEXTS: [&str; 9] = ["one", " two ", "\n", "· ", "3 four", "<br>", "<hr>", "<br>\n<br>", "Fünf, sechs."];
    let mut state = seed.wrapping_mul(2) + 1;
    let mut next = |below: usize| {
        state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        (state >> 33) as usize % below
    };
    let (mut markup, mut open) = (String::new(), Vec::new());
    for _ in 0..next(60) {
        match next(4) {
            0 if open.len() < 12 => {
                let tag = TAGS[next(TAGS.len())];
                markup += &format!("<{tag}>");
                open.push(tag.split(' ').next().unwrap_or(""));
            }
            1 => markup += &open.pop().map_or(String::new(), |tag| format!("</{tag}>")),
            _ => markup += TEXTS[next(TEXTS.len())],
        }
    }
    for tag in open.iter().rev() {
        markup += &format!("</{tag}>");
    }
    markup
}
