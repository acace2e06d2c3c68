//! The name of the site as a heading above the title of the page: a habit of themes, archives and forums.
//!
//! It is at one end of the page's title, behind or before a sign, and says itself that it is the site's: by its class, by a
//! link to the home page, or because another heading has the other end of that title.
#![forbid(unsafe_code)]

use super::headings::comparable;
use super::source::Source;
use super::steps::count;
use crate::blocks::kinds::kind;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{attribute, number_of};

const LINK: i32 = number_of("a");
/// Kept blocks among which the name of the site is.
const FIRST_BLOCKS: usize = 3;
/// Headings among which the title of the page is.
const FIRST_HEADINGS: usize = 5;
/// Letters of a part of the title that another heading has: fewer may be in any.
const FEWEST_LETTERS: usize = 8;
/// Elements around a heading that may name it.
const REACH: usize = 3;
/// Rows of a heading that are looked at.
const MOST_ROWS: usize = 12;
/// Parts of the names of elements with the name of the site.
const NAMES: [&str; 7] =
    ["site-title", "site-name", "sitename", "sitetitle", "blog-title", "site-branding", "masthead"];
/// Names of the file that is the home page.
const FILES: [&str; 4] = ["index.html", "index.php", "index.htm", "home"];

/// The block of a kept heading that is the name of the site, if the title of the page says more.
pub fn heading_of_site(source: &Source) -> Option<usize> {
    let is_first = |&block: &usize| source.kind(block) == kind::HEADING && source.heading_level(block) == 1;
    let found = source.kept().take(FIRST_BLOCKS).find(is_first)?;
    let title = (0..source.keep.len()).find(|&block| source.kind(block) == kind::TITLE)?;
    let (first, last) = ends_of(source.text(title))?;
    let name = comparable(source.text(found));
    let (first, last) = (comparable(first), comparable(last));
    let row = source.kind_row(found).max(0) as usize;
    let is_of_site = match (name == last, name == first) {
        (true, false) => {
            is_named_as_site(source.page, row)
                || links_home(source.page, row)
                || is_in_heading_after(source, found, &first)
                || is_folder(source.own_address, &name)
        }
        // What comes first is more often the title of the page.
        (false, true) => links_home(source.page, row),
        _ => false,
    };
    (is_of_site && !is_home(source.own_address)).then_some(found)
}

/// The first and the last part of a title, if signs divide it.
pub fn ends_of(title: &str) -> Option<(&str, &str)> {
    let is_sign = |part: &str| matches!(part, "-" | "–" | "—" | "|" | "·" | "•" | "»" | "«" | "::" | "/" | ">" | ":");
    let place_of = |part: &str| part.as_ptr() as usize - title.as_ptr() as usize;
    let mut signs = title.split(' ').filter(|part| is_sign(part) || part.ends_with(':'));
    let first = signs.next()?;
    let last = signs.next_back().unwrap_or(first);
    let end = place_of(first) + if is_sign(first) { 0 } else { first.len() - 1 };
    let (before, after) = (title[..end].trim(), title[place_of(last) + last.len()..].trim());
    (!before.is_empty() && !after.is_empty()).then_some((before, after))
}

/// Whether letters are those of a folder of an address, but not of its last two steps: `Bread` in `/r/Bread/1/starter/`.
fn is_folder(address: &str, letters: &str) -> bool {
    let path = address.split_once("://").map_or("", |(_, rest)| rest);
    let steps: Vec<&str> = path.trim_end_matches('/').split('/').skip(1).collect();
    steps[..steps.len().saturating_sub(2)].iter().any(|step| comparable(step) == letters)
}

/// Whether one of the headings after a block has some letters.
fn is_in_heading_after(source: &Source, block: usize, letters: &str) -> bool {
    if letters.len() < FEWEST_LETTERS {
        return false;
    }
    let headings = source.kept().filter(|&other| other > block && source.kind(other) == kind::HEADING);
    headings.take(FIRST_HEADINGS).any(|heading| comparable(source.text(heading)).contains(letters))
}

/// Whether a heading, or an element closely around it, is named as that of the site.
pub fn is_named_as_site(page: &PageView, row: usize) -> bool {
    let is_named = |value: &str| {
        let value = value.to_ascii_lowercase();
        NAMES.iter().any(|name| value.contains(name))
    };
    let names = |row: usize| [attribute::CLASS, attribute::ID].map(|name| page.value(row, name));
    let around = page.ancestors(row).take(REACH);
    std::iter::once(row).chain(around).flat_map(names).flatten().any(is_named)
}

/// Whether a heading has a link to the home page.
pub fn links_home(page: &PageView, row: usize) -> bool {
    let end = (page.subtree_end[row] as usize).min(row + MOST_ROWS);
    count(end - row);
    let is_home_link = |link: usize| {
        page.value(link, attribute::REL) == Some("home") || page.value(link, attribute::HREF).is_some_and(is_home)
    };
    (row..end).filter(|&inner| page.tag[inner] == LINK).any(is_home_link)
}

/// Whether an address, relative or not, has no path, or that of a home page.
pub fn is_home(address: &str) -> bool {
    let bare = address.trim().trim_end_matches('#');
    let path = match bare.split_once("://") {
        Some((_, rest)) => rest.split_once('/').map_or("", |(_, path)| path),
        None => bare,
    };
    let is_step = |part: &str| part.is_empty() || matches!(part, "." | "..") || FILES.contains(&part);
    !bare.is_empty() && path.split('/').all(is_step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_titles() {
        let cases = [
            ("Tea - Forum - Site", Some(("Tea", "Site"))),
            ("Site: Manual: 18: Tea", Some(("Site", "Tea"))),
            ("Tea | The Daily", Some(("Tea", "The Daily"))),
            ("Well-brewed tea", None),
            ("- Tea", None),
            ("", None),
        ];
        for (title, ends) in cases {
            assert_eq!(ends_of(title), ends, "{title}");
        }
    }

    #[test]
    fn folders_of_addresses() {
        for (address, expected) in [
            ("https://site.example/r/Bread/1/starter/", true),
            ("https://site.example/bread/starter", false),
            ("https://bread.example/a/b/c", false),
            ("", false),
        ] {
            assert_eq!(is_folder(address, "bread"), expected, "{address}");
        }
    }

    #[test]
    fn addresses_of_home_pages() {
        for address in ["/", "../../", "./", "https://site.example", "https://site.example/#", "/index.html"] {
            assert!(is_home(address), "{address}");
        }
        for address in ["", "#", "/tea", "tea.html", "https://site.example/tea"] {
            assert!(!is_home(address), "{address}");
        }
    }
}
