//! What a page says about how its inline elements are shown: as boxes of their own, or within the line.
//!
//! `£45` and `30 days` in two `<span>`s are two words if a style makes blocks of them, or their parent a flex box. Read are
//! the `style` of an element, the page's own style sheets (simple selectors: `.class`, `#id`, `tag`), and the classes of
//! Tailwind and Bootstrap that say the same.
#![forbid(unsafe_code)]

use super::attributes::{ARIA_HIDDEN, CLASS, HIDDEN, ID, STYLE};
use super::bytes::{find_any, find_space, skip_class, SPACE};
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
}

impl Default for Displays {
    fn default() -> Self {
        let classes = Rules { marks: Marks::KNOWN, ..Rules::default() };
        Self { classes, ids: Rules::default(), tags: Rules::default(), read: 0 }
    }
}

impl Displays {
    /// Reads one more style sheet, as far as the bound on all of them allows.
    pub fn read(&mut self, sheet: &[u8]) {
        let sheet = &sheet[..sheet.len().min(MOST_BYTES - self.read)];
        self.read += sheet.len();
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
    pub fn of_element(&self, document: &Document, node: &Node) -> (Option<Display>, bool) {
        // Many elements have no attributes, and most pages no rule for a tag.
        if node.start == node.end && self.tags.is_empty() {
            return (None, false);
        }
        self.of_described(document, node)
    }

    /// The same for an element that has attributes, or may have a rule for its tag.
    #[inline(never)]
    fn of_described(&self, document: &Document, node: &Node) -> (Option<Display>, bool) {
        let Appearance { class, id, style, hides } = Appearance::of(document, node);
        let tag = NAMES.get(node.tag as usize).map_or("", |name| *name);
        (self.of(tag.as_bytes(), class, id, style), hides)
    }

    /// How an element is shown, given its tag, class, id and style.
    #[inline]
    fn of(&self, tag: &[u8], class: Classes, id: &[u8], style: &[u8]) -> Option<Display> {
        let mut display = if style.is_empty() { None } else { display_in(style) };
        if display.is_none() && !(id.is_empty() || self.ids.is_empty()) {
            display = self.ids.get(id);
        }
        if display.is_none() && class.length > 0 {
            display = self.of_classes(class);
        }
        if display.is_none() && !self.tags.is_empty() {
            display = self.tags.get(tag);
        }
        display
    }

    /// How an element of these classes is shown: by the first with a rule, or else by the first with a known meaning.
    #[inline(never)]
    fn of_classes(&self, classes: Classes) -> Option<Display> {
        let Classes { written, length } = classes;
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

/// The classes of an element.
#[derive(Clone, Copy, Default)]
struct Classes<'document> {
    /// The value of the attribute, and what follows it in the document.
    written: &'document [u8],
    /// The length of the value.
    length: usize,
}

impl Classes<'_> {
    fn begin_with(&self, name: &[u8]) -> bool {
        self.written[..self.length].starts_with(name)
    }
}

/// What the attributes of an element say about how it is shown.
#[derive(Default)]
struct Appearance<'document> {
    class: Classes<'document>,
    id: &'document [u8],
    style: &'document [u8],
    hides: bool,
}

impl<'document> Appearance<'document> {
    /// Look at all attributes of a node once.
    #[inline]
    fn of(document: &'document Document<'document>, node: &Node) -> Self {
        let mut appearance = Self::default();
        let (mut is_silent, mut is_hidden) = (false, false);
        let attributes = &document.attributes;
        for attribute in attributes.within((node.start, node.end)) {
            match attribute.code {
                CLASS => {
                    let place = attributes.place_of_value(attribute.value);
                    let written = &attributes.values.as_bytes()[place.start..];
                    appearance.class = Classes { written, length: place.len() };
                }
                ID => appearance.id = attributes.value(attribute.value),
                STYLE => {
                    appearance.style = attributes.value(attribute.value);
                    appearance.hides |= style_hides(appearance.style);
                }
                HIDDEN => is_hidden = true,
                ARIA_HIDDEN => is_silent = is_true(attributes.value(attribute.value)),
                _ => (),
            }
        }
        appearance.hides |= is_hidden && !is_part(appearance.id);
        // Monaco reads its lines aloud by itself, but they are all there is to see of the code.
        appearance.hides |= is_silent && !appearance.class.begin_with(LINES_OF_MONACO);
        appearance
    }
}

/// Whether the value of an attribute is true. Not a part of `Appearance::of`, where few attributes need it.
#[inline(never)]
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
    let declarations = String::from_utf8_lossy(declarations);
    let pairs = declarations.split(';').filter_map(|declaration| declaration.split_once(':'));
    let (_, value) = pairs.rev().find(|(name, _)| name.trim().eq_ignore_ascii_case("display"))?;
    let value = value.split('!').next().unwrap_or("").trim();
    let is_one_of = |values: &[&str]| values.iter().any(|known| value.eq_ignore_ascii_case(known));
    match () {
        _ if is_one_of(&BOXES) => Some(Display::Box),
        _ if is_one_of(&HOLDERS) => Some(Display::Holder),
        _ if value.eq_ignore_ascii_case("inline") => Some(Display::Inline),
        _ => None,
    }
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
    use super::*;

    #[test]
    fn displays_of_elements() {
        let mut displays = Displays::default();
        let sheet = "@import 'x'; /* a */ .price, span#days { color: red; Display: Block !important } \
            @media print { .term { display: block } } #row{display:flex} .a .b{display:block} em{display:grid}";
        displays.read(sheet.as_bytes());
        let cases = [
            (("span", "big price", "", ""), Some(Display::Box)),
            (("span", "term", "", ""), None),
            (("div", "", "row", ""), Some(Display::Holder)),
            (("b", "b", "", ""), None),
            (("em", "", "", ""), Some(Display::Holder)),
            (("em", "", "", "display:inline"), Some(Display::Inline)),
            (("a", "inline-block px-2", "", ""), Some(Display::Box)),
            (("a", "", "", "color:red;display:table-cell"), Some(Display::Box)),
            (("a", "", "", "display:none"), None),
        ];
        for ((tag, class, id, style), expected) in cases {
            let written = format!("{}grid flex", class);
            let classes = Classes { written: written.as_bytes(), length: class.len() };
            let found = displays.of(tag.as_bytes(), classes, id.as_bytes(), style.as_bytes());
            assert_eq!(found, expected, "{tag} {class} {id} {style}");
        }
        displays.read(b"} } { .x{display:block");
    }
}
