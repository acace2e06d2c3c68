//! Pages that nest deeper than a tree may be.

#![forbid(unsafe_code)]

mod support;

use dehusk_native::columns::{Limits, Page};
use dehusk_native::html::read;
use dehusk_native::html::tags::TEXT;
use support::tag_name;

fn read_deep(levels: usize, markup: &str) -> Page {
    read(&("<div>".repeat(levels) + markup), &Limits::default())
}

/// The texts of a page, each with its depth.
fn texts(page: &Page) -> Vec<(String, i32)> {
    let rows = (0..page.len()).filter(|&row| page.tag[row] == TEXT as i32);
    rows.map(|row| (page.text[page.text_span(row)].to_string(), page.depth[row])).collect()
}

fn of(texts: &[(&str, i32)]) -> Vec<(String, i32)> {
    texts.iter().map(|&(text, depth)| (text.to_string(), depth)).collect()
}

#[test]
fn elements_beyond_the_limit_are_not_opened() {
    // Two of the 512 open elements are `<html>` and `<body>`; each end tag closes one that is open.
    let page = read_deep(520, &("x</div>y".to_string() + &"</div>".repeat(5) + "z"));
    assert_eq!(texts(&page), of(&[("x", 512), ("y", 511), ("z", 506)]));
    assert_eq!(page.depth.iter().max(), Some(&512));
}

#[test]
fn a_table_at_the_limit_keeps_its_cells() {
    let page = read_deep(509, "<table><tr><td>x<td>y</table>z");
    assert_eq!(texts(&page), of(&[("x", 512), ("y", 512), ("z", 511)]));
}

#[test]
fn a_table_beyond_the_limit_is_not_opened() {
    let page = read_deep(600, "<table><tr><td>x<td>y</table>z");
    assert_eq!(texts(&page), of(&[("xyz", 512)]));
}

#[test]
fn raw_text_beyond_the_limit_stays_in_its_element() {
    let page = read_deep(600, "<script>x</script>y<textarea>z</textarea>");
    assert_eq!(texts(&page), of(&[("", 512), ("y", 512), ("z", 512)]));
    let script = (0..page.len()).find(|&row| tag_name(&page, row) == "script").unwrap();
    assert_eq!(page.subtree_end[script] as usize, script + 2);
}

#[test]
fn formatting_beyond_the_limit_is_not_reopened() {
    let page = read_deep(600, "<b>x<p>y<p>z");
    assert_eq!((0..page.len()).filter(|&row| tag_name(&page, row) == "b").count(), 1);
}
