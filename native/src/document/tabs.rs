//! Tabs: their labels stand together above the panels, of which a reader sees one. In a text, each goes above its panel.
#![forbid(unsafe_code)]

use super::footnotes::rows_of_ids;
use super::source::Source;
use super::steps::count;
use crate::blocks::characters::strip;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::attribute;
use crate::html::attributes::code_of;
use std::collections::{HashMap, HashSet};

const CONTROLS: u8 = code_of("aria-controls");
const LABELLED_BY: u8 = code_of("aria-labelledby");
const TAB: &str = "tab";
const PANEL: &str = "tabpanel";
/// Bytes of a label, at most.
const LONGEST_LABEL: usize = 100;
/// Rows from an item to the label in it: white space may be between them.
const REACH_OF_LABEL: usize = 2;
/// Tabs of a page, at most: more are something else.
const MOST_TABS: usize = 400;

/// Whether an element is the label of a tab: some pages give the role to all that a tab shows.
pub fn is_tab(page: &PageView, row: usize) -> bool {
    has_role(page, row, TAB) && strip(page.text_within(row)).len() <= LONGEST_LABEL
}

/// Whether an element is the item of a list that the label of a tab is in, or such a label.
pub fn is_item_of_tab(page: &PageView, row: usize) -> bool {
    let inside = row + 1..(row + 1 + REACH_OF_LABEL).min(page.subtree_end[row] as usize);
    is_tab(page, row) || inside.into_iter().find(|&row| !page.is_text(row)).map_or(false, |row| is_tab(page, row))
}

/// Whether an element has a role.
fn has_role(page: &PageView, row: usize, role: &str) -> bool {
    page.value(row, attribute::ROLE).map_or(false, |value| strip(value) == role)
}

/// Labels of tabs with the panels below them.
pub fn tabs_with_panels(page: &PageView) -> Vec<(usize, usize)> {
    let with_role = || page.attributes_named(attribute::ROLE).map(|index| page.row_of_attribute(index));
    let tabs: Vec<usize> = with_role().filter(|&row| is_tab(page, row)).take(MOST_TABS).collect();
    if tabs.is_empty() {
        return Vec::new();
    }
    let panels: Vec<usize> = with_role().filter(|&row| has_role(page, row, PANEL)).take(MOST_TABS).collect();
    let mut found = panels_of_tabs(page, &tabs, &panels);
    found.retain(|&(tab, panel)| panel >= page.subtree_end[tab] as usize);
    found
}

/// Blocks in order, but those of the labels of tabs before the first block of their panels. Labels without a panel stay.
pub fn with_labels_at_panels(source: &Source, blocks: Vec<usize>) -> Vec<usize> {
    let tabs = tabs_with_panels(source.page);
    if tabs.is_empty() {
        return blocks;
    }
    let within = |row: usize| source.blocks_in(row).filter(|block| blocks.binary_search(block).is_ok());
    let mut moved: HashMap<usize, Vec<usize>> = HashMap::new();
    for (tab, panel) in tabs {
        count(1);
        if let Some(first) = within(panel).next() {
            moved.entry(first).or_default().extend(within(tab));
        }
    }
    // The first block of a panel may be the label of a tab in it.
    let labels: HashSet<usize> = moved.values().flatten().copied().collect();
    moved.retain(|first, _| !labels.contains(first));
    let is_moved: HashSet<usize> = moved.values().flatten().copied().collect();
    let mut ordered = Vec::with_capacity(blocks.len());
    for block in blocks.into_iter().filter(|block| !is_moved.contains(block)) {
        ordered.extend(moved.remove(&block).unwrap_or_default());
        ordered.push(block);
    }
    ordered
}

/// Tabs with their panels: those that they name or that name them, or, if there are as many and none is named, in order.
fn panels_of_tabs(page: &PageView, tabs: &[usize], panels: &[usize]) -> Vec<(usize, usize)> {
    let ids = rows_of_ids(page);
    let named = |row: usize, name: u8| page.value(row, name).and_then(|id| ids.get(strip(id)).copied());
    let by_name: HashMap<usize, usize> =
        panels.iter().filter_map(|&panel| Some((named(panel, LABELLED_BY)?, panel))).collect();
    let panel_of = |&tab: &usize| Some((tab, named(tab, CONTROLS).or_else(|| by_name.get(&tab).copied())?));
    let found: Vec<(usize, usize)> = tabs.iter().filter_map(panel_of).collect();
    if found.is_empty() && tabs.len() == panels.len() {
        return tabs.iter().copied().zip(panels.iter().copied()).collect();
    }
    found
}
