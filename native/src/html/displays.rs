//! What a page says about how its inline elements are shown: as boxes of their own, or within the line.
//!
//! `£45` and `30 days` in two `<span>`s are two words if a style makes blocks of them, or their parent a flex box. Read are
//! the `style` of an element, the page's own style sheets (simple selectors: `.class`, `#id`, `tag`), and the classes of
//! Tailwind and Bootstrap that say the same.
#![forbid(unsafe_code)]

use super::attributes::{ARIA_HIDDEN, CLASS, HIDDEN, ID, STYLE};
use super::bytes::{find_any, find_space, skip_class, SPACE};
use super::kept_attributes::KeptAttributes;
use super::python_text::{strip, style_hides};
use super::streamed_parts::is_part;
use super::tags::NAMES;
use super::tree::{Document, Node};
use std::collections::HashMap;

/// Bytes of style sheets that are read.
const MOST_BYTES: usize = 50_000;
/// Rules that are kept.
const MOST_RULES: usize = 2_000;
/// Classes of an element that are looked up.
const MOST_CLASSES: usize = 16;
/// Values of `display` that make a box of an element.
const BOXES: [&str; 6] = ["block", "inline-block", "table", "table-cell", "list-item", "flow-root"];
/// Values that make boxes of its children as well.
const HOLDERS: [&str; 4] = ["flex", "inline-flex", "grid", "inline-grid"];
/// Classes with the meaning of their names, whatever the style sheet that defines them: those of Tailwind and Bootstrap, of
/// the labels of tabs (VitePress, Material for MkDocs), and of the entries of LaTeXML's bibliographies.
const KNOWN_CLASSES: [(&[u8], Display); 14] = [
    (b"flex", Display::Holder),
    (b"inline-flex", Display::Holder),
    (b"grid", Display::Holder),
    (b"d-flex", Display::Holder),
    (b"d-inline-flex", Display::Holder),
    (b"d-grid", Display::Holder),
    (b"block", Display::Box),
    (b"inline-block", Display::Box),
    (b"d-block", Display::Box),
    (b"d-inline-block", Display::Box),
    (b"tabs", Display::Holder),
    (b"tabbed-labels", Display::Holder),
    (b"ltx_bibblock", Display::Box),
    (b"ltx_tag_bibitem", Display::Box),
];

/// Id of the text of WeChat's articles, which is hidden until a script has counted it.
const TEXT_OF_WECHAT: &[u8] = b"js_content";

/// How an element is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Display {
    /// Within the line.
    Inline,
    /// As a box.
    Box,
    /// As a box whose children are boxes.
    Holder,
}

/// Rules for names of one kind.
#[derive(Debug, Default)]
struct Rules {
    displays: HashMap<Vec<u8>, Display>,
    marks: Marks,
}

impl Rules {
    /// Adds a rule, if there is room.
    fn add(&mut self, name: &[u8], display: Display) {
        if self.displays.len() < MOST_RULES {
            self.displays.insert(name.to_vec(), display);
            self.marks.add(name);
        }
    }

    /// The display of a name.
    fn get(&self, name: &[u8]) -> Option<Display> {
        if name.is_empty() || !self.marks.may_have(name) {
            return None;
        }
        self.displays.get(name).copied()
    }

    fn is_empty(&self) -> bool {
        self.displays.is_empty()
    }
}

/// A bit for the mark of each of some names: most names that are looked up have another one, and need no hash.
#[derive(Clone, Debug, Default)]
struct Marks([u64; Marks::WORDS]);

impl Marks {
    const WORDS: usize = 16;

    /// The marks of the known classes.
    const KNOWN: Self = {
        let (mut marks, mut index) = (Self([0; Self::WORDS]), 0);
        while index < KNOWN_CLASSES.len() {
            let mark = Self::of(KNOWN_CLASSES[index].0);
            marks.0[mark / 64] |= 1 << (mark % 64);
            index += 1;
        }
        marks
    };

    fn add(&mut self, name: &[u8]) {
        let mark = Self::of(name);
        self.0[mark / 64] |= 1 << (mark % 64);
    }

    /// Whether a name may be one of them.
    #[inline(always)]
    fn may_have(&self, name: &[u8]) -> bool {
        let mark = Self::of(name);
        self.0[mark / 64] >> (mark % 64) & 1 != 0
    }

    /// A number below 1,024 of the first and last letter of a name, and its length.
    #[inline(always)]
    const fn of(name: &[u8]) -> usize {
        match *name {
            // Letters differ in their lower five bits.
            [first, .., last] => (first as usize ^ (last as usize) << 5 ^ name.len() << 2) % (64 * Self::WORDS),
            _ => 0,
        }
    }
}

/// The displays that the style sheets of a page give, by class, id and tag.
#[derive(Debug)]
pub struct Displays {
    /// Marked are the known classes, too.
    classes: Rules,
    ids: Rules,
    tags: Rules,
    read: usize,
    /// Style sheets so far, and one more.
    sheets: u32,
    /// One entry per value of an attribute: elements share most of their classes and styles.
    known: Vec<Known>,
}

/// What is known of a value.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    /// How elements of these classes are shown by so many style sheets; 0 if nobody asked.
    sheets: u32,
    of_classes: Option<Display>,
    /// What it says as a style, if anybody asked.
    of_style: Option<Style>,
}

/// What a style says.
#[derive(Clone, Copy, Debug, Default)]
struct Style {
    display: Option<Display>,
    hides: bool,
}

impl Style {
    fn of(declarations: &[u8]) -> Self {
        Self { display: display_in(declarations), hides: style_hides(declarations) }
    }
}

impl Displays {
    /// Those of a page without style sheets, with so many values of attributes.
    pub fn for_values(values: usize) -> Self {
        Self {
            classes: Rules { marks: Marks::KNOWN, ..Rules::default() },
            ids: Rules::default(),
            tags: Rules::default(),
            read: 0,
            sheets: 1,
            known: vec![Known::default(); values],
        }
    }

    /// Reads one more style sheet, as far as the bound on all of them allows.
    pub fn read(&mut self, sheet: &[u8]) {
        let sheet = &sheet[..sheet.len().min(MOST_BYTES - self.read)];
        self.read += sheet.len();
        self.sheets += 1;
        let (mut depth, mut start, mut selectors): (usize, usize, &[u8]) = (0, 0, b"");
        loop {
            // Between rules a semicolon ends `@import` and the like; within them it means nothing here.
            let other = if depth == 0 { b';' } else { b'}' };
            let place = find_any(sheet, start, [b'{', b'}', other]);
            match sheet.get(place) {
                None => return,
                Some(b'{') => {
                    if depth == 0 {
                        selectors = &sheet[start..place];
                    }
                    depth += 1;
                }
                Some(b'}') => {
                    // What stands within `@media` and the like depends on the screen.
                    if depth == 1 && !selectors.contains(&b'@') {
                        self.add(selectors, &sheet[start..place]);
                    }
                    depth = depth.saturating_sub(1);
                }
                Some(_) => (),
            }
            start = place + 1;
        }
    }

    /// Adds a rule, if it says how something is shown.
    fn add(&mut self, selectors: &[u8], declarations: &[u8]) {
        let display = match display_in(declarations) {
            Some(display) => display,
            None => return,
        };
        let selectors = String::from_utf8_lossy(selectors);
        let after_comment = selectors.rsplit("*/").next().unwrap_or("");
        for selector in after_comment.split(',').map(str::trim) {
            let is_name =
                |character: char| character.is_ascii_alphanumeric() || matches!(character, '-' | '_' | '.' | '#');
            let is_simple = !selector.is_empty() && selector.chars().all(is_name);
            let marks = selector.chars().skip(1).filter(|character| matches!(character, '.' | '#')).count();
            if !is_simple || marks > 0 {
                continue;
            }
            let (rules, name) = match selector.as_bytes()[0] {
                b'.' => (&mut self.classes, &selector[1..]),
                b'#' => (&mut self.ids, &selector[1..]),
                _ => (&mut self.tags, selector),
            };
            rules.add(name.as_bytes(), display);
        }
    }

    /// How an element is shown, if anything says so, and whether its attributes hide it.
    #[inline]
    pub fn of_element(&mut self, document: &Document, node: &Node) -> (Option<Display>, bool) {
        // Many elements have no attributes, and most pages no rule for a tag.
        if node.start == node.end && self.tags.is_empty() {
            return (None, false);
        }
        self.of_described(document, node)
    }

    /// The same for an element that has attributes, or may have a rule for its tag.
    #[inline(never)]
    fn of_described(&mut self, document: &Document, node: &Node) -> (Option<Display>, bool) {
        // Most elements are shown by their classes alone.
        let (mut class, mut has_other) = (None, !(self.ids.is_empty() && self.tags.is_empty()));
        for attribute in document.attributes.within((node.start, node.end)) {
            match attribute.code {
                CLASS => class = Some(attribute.value),
                STYLE | HIDDEN | ARIA_HIDDEN => has_other = true,
                _ => (),
            }
        }
        if has_other {
            return self.of_all(document, node);
        }
        (class.and_then(|class| self.of_value(&document.attributes, class)), false)
    }

    /// The same by all that may tell.
    #[inline(never)]
    fn of_all(&mut self, document: &Document, node: &Node) -> (Option<Display>, bool) {
        let attributes = &document.attributes;
        let (mut class, mut id, mut style) = (None, &b""[..], Style::default());
        let (mut is_silent, mut is_hidden) = (false, false);
        for attribute in attributes.within((node.start, node.end)) {
            match attribute.code {
                CLASS => class = Some(attribute.value),
                ID => id = attributes.value(attribute.value),
                STYLE => style = self.of_style(attributes, attribute.value),
                HIDDEN => is_hidden = true,
                ARIA_HIDDEN => is_silent = is_true(attributes.value(attribute.value)),
                _ => (),
            }
        }
        // Monaco reads its lines aloud by itself, but they are all there is to see of the code.
        let is_line = || class.is_some_and(|class| attributes.value(class).starts_with(LINES_OF_MONACO));
        let hides = style.hides && id != TEXT_OF_WECHAT || is_hidden && !is_part(id) || is_silent && !is_line();
        let display = (style.display)
            .or_else(|| self.ids.get(id))
            .or_else(|| class.and_then(|class| self.of_value(attributes, class)))
            .or_else(|| self.tags.get(NAMES.get(node.tag as usize).map_or(b"", |name| name.as_bytes())));
        (display, hides)
    }

    /// What a style says, given the number of the value.
    fn of_style(&mut self, attributes: &KeptAttributes, value: u32) -> Style {
        *self.known[value as usize].of_style.get_or_insert_with(|| Style::of(attributes.value(value)))
    }

    /// How an element is shown by its classes, given the number of the value.
    #[inline]
    fn of_value(&mut self, attributes: &KeptAttributes, value: u32) -> Option<Display> {
        let known = self.known[value as usize];
        if known.sheets == self.sheets {
            return known.of_classes;
        }
        let place = attributes.place_of_value(value);
        let length = place.len();
        let of_classes = self.of_classes(&attributes.values.as_bytes()[place.start..], length);
        self.known[value as usize] = Known { sheets: self.sheets, of_classes, ..known };
        of_classes
    }

    /// How an element of classes is shown: by the first with a rule, or else by the first with a known meaning. Given are
    /// the value of the attribute with what follows it, and the length of the value.
    #[inline(never)]
    fn of_classes(&self, written: &[u8], length: usize) -> Option<Display> {
        let (mut meant, mut end) = (None, 0);
        for _ in 0..MOST_CLASSES {
            let start = skip_class(&written[..length], end, SPACE);
            if start == length {
                break;
            }
            end = find_space(written, start..length);
            let name = &written[start..end];
            if self.classes.marks.may_have(name) {
                let rule = self.classes.get(name);
                if rule.is_some() {
                    return rule;
                }
                meant = meant.or_else(|| known(name));
            }
        }
        meant
    }
}

/// How the class of the element begins that shows the lines of the editor Monaco.
const LINES_OF_MONACO: &[u8] = b"view-lines";

/// Whether the value of an attribute is true.
fn is_true(value: &[u8]) -> bool {
    strip(value).eq_ignore_ascii_case(b"true")
}

/// The display of a class with a known meaning.
fn known(class: &[u8]) -> Option<Display> {
    KNOWN_CLASSES.iter().find(|(name, _)| *name == class).map(|&(_, display)| display)
}

/// The display that declarations give; the last one counts.
fn display_in(declarations: &[u8]) -> Option<Display> {
    if !names_display(declarations) {
        return None;
    }
    let mut pairs = declarations.rsplit(|&byte| byte == b';').filter_map(pair_in);
    let is_display = |name: &[u8]| String::from_utf8_lossy(name).trim().eq_ignore_ascii_case("display");
    let (_, value) = pairs.find(|(name, _)| is_display(name))?;
    let value = String::from_utf8_lossy(value.split(|&byte| byte == b'!').next().unwrap_or(&[]));
    let value = value.trim();
    let is_one_of = |values: &[&str]| values.iter().any(|known| value.eq_ignore_ascii_case(known));
    match () {
        _ if is_one_of(&BOXES) => Some(Display::Box),
        _ if is_one_of(&HOLDERS) => Some(Display::Holder),
        _ if value.eq_ignore_ascii_case("inline") => Some(Display::Inline),
        _ => None,
    }
}

/// The name and the value of a declaration, if it has both.
fn pair_in(declaration: &[u8]) -> Option<(&[u8], &[u8])> {
    let colon = declaration.iter().position(|&byte| byte == b':')?;
    Some((&declaration[..colon], &declaration[colon + 1..]))
}

/// Whether declarations have `play` or `PLAY` in them: most do not, and need not be taken apart.
fn names_display(declarations: &[u8]) -> bool {
    let mut from = 0;
    loop {
        // A letter that few properties have.
        let place = find_any(declarations, from, [b'y', b'Y', b'Y']);
        if place == declarations.len() {
            return false;
        }
        if declarations[..=place].ends_with(b"play") || declarations[..=place].ends_with(b"PLAY") {
            return true;
        }
        from = place + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::super::bytes::ByteKinds;
    use super::super::tokenizer::Source;
    use super::super::tree::{build, Growth};
    use super::*;

    /// How the last element of a page is shown, and whether it is hidden, before and after a style sheet is read.
    fn shown(markup: &str, sheet: &str) -> [(Option<Display>, bool); 2] {
        let source = Source::of(markup, ByteKinds::of(markup.as_bytes()));
        let document = build(&source, Growth::None).document;
        let node = document.nodes.last().unwrap();
        let mut displays = Displays::for_values(document.attributes.value_ends.len());
        let before = displays.of_element(&document, node);
        assert_eq!(displays.of_element(&document, node), before, "{markup}");
        displays.read(sheet.as_bytes());
        [before, displays.of_element(&document, node)]
    }

    #[test]
    fn displays_of_elements() {
        let sheet = "@import 'x'; /* a */ .price, span#days { color: red; Display: Block !important } \
            @media print { .term { display: block } } #row{display:flex} .a .b{display:block} em{display:grid}";
        let cases = [
            ("<span class='big price'>", None, Some(Display::Box)),
            ("<span class=term>", None, None),
            ("<div id=row>", None, Some(Display::Holder)),
            ("<b class=b>", None, None),
            ("<em>", None, Some(Display::Holder)),
            ("<em style=display:inline>", Some(Display::Inline), Some(Display::Inline)),
            ("<a class='inline-block px-2'>", Some(Display::Box), Some(Display::Box)),
            ("<a style='color:red;display:table-cell'>", Some(Display::Box), Some(Display::Box)),
            ("<a class=price style=display:none>", None, Some(Display::Box)),
            // The same value, once as classes and once as a style.
            ("<a class=display:grid><a style=display:grid>", Some(Display::Holder), Some(Display::Holder)),
            ("<a style=flex><a class=flex>", Some(Display::Holder), Some(Display::Holder)),
        ];
        for (markup, before, after) in cases {
            let found = shown(markup, sheet).map(|(display, _)| display);
            assert_eq!(found, [before, after], "{markup}");
        }
        shown("<p>", "} } { .x{display:block");
    }

    #[test]
    fn hidden_elements() {
        let cases = [
            ("<p hidden>", true),
            ("<p style=display:none>", true),
            ("<p style=color:red>", false),
            ("<p aria-hidden=' True'>", true),
            ("<p aria-hidden=false>", false),
            ("<p aria-hidden=true class='view-lines x'>", false),
            ("<p class=hidden>", false),
        ];
        for (markup, hides) in cases {
            assert_eq!(shown(markup, "").map(|(_, hides)| hides), [hides; 2], "{markup}");
        }
    }
}
