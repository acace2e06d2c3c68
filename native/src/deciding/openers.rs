//! What may show hidden text to a reader: handles for scripts, widgets around it, and openers beside it.
//!
//! The scripts themselves are not read, so any handle counts.
#![forbid(unsafe_code)]

use std::collections::HashSet;

use super::widget_names::names_widget;
use crate::blocks::characters::strip;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{attribute, number_of, TAGS};
use crate::html::attributes::ATTRIBUTES;

const HTML: i32 = number_of("html");
const BODY: i32 = number_of("body");
const SCRIPT: i32 = number_of("script");
const NOSCRIPT: i32 = number_of("noscript");
const FORM: i32 = number_of("form");
const BUTTON: i32 = number_of("button");
const SUMMARY: i32 = number_of("summary");
const LINK: i32 = number_of("a");

/// Ancestors of the hidden element searched for a widget: `.accordion > .item > .body > div`.
const LEVELS: usize = 3;
/// Page rows between the hidden element and its opener: `<button><span>More</span><svg>` is three.
const REACH: usize = 6;
/// Characters of an opener known only by its name (`.read-more`): a whole accordion opens nothing beside it.
const LONGEST_LABEL: usize = 80;

/// Attributes by which scripts select elements.
const NAMES: [&str; 3] = ["id", "class", "name"];
/// Attributes that bind an element to a script or widget, besides those of ARIA.
const BINDINGS: [&str; 6] = ["role", "x-show", "ng-show", "ng-hide", "[hidden]", "data-amp-bind-hidden"];
const OPENING_ROLES: [&str; 3] = ["button", "tab", "switch"];

/// Whether the page has scripts, or had before they were stripped: buttons outside forms need one.
pub fn is_scripted(page: &PageView) -> bool {
    let in_form = page.enclosed(|row| page.tag[row] == FORM);
    let is_sign = |row: usize| match page.tag[row] {
        SCRIPT => !holds_data(page.value(row, attribute::TYPE).unwrap_or("")),
        BUTTON => !in_form[row],
        tag => tag == NOSCRIPT,
    };
    (0..page.len()).any(is_sign) || page.attributes_named(attribute::ARIA_CONTROLS).next().is_some()
}

/// Whether a script of this type is data, and does nothing.
fn holds_data(kind: &str) -> bool {
    let kind = kind.to_lowercase();
    !strip(&kind).is_empty() && !kind.contains("script") && !kind.contains("module")
}

/// Hidden elements without a handle, outside widgets, and without an opener next to them. One entry per row.
pub fn out_of_reach(page: &PageView, is_hidden: impl Fn(usize) -> bool) -> Vec<bool> {
    let handles = Handles::new(page);
    let mut alone: Vec<bool> =
        (0..page.len()).map(|row| is_hidden(row) && !is_whole_page(page, row) && !handles.has(page, row)).collect();
    if alone.contains(&true) {
        let widgets: Vec<bool> = (0..page.len()).map(|row| is_widget(page, row)).collect();
        leave_out_widgets(page, &mut alone, &widgets);
        leave_out_opened(page, &mut alone, |row| opens(page, row) || (widgets[row] && is_label(page, row)));
    }
    alone
}

/// A script that reveals these reveals the page, and their classes describe all of it: `has-slideshow`.
fn is_whole_page(page: &PageView, row: usize) -> bool {
    page.tag[row] == HTML || page.tag[row] == BODY
}

/// What elements of a page can be addressed by.
struct Handles<'a> {
    /// Whether scripts can select elements by their names.
    is_scripted: bool,
    /// Ids that links lead to, where no script selects elements.
    targets: HashSet<&'a str>,
}

impl<'a> Handles<'a> {
    /// Those of a page.
    fn new(page: &PageView<'a>) -> Self {
        let is_scripted = is_scripted(page);
        let links = page.attributes_named(attribute::HREF).filter(|_| !is_scripted);
        let targets = links.filter_map(|index| page.value_of(index).rsplit_once('#')).map(|(_, id)| id).collect();
        Handles { is_scripted, targets }
    }

    /// Whether a script or link can address an element; custom elements have a script.
    fn has(&self, page: &PageView, row: usize) -> bool {
        let is_handle = |index: usize| {
            let name = ATTRIBUTES[usize::from(page.attribute_name[index])];
            (binds(name) || (self.is_scripted && NAMES.contains(&name))) && !strip(page.value_of(index)).is_empty()
        };
        let is_target = page.value(row, attribute::ID).is_some_and(|id| self.targets.contains(id));
        is_target || other_tag(page, row).contains('-') || page.attributes(row).any(is_handle)
    }
}

/// Whether an attribute binds an element to a script or widget.
fn binds(name: &str) -> bool {
    BINDINGS.contains(&name) || (name.starts_with("aria-") && name != "aria-hidden")
}

/// The tag of an element if it is outside the table, as that of a custom element is; otherwise empty.
fn other_tag<'a>(page: &PageView<'a>, row: usize) -> &'a str {
    if page.tag[row] as usize >= TAGS.len() {
        page.tag_name(page.tag[row])
    } else {
        ""
    }
}

/// Whether an element is named like a tab, an accordion or another widget, by class, id or tag.
fn is_widget(page: &PageView, row: usize) -> bool {
    let is_named = |name: u8| page.value(row, name).is_some_and(names_widget);
    !is_whole_page(page, row)
        && (is_named(attribute::CLASS) || is_named(attribute::ID) || names_widget(other_tag(page, row)))
}

/// Leave out elements that are widgets or closely inside one, and elements inside those: pages that fold a table often hide
/// the rows of nested tables one by one.
fn leave_out_widgets(page: &PageView, alone: &mut [bool], widgets: &[bool]) {
    let is_close = |row: usize| widgets[row] || page.ancestors(row).take(LEVELS).any(|row| widgets[row]);
    let in_widget = page.enclosed(|row| alone[row] && is_close(row));
    (0..page.len()).for_each(|row| alone[row] &= !in_widget[row]);
}

/// Leave out elements with an opener right before or after them. Hidden rows in between do not count: one "show all" opens a
/// whole run of items.
fn leave_out_opened(page: &PageView, alone: &mut [bool], opens: impl Fn(usize) -> bool) {
    let covered = page.enclosed(|row| alone[row]);
    let is_seen = |row: usize| !covered[row] && (!page.is_text(row) || page.text_length[row] > 0);
    // By the number of rows seen before: the number of openers among them.
    let mut openers = vec![0];
    let mut seen_before = Vec::with_capacity(page.len());
    for row in 0..page.len() {
        let seen = openers.len() - 1;
        seen_before.push(seen);
        if is_seen(row) {
            openers.push(openers[seen] + usize::from(opens(row)));
        }
    }
    for (alone, seen) in alone.iter_mut().zip(seen_before) {
        let (first, last) = (seen.saturating_sub(REACH), (seen + REACH).min(openers.len() - 1));
        *alone &= openers[first] == openers[last];
    }
}

/// Whether the text of an element is short enough for the label of an opener.
fn is_label(page: &PageView, row: usize) -> bool {
    page.text_within(row).chars().nth(LONGEST_LABEL).is_none()
}

/// Whether an element is a button, a link without a target, or says by an attribute that it opens something.
fn opens(page: &PageView, row: usize) -> bool {
    let has = |name: u8| page.attribute(row, name).is_some();
    let role = strip(page.value(row, attribute::ROLE).unwrap_or(""));
    let is_tag = match page.tag[row] {
        BUTTON | SUMMARY => true,
        // With a name, it is where a link ends, not where it starts.
        LINK => {
            let leads = page.value(row, attribute::HREF).is_some_and(|target| !leads_nowhere(target));
            !leads && !has(attribute::NAME) && !has(attribute::ID)
        }
        _ => false,
    };
    is_tag
        || has(attribute::ARIA_EXPANDED)
        || has(attribute::ARIA_CONTROLS)
        || OPENING_ROLES.iter().any(|opening| role.eq_ignore_ascii_case(opening))
}

/// Whether a link has no target: it runs a script.
fn leads_nowhere(target: &str) -> bool {
    const SCRIPT: &str = "javascript:";
    let target = strip(target);
    let is_script = target.get(..SCRIPT.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(SCRIPT));
    is_script || ["", "#", "#!", "#0", "#!0"].contains(&target)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_that_lead_nowhere() {
        for target in ["", " ", "#", "# ", "\n#!", "#0", "#!0", "javascript:", " JavaScript:void(0)"] {
            assert!(leads_nowhere(target), "{target}");
        }
        for target in ["#a", "#!a", "##", "#00", "/", "javascript", "javascripté:", "é"] {
            assert!(!leads_nowhere(target), "{target}");
        }
    }

    #[test]
    fn scripts_of_other_types_are_data() {
        assert!(holds_data("application/json") && holds_data(" importmap "));
        for kind in ["", " ", "text/JavaScript", "Module", "text/typescript"] {
            assert!(!holds_data(kind), "{kind}");
        }
    }

    #[test]
    fn attributes_that_bind() {
        assert!(["role", "x-show", "aria-label", "[hidden]"].into_iter().all(binds));
        assert!(!["aria-hidden", "class", "hidden", "id"].into_iter().any(binds));
    }
}
