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
/// Tabs of a page, at most: more are something else.
const MOST_TABS: usize = 400;

/// Whether an element is the label of a tab.
pub fn is_tab(page: &PageView, row: usize) -> bool {
    has_role(page, row, TAB)
}

/// Whether an element has a role.
fn has_role(page: &PageView, row: usize, role: &str) -> bool {
    page.value(row, attribute::ROLE).map_or(false, |value| strip(value) == role)
}

/// Blocks in order, but those of the labels of tabs before the first block of their panels. Labels without a panel stay.
pub fn with_labels_at_panels(source: &Source, blocks: Vec<usize>) -> Vec<usize> {
    let page = source.page;
    let rows_of = |role: &str| -> Vec<usize> {
        let rows = page.attributes_named(attribute::ROLE).map(|index| page.row_of_attribute(index));
        rows.filter(|&row| has_role(page, row, role)).take(MOST_TABS).collect()
    };
    let tabs = rows_of(TAB);
    if tabs.is_empty() {
        return blocks;
    }
    let panels = rows_of(PANEL);
    let within = |row: usize| source.blocks_in(row).filter(|block| blocks.binary_search(block).is_ok());
    let mut moved: HashMap<usize, Vec<usize>> = HashMap::new();
    for (tab, panel) in panels_of_tabs(page, &tabs, &panels) {
        count(1);
        if let Some(first) = within(panel).next().filter(|_| tab < panel) {
            moved.entry(first).or_default().extend(within(tab));
        }
    }
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
