//! Signs: what must be on a page for a rule to have anything to say that `dehusk.deciding` looks closer for. Most pages
//! lack them.
//!
//! A sign is necessary, not sufficient.
#![forbid(unsafe_code)]

use super::situations::Situation;
use super::teasers::has_lists_of_teasers;
use crate::blocks::kinds::kind;

/// Top-level headings of a page with further articles: its own, and two more.
const FEWEST_TOP_HEADINGS: usize = 3;

/// Whether hidden text is kept.
pub fn keeps_hidden_text(situation: &Situation) -> bool {
    (0..situation.len()).any(|index| situation.keep[index] && !situation.is_shown(index))
}

/// Whether enough visible headings are of the first level.
pub fn has_several_titles(situation: &Situation) -> bool {
    let is_top = |&index: &usize| {
        situation.kinds[index] == kind::HEADING && situation.blocks.kinds.level[index] == 1 && situation.is_shown(index)
    };
    (0..situation.len()).filter(is_top).nth(FEWEST_TOP_HEADINGS - 1).is_some()
}

/// Whether linked headlines with texts form lists, some of them kept.
pub fn keeps_teasers(situation: &Situation) -> bool {
    has_lists_of_teasers(situation.page, &situation.blocks.segments, situation.keep)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::page_blocks::find_blocks;
    use crate::columns::Limits;
    use crate::html::read;

    fn signs_of(html: &str, keep: bool) -> [bool; 3] {
        let page = read(html, &Limits::default());
        let blocks = find_blocks(&page.view()).unwrap();
        let size = blocks.segments.len();
        let (keep, numbers) = (vec![keep; size], vec![0.5; size]);
        let situation = Situation {
            page: &page.view(),
            blocks: &blocks,
            kinds: &blocks.kinds.kind,
            keep: &keep,
            scores: &numbers,
            threshold: 0.5,
            comments: &numbers,
            is_forum: false,
        };
        [keeps_hidden_text(&situation), has_several_titles(&situation), keeps_teasers(&situation)]
    }

    #[test]
    fn a_plain_page_has_none() {
        assert_eq!(signs_of("<h1>Tea</h1><p>Steep it for three minutes.<h1>Pot</h1>", true), [false; 3]);
        assert_eq!(signs_of("", true), [false; 3]);
    }

    #[test]
    fn each_is_found() {
        let teaser = "<li><h3><a href=/a>Some headline</a></h3><div>A line of text about it.</div></li>";
        for (place, html) in
            ["<p hidden>text</p>", "<h1>One</h1><h1>Two</h1><h1>Three</h1>", &teaser.repeat(3)].iter().enumerate()
        {
            let mut expected = [false; 3];
            expected[place] = true;
            assert_eq!(signs_of(html, true), expected, "{}", html);
            assert_eq!(signs_of(html, false), [false, place == 1, false], "{}", html);
        }
    }
}
