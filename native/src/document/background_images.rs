//! Images that are the background of an empty element: its style has their address.
//!
//! Most backgrounds are decoration. One is a picture if its element says so to screen readers (`role="img"`), if it is the
//! only one of a figure, or in a post on Telegram.
#![forbid(unsafe_code)]

use super::code_parts::has_class;
use super::steps::count;
use crate::blocks::characters::strip;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{attribute, number_of};
use crate::html::attributes::STYLE;

const IMAGE: i32 = number_of("img");
const FIGURE: i32 = number_of("figure");
const DIVISION: i32 = number_of("div");
const SPAN: i32 = number_of("span");
const LINK: i32 = number_of("a");
const DRAWING: i32 = number_of("svg");
/// Class of the links with a picture of a post that Telegram writes.
const PICTURE_OF_TELEGRAM: &str = "tgme_widget_message_photo_wrap";
/// Elements between such an element and its figure.
const REACH_OF_FIGURE: usize = 4;
/// Rows of a figure that are looked at for an image.
const ROWS_OF_FIGURE: usize = 60;

/// Rows of such elements, in order.
pub fn background_images(page: &PageView) -> Vec<usize> {
    let rows = page.attributes_named(STYLE).filter(|&index| background_in(page.value_of(index)).is_some());
    let rows = rows.map(|index| page.row_of_attribute(index));
    rows.filter(|&row| page.hidden[row] == 0 && is_picture(page, row)).collect()
}

/// The address of the picture that an element has as its background.
pub fn background_of<'a>(page: &PageView<'a>, row: usize) -> Option<&'a str> {
    let style = if is_plain(page, row) { page.value(row, STYLE) } else { None };
    style.and_then(background_in).filter(|_| is_picture(page, row))
}

/// Whether an element means nothing by itself.
fn is_plain(page: &PageView, row: usize) -> bool {
    matches!(page.tag[row], DIVISION | SPAN | LINK)
}

/// Whether an element with a background is a picture.
fn is_picture(page: &PageView, row: usize) -> bool {
    let is_called_so = page.value(row, attribute::ROLE).is_some_and(|role| strip(role) == "img");
    let is_empty = || page.text_within(row).trim().is_empty();
    let is_named = || has_class(page, row, &[PICTURE_OF_TELEGRAM]);
    is_plain(page, row) && (is_called_so || is_named() || is_alone_in_figure(page, row)) && is_empty()
}

/// Whether an element is in a figure without images.
fn is_alone_in_figure(page: &PageView, row: usize) -> bool {
    if !page.has_tag(FIGURE) {
        return false;
    }
    let figure = page.ancestors(row).take(REACH_OF_FIGURE).find(|&row| page.tag[row] == FIGURE);
    figure.is_some_and(|figure| {
        let end = (page.subtree_end[figure] as usize).min(figure + ROWS_OF_FIGURE);
        count(end - figure);
        !page.tag[figure..end].iter().any(|&tag| tag == IMAGE || tag == DRAWING)
    })
}

/// The address in the background of a style.
fn background_in(style: &str) -> Option<&str> {
    count(style.len());
    let (_, after) = style.split_once("background")?;
    let (_, address) = after.split_once("url(")?;
    let address = address.split(')').next()?.trim_matches(|character: char| matches!(character, '"' | '\'' | ' '));
    Some(address).filter(|address| !address.is_empty() && !address.starts_with("data:"))
}

#[cfg(test)]
mod tests {
    use super::background_in;

    #[test]
    fn addresses_in_styles() {
        for (style, expected) in [
            ("background-image: url('/a.jpg')", Some("/a.jpg")),
            ("color: red; background: #fff url(/a.jpg) no-repeat", Some("/a.jpg")),
            ("background-image: url(\"/a.jpg\"); height: 1px", Some("/a.jpg")),
            ("background: url(data:image/gif;base64,R0)", None),
            ("background: none", None),
            ("mask: url(/a.svg)", None),
            ("background: url(", None),
        ] {
            assert_eq!(background_in(style), expected, "{style}");
        }
    }
}
