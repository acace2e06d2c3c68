//! Pages that are links to other sites: somebody's profile, with a name and a line above them.
//!
//! To the network they are pages without content, all of whose links lead elsewhere, as those of a menu do. But no menu leads to
//! other sites: where most of what a page shows below its heading is links to those, they are what it is there for.
#![forbid(unsafe_code)]

use super::situations::Situation;
use crate::addresses::sites::site_of;
use crate::blocks::characters::strip;
use crate::blocks::kinds::kind;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{attribute, by_tag, look_up, number_of, TAGS};

const LINK: i32 = number_of("a");
/// Links to other sites, at least.
const FEWEST: usize = 3;
/// Blocks of such a page: one with more has content of its own.
const MOST_BLOCKS: usize = 60;
/// Elements between the text of a link and the link, and between the link and what all of them are in.
const REACH: usize = 12;
/// Blocks above the links that say whose they are.
const ABOVE: usize = 4;
/// Characters of such a line.
const LONGEST_LINE: i64 = 300;
/// Elements whose links are those of the site.
#[rustfmt::skip]
const CHROME: [u32; TAGS.len() + 1] =
    by_tag([("nav", 1), ("header", 1), ("footer", 1), ("aside", 1), ("form", 1)]);
/// Elements whose texts are not the content.
#[rustfmt::skip]
const OUTSIDE: [u32; TAGS.len() + 1] = by_tag([("nav", 1), ("footer", 1), ("aside", 1), ("form", 1)]);
/// How addresses of other sites begin.
const SCHEMES: [&str; 2] = ["http://", "https://"];

/// The blocks of a page that is links to other sites: the links, and what is said above them. None on other pages.
pub fn link_page(situation: &Situation) -> Option<Vec<usize>> {
    if situation.len() > MOST_BLOCKS {
        return None;
    }
    let page = situation.page;
    let own = site_of(situation.address);
    let links: Vec<(usize, Option<String>)> = (0..situation.len())
        .filter(|&index| situation.is_shown(index))
        .filter_map(|index| Some((index, link_around(situation, index)?)))
        .filter(|&(_, link)| !is_inside(page, link, &CHROME))
        .map(|(index, link)| (index, other_site(page, link, &own)))
        .collect();
    let others: Vec<&str> = links.iter().filter_map(|(_, site)| site.as_deref()).collect();
    let is_of_others =
        2 * others.len() > links.len() && others.len() >= FEWEST && others.iter().any(|&site| site != others[0]);
    let first = links.iter().find(|(_, site)| site.is_some()).filter(|_| is_of_others)?.0;
    let row = |index: usize| situation.blocks.segments.first_row[index] as usize;
    let is_line = |&index: &usize| {
        let has_link = situation.blocks.segments.link_length[index] > 0;
        situation.is_shown(index)
            && situation.kinds[index] != kind::TITLE
            && !has_link
            && situation.length(index) <= LONGEST_LINE
            && !is_inside(page, row(index), &OUTSIDE)
    };
    let above: Vec<usize> = (first.saturating_sub(ABOVE)..first).filter(is_line).collect();
    // Below a lesser heading there are the links of a box on the page.
    let is_title = |index: usize| situation.kinds[index] == kind::HEADING && situation.blocks.kinds.level[index] == 1;
    let has_heading = above.iter().any(|&index| is_title(index));
    let links = links.into_iter().map(|(index, _)| index).filter(|&index| index >= first);
    has_heading.then(|| above.into_iter().chain(links).collect())
}

/// The link that all text of a block is in.
fn link_around(situation: &Situation, index: usize) -> Option<usize> {
    let segments = &situation.blocks.segments;
    let row = segments.first_row[index] as usize;
    let is_link = segments.length[index] > 0 && segments.link_length[index] >= segments.length[index];
    let around = situation.page.ancestors(row).take(REACH).find(|&outer| situation.page.tag[outer] == LINK);
    around.filter(|_| is_link)
}

/// Whether an element is inside one of some others.
fn is_inside(page: &PageView, row: usize, elements: &[u32; TAGS.len() + 1]) -> bool {
    page.ancestors(row).any(|outer| look_up(elements, page.tag[outer]) != 0)
}

/// The site that a link leads to, if a page is not of it.
fn other_site(page: &PageView, link: usize, own: &str) -> Option<String> {
    let address = strip(page.value(link, attribute::HREF).unwrap_or(""));
    let is_absolute = SCHEMES.iter().any(|scheme| address.starts_with(scheme));
    Some(site_of(address)).filter(|site| is_absolute && site != own)
}

#[cfg(test)]
mod tests {
    use super::super::situations::with_situation;
    use super::*;

    const LINKS: &str =
        "<p><a href=https://a.example/>b</a><p><a href=https://c.example/>d</a><p><a href=https://e.example/>f</a>";

    fn found(html: &str) -> usize {
        with_situation(html, false, |situation| link_page(situation).map_or(0, |found| found.len()))
    }

    #[test]
    fn a_page_of_links_to_other_sites() {
        assert_eq!(found(&format!("<nav><a href=/x>x</a></nav><h1>a</h1><p>line</p>{}", LINKS)), 5);
        assert_eq!(found(&format!("<header><h1>a</h1></header>{}<p><a href=/g>g</a>", LINKS)), 5);
    }

    #[test]
    fn other_pages() {
        for html in [
            LINKS.to_string(),
            format!("<h3>a</h3>{}", LINKS),
            format!("<h1>a</h1>{}", LINKS.replace("https://a.example", "")),
            format!("<h1>a</h1>{}", LINKS.replace("c.example", "a.example").replace("e.example", "a.example")),
            format!("<h1>a</h1><footer>{}</footer>", LINKS),
            format!("<h1>a</h1>{}{}", LINKS, "<p><a href=/g>g</a>".repeat(3)),
        ] {
            assert_eq!(found(&html), 0, "{html}");
        }
    }
}
