//! Signs: what must be on a page for a rule to have anything to say that `dehusk.deciding` looks closer for. Most pages
//! lack them.
//!
//! A sign is necessary, not sufficient.
#![forbid(unsafe_code)]

use super::situations::{Situation, FEWEST_CHARACTERS};
use crate::blocks::kinds::kind;
use crate::blocks::paths::paths_of_rows;

/// Top-level headings of a page with further articles: its own, and two more.
const FEWEST_TOP_HEADINGS: usize = 3;
/// Top-level headings to examine, as in `dehusk.deciding.other_articles`.
const MOST_HEADINGS: usize = 100;

/// Whether hidden text is kept.
pub fn keeps_hidden_text(situation: &Situation) -> bool {
    (0..situation.len()).any(|index| situation.keep[index] && !situation.is_shown(index))
}

/// Whether enough visible headings of the first level have the same path, with enough kept before the second, and some of
/// what follows kept.
pub fn has_several_titles(situation: &Situation) -> bool {
    let is_top = |&index: &usize| {
        situation.kinds[index] == kind::HEADING && situation.blocks.kinds.level[index] == 1 && situation.is_shown(index)
    };
    let tops: Vec<usize> = (0..situation.len()).filter(is_top).take(MOST_HEADINGS).collect();
    if tops.len() < FEWEST_TOP_HEADINGS {
        return false;
    }
    let paths = paths_of_rows(situation.page, tops.iter().map(|&index| situation.blocks.segments.owner[index]));
    let alike: Vec<usize> =
        tops.iter().zip(&paths).filter(|(_, &path)| path == paths[0]).map(|(&top, _)| top).collect();
    if alike.len() < FEWEST_TOP_HEADINGS {
        return false;
    }
    let latest_second = alike[alike.len() - FEWEST_TOP_HEADINGS + 1];
    situation.kept_characters(|index| index < latest_second) >= FEWEST_CHARACTERS
        && situation.keep[alike[1]..].contains(&true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::page_blocks::find_blocks;
    use crate::columns::Limits;
    use crate::deciding::teasers::keeps_teasers;
    use crate::document::structures::Structures;
    use crate::html::read;

    fn signs_of(html: &str, keep: bool) -> [bool; 3] {
        let page = read(html, &Limits::default());
        let blocks = find_blocks(&page.view()).unwrap();
        let size = blocks.segments.len();
        let (keep, numbers) = (vec![keep; size], vec![0.5; size]);
        let situation = Situation {
            page: &page.view(),
            structures: &Structures::default(),
            blocks: &blocks,
            kinds: &blocks.kinds.kind,
            keep: &keep,
            scores: &numbers,
            threshold: 0.5,
            comments: &numbers,
            is_forum: false,
            code_areas: &[],
            formulas: &[],
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
        let text = "<p>A line of text about tea, and more.</p>".repeat(9);
        let (titles, above) =
            (format!("<h1>One</h1>{}<h1>Two</h1><h1>Three</h1>", text), format!("<h2>Tea</h2>{}", text));
        let teaser = "<li><h3><a href=/a>Some headline</a></h3><div>A line of text about it.</div></li>";
        for (place, html) in
            ["<p hidden>text</p>", &titles, &format!("{}{}", above, teaser.repeat(3))].iter().enumerate()
        {
            let mut expected = [false; 3];
            expected[place] = true;
            assert_eq!(signs_of(html, true), expected, "{}", html);
            assert_eq!(signs_of(html, false), [false; 3], "{}", html);
        }
    }
}
