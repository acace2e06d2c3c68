//! The rule on teasers: headlines that link to other pages of the site, each with a line of text.
//!
//! They are recognised by their form (`teaser_lists`). An article may list things in that form, too. So the links must lead
//! to pages of one site, and the main content must be above the list, under the title of the page, and outside the element
//! that holds the list.
#![forbid(unsafe_code)]

use std::collections::{HashMap, HashSet};

use super::modules_of_posts::in_modules;
use super::situations::Situation;
use super::teaser_lists::{teaser_lists, Teaser, FEWEST};
use super::title_words::TitleWords;
use crate::addresses::base_address::base_address;
use crate::addresses::safety::safe_address;
use crate::addresses::sites::site_of;
use crate::blocks::kinds::kind;
use crate::blocks::tags::{attribute, set};
use crate::failure::{filled, Failure};

/// Characters kept between two teasers that still belong to their list: sources, advertisements, other headlines.
const LONGEST_GAP: i64 = 250;
/// Characters that must be left of the page.
const FEWEST_CHARACTERS: i64 = 120;
/// Share of the rest of the text that is above the list, at least.
const ABOVE: f64 = 0.7;
/// Share of the rest of the text in the same element, at most.
const WITHIN: f64 = 0.1;
/// Share of the links of a list that lead to one site; others are advertisements.
const ON_SITE: f64 = 0.7;

/// Drop teasers for other pages, and what page builders list or advertise amid a text.
pub fn teasers(situation: &Situation) -> Result<Vec<i8>, Failure> {
    let (listed, built) = (teasers_in_lists(situation)?, in_modules(situation)?);
    if listed.is_empty() || built.is_empty() {
        return Ok(if listed.is_empty() { built } else { listed });
    }
    Ok(listed.into_iter().zip(built).map(|(listed, built)| listed.min(built)).collect())
}

/// Drop teasers that are recognised by their form.
fn teasers_in_lists(situation: &Situation) -> Result<Vec<i8>, Failure> {
    let mut lists = teaser_lists(situation);
    keep_those_of_one_site(situation, &mut lists);
    if lists.is_empty() {
        return situation.no_verdicts();
    }
    let covered = covered(situation, &lists)?;
    let rest =
        filled(
            situation.len(),
            |index| {
                if situation.keep[index] && !covered[index] {
                    situation.length(index)
                } else {
                    0
                }
            },
        )?;
    lists.retain(|list| is_below(situation, list, &rest));
    let is_article = |first: usize| rest.iter().sum::<i64>() >= FEWEST_CHARACTERS && has_title(situation, first);
    if !lists.iter().map(|list| list[0].headline).min().is_some_and(is_article) {
        return situation.no_verdicts();
    }
    let covered = self::covered(situation, &lists)?;
    situation.drop_kept(|index| covered[index])
}

/// Leave out lists whose headlines do not link to different pages, mostly of one site, and of this one if its address is
/// known.
fn keep_those_of_one_site(situation: &Situation, lists: &mut Vec<Vec<Teaser>>) {
    if lists.is_empty() {
        return;
    }
    let (page, segments) = (situation.page, &situation.blocks.segments);
    let links = page.closest(|row| page.is_in(row, set::LINK));
    let base = base_address(page, situation.address);
    let own = site_of(&base);
    // Text outside the link, a time or a name, may come first or last.
    let link_of =
        |block: usize| links[segments.first_row[block] as usize].max(links[segments.last_row[block] as usize]);
    let target_of = |teaser: &Teaser| match link_of(teaser.headline) {
        -1 => String::new(),
        row => safe_address(page.value(row as usize, attribute::HREF).unwrap_or(""), &base),
    };
    lists.retain(|list| {
        let targets: Vec<String> = list.iter().map(target_of).collect();
        links_to_one_site(&targets, &own) && targets.iter().collect::<HashSet<_>>().len() >= FEWEST
    });
}

/// Whether most targets are of one site: of this one, if it is known.
fn links_to_one_site(targets: &[String], own: &str) -> bool {
    let mut numbers: HashMap<String, usize> = HashMap::new();
    targets.iter().for_each(|target| *numbers.entry(site_of(target)).or_insert(0) += 1);
    let is_most = |number: usize| number as f64 >= ON_SITE * targets.len() as f64;
    numbers.into_iter().any(|(site, number)| is_most(number) && (own.is_empty() || site == own))
}

/// Whether the rest of the page is above the list and outside the element that holds it.
fn is_below(situation: &Situation, list: &[Teaser], rest: &[i64]) -> bool {
    let (page, segments) = (situation.page, &situation.blocks.segments);
    let (first, last) = (list[0].headline, list[list.len() - 1].text);
    let mut row = segments.owner[first].max(0) as usize;
    while row > 0 && page.subtree_end[row] <= segments.last_row[last] {
        row = page.parent[row] as usize;
    }
    let holds = |index: usize| (row as i32..page.subtree_end[row]).contains(&segments.first_row[index]);
    let within: i64 = (0..rest.len()).filter(|&index| holds(index)).map(|index| rest[index]).sum();
    let (above, all) = (rest[..first].iter().sum::<i64>() as f64, rest.iter().sum::<i64>() as f64);
    above >= ABOVE * all && within as f64 <= WITHIN * all
}

/// Whether a heading before a block repeats the title of the page.
fn has_title(situation: &Situation, end: usize) -> bool {
    let title = TitleWords::new(situation.blocks);
    let is_heading = |&index: &usize| situation.kinds[index] == kind::HEADING && situation.is_shown(index);
    (0..end).filter(is_heading).any(|heading| title.are_repeated_by(heading) == Some(true))
}

/// What lists cover: from each headline to its text, and on to the next headline if little is kept between them.
fn covered(situation: &Situation, lists: &[Vec<Teaser>]) -> Result<Vec<bool>, Failure> {
    let mut covered = filled(situation.len(), |_| false)?;
    for list in lists {
        for (place, &Teaser { headline, text }) in list.iter().enumerate() {
            let following = list.get(place + 1).map_or(text + 1, |next| next.headline);
            let between = (text + 1..following).filter(|&index| situation.keep[index]);
            let is_near = between.map(|index| situation.length(index)).sum::<i64>() <= LONGEST_GAP;
            covered[headline..if is_near { following } else { text + 1 }].fill(true);
        }
    }
    Ok(covered)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_links_lead_to_one_site() {
        let targets = ["http://a.example/1", "http://b.a.example/2", "http://a.example/3", "http://c.example/"];
        let targets = targets.map(str::to_string);
        assert!(links_to_one_site(&targets, "") && links_to_one_site(&targets, "a.example"));
        assert!(!links_to_one_site(&targets, "c.example"));
        assert!(!links_to_one_site(&targets[1..], ""));
        assert!(links_to_one_site(&["/a".to_string(), "/b".to_string()], ""), "of a page from a file");
    }
}
