//! Images that are one picture to a reader: in light and dark, for phones and desktops, or a second one that a shop shows
//! while the pointer is over the first.
#![forbid(unsafe_code)]

use super::image_addresses::{has_address, image_addresses};
use super::images::link_around;
use super::steps::count;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::attribute;

/// Rows between an image and its twin: an element or two around each, and white space.
const MOST_ROWS: usize = 12;
/// Words in addresses that tell for which screens an image is; of twins, that with the lowest number is shown.
#[rustfmt::skip]
const SCREENS: [(&str, u8); 11] = [
    ("light", 0), ("day", 0), ("desktop", 0), ("large", 0), ("tablet", 1), ("small", 1), ("mobile", 2), ("phone", 2),
    ("mob", 2), ("dark", 3), ("night", 3),
];
/// Classes, and fragments of addresses, of images for dark screens: Tailwind, Sphinx, GitHub, MkDocs.
const FOR_DARK: [&str; 8] = [
    "dark:block",
    "dark:inline",
    "dark:inline-block",
    "dark:flex",
    "only-dark",
    "dark-only",
    "gh-dark-mode-only",
    "show-on-dark",
];
/// The same of their twins.
const FOR_LIGHT: [&str; 5] = ["dark:hidden", "only-light", "light-only", "gh-light-mode-only", "hide-on-dark"];

/// Rows of images in order, without those whose twin is shown.
pub fn without_twins(page: &PageView, rows: Vec<usize>) -> Vec<usize> {
    let mut shown: Vec<usize> = Vec::with_capacity(rows.len());
    for (place, &row) in rows.iter().enumerate() {
        let is_beside_one =
            |first: usize, second: Option<&usize>| second.is_some_and(|&second| is_beside(page, first, second));
        let has_neighbour =
            (place > 0 && is_beside_one(rows[place - 1], Some(&row))) || is_beside_one(row, rows.get(place + 1));
        // Most stand alone, and reading addresses takes long.
        if !has_neighbour {
            shown.push(row);
            continue;
        }
        // What stands for an image until it is loaded is no twin of it.
        if !has_address(page, row) {
            continue;
        }
        let before = shown.last().copied().filter(|&before| is_beside(page, before, row));
        let neighbours = (place.checked_sub(2).map(|place| rows[place]), rows.get(place + 1).copied());
        match before {
            Some(before) if is_second_of_link(page, before, row, neighbours) => (),
            Some(before) => match better_twin(page, before, row) {
                Some(better) => *shown.last_mut().unwrap_or(&mut 0) = better,
                None => shown.push(row),
            },
            None => shown.push(row),
        }
    }
    shown
}

/// Whether there is no text between two images, and little else.
fn is_beside(page: &PageView, before: usize, row: usize) -> bool {
    count(MOST_ROWS);
    row - before <= MOST_ROWS && page.text_length[before..row].iter().all(|&length| length == 0)
}

/// Which of two images is shown, if they are twins.
fn better_twin(page: &PageView, before: usize, row: usize) -> Option<usize> {
    let addresses = |row: usize| image_addresses(page, row).first().copied().unwrap_or("");
    let (first, second) = (addresses(before), addresses(row));
    if (is_named(page, before, first, &FOR_DARK) && is_named(page, row, second, &FOR_LIGHT))
        || (is_named(page, before, first, &FOR_LIGHT) && is_named(page, row, second, &FOR_DARK))
    {
        return Some(if is_named(page, before, first, &FOR_DARK) { row } else { before });
    }
    count(first.len() + second.len());
    let (rest_of_first, screen_of_first) = screen_of(first);
    let (rest_of_second, screen_of_second) = screen_of(second);
    let are_twins = (screen_of_first.is_some() || screen_of_second.is_some()) && rest_of_first.eq(rest_of_second);
    are_twins.then(|| if screen_of_second.unwrap_or(0) < screen_of_first.unwrap_or(0) { row } else { before })
}

/// Whether the class of an image, or the fragment of its address, has one of some names.
fn is_named(page: &PageView, row: usize, address: &str, names: &[&str]) -> bool {
    let classes = page.value(row, attribute::CLASS).unwrap_or("");
    let fragment = address.rsplit_once('#').map_or("", |(_, fragment)| fragment);
    classes.split_ascii_whitespace().chain([fragment]).any(|class| names.contains(&class))
}

/// The words of an address but those that tell of screens, and what these tell.
fn screen_of(address: &str) -> (impl Iterator<Item = &str>, Option<u8>) {
    let is_apart = |character: char| !character.is_ascii_alphanumeric();
    let number =
        |word: &str| SCREENS.iter().find(|(name, _)| word.eq_ignore_ascii_case(name)).map(|&(_, number)| number);
    let words = || address.split(is_apart).filter(|word| !word.is_empty());
    (words().filter(move |&word| number(word).is_none()), words().filter_map(number).max())
}

/// Whether an image is the second of the two that a link shows, without any text, given the images before and after them.
fn is_second_of_link(page: &PageView, first: usize, second: usize, around: (Option<usize>, Option<usize>)) -> bool {
    let link = match link_around(page, second) {
        Some(link) if link < first => link,
        _ => return false,
    };
    let end = page.subtree_end[link] as usize;
    let are_alone = around.0.is_none_or(|row| row < link) && around.1.is_none_or(|row| row >= end);
    are_alone && page.text_within(link).trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::super::images::shown_images;
    use super::*;
    use crate::columns::Limits;
    use crate::html::read;

    fn shown(html: &str) -> Vec<String> {
        let page = read(html, &Limits::default());
        let view = page.view();
        let rows = without_twins(&view, shown_images(&view));
        rows.iter().map(|&row| image_addresses(&view, row)[0].to_string()).collect()
    }

    #[test]
    fn one_of_twins_is_shown() {
        assert_eq!(shown("<img src=a.dark.png><img src=a.png>"), ["a.png"]);
        assert_eq!(shown("<div><img src=a-light.png></div> <div><img src=a-dark.png></div>"), ["a-light.png"]);
        assert_eq!(shown("<img src=a-mobile.png><img src=a-tablet.png><img src=a.png>"), ["a.png"]);
        assert_eq!(shown("<img class='hidden dark:block' src=b.png><img class=dark:hidden src=a.png>"), ["a.png"]);
        assert_eq!(shown("<img src=a.png#gh-light-mode-only><img src=b.png#gh-dark-mode-only>").len(), 1);
        assert_eq!(shown("<a href=/p><img src=a.png><img src=b.png></a>"), ["a.png"]);
    }

    #[test]
    fn others_stay() {
        assert_eq!(shown("<img src=a-dark.png>text<img src=a-light.png>").len(), 2);
        assert_eq!(shown("<img src=a-dark.png><img src=b-light.png>").len(), 2);
        assert_eq!(shown("<img src=a-1.png><img src=a-2.png>").len(), 2);
        assert_eq!(shown("<a href=/p><img src=a.png><img src=b.png><img src=c.png></a>").len(), 3);
        assert_eq!(shown("<a href=/p><img src=a.png>text<img src=b.png></a>").len(), 2);
        assert_eq!(shown("<a href=/p><img src=a.png></a><img src=b.png>").len(), 2);
        assert_eq!(shown("<a href=/p><img src=placeholder.png><img src=b.png></a>"), ["b.png"]);
    }
}
