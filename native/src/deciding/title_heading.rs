//! The rule on the heading that shows the title of the page: a reader wants it above the text.
//!
//! A score judges it by what is around it, and that is mostly a date, a name and buttons.
#![forbid(unsafe_code)]

use super::situations::{Situation, KEEP};
use super::title_words::TitleWords;
use crate::blocks::kinds::kind;
use crate::document::headings::comparable;
use crate::document::site_names::{ends_of, is_named_as_site, links_home};
use crate::exchange::Failure;
use crate::features::sought_words::title;

/// Kept blocks among which the title is kept, if it is at all.
const FIRST_KEPT: usize = 6;
/// The kept block before which a dropped title is: a line or two may be above it.
const NEAR_START: usize = 3;
/// Share of the threshold from which a heading of the first level is the title: of labelled pages it is on 93 of 106.
const DOUBT: f64 = 0.5;
/// The same of headings that repeat the `<title>`.
const UNLIKELY: f64 = 0.1;
/// Share of link text in a heading of the first level.
const MOST_LINKED: f32 = 0.5;
/// Headings that are compared with the title of the page.
const MOST_HEADINGS: usize = 40;

/// Keep the heading that shows the title: the likeliest kept one at the start, or else the likeliest one above the kept text.
pub fn title_heading(situation: &Situation) -> Result<Vec<i8>, Failure> {
    let mut verdicts = situation.no_verdicts()?;
    if let Some(heading) = heading_of_title(situation) {
        verdicts[heading] = KEEP;
    }
    Ok(verdicts)
}

/// The heading that shows the title, kept or not.
fn heading_of_title(situation: &Situation) -> Option<usize> {
    let is_shown = |index: &usize| situation.is_shown(*index) && situation.kinds[*index] != kind::TITLE;
    let kept = || (0..situation.len()).filter(is_shown).filter(|&index| situation.keep[index]);
    let start = kept().take(NEAR_START + 1).last()?;
    let is_heading = |index: &usize| situation.kinds[*index] == kind::HEADING;
    let titles = Titles::new(situation);
    let first = kept().take(FIRST_KEPT).filter(is_heading).filter(|&heading| titles.may_show(heading));
    let better = |best: usize, next: usize| if titles.rank(next) > titles.rank(best) { next } else { best };
    first.reduce(better).or_else(|| {
        let above = (0..start).filter(is_shown).filter(is_heading).filter(|&index| !situation.keep[index]);
        above.take(MOST_HEADINGS).filter(|&heading| titles.is_likely(heading)).reduce(better)
    })
}

/// What tells the heading of the title from others.
struct Titles<'a> {
    situation: &'a Situation<'a>,
    /// The `<title>`; empty if there is none.
    title: &'a str,
    words: TitleWords<'a>,
    /// The name of the site at the end of the `<title>`; empty if there is none.
    site: String,
    /// All of a `<title>` that signs divide; empty if none do.
    with_site: String,
}

impl<'a> Titles<'a> {
    /// Those of a page.
    fn new(situation: &'a Situation<'a>) -> Self {
        let blocks = situation.blocks;
        let title = title(&blocks.segments, &blocks.kinds);
        let last = ends_of(title).map(|(_, last)| last);
        let site = last.map_or(String::new(), comparable);
        let with_site = last.map_or(String::new(), |_| comparable(title));
        Titles { situation, title, words: TitleWords::new(blocks), site, with_site }
    }

    /// Whether a heading is of the first level, or repeats the title, and is not the name of the site.
    fn may_show(&self, heading: usize) -> bool {
        let (page, blocks) = (self.situation.page, self.situation.blocks);
        let is_of_site = || {
            let row = usize::try_from(blocks.kinds.kind_row[heading]).ok();
            comparable(blocks.segments.texts.get(heading)) == self.site
                || row.map_or(false, |row| is_named_as_site(page, row) || links_home(page, row))
        };
        // Other headings that are links name a part of the site.
        let is_linked = || !self.title.is_empty() && blocks.segments.link_share(heading) >= MOST_LINKED;
        let is_first = || self.is_first_level(heading) && !is_linked();
        (self.repeats(heading) || is_first()) && !is_of_site()
    }

    /// Whether a dropped heading may show the title, and its score does not speak against it.
    fn is_likely(&self, heading: usize) -> bool {
        let share = f64::from(self.situation.scores[heading]) / self.situation.threshold;
        let text = self.situation.blocks.segments.texts.get(heading);
        share >= UNLIKELY
            && (self.repeats(heading) || share >= DOUBT)
            && self.may_show(heading)
            && comparable(text) != self.with_site
    }

    /// How likely a heading shows the title: the more of the `<title>` it repeats, the likelier.
    fn rank(&self, heading: usize) -> (usize, f32) {
        let words = self.situation.blocks.segments.texts.get(heading).split_whitespace().count();
        (if self.repeats(heading) { words } else { 0 }, self.situation.scores[heading])
    }

    /// Whether a heading is of the first level.
    fn is_first_level(&self, heading: usize) -> bool {
        self.situation.blocks.kinds.level[heading] == 1
    }

    /// Whether a heading has the words of the `<title>`.
    fn repeats(&self, heading: usize) -> bool {
        self.words.are_repeated_by(heading) == Some(true)
    }
}
