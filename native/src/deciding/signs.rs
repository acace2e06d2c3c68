//! Signs: what must be on a page for a rule to have anything to say. Most pages lack most of them.
//!
//! A sign is necessary, not sufficient: the rule itself, `dehusk.deciding`, looks closer.
#![forbid(unsafe_code)]

use crate::blocks::kinds::kind;
use crate::blocks::page_blocks::Blocks;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::number_of;

const FIGURE: i32 = number_of("figure");
const TEXTAREA: i32 = number_of("textarea");

/// Top-level headings of a page with further articles: its own, and two more.
const FEWEST_TOP_HEADINGS: usize = 3;

/// What a page has, in the order of `dehusk.deciding.situations.Sign`; `has_code` if there is an area of code.
pub fn signs(page: &PageView, blocks: &Blocks, has_code: bool) -> Vec<u8> {
    vec![
        u8::from(has_caption_in_figure(page, blocks)),
        u8::from(has_code),
        u8::from(blocks.segments.hidden.contains(&1)),
        u8::from(has_several_titles(blocks)),
        u8::from(has_text_field(page, blocks)),
    ]
}

/// Whether there is a block of a kind.
fn has_kind(blocks: &Blocks, wanted: u8) -> bool {
    blocks.kinds.kind.contains(&wanted)
}

/// Whether there are captions and figures.
fn has_caption_in_figure(page: &PageView, blocks: &Blocks) -> bool {
    has_kind(blocks, kind::CAPTION) && page.tag.contains(&FIGURE)
}

/// Whether enough visible headings are of the first level.
fn has_several_titles(blocks: &Blocks) -> bool {
    let is_top = |&index: &usize| {
        blocks.kinds.kind[index] == kind::HEADING
            && blocks.kinds.level[index] == 1
            && blocks.segments.hidden[index] == 0
    };
    (0..blocks.segments.len()).filter(is_top).nth(FEWEST_TOP_HEADINGS - 1).is_some()
}

/// Whether a form field holds text.
fn has_text_field(page: &PageView, blocks: &Blocks) -> bool {
    let is_field =
        |(&of_kind, &row): (&u8, &i32)| of_kind == kind::FORM && row >= 0 && page.tag[row as usize] == TEXTAREA;
    blocks.kinds.kind.iter().zip(&blocks.kinds.kind_row).any(is_field)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::code_areas::CodeAreas;
    use crate::blocks::page_blocks::find_blocks;
    use crate::columns::Limits;
    use crate::html::read;

    fn signs_of(html: &str) -> Vec<u8> {
        let page = read(html, &Limits::default());
        let blocks = find_blocks(&page.view()).unwrap();
        let has_code = !CodeAreas::find(&page.view()).rows.is_empty();
        signs(&page.view(), &blocks, has_code)
    }

    #[test]
    fn a_plain_page_has_none() {
        assert_eq!(signs_of("<h1>Tea</h1><p>Steep it for three minutes.<form><button>Go</button></form>"), [0; 5]);
        assert_eq!(signs_of(""), [0; 5]);
    }

    #[test]
    fn each_is_found() {
        for (place, html) in [
            "<figure><img><figcaption>A kettle</figcaption></figure>",
            "<pre>code</pre>",
            "<p hidden>text</p>",
            "<h1>One</h1><h1>Two</h1><h1>Three</h1>",
            "<textarea>text</textarea>",
        ]
        .iter()
        .enumerate()
        {
            let mut expected = [0; 5];
            expected[place] = 1;
            assert_eq!(signs_of(html), expected, "{}", html);
        }
    }
}
