//! DOM paths as a tree: common beginnings are stored once.
//!
//! A page of n blocks below d elements has n x d steps if each path is spelled out, but at most n + d entries here.
#![forbid(unsafe_code)]

use std::collections::HashMap;

use super::characters::beginning;
use super::page_view::PageView;
use super::tags::attribute;
use crate::features::numbering::Hashing;
use crate::keys::class_tokens::words;
use crate::metadata::text_lists::TextList;

/// Characters of a tag name or class in a step: each path is shown, so long names must not multiply the page.
const STEP_LENGTH: usize = 40;
/// The parent of the root.
const NO_PARENT: i32 = -1;
/// The path of a row that was not visited yet.
const UNKNOWN: i32 = -2;

/// The paths to some elements of a page. Elements with the same path have the same number.
#[derive(Debug, Default)]
pub struct PathTree {
    /// By number, that of the path one step shorter, which is always smaller; -1 for the root.
    pub parents: Vec<i32>,
    /// By number, the last step: the tag and its first class, `div.post`.
    pub steps: TextList,
    /// The path number of each requested element, in order.
    pub numbers: Vec<i32>,
}

/// The paths to some rows, if there are such rows. Each ancestor is visited once.
pub fn path_tree(page: &PageView, rows: &[i32]) -> Option<PathTree> {
    let mut tree = PathTree::default();
    let mut known: HashMap<(i32, Step), i32, Hashing> = HashMap::default();
    let mut path_of_row = vec![UNKNOWN; page.len()];
    let mut above = Vec::new();
    for &requested in rows {
        let mut row = requested;
        while row >= 0 && *path_of_row.get(row as usize)? == UNKNOWN {
            above.push(row as usize);
            row = page.parent[row as usize];
        }
        let mut number = if row < 0 { NO_PARENT } else { path_of_row[row as usize] };
        while let Some(element) = above.pop() {
            let next = tree.parents.len() as i32;
            number = *known.entry((number, Step::of(page, element))).or_insert_with_key(|(parent, last)| {
                tree.parents.push(*parent);
                tree.steps.push(&last.name());
                next
            });
            path_of_row[element] = number;
        }
        tree.numbers.push(number);
    }
    Some(tree)
}

/// One number per row, equal for rows with the same path. The rows are of this page.
pub fn paths_of_rows(page: &PageView, rows: impl Iterator<Item = i32>) -> Vec<i32> {
    path_tree(page, &rows.collect::<Vec<_>>()).map_or_else(Vec::new, |tree| tree.numbers)
}

/// The tag of an element and its first class, if it has one.
#[derive(PartialEq, Eq, Hash)]
struct Step<'a> {
    tag: &'a str,
    class: Option<&'a str>,
}

impl<'a> Step<'a> {
    /// That of an element.
    fn of(page: &PageView<'a>, row: usize) -> Self {
        let classes = beginning(page.value(row, attribute::CLASS).unwrap_or(""), STEP_LENGTH);
        Step { tag: beginning(page.tag_name(page.tag[row]), STEP_LENGTH), class: words(classes).next() }
    }

    /// As it is shown: `div.post`.
    fn name(&self) -> String {
        match self.class {
            Some(class) => format!("{}.{}", self.tag, class),
            None => self.tag.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Limits;
    use crate::html::read;

    #[test]
    fn elements_with_the_same_path_share_a_number() {
        let page = read("<div class='w-1/2 b'><p>x<p>y</div><p>z", &Limits::default());
        let view = page.view();
        let rows: Vec<i32> =
            (0..page.len() as i32).filter(|&row| view.tag_name(view.tag[row as usize]) == "p").collect();
        let tree = path_tree(&view, &rows).unwrap();
        assert_eq!(tree.steps.texts(), ["html", "body", "div.w-1/2", "p", "p"]);
        assert_eq!(tree.parents, [-1, 0, 1, 2, 1]);
        assert_eq!(tree.numbers, [3, 3, 4]);
    }

    #[test]
    fn long_names_are_cut_and_rows_beyond_the_page_are_refused() {
        let page = read(&format!("<p class='{}'>x", "é".repeat(50)), &Limits::default());
        let tree = path_tree(&page.view(), &[3]).unwrap();
        assert_eq!(tree.steps.texts()[2], format!("p.{}", "é".repeat(STEP_LENGTH)));
        assert!(path_tree(&page.view(), &[9]).is_none());
    }

    #[test]
    fn tags_and_first_classes_make_paths() {
        let page =
            read("<p class='a b'>1</p><p class=' a c'>2</p><p class=b>3</p><div><p class=a>4", &Limits::default());
        let texts = (0..page.len()).filter(|&row| page.tag[row] == 0);
        let of = paths_of_rows(&page.view(), texts.map(|row| row as i32));
        assert_eq!(of[0], of[1]);
        assert!(of[1] != of[2] && of[1] != of[3] && of[2] != of[3]);
    }
}
