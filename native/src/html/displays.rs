//! What a page says about how its inline elements are shown: as boxes of their own, or within the line.
//!
//! `£45` and `30 days` in two `<span>`s are two words if a style makes blocks of them, or their parent a flex box. Read are
//! the `style` of an element, the page's own style sheets (simple selectors: `.class`, `#id`, `tag`), and the classes of
//! Tailwind and Bootstrap that say the same.
#![forbid(unsafe_code)]

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
/// Classes with the meaning of their names, whatever the style sheet that defines them.
fn known(class: &str) -> Option<Display> {
    match class {
        "flex" | "inline-flex" | "grid" | "d-flex" | "d-inline-flex" | "d-grid" => Some(Display::Holder),
        "block" | "inline-block" | "d-block" | "d-inline-block" => Some(Display::Box),
        // The entries of LaTeXML's bibliographies.
        "ltx_bibblock" | "ltx_tag_bibitem" => Some(Display::Box),
        _ => None,
    }
}

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

/// The displays that the style sheets of a page give, by class, id and tag.
#[derive(Debug, Default)]
pub struct Displays {
    classes: HashMap<String, Display>,
    ids: HashMap<String, Display>,
    tags: HashMap<String, Display>,
    read: usize,
}

impl Displays {
    /// Reads one more style sheet, as far as the bound on all of them allows.
    pub fn read(&mut self, sheet: &[u8]) {
        let sheet = &sheet[..sheet.len().min(MOST_BYTES - self.read)];
        self.read += sheet.len();
        let sheet = String::from_utf8_lossy(sheet);
        let (mut depth, mut start, mut selectors) = (0usize, 0, "");
        for (place, byte) in sheet.bytes().enumerate() {
            match byte {
                b'{' => {
                    if depth == 0 {
                        selectors = &sheet[start..place];
                    }
                    depth += 1;
                    start = place + 1;
                }
                b'}' => {
                    // What stands within `@media` and the like depends on the screen.
                    if depth == 1 && !selectors.contains('@') {
                        self.add(selectors, &sheet[start..place]);
                    }
                    depth = depth.saturating_sub(1);
                    start = place + 1;
                }
                b';' if depth == 0 => start = place + 1,
                _ => (),
            }
        }
    }

    /// Adds a rule, if it says how something is shown.
    fn add(&mut self, selectors: &str, declarations: &str) {
        let display = match display_in(declarations) {
            Some(display) => display,
            None => return,
        };
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
            if rules.len() < MOST_RULES {
                rules.insert(name.to_string(), display);
            }
        }
    }

    /// How an element is shown, given its tag, class, id and style.
    pub fn of(&self, tag: &str, class: &str, id: &str, style: &str) -> Option<Display> {
        if let Some(display) = display_in(style) {
            return Some(display);
        }
        let rule = |rules: &HashMap<String, Display>, name: &str| {
            if rules.is_empty() || name.is_empty() {
                None
            } else {
                rules.get(name).copied()
            }
        };
        let classes = || class.split_ascii_whitespace().take(MOST_CLASSES);
        rule(&self.ids, id)
            .or_else(|| classes().find_map(|class| rule(&self.classes, class)))
            .or_else(|| classes().find_map(known))
            .or_else(|| rule(&self.tags, tag))
    }
}

/// The display that declarations give; the last one counts.
fn display_in(declarations: &str) -> Option<Display> {
    if !declarations.contains("play") && !declarations.contains("PLAY") {
        return None;
    }
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
            assert_eq!(displays.of(tag, class, id, style), expected, "{tag} {class} {id} {style}");
        }
        displays.read(b"} } { .x{display:block");
    }
}
