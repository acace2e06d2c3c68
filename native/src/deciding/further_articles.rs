//! The rule on further articles, which news sites load below the first one (infinite scrolling).
//!
//! The first top-level heading is the title of the page. If at least two more have the same DOM path and differ from the
//! title, further articles begin there.
#![forbid(unsafe_code)]

use super::situations::{Situation, FEWEST_CHARACTERS};
use super::title_words::TitleWords;
use crate::blocks::kinds::kind;
use crate::blocks::paths::paths_of_rows;
use crate::failure::Failure;

/// Further headings. A single one may belong to the same article.
const FEWEST_ARTICLES: usize = 2;
/// Top-level headings to examine.
const MOST_HEADINGS: usize = 100;

/// Drop kept blocks from the second article down, if enough is left of the first.
pub fn further_articles(situation: &Situation) -> Result<Vec<i8>, Failure> {
    let is_enough = |&second: &usize| situation.kept_characters(|index| index < second) >= FEWEST_CHARACTERS;
    match second_article(situation).filter(is_enough) {
        Some(second) => situation.drop_kept(|index| index >= second),
        None => situation.no_verdicts(),
    }
}

/// The block where a second article begins; None on nearly all pages.
fn second_article(situation: &Situation) -> Option<usize> {
    let is_top = |&index: &usize| {
        situation.kinds[index] == kind::HEADING && situation.blocks.kinds.level[index] == 1 && situation.is_shown(index)
    };
    let tops: Vec<usize> = (0..situation.len()).filter(is_top).take(MOST_HEADINGS).collect();
    if tops.len() <= FEWEST_ARTICLES {
        return None;
    }
    let title = TitleWords::new(situation.blocks);
    if title.are_repeated_by(tops[0]) != Some(true) {
        return None;
    }
    let paths = paths_of_rows(situation.page, tops.iter().map(|&index| situation.blocks.segments.owner[index]));
    let alike = tops.iter().zip(&paths).skip(1).filter(|(_, &path)| path == paths[0]).map(|(&top, _)| top);
    let further: Vec<usize> = alike.filter(|&top| title.are_repeated_by(top) == Some(false)).collect();
    further.first().copied().filter(|_| further.len() >= FEWEST_ARTICLES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deciding::situations::{with_situation, DROP};

    const TITLES: [&str; 3] = ["A morning at the bindery", "Hard water and tea", "Four kettles on one shelf"];

    fn page(titles: &[&str], keep: bool) -> Vec<i8> {
        let text =
            "<p>Nobody in the house had seen paper of that kind before, and nobody has since that day in May.</p>";
        let article = |title: &&str| format!("<div><h1>{}</h1>{}</div>", title, text.repeat(3));
        let articles: String = titles.iter().map(article).collect();
        with_situation(&format!("<title>{}</title>{}", TITLES[0], articles), keep, |situation| {
            further_articles(situation).unwrap()
        })
    }

    #[test]
    fn two_more_articles_go() {
        assert_eq!(page(&TITLES, true), [[0; 5].as_slice(), &[DROP; 8]].concat());
        assert_eq!(page(&TITLES, false), [0; 0]);
        assert_eq!(page(&TITLES[..2], true), [0; 0]);
        assert_eq!(page(&[TITLES[0]; 3], true), [0; 0]);
    }
}
