//! Items of lists in pages that Word has saved: paragraphs that begin with a bullet of their own.
#![forbid(unsafe_code)]

use super::source::Source;
use super::steps::count;
use crate::blocks::tags::attribute;
use crate::html::attributes::STYLE;
use std::collections::HashMap;

/// Classes of such paragraphs.
pub const ITEMS_OF_WORD: [&str; 4] =
    ["MsoListParagraph", "MsoListParagraphCxSpFirst", "MsoListParagraphCxSpMiddle", "MsoListParagraphCxSpLast"];
/// What the style of a bullet says to those who read the file.
const IGNORED: &str = "mso-list:Ignore";
/// Bullets: those of the fonts Symbol, Wingdings and Courier New.
const BULLETS: [char; 7] = ['·', '§', 'o', '•', '-', '\u{f0b7}', '\u{f0a7}'];

/// Kept blocks that are such items -> rows of their bullets.
pub fn items_of_word(source: &Source) -> HashMap<usize, usize> {
    if !source.structures.has_items_of_word {
        return HashMap::new();
    }
    let begins_so = |&block: &usize| source.text(block).starts_with(BULLETS.as_slice());
    source.kept().filter(begins_so).filter_map(|block| Some((block, bullet_of(source, block)?))).collect()
}

/// Row of the bullet of a block that is an item.
fn bullet_of(source: &Source, block: usize) -> Option<usize> {
    let (page, (first, last)) = (source.page, source.rows(block));
    let owner = usize::try_from(source.owner(block)).ok()?;
    page.value(owner, attribute::CLASS).filter(|class| ITEMS_OF_WORD.contains(class))?;
    count(last - owner);
    // The elements around the first text: the bullet is one of them.
    (owner + 1..first).find(|&row| page.value(row, STYLE).is_some_and(|style| style.contains(IGNORED)))
}

#[cfg(test)]
mod tests {
    use super::super::read_documents::markdown_of;

    #[test]
    fn paragraphs_with_bullets_are_items() {
        let item = |bullet: &str, text: &str| {
            format!(
                "<p class=MsoListParagraphCxSpFirst style='mso-list:l0 level1 lfo1'><![if !supportLists]><span \
                style='font-family:Symbol;mso-list:Ignore'>{bullet}<span>&nbsp;&nbsp; </span></span><![endif]>{text}</p>"
            )
        };
        let html = format!("<p>a</p>{}{}<p>o d</p>", item("·", "<b>b</b> x"), item("o", "c"));
        assert_eq!(markdown_of(&html), "a\n\n- **b** x\n- c\n\no d\n");
    }
}
