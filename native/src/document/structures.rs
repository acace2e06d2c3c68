//! What a page has of code, formulas and callouts: found once, for the decision and for every form of the document.
#![forbid(unsafe_code)]

use super::callouts::Callouts;
use super::class_signs::ClassSigns;
use super::drawn_lists::DrawnItems;
use super::drawn_tables::DrawnTables;
use super::formulas::{find_formulas, Formulas};
use super::pull_quotes::PullQuotes;
use super::tabs::labels_of_panes;
use crate::blocks::code_areas::CodeAreas;
use crate::columns::Page;
use std::sync::{Arc, Mutex, PoisonError};

/// The structures of a page that do not depend on what is kept of it.
#[derive(Debug, Default)]
pub struct Structures {
    /// Areas of code.
    pub code_areas: CodeAreas,
    /// Formulas.
    pub formulas: Formulas,
    /// Notes, tips and warnings that are set apart.
    pub callouts: Callouts,
    /// Rows that may be notes amid the text.
    pub possible_notes: Vec<usize>,
    /// Rows that may be cards.
    pub possible_cards: Vec<usize>,
    /// Rows that may be what somebody says to a language model.
    pub possible_turns: Vec<usize>,
    /// Whether there may be items of lists that Word writes.
    pub has_items_of_word: bool,
    /// Whether there may be links to change a section.
    pub has_edit_sections: bool,
    /// Whether there may be boxes of tasks that are no form.
    pub has_drawn_boxes: bool,
    /// Whether there may be a bibliography.
    pub has_bibliography: bool,
    /// Pull quotes.
    pub pull_quotes: PullQuotes,
    /// Tables without `<table>`: decisions do not know them.
    pub drawn_tables: DrawnTables,
    /// Items of lists without `<ul>`: decisions do not know them.
    pub drawn_items: DrawnItems,
    /// Rows of the listings without `<pre>`: decisions do not take them for code, which they were not learnt with.
    pub listings: Vec<usize>,
    /// Links that are the labels of tabs without roles, ascending, and the panels below them.
    pub tabs: Vec<(usize, usize)>,
    /// Attributes with the addresses that name a part of a page, in order.
    pub fragments: Vec<usize>,
}

impl Structures {
    /// Those of a page.
    pub fn of(page: &Page) -> Self {
        let view = &page.view();
        let signs = ClassSigns::of(view);
        Structures {
            code_areas: CodeAreas::find(view, &signs.areas),
            formulas: find_formulas(view, &signs.formulas, &page.embedded_row, page.embedded()),
            callouts: Callouts::of(view, &signs.callouts),
            possible_notes: signs.notes,
            possible_cards: signs.cards,
            possible_turns: signs.turns,
            has_items_of_word: signs.has_items_of_word,
            has_edit_sections: signs.has_edit_sections,
            has_drawn_boxes: signs.has_drawn_boxes,
            has_bibliography: signs.has_bibliography,
            pull_quotes: PullQuotes::of(view, &signs.quotes),
            drawn_tables: DrawnTables::of(view, &signs.table_rows, &signs.values),
            drawn_items: DrawnItems::of(view, &signs.drawn_items),
            listings: signs.listings,
            tabs: labels_of_panes(view, &signs.panes, &signs.fragments),
            fragments: signs.fragments,
        }
    }
}

/// The structures of a page, kept once somebody has asked for them.
#[derive(Debug, Default)]
pub struct KeptStructures {
    found: Mutex<Option<Arc<Structures>>>,
}

impl KeptStructures {
    /// The structures, which must always be asked for with the same page.
    pub fn of(&self, page: &Page) -> Arc<Structures> {
        // After a panic nothing was written: what is there is whole.
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.get_or_insert_with(|| Arc::new(Structures::of(page))).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Limits;
    use crate::html::read;

    #[test]
    fn all_are_found_and_only_once() {
        let html = "<div class='admonition tip'>a</div><pre>b</pre><p>c<span class=sidenote>d</span>\
            <span class=tex>x^2</span><div class=CodeMirror>e</div>";
        let (page, kept) = (read(html, &Limits::default()), KeptStructures::default());
        let found = kept.of(&page);
        assert_eq!((found.code_areas.rows.len(), found.formulas.len()), (2, 1));
        assert_eq!((found.callouts.kinds.len(), found.possible_notes.len()), (1, 1));
        assert!(Arc::ptr_eq(&found, &kept.of(&page)));
    }

    #[test]
    fn signs_of_elements_and_attributes() {
        let counts = |html: &str| {
            let found = Structures::of(&read(html, &Limits::default()));
            [found.code_areas.rows.len(), found.callouts.kinds.len(), found.formulas.len(), found.possible_notes.len()]
        };
        assert_eq!(counts("<aside class=note>a</aside><aside title=tip>b</aside><div title=tip>c</div>"), [0, 2, 0, 0]);
        assert_eq!(counts("<textarea class=react-blob-textarea>a</textarea><textarea>b</textarea>"), [1, 0, 0, 0]);
        assert_eq!(
            counts("<mjx-container><mjx-mn><mjx-c class=mjx-c31></mjx-c></mjx-mn></mjx-container>"),
            [0, 0, 1, 0]
        );
        assert_eq!(
            counts("<svg><math alttext=x>x</math></svg><p><span class=ltx_role_footnote>a</span>"),
            [0, 0, 1, 1]
        );
    }
}
