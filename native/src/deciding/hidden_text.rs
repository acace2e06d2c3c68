//! The rule on hidden text that nothing on the page can reveal.
//!
//! `hidden`, `display: none` and `visibility: hidden` hide a tab or an accordion just as they hide an editor's leftovers.
//! The difference is a way to reach the element. A script finds it by its id, class or an ARIA attribute; a widget encloses
//! it; a "read more" button is next to it (`openers`). An element without any of these stays hidden. Doubtful text is kept.
//!
//! Measured on 8,073 labelled pages, cleaned with and without the rule: it affects 17 pages of 12 sites; word F1 is better
//! on 11 (by up to 0.14) and worse on 5: four of a site that repeats the first sentence of its articles in hidden metadata,
//! and a folded navigation box. If ids and classes did not count as handles, it would affect 185 pages and make 130 of them
//! worse, some of them empty; with handles, but without openers and without a limit on the text dropped, 41 and 18.
#![forbid(unsafe_code)]

use super::openers::{is_scripted, out_of_reach};
use super::situations::{Situation, FEWEST_CHARACTERS};
use crate::blocks::characters::{is_space, strip};
use crate::blocks::page_view::PageView;
use crate::blocks::tags::attribute;
use crate::failure::{filled, Failure};

/// Largest share of the kept text to drop. A page that hides more waits for its script to show it; without a script,
/// `FEWEST_CHARACTERS` must be left.
const MOST: f64 = 0.5;

/// Drop hidden text that nothing on the page can reveal, unless it makes up so much of the text that the page must be
/// waiting for a script.
pub fn hidden_text(situation: &Situation) -> Result<Vec<i8>, Failure> {
    let is_kept_hidden = |index: usize| situation.keep[index] && !situation.is_shown(index);
    if !(0..situation.len()).any(is_kept_hidden) {
        return situation.no_verdicts();
    }
    let (segments, others) = (&situation.blocks.segments, hidden_otherwise(situation.page));
    let rows_of = |index: usize| [segments.first_row[index] as usize, segments.last_row[index] as usize + 1];
    let found = filled(situation.len(), |index| {
        let [first, end] = rows_of(index);
        is_kept_hidden(index) && others[first] == others[end]
    })?;
    if may_go(situation, &found) {
        situation.drop_kept(|index| found[index])
    } else {
        situation.no_verdicts()
    }
}

/// Whether enough text is left without these blocks.
fn may_go(situation: &Situation, found: &[bool]) -> bool {
    let kept = situation.kept_characters(|_| true);
    let hidden = situation.kept_characters(|index| found[index]);
    hidden as f64 <= MOST * kept as f64 || (kept - hidden >= FEWEST_CHARACTERS && !is_scripted(situation.page))
}

/// By row: the number of texts before it that are hidden, but only from screen readers, by their tag, or where something can
/// reveal them. A block of hidden text may have such parts, too.
fn hidden_otherwise(page: &PageView) -> Vec<usize> {
    let never = never_shown(page);
    let mut numbers = vec![0; page.len() + 1];
    for row in 0..page.len() {
        let is_other = page.hidden[row] != 0 && !never[row] && page.text_length[row] > 0;
        numbers[row + 1] = numbers[row] + usize::from(is_other);
    }
    numbers
}

/// Rows inside hidden elements that nothing can reveal.
fn never_shown(page: &PageView) -> Vec<bool> {
    let declared = Declared::new(page);
    let alone = out_of_reach(page, |row| declared.is_undisplayed[row] || declared.is_invisible[row] == Some(true));
    let mut never = page.enclosed(|row| declared.is_undisplayed[row] && alone[row]);
    // An element that declares itself visible shows even inside an invisible one.
    let closest = page.closest(|row| declared.is_invisible[row].is_some());
    for (never, &row) in never.iter_mut().zip(&closest).filter(|(_, &row)| row >= 0) {
        *never |= declared.is_invisible[row as usize] == Some(true) && alone[row as usize];
    }
    never
}

/// What the attributes of elements declare. One entry per row.
struct Declared {
    /// Whether the element is not displayed.
    is_undisplayed: Vec<bool>,
    /// Whether its `visibility` hides it; None if it declares none.
    is_invisible: Vec<Option<bool>>,
}

impl Declared {
    /// Read `hidden` and `style`, which holds against it.
    fn new(page: &PageView) -> Self {
        let mut declared = Declared { is_undisplayed: vec![false; page.len()], is_invisible: vec![None; page.len()] };
        for index in page.attributes_named(attribute::HIDDEN) {
            let is_findable = strip(page.value_of(index)).eq_ignore_ascii_case("until-found");
            declared.is_undisplayed[page.row_of_attribute(index)] = !is_findable;
        }
        for index in page.attributes_named(attribute::STYLE) {
            declared.read_style(page.row_of_attribute(index), &page.value_of(index).to_lowercase());
        }
        declared
    }

    /// Read a style in lower case. Of two declarations of one property the last holds.
    fn read_style(&mut self, row: usize, style: &str) {
        for declaration in style.split(';') {
            if let Some(value) = value_of_property(declaration, "display") {
                self.is_undisplayed[row] = value == "none";
            } else if let Some(value) = value_of_property(declaration, "visibility") {
                self.is_invisible[row] = Some(value == "hidden");
            }
        }
    }
}

/// The first word of the value of a property, if a declaration is of this property and has one.
fn value_of_property<'a>(declaration: &'a str, property: &str) -> Option<&'a str> {
    let after = declaration.trim_start_matches(is_space).strip_prefix(property)?.trim_start_matches(is_space);
    let value = after.strip_prefix(':')?.trim_start_matches(is_space);
    let is_in_word = |character: char| character.is_ascii_lowercase() || character == '-';
    let end = value.find(|character| !is_in_word(character)).unwrap_or(value.len());
    Some(&value[..end]).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deciding::situations::{with_situation, DROP};

    #[test]
    fn what_nothing_can_reveal_goes() {
        let text =
            "<p>Mine takes three minutes, but then our water is softer than most, and I descale it each month.</p>";
        for (hidden, verdict) in [
            ("<p hidden>Nobody reads this.</p>", DROP),
            ("<p style='visibility:hidden'>Nobody reads this.</p>", DROP),
            ("<p role=tabpanel hidden>Somebody does.</p>", 0),
            ("<div class=accordion><p hidden>Somebody does.</p></div>", 0),
            ("<p hidden>Somebody does.</p><button>More</button>", 0),
            ("<p aria-hidden=true>Everybody does.</p>", 0),
        ] {
            let html = format!("{}{}{}", text.repeat(4), hidden, text);
            let verdict_if = |keep: bool| {
                let verdicts = with_situation(&html, keep, |situation| hidden_text(situation).unwrap());
                verdicts.get(4).copied().unwrap_or(0)
            };
            assert_eq!(verdict_if(true), verdict, "{hidden}");
            assert_eq!(verdict_if(false), 0);
        }
    }

    #[test]
    fn values_of_properties() {
        for (declaration, value) in [
            ("display:none", Some("none")),
            (" display : none !important", Some("none")),
            ("display:inline-block", Some("inline-block")),
            ("display:", None),
            ("display: 1", None),
            ("displays:none", None),
            ("x display:none", None),
        ] {
            assert_eq!(value_of_property(declaration, "display"), value, "{declaration}");
        }
    }
}
