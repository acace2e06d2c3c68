//! Numbers of lines that nothing but their place and order tells: each line of a listing begins with an element that holds
//! the next number. The editor of cnblogs writes them so, in a colour of their own.
#![forbid(unsafe_code)]

use super::steps::count;
use crate::blocks::characters::strip;
use crate::blocks::page_view::PageView;
use crate::blocks::white_space::LINE_SEPARATOR;

/// Numbers, at least, that tell that a listing is numbered.
const FEWEST: usize = 3;
const LINE_ENDS: [char; 2] = ['\n', LINE_SEPARATOR];
/// Digits of the number of a line, at most.
const MOST_DIGITS: usize = 5;

/// Rows of the elements in a listing with the numbers of its lines, if all of these begin with one and they go up by one.
pub fn numbers_before_lines(page: &PageView, core: usize) -> Vec<usize> {
    let begins_with_number = || strip(page.text_within(core)).starts_with(|first: char| first.is_ascii_digit());
    let found = if begins_with_number() { numbers(page, core) } else { None };
    found.filter(|rows| rows.len() >= FEWEST).unwrap_or_default()
}

/// These elements; none if a line begins otherwise.
fn numbers(page: &PageView, core: usize) -> Option<Vec<usize>> {
    let (mut found, mut next, mut begins_line) = (Vec::new(), None, true);
    for row in (core + 1..page.subtree_end[core] as usize).filter(|&row| page.is_text(row)) {
        let text = page.text_between(row, row);
        count(text.len());
        if begins_line && !strip(text).is_empty() {
            let parent = page.parent[row] as usize;
            let number = number_alone(page, core, parent).filter(|number| next.is_none_or(|next| next == *number))?;
            next = Some(number + 1);
            found.push(parent);
            begins_line = false;
            continue;
        }
        let mut lines = text.split(LINE_ENDS.as_slice());
        let last = lines.next_back().unwrap_or("");
        let is_broken = lines.next().is_some();
        if lines.any(|line| !strip(line).is_empty()) || (is_broken && !strip(last).is_empty()) {
            return None;
        }
        begins_line |= is_broken;
    }
    Some(found)
}

/// The number that is all an element says.
fn number_alone(page: &PageView, core: usize, row: usize) -> Option<u32> {
    let text = strip(page.text_within(row));
    let is_number = text.len() <= MOST_DIGITS && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| row != core && is_number)
}

#[cfg(test)]
mod tests {
    use super::super::read_documents::markdown_of;

    #[test]
    fn every_line_begins_with_the_next_number() {
        let cases = [
            ("<i>1</i> a\n<i>2</i> <b>b</b>\n<i>3</i>     c", "a\nb\n    c"),
            ("<i>8</i> a<br><i>9</i> b<br><i>10</i> c", "a\nb\nc"),
            ("<i>1</i> a\n<i>2</i> b", "1 a\n2 b"),
            ("<i>1</i> a\n<i>3</i> b\n<i>4</i> c", "1 a\n3 b\n4 c"),
            ("<i>1</i> a\nb\n<i>2</i> c\n<i>3</i> d", "1 a\nb\n2 c\n3 d"),
            ("1 a\n2 b\n3 c", "1 a\n2 b\n3 c"),
        ];
        for (inside, expected) in cases {
            assert_eq!(markdown_of(&format!("<pre>{inside}</pre>")), format!("```\n{expected}\n```\n"), "{inside}");
        }
    }
}
