//! Tabs: their labels stand together above the panels, of which a reader sees one. In a text, each goes above its panel.
#![forbid(unsafe_code)]

use super::footnotes::rows_of_ids;
use super::source::{show, Source};
use super::steps::count;
use crate::blocks::characters::strip;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{attribute, number_of};
use crate::html::attributes::code_of;
use std::collections::{HashMap, HashSet};

const CONTROLS: u8 = code_of("aria-controls");
const LABELLED_BY: u8 = code_of("aria-labelledby");
const LINK: i32 = number_of("a");
const TAB: &str = "tab";
/// Class of the panels of tabs that Bootstrap writes.
pub const PANE: &str = "tab-pane";
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

/// Whether an element is the item of a list that the label of a tab is in, or such a label, given those without roles.
pub fn is_item_of_tab(page: &PageView, row: usize, without_roles: &[(usize, usize)]) -> bool {
    let mut inside = row + 1..(row + 1 + REACH_OF_LABEL).min(page.subtree_end[row] as usize);
    let is_label = |row: usize| is_tab(page, row) || is_label_of_pane(without_roles, row);
    is_tab(page, row) || inside.find(|&row| !page.is_text(row)).is_some_and(is_label)
}

/// Whether a link is the label of a tab without a role, given all of these.
pub fn is_label_of_pane(without_roles: &[(usize, usize)], row: usize) -> bool {
    without_roles.binary_search_by_key(&row, |&(label, _)| label).is_ok()
}

/// Links to the panels of tabs without roles, ascending, and these panels: Bootstrap 2 and 3. Given are the panels, and the
/// attributes with addresses of parts of a page.
pub fn labels_of_panes(page: &PageView, panes: &[usize], fragments: &[usize]) -> Vec<(usize, usize)> {
    let ids: HashMap<&str, usize> =
        panes.iter().filter_map(|&row| Some((page.value(row, attribute::ID)?, row))).collect();
    if ids.is_empty() {
        return Vec::new();
    }
    let mut seen = HashSet::new();
    let label = |index: usize| {
        let (link, target) = (page.row_of_attribute(index), page.value_of(index).strip_prefix('#')?);
        let pane = ids.get(target).copied().filter(|&pane| pane >= page.subtree_end[link] as usize)?;
        let is_short = strip(page.text_within(link)).len() <= LONGEST_LABEL;
        // The first link is the label; others lead there from the text.
        (page.tag[link] == LINK && is_short && seen.insert(pane)).then_some((link, pane))
    };
    fragments.iter().copied().filter_map(label).take(MOST_TABS).collect()
}

/// Whether an element has a role.
fn has_role(page: &PageView, row: usize, role: &str) -> bool {
    page.value(row, attribute::ROLE).is_some_and(|value| strip(value) == role)
}

/// Labels of tabs with the panels below them.
pub fn tabs_with_panels(page: &PageView) -> Vec<(usize, usize)> {
    // Few roles are those of tabs, and to find the row of an attribute takes longer than to compare.
    let with_role = |role: &'static str| {
        let named = page.attributes_named(attribute::ROLE).filter(move |&index| strip(page.value_of(index)) == role);
        named.map(|index| page.row_of_attribute(index))
    };
    let tabs: Vec<usize> = with_role(TAB).filter(|&row| is_tab(page, row)).take(MOST_TABS).collect();
    if tabs.is_empty() {
        return Vec::new();
    }
    let panels: Vec<usize> = with_role(PANEL).filter(|&row| has_role(page, row, PANEL)).take(MOST_TABS).collect();
    let mut found = panels_of_tabs(page, &tabs, &panels);
    found.retain(|&(tab, panel)| panel >= page.subtree_end[tab] as usize);
    found
}

/// Blocks in order, but those of the labels of tabs before the first block of their panels. Labels without a panel stay.
pub fn with_labels_at_panels(source: &Source, blocks: Vec<usize>) -> Vec<usize> {
    let with_roles = tabs_with_panels(source.page);
    let tabs = if with_roles.is_empty() { source.structures.tabs.clone() } else { with_roles };
    if tabs.is_empty() {
        return blocks;
    }
    let within = |row: usize| source.blocks_in(row).filter(|block| blocks.binary_search(block).is_ok());
    let mut moved: HashMap<usize, Vec<usize>> = HashMap::new();
    // Elementor writes each label again for small screens; plain text has them as they are.
    let mut again: HashSet<usize> = HashSet::new();
    let says_same =
        |others: &[usize], label: usize| others.iter().any(|&other| source.text(other) == source.text(label));
    for (tab, panel) in tabs {
        count(1);
        if let Some(first) = within(panel).next() {
            let labels = moved.entry(first).or_default();
            for label in within(tab) {
                if !source.shows(show::PLAIN) && says_same(labels, label) {
                    again.insert(label);
                } else {
                    labels.push(label);
                }
            }
        }
    }
    // The first block of a panel may be the label of a tab in it.
    let labels: HashSet<usize> = moved.values().flatten().copied().collect();
    moved.retain(|first, _| !labels.contains(first));
    let is_moved: HashSet<usize> = moved.values().flatten().copied().collect();
    let mut ordered = Vec::with_capacity(blocks.len());
    for block in blocks.into_iter().filter(|block| !is_moved.contains(block) && !again.contains(block)) {
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
