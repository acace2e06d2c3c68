//! What holds for every page, tried on random markup.

#![forbid(unsafe_code)]

mod support;

use dehusk_native::blocks::character_offsets::character_offsets;
use dehusk_native::columns::{Limits, Page};
use dehusk_native::html::tags::TEXT;
use dehusk_native::html::{read, read_with_article};
use support::page_lines;
use support::random_pages::{page, Random};

const PAGES: u64 = 10_000;

/// Every random page, short ones first.
fn random_pages() -> impl Iterator<Item = String> {
    (0..PAGES).map(|seed| page(&mut Random::new(seed + 1), 2 + seed as usize / 200))
}

fn check_columns(page: &Page, limits: &Limits) {
    let size = page.len();
    let (text_start, text_end) = character_offsets(page);
    let characters = page.text.chars().count() as i64;
    assert_eq!((page.parent[0], page.depth[0], page.subtree_end[0]), (-1, 0, size as i32));
    assert_eq!((text_start[0], text_end[0]), (0, characters));
    assert_eq!(page.attribute_start.len(), size + 1);
    for row in 1..size {
        let parent = page.parent[row] as usize;
        assert!(parent < row && row < page.subtree_end[parent] as usize);
        assert!(page.subtree_end[row] <= page.subtree_end[parent]);
        assert_eq!(page.depth[row], page.depth[parent] + 1);
        assert!(page.depth[row] <= limits.depth);
        assert!(text_start[row - 1] <= text_start[row] && text_start[row] <= text_end[row]);
        assert!(text_end[row] <= text_end[parent]);
        let text = &page.text[page.text_span(row)];
        assert_eq!(text.chars().count() as i64, text_end[row] - text_start[row]);
        assert!(page.hidden[row] >= page.hidden[parent]);
        assert!(page.attribute_start[row] <= page.attribute_start[row + 1]);
        if page.tag[row] == TEXT as i32 {
            assert_eq!(page.subtree_end[row] as usize, row + 1);
            assert!(i64::from(page.text_length[row]) <= text_end[row] - text_start[row]);
        }
    }
    assert_eq!(page.value_end.last().copied().unwrap_or(0), page.values.len() as i64);
    assert!(page.value_end.iter().all(|&end| page.values.is_char_boundary(end as usize)));
    assert!(page.attribute_value.iter().all(|&value| (value as usize) < page.value_end.len()));
    assert!(page.other_tag_end.iter().all(|&end| page.other_tags.is_char_boundary(end as usize)));
}

#[test]
fn columns_fit_together() {
    let limits = Limits::default();
    for html in random_pages() {
        check_columns(&read(&html, &limits), &limits);
    }
}

#[test]
fn rows_are_the_same_with_and_without_a_walk() {
    // An article makes the reader walk the tree; most pages are written in the order in which their nodes were made.
    let limits = Limits::default();
    for html in random_pages() {
        let walked = page_lines(&read_with_article(&html, &limits, &[]));
        let walked: Vec<String> = walked.into_iter().filter(|line| line.trim_start() != "<article>").collect();
        assert_eq!(walked, page_lines(&read(&html, &limits)), "{html:?}");
    }
}

#[test]
fn depth_is_limited_and_nothing_is_lost() {
    let limits = Limits { depth: 4, ..Limits::default() };
    for html in random_pages().step_by(10) {
        let (limited, page) = (read(&html, &limits), read(&html, &Limits::default()));
        assert!(limited.depth.iter().all(|&depth| depth <= 4));
        assert_eq!((limited.text, limited.tag, limited.subtree_end), (page.text, page.tag, page.subtree_end));
    }
}

#[test]
fn an_article_is_the_first_child_of_the_body() {
    let limits = Limits::default();
    let page = read_with_article("<title>t</title><body class=x>shown", &limits, &["one", "two"]);
    let expected = r#"<html>
  <head>
    <title>
      "t"
  <body class="x">
    <article>
      <p>
        "one"
      <p>
        "two"
    "shown""#;
    assert_eq!(page_lines(&page).join("\n"), expected);
    for html in random_pages().step_by(10) {
        let page = read_with_article(&html, &limits, &["one", "two"]);
        check_columns(&page, &limits);
        assert_eq!(page.len(), read(&html, &limits).len() + 5, "{html:?}");
    }
}
