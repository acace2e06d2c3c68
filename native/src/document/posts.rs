//! Items of lists that are the posts of a thread: forums and blogs write discussions as lists, but nobody reads them as one;
//! and posts that are marked up as quotations.
#![forbid(unsafe_code)]

use super::class_words::words;
use super::code_parts::has_class;
use super::image_signs::is_of_user;
use super::steps::count;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{attribute, number_of, set};

const ITEM: i32 = number_of("li");
const IMAGE: i32 = number_of("img");
const NUMBERED_LIST: i32 = number_of("ol");
const SECTION: i32 = number_of("section");
const TERM: i32 = number_of("dt");
const DESCRIPTION: i32 = number_of("dd");
const FIRST_LEVEL: i32 = number_of("h1");
const SECOND_LEVEL: i32 = number_of("h2");
/// Classes of posts and comments: XenForo 1, vBulletin 4, Invision, WordPress, Drupal.
const POSTS: [&str; 8] =
    ["message", "postbit", "postbitlegacy", "postcontainer", "comment", "pingback", "post_block", "forum-post"];
/// Classes of the text of a post in a `<blockquote>`: XenForo 1, then vBulletin 4. What is quoted in it has others.
const TEXTS: [&str; 3] = ["messagetext", "ugc", "postcontent"];
/// Rows of an item among which the portrait of its author is.
const REACH_OF_PORTRAIT: usize = 32;
/// Rows of an item that can be a post, at least: a portrait, a name, a date and a text.
const FEWEST_ROWS: usize = 8;
/// Bytes of the text of a post that only its portrait makes one: a shorter one may be somebody in a list of people.
const SHORTEST_TEXT: usize = 120;

/// Bytes of the text of an item that is a section.
const SHORTEST_SECTION: usize = 1_000;
/// Rows of such an item among which its heading is.
const REACH_OF_HEADING: usize = 64;

/// Words in the classes of items that fold.
const FOLDING: [&str; 4] = ["accordion", "collapsible", "faq", "toggle"];
/// Classes of an item that are read.
const MOST_CLASSES: usize = 24;
/// Classes of the definition lists that DokuWiki writes around code.
const LISTINGS: [&str; 2] = ["file", "code"];

/// Whether the item of a list is a post, by its class or the portrait of a user at its start.
pub fn is_post(page: &PageView, row: usize) -> bool {
    page.tag[row] == ITEM && (has_class(page, row, &POSTS) || begins_with_portrait(page, row))
}

/// Whether an item without a number is a section with a heading, as themes write whole articles, and guides what they compare.
pub fn is_section(page: &PageView, row: usize) -> bool {
    let parent = usize::try_from(page.parent[row]).ok();
    let is_numbered = parent.is_some_and(|parent| page.tag[parent] == NUMBERED_LIST);
    page.tag[row] == ITEM && !is_numbered && page.text_within(row).len() >= SHORTEST_SECTION && {
        let inside = row + 1..(page.subtree_end[row] as usize).min(row + REACH_OF_HEADING);
        count(inside.len());
        inside.into_iter().any(|row| matches!(page.tag[row], FIRST_LEVEL | SECOND_LEVEL))
    }
}

/// Whether an item of a list is a part of the page that has a heading: a `<section>`, as Javadoc writes them, or what folds.
pub fn is_part_of_page(page: &PageView, row: usize) -> bool {
    let end = (page.subtree_end[row] as usize).min(row + REACH_OF_HEADING);
    page.tag[row] == ITEM && {
        let first = (row + 1..end).find(|&inner| !page.is_text(inner));
        let is_section = first.is_some_and(|inner| page.tag[inner] == SECTION);
        let folds = |class: &str| words(class).any(|word| FOLDING.iter().any(|known| word.eq_ignore_ascii_case(known)));
        let classes = || page.value(row, attribute::CLASS).unwrap_or("").split_ascii_whitespace();
        (is_section || classes().take(MOST_CLASSES).any(folds)) && {
            count(end - row);
            (row + 1..end).any(|inner| page.is_in(inner, set::HEADING))
        }
    }
}

/// Whether an element is the name of a file or the code in it, which DokuWiki writes as a definition list.
pub fn is_part_of_listing(page: &PageView, row: usize) -> bool {
    let list = page.parent[row].max(0) as usize;
    matches!(page.tag[row], TERM | DESCRIPTION) && has_class(page, list, &LISTINGS) && {
        let inside = list..(page.subtree_end[list] as usize).min(list + REACH_OF_HEADING);
        inside.into_iter().any(|inner| page.is_in(inner, set::PREFORMATTED))
    }
}

/// Whether an element that is marked up as a quotation is the text of a post.
pub fn is_text_of_post(page: &PageView, row: usize) -> bool {
    has_class(page, row, &TEXTS)
}

/// Whether an item with a text begins with the portrait of a user.
fn begins_with_portrait(page: &PageView, row: usize) -> bool {
    let end = page.subtree_end[row] as usize;
    if end - row < FEWEST_ROWS || page.text_within(row).len() < SHORTEST_TEXT {
        return false;
    }
    let inside = row + 1..end.min(row + REACH_OF_PORTRAIT);
    count(inside.len());
    let mut images = inside.filter(|&row| page.tag[row] == IMAGE);
    images.next().is_some_and(|image| is_of_user(page, image))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Limits;
    use crate::html::read;

    #[test]
    fn posts_by_their_class_or_a_portrait() {
        let text = "Nobody counts the boats at night, and so it is said that there are none.".repeat(2);
        let first = |html: String| {
            let page = read(&html, &Limits::default());
            let view = page.view();
            let item = (0..view.len()).find(|&row| view.tag[row] == ITEM);
            item.map(|row| is_post(&view, row))
        };
        let portrait = "<figure><img class=Avatar alt=''></figure><a href=/nora>nora</a><time>May</time>";
        assert_eq!(first(format!("<ol><li class='byuser comment'><p>{text}</ol>")), Some(true));
        assert_eq!(first(format!("<ol><li>{portrait}<p>{text}</p></ol>")), Some(true));
        assert_eq!(first(format!("<ol><li>{portrait}<p>Boats</p></ol>")), Some(false));
        assert_eq!(first(format!("<ol><li><img src=a.jpg><b>a</b><i>b</i><p>{text}</p></ol>")), Some(false));
        assert_eq!(first(format!("<ol><li class=comments><p>{text}</ol>")), Some(false));
    }
}
