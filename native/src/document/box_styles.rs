//! Boxes that only a style sets apart: a thick line at their side, a colour behind them and room around their text. Editors
//! of articles write callouts so where their tool has none.
#![forbid(unsafe_code)]

use super::steps::count;
use crate::blocks::characters::strip;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{by_tag, look_up, number_of, set, TAGS};
use crate::html::attributes::STYLE;

const LINK: i32 = number_of("a");
/// Elements that can be such boxes.
#[rustfmt::skip]
const ELEMENTS: [u32; TAGS.len() + 1] = by_tag([("div", 1), ("p", 1), ("section", 1), ("aside", 1)]);
/// The property without which there is no box.
const LINE: &str = "border-left";
/// Pixels of the line, at least: a thinner one divides columns.
const THINNEST: f64 = 3.0;
/// Bytes of the text of a box: a longer one is a part of the page.
const LONGEST_TEXT: usize = 2500;
/// Rows of a box: boxes in boxes are not counted through again and again.
const MOST_ROWS: usize = 500;
/// Links of a box: one with more is a table of contents.
const MOST_LINKS: usize = 4;
/// Bytes of a style that are read.
const LONGEST_STYLE: usize = 2000;
/// Backgrounds that nobody sees.
const UNSEEN: [&str; 7] = ["none", "transparent", "white", "#fff", "#ffffff", "inherit", "initial"];

/// Whether a style may be that of a box.
pub fn may_be_box(style: &str) -> bool {
    count(style.len());
    style.len() <= LONGEST_STYLE && style.contains(LINE)
}

/// Whether an element is a box by its style.
pub fn is_box(page: &PageView, row: usize) -> bool {
    let style = page.value(row, STYLE).unwrap_or("");
    let rows = row..page.subtree_end[row] as usize;
    look_up(&ELEMENTS, page.tag[row]) != 0 && rows.len() <= MOST_ROWS && may_be_box(style) && makes_box(style) && {
        let text = strip(page.text_within(row));
        count(rows.len());
        let links = page.tag[rows].iter().filter(|&&tag| tag == LINK).count();
        !text.is_empty() && text.len() <= LONGEST_TEXT && page.is_in(row, set::BLOCK) && links <= MOST_LINKS
    }
}

/// Whether a style has a thick line at the left only, a background and a padding.
fn makes_box(style: &str) -> bool {
    let (mut has_line, mut has_background, mut has_padding, mut is_framed) = (false, false, false, false);
    for (name, value) in style.split(';').filter_map(|declaration| declaration.split_once(':')) {
        let value = strip(value);
        match strip(name).to_ascii_lowercase().as_str() {
            LINE | "border-left-width" => has_line |= width_of(value) >= THINNEST,
            "background" | "background-color" => {
                has_background = !UNSEEN.iter().any(|unseen| value.eq_ignore_ascii_case(unseen));
            }
            "border-right" | "border-bottom" | "border-top" => is_framed |= width_of(value) > 0.0,
            name => has_padding |= name.starts_with("padding"),
        }
    }
    has_line && has_background && has_padding && !is_framed
}

/// The pixels of a line: `4px solid #38b06b`.
fn width_of(border: &str) -> f64 {
    let pixels = |part: &str| part.strip_suffix("px")?.parse::<f64>().ok();
    border.split_ascii_whitespace().find_map(pixels).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::makes_box;

    #[test]
    fn boxes_by_their_style() {
        for style in [
            "border-left: 4px solid #38B06B; background-color: #fff5e6; padding: 10px 20px; border-radius: 6px",
            "padding:12px;border-left:solid 3px red;background:#fff8ef;border:none",
        ] {
            assert!(makes_box(style), "{style}");
        }
        for style in [
            "",
            "border-left: 3px solid white",
            "border-left:1px solid #ccc;background:#eee;padding:4px",
            "border-left:4px solid #ccc;border-right:1px solid #ccc;background:#eee;padding:4px",
            "border-left:4px solid #ccc;background:white;padding:4px",
        ] {
            assert!(!makes_box(style), "{style}");
        }
    }
}
