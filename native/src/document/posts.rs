//! Items of lists that are the posts of a thread: forums and blogs write discussions as lists, but nobody reads them as one;
//! and posts that are marked up as quotations.
#![forbid(unsafe_code)]

use super::code_parts::has_class;
use super::image_signs::is_of_user;
use super::steps::count;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::number_of;

const ITEM: i32 = number_of("li");
const IMAGE: i32 = number_of("img");
const NUMBERED_LIST: i32 = number_of("ol");
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

/// Whether the item of a list is a post, by its class or the portrait of a user at its start.
pub fn is_post(page: &PageView, row: usize) -> bool {
    page.tag[row] == ITEM && (has_class(page, row, &POSTS) || begins_with_portrait(page, row))
}

/// Whether an item without a number is a section with a heading, as themes write whole articles, and guides what they compare.
pub fn is_section(page: &PageView, row: usize) -> bool {
    let parent = usize::try_from(page.parent[row]).ok();
    let is_numbered = parent.map_or(false, |parent| page.tag[parent] == NUMBERED_LIST);
    page.tag[row] == ITEM && !is_numbered && page.text_within(row).len() >= SHORTEST_SECTION && {
        let inside = row + 1..(page.subtree_end[row] as usize).min(row + REACH_OF_HEADING);
        count(inside.len());
        inside.into_iter().any(|row| matches!(page.tag[row], FIRST_LEVEL | SECOND_LEVEL))
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
    images.next().map_or(false, |image| is_of_user(page, image))
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
