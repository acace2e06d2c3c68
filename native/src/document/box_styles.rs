//! Boxes that only a style sets apart: a thick line at their side or a frame, a colour behind them and room around their
//! text. Editors of articles write callouts so where their tool has none.
#![forbid(unsafe_code)]

use super::named_boxes::is_small;
use super::steps::count;
use crate::blocks::characters::strip;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{by_tag, look_up, number_of, set, TAGS};
use crate::html::attributes::STYLE;

const LINK: i32 = number_of("a");
const LINE_BREAK: i32 = number_of("br");
/// Elements that can be such boxes.
#[rustfmt::skip]
const ELEMENTS: [u32; TAGS.len() + 1] = by_tag([("div", 1), ("p", 1), ("section", 1), ("aside", 1)]);
/// The property without which there is no box, and how its name begins on one side.
const FRAME: &str = "border";
const LINE: &str = "border-left";
/// How the names of the properties begin that put a colour behind a box.
const BACKGROUND: &str = "background";
/// How the style of the callouts of Fumadocs begins, which names the colour of all their parts.
const COLOUR_OF_CALLOUTS: &str = "--callout-color";
/// Pixels of the line, at least: a thinner one divides columns.
const THINNEST: f64 = 3.0;
/// Bytes of the text of a box: a longer one is a part of the page.
const LONGEST_TEXT: usize = 2500;
/// Bytes of a box with a frame: a shorter one is a button, or a title.
const SHORTEST_FRAMED: usize = 60;
/// Rows of a box: boxes in boxes are not counted through again and again.
const MOST_ROWS: usize = 500;
/// Links of a box: one with more is a table of contents.
const MOST_LINKS: usize = 4;
/// Line breaks of a box with a frame: one with more is a listing, or an address.
const MOST_BREAKS: usize = 3;
/// Bytes of a style that are read.
const LONGEST_STYLE: usize = 2000;
/// Backgrounds that nobody sees.
#[rustfmt::skip]
const UNSEEN: [&str; 9] = [
    "none", "transparent", "white", "#fff", "#ffffff", "inherit", "initial", "rgb(255, 255, 255)", "rgb(255,255,255)",
];

/// How a style sets a box apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Apart {
    /// By a thick line at its left.
    Line,
    /// By lines all around.
    Frame,
}

/// Whether a style may be that of a box.
pub fn may_be_box(style: &str) -> bool {
    count(style.len());
    let is_drawn = || style.contains(FRAME) && (style.contains(LINE) || style.contains(BACKGROUND));
    style.len() <= LONGEST_STYLE && (style.starts_with(COLOUR_OF_CALLOUTS) || is_drawn())
}

/// The words of the style of a callout that is named by its colour: `--callout-color: var(--color-fd-warning)`.
pub fn words_of_colour<'a>(page: &PageView<'a>, row: usize) -> impl Iterator<Item = &'a str> {
    let style = page.value(row, STYLE).filter(|style| style.len() <= LONGEST_STYLE);
    let colour = style.and_then(|style| style.strip_prefix(COLOUR_OF_CALLOUTS)).unwrap_or("");
    colour.split(|character: char| !character.is_ascii_alphanumeric())
}

/// Whether an element is a box by its style.
pub fn is_box(page: &PageView, row: usize) -> bool {
    let style = page.value(row, STYLE).unwrap_or("");
    let rows = row..page.subtree_end[row] as usize;
    let may_be = look_up(&ELEMENTS, page.tag[row]) != 0 && rows.len() <= MOST_ROWS && may_be_box(style);
    may_be && page.is_in(row, set::BLOCK) && {
        let text = strip(page.text_within(row));
        count(rows.len());
        let links = || page.tag[rows.clone()].iter().filter(|&&tag| tag == LINK).count();
        let is_named = style.starts_with(COLOUR_OF_CALLOUTS);
        match if is_named { Some(Apart::Line) } else { set_apart(style) } {
            Some(Apart::Line) => !text.is_empty() && text.len() <= LONGEST_TEXT && links() <= MOST_LINKS,
            Some(Apart::Frame) => {
                let breaks = page.tag[rows.clone()].iter().filter(|&&tag| tag == LINE_BREAK).count();
                text.len() >= SHORTEST_FRAMED && breaks <= MOST_BREAKS && is_small(page, row)
            }
            None => false,
        }
    }
}

/// Whether the style of a box draws lines all around it: several of those side by side are cards.
pub fn is_framed(page: &PageView, row: usize) -> bool {
    set_apart(page.value(row, STYLE).unwrap_or("")) == Some(Apart::Frame)
}

/// How a style with a background and a padding sets something apart, if it does.
fn set_apart(style: &str) -> Option<Apart> {
    let (mut has_line, mut has_background, mut has_padding) = (false, false, false);
    let (mut is_framed, mut has_frame) = (false, false);
    // Used again for each name.
    let mut lowercase = String::new();
    for (name, value) in style.split(';').filter_map(|declaration| declaration.split_once(':')) {
        let value = strip(value);
        lowercase.clear();
        lowercase.push_str(strip(name));
        lowercase.make_ascii_lowercase();
        match lowercase.as_str() {
            FRAME | "border-width" => has_frame = width_of(value) > 0.0,
            LINE | "border-left-width" => has_line |= width_of(value) >= THINNEST,
            "background" | "background-color" => {
                has_background = !UNSEEN.iter().any(|unseen| value.eq_ignore_ascii_case(unseen));
            }
            "border-right" | "border-bottom" | "border-top" => is_framed |= width_of(value) > 0.0,
            name => has_padding |= name.starts_with("padding"),
        }
    }
    if !has_background || !has_padding || is_framed {
        None
    } else if has_line {
        Some(Apart::Line)
    } else {
        has_frame.then_some(Apart::Frame)
    }
}

/// The pixels of a line: `4px solid #38b06b`.
fn width_of(border: &str) -> f64 {
    let pixels = |part: &str| part.strip_suffix("px")?.parse::<f64>().ok();
    border.split_ascii_whitespace().find_map(pixels).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::{set_apart, Apart};

    #[test]
    fn boxes_by_their_style() {
        let cases = [
            (
                "border-left: 4px solid #38B06B; background-color: #fff5e6; padding: 10px 20px; border-radius: 6px",
                Some(Apart::Line),
            ),
            ("padding:12px;border-left:solid 3px red;background:#fff8ef;border:none", Some(Apart::Line)),
            ("border: 1px solid #ccc; padding: 16px; background: #f9f9f9", Some(Apart::Frame)),
            ("", None),
            ("border-left: 3px solid white", None),
            ("border-left:1px solid #ccc;background:#eee;padding:4px", None),
            ("border-left:4px solid #ccc;border-right:1px solid #ccc;background:#eee;padding:4px", None),
            ("border-left:4px solid #ccc;background:white;padding:4px", None),
            ("border:0;background:#eee;padding:4px", None),
            ("border:1px solid #ccc;background:#eee", None),
        ];
        for (style, expected) in cases {
            assert_eq!(set_apart(style), expected, "{style}");
        }
    }
}
