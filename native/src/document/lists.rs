//! Lists: the numbers of their items, and terms with their descriptions.
#![forbid(unsafe_code)]

use super::steps::count;
use super::tree::{Definition, Item, List, Node};
use crate::blocks::characters::strip;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{attribute, number_of, set};
use crate::html::attributes::code_of;

const START: u8 = code_of("start");
const VALUE: u8 = code_of("value");
const ITEM: i32 = number_of("li");
const TERM: i32 = number_of("dt");
const DESCRIPTION: i32 = number_of("dd");
const ORDERED: i32 = number_of("ol");
const DIVISION: i32 = number_of("div");
/// Digits of an item's number; what is longer is no number of an item.
const MOST_DIGITS: usize = 7;
const FIRST_NUMBER: i32 = 1;

/// Whether a row is an item, a term or a description.
pub fn is_member(page: &PageView, row: i32) -> bool {
    row >= 0 && matches!(page.tag[row as usize], ITEM | TERM | DESCRIPTION)
}

/// Whether an element that is no item by its tag says that it is one.
pub fn is_item_by_role(page: &PageView, row: i32) -> bool {
    let role = usize::try_from(row).ok().and_then(|row| page.value(row, attribute::ROLE));
    !is_member(page, row) && role.is_some_and(|role| strip(role) == "listitem")
}

/// Row of the list around a member.
pub fn list_around(page: &PageView, member: usize) -> i32 {
    let parent = page.parent[member];
    // Terms and descriptions may be wrapped in pairs.
    if page.tag[member] != ITEM && parent >= 0 && page.tag[parent as usize] == DIVISION {
        return page.parent[parent as usize];
    }
    parent
}

/// The list of some members: their rows, and what is in each.
pub fn list_of(page: &PageView, members: Vec<(usize, Vec<Node>)>, numbers: &mut ItemNumbers) -> Node {
    let first = match members.first() {
        Some(&(first, _)) => first,
        None => return Node::Definitions(Vec::new()),
    };
    if page.tag[first] != ITEM {
        return Node::Definitions(definitions(page, members));
    }
    let parent = page.parent[first];
    let is_ordered = parent >= 0 && page.tag[parent as usize] == ORDERED;
    let item = |(row, children)| Item { children, number: numbers.get(page, row) };
    Node::List(List { items: members.into_iter().map(item).collect(), is_ordered })
}

/// Members as definitions: each term after a description begins another one.
fn definitions(page: &PageView, members: Vec<(usize, Vec<Node>)>) -> Vec<Definition> {
    let mut definitions = vec![Definition::default()];
    for (row, children) in members {
        let is_term = page.tag[row] == TERM;
        if is_term && definitions.last().is_some_and(|last| !last.descriptions.is_empty()) {
            definitions.push(Definition::default());
        }
        if let Some(last) = definitions.last_mut() {
            (if is_term { &mut last.terms } else { &mut last.descriptions }).push(children);
        }
    }
    definitions
}

/// Joins consecutive lists, which come from labels and have one item each, into one.
pub fn with_lists_joined(nodes: impl Iterator<Item = Node>) -> Vec<Node> {
    // Cells have one node each: the room for four that a first push makes would be most of the memory of a large table.
    let mut joined: Vec<Node> = Vec::with_capacity(nodes.size_hint().0);
    append_with_lists_joined(&mut joined, nodes);
    joined
}

/// Appends nodes, consecutive lists among them joined.
pub fn append_with_lists_joined(joined: &mut Vec<Node>, nodes: impl Iterator<Item = Node>) {
    let mut is_after_list = false;
    for node in nodes {
        match (node, joined.last_mut()) {
            (Node::List(list), Some(Node::List(before))) if is_after_list && !list.is_ordered => {
                before.items.extend(list.items);
            }
            (Node::List(list), _) => {
                is_after_list = !list.is_ordered;
                joined.push(Node::List(list));
            }
            (node, _) => {
                joined.push(node);
                is_after_list = false;
            }
        }
    }
}

/// Whether a list is the rest of the one right before it: the exports of Notion have a list for each item. The numbers of the
/// one go on, or both have the same class and the second one has a single item.
pub fn continues_list(page: &PageView, before: i32, list: i32) -> bool {
    let (before, list) = match (usize::try_from(before), usize::try_from(list)) {
        (Ok(before), Ok(list)) if before < list => (before, list),
        _ => return false,
    };
    let class = |row: usize| page.value(row, attribute::CLASS);
    let start = |row: usize| page.value(row, START).and_then(whole_number);
    let goes_on = || match page.tag[list] {
        ORDERED => start(list).is_some_and(|number| number > start(before).unwrap_or(FIRST_NUMBER)),
        _ => class(list).is_some(),
    };
    let is_alike = page.tag[before] == page.tag[list]
        && page.is_in(list, set::LIST)
        && page.parent[before] == page.parent[list]
        && class(before) == class(list);
    let between = page.subtree_end[before] as usize..list;
    count(between.len());
    is_alike
        && between.into_iter().all(|row| page.is_text(row) && strip(page.text_within(row)).is_empty())
        && has_single_item(page, list)
        && goes_on()
}

/// Whether a list has one item.
fn has_single_item(page: &PageView, list: usize) -> bool {
    let end = page.subtree_end[list] as usize;
    let first = (list + 1..end).find(|&row| page.tag[row] == ITEM);
    first.is_some_and(|item| strip(page.text_within(list)) == strip(page.text_within(item)))
}

/// Makes one of the last two nodes if both are lists of the same kind.
pub fn join_last_lists(nodes: &mut Vec<Node>) {
    let are_alike = match &nodes[..] {
        [.., Node::List(before), Node::List(list)] => before.is_ordered == list.is_ordered,
        _ => false,
    };
    if are_alike {
        if let (Some(Node::List(list)), Some(Node::List(before))) = (nodes.pop(), nodes.last_mut()) {
            before.items.extend(list.items);
        }
    }
}

/// The number of each `<li>`: its `value`, or the next in its list; dropped items count. Counted when first asked for.
#[derive(Debug, Default)]
pub struct ItemNumbers {
    numbers: Vec<i32>,
}

impl ItemNumbers {
    /// The number of an item.
    pub fn get(&mut self, page: &PageView, row: usize) -> i32 {
        if self.numbers.is_empty() {
            self.numbers = count_items(page);
        }
        self.numbers[row]
    }
}

/// By row: the number of an item.
fn count_items(page: &PageView) -> Vec<i32> {
    let mut numbers = vec![FIRST_NUMBER; page.len()];
    let mut following = vec![FIRST_NUMBER; page.len()];
    for index in page.attributes_named(START) {
        if let Some(start) = whole_number(page.value_of(index)) {
            following[page.row_of_attribute(index)] = start;
        }
    }
    for row in page.rows_of(ITEM) {
        let next = &mut following[page.parent[row].max(0) as usize];
        numbers[row] = page.value(row, VALUE).and_then(whole_number).unwrap_or(*next);
        *next = numbers[row] + 1;
    }
    numbers
}

/// The number in an attribute.
fn whole_number(value: &str) -> Option<i32> {
    let digits = strip(value);
    let is_number = digits.len() <= MOST_DIGITS && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| is_number)
}
