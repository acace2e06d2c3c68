//! Parts of a text that a page sets apart: callouts, posts and cards of other pages, and what folds. They stay or go with
//! the text around them.
#![forbid(unsafe_code)]

use crate::blocks::page_blocks::Blocks;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{attribute, number_of};
use crate::document::class_signs::{CARDS, TURNS};
use crate::document::code_parts::has_class;
use crate::document::structures::Structures;

const QUOTE: i32 = number_of("blockquote");
const DETAILS: i32 = number_of("details");
const LINK: i32 = number_of("a");
const INPUT: i32 = number_of("input");
const CHOICE: i32 = number_of("select");
const TEXT_FIELD: i32 = number_of("textarea");
/// Bytes of text for each link, at least: in the summaries of Haskell's documentation there are half as many, all of them said
/// again below.
const BYTES_A_LINK: usize = 80;
/// Classes of the quotations that become posts of other sites once a script has run.
const POSTS: [&str; 6] =
    ["twitter-tweet", "twitter-video", "instagram-media", "tiktok-embed", "reddit-embed-bq", "bluesky-embed"];

/// One entry per block: row of the outermost such part that it is in, or -1; empty if there are none.
pub fn parts_apart(page: &PageView, structures: &Structures, blocks: &Blocks) -> Vec<i32> {
    let posts = page.rows_of(QUOTE).filter(|&row| is_post(page, row));
    let folded = page.rows_of(DETAILS).filter(|&row| is_to_read(page, row));
    let callouts = &structures.callouts;
    let is_by_class = |row: &usize| page.attribute(*row, attribute::CLASS).is_some() && !callouts.boxes.contains(row);
    let with_class = callouts.kinds.keys().copied().filter(is_by_class);
    let cards = structures.possible_cards.iter().copied().filter(|&row| has_class(page, row, &CARDS));
    let quotes = structures.pull_quotes.rows.iter().copied();
    outermost_around(page, blocks, posts.chain(folded).chain(with_class).chain(cards).chain(quotes).collect())
}

/// One entry per block: row of what somebody says to a language model that it is in, or -1; empty if there are none.
pub fn turns_of_conversation(page: &PageView, structures: &Structures, blocks: &Blocks) -> Vec<i32> {
    let turns = structures.possible_turns.iter().copied().filter(|&row| has_class(page, row, &TURNS));
    outermost_around(page, blocks, turns.collect())
}

/// One entry per block: the outermost of some rows that it is in, or -1; empty if there are none of these.
fn outermost_around(page: &PageView, blocks: &Blocks, mut rows: Vec<usize>) -> Vec<i32> {
    if rows.is_empty() {
        return Vec::new();
    }
    rows.sort_unstable();
    let mut end = 0;
    // What is in another one, or the same, is not outermost.
    rows.retain(|&row| {
        row >= end && {
            end = page.subtree_end[row] as usize;
            true
        }
    });
    let around = |row: usize| {
        let part = rows[..rows.partition_point(|&part| part <= row)].last()?;
        (row < page.subtree_end[*part] as usize).then_some(*part as i32)
    };
    blocks.segments.first_row.iter().map(|&row| around(row as usize).unwrap_or(-1)).collect()
}

/// Whether a `<details>` folds a text, and neither a list of links, as menus and tables of contents do, nor a form, as what
/// shops share pages and filter products with.
fn is_to_read(page: &PageView, row: usize) -> bool {
    let inside = row..page.subtree_end[row] as usize;
    let links = page.tag[inside.clone()].iter().filter(|&&tag| tag == LINK).count();
    links * BYTES_A_LINK <= page.text_within(row).len() && !inside.into_iter().any(|row| is_field(page, row))
}

/// Whether an element is a field to fill in. A box to tick may be that of a task.
fn is_field(page: &PageView, row: usize) -> bool {
    match page.tag[row] {
        INPUT => !page.value(row, attribute::TYPE).map_or(false, |kind| kind.eq_ignore_ascii_case("checkbox")),
        tag => tag == CHOICE || tag == TEXT_FIELD,
    }
}

/// Whether a quotation is a post of another site.
fn is_post(page: &PageView, row: usize) -> bool {
    let classes = page.value(row, attribute::CLASS).unwrap_or("");
    classes.split_ascii_whitespace().any(|class| POSTS.contains(&class))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::page_blocks::find_blocks;
    use crate::columns::Limits;
    use crate::html::read;

    fn parts(html: &str) -> Vec<bool> {
        let page = read(html, &Limits::default());
        let blocks = find_blocks(&page.view()).unwrap();
        parts_apart(&page.view(), &Structures::of(&page), &blocks).iter().map(|&row| row >= 0).collect()
    }

    #[test]
    fn callouts_and_posts_are_set_apart() {
        assert_eq!(parts("<p>a</p><div class='admonition tip'><p>b</p><p>c</p></div>"), [false, true, true]);
        assert_eq!(parts("<blockquote class=twitter-tweet><p>a</p></blockquote><p>b"), [true, false]);
        assert!(parts("<p>a</p><div class=tip>b</div>").is_empty());
        assert_eq!(parts("<p>a</p><aside class='onebox x'><h3>b</h3></aside>"), [false, true]);
        assert_eq!(parts("<p>a</p><details><summary>b</summary>c</details>"), [false, true, true]);
        assert!(parts("<p>a</p><details><summary>b</summary><a href=/c>c</a></details>").is_empty());
    }

    #[test]
    fn folded_forms_are_no_texts() {
        let sharing = "<details><summary>Share</summary><input type=text><label>Link</label></details>";
        assert!(parts(&format!("<p>a</p>{}", sharing)).is_empty());
        let tasks = "<details><summary>Steps</summary><input type=checkbox> Steep the leaves</details>";
        assert_eq!(parts(&format!("<p>a</p>{}", tasks)), [false, true, true]);
    }
}
