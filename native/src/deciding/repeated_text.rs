//! The rule on text that is on a page twice: a copy for phones, for another colour or size, or in a summary.
#![forbid(unsafe_code)]

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, Hash, Hasher};

use super::situations::Situation;
use crate::failure::{filled, Failure};
use crate::features::numbering::Hashing;

/// Characters of a copy, without white space: shorter texts recur for reasons of their own, as `4 mm` does in a
/// specification. With 20, of 93 service pages 12 get worse and 14 better; with 30, 7 and 11.
const SHORTEST_COPY: usize = 30;

/// Bytes of letters and digits in a pull quote that tell whether the text has it: three words, or so.
const SHORTEST_QUOTE: usize = 12;
/// Blocks in pull quotes of a page that are looked for, so that many do not take long.
const MOST_QUOTES: usize = 32;

/// Drop kept blocks that repeat, in the same order, blocks that are kept above them; of a table of data all or nothing.
pub fn repeated_text(situation: &Situation) -> Result<Vec<i8>, Failure> {
    let kept: Vec<usize> = (0..situation.len()).filter(|&index| situation.keep[index]).collect();
    let hashing = Hashing::new();
    let folded = |&index: &usize| Folded::new(situation.blocks.segments.texts.get(index), &hashing);
    let texts: Vec<Folded> = kept.iter().map(folded).collect();
    let mut is_copy = filled(situation.len(), |_| false)?;
    let mut first_places: HashMap<&Folded, usize, Hashing> = HashMap::default();
    let mut place = 0;
    while place < texts.len() {
        let above = first_places.get(&texts[place]);
        let repeated = above.map_or(0, |&above| equal_from(&texts, above, place));
        let copy = place..place + repeated;
        if texts[copy.clone()].iter().map(Folded::length).sum::<usize>() >= SHORTEST_COPY {
            copy.for_each(|place| is_copy[kept[place]] = true);
        }
        let next = place + repeated.max(1);
        (place..next).for_each(|place| {
            first_places.entry(&texts[place]).or_insert(place);
        });
        place = next;
    }
    if !is_copy.contains(&true) {
        return situation.no_verdicts();
    }
    let tables = &situation.blocks.table.table;
    // Its rows may be equal, or have equal cells: without these the others mean something else.
    let with_other_text: HashSet<i32> =
        kept.iter().filter(|&&index| !is_copy[index]).map(|&index| tables[index]).collect();
    let is_of_copy = |index: usize| tables[index] < 0 || !with_other_text.contains(&tables[index]);
    situation.drop_kept(|index| is_copy[index] && is_of_copy(index))
}

/// Drop pull quotes that repeat a part of the kept text.
pub fn repeated_quotes(situation: &Situation) -> Result<Vec<i8>, Failure> {
    let quotes = &situation.structures.pull_quotes;
    let first_row = |index: usize| situation.blocks.segments.first_row[index] as usize;
    let quote_of = |index: usize| quotes.around(situation.page, first_row(index));
    let kept = || (0..situation.len()).filter(|&index| situation.keep[index]);
    let quoted: Vec<usize> = kept().filter(|&index| quote_of(index).is_some()).take(MOST_QUOTES).collect();
    if quotes.rows.is_empty() || quoted.is_empty() {
        return situation.no_verdicts();
    }
    let letters = |index: usize| letters_of(situation.blocks.segments.texts.get(index));
    let text: String = kept().filter(|&index| quote_of(index).is_none()).map(letters).collect();
    let is_repeat = |index: &usize| {
        let own = letters(*index);
        own.len() >= SHORTEST_QUOTE && text.contains(&own)
    };
    let repeats: Vec<usize> = quoted.into_iter().filter(is_repeat).collect();
    // Who said it goes with what was said.
    let emptied: Vec<Option<usize>> = repeats.iter().map(|&index| quote_of(index)).collect();
    situation.drop_kept(|index| quote_of(index).is_some_and(|quote| emptied.contains(&Some(quote))))
}

/// The letters and digits of a text, without case: quotes are cut and dressed.
fn letters_of(text: &str) -> String {
    text.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// A text without white space and case. Few are equal, so it is not written, and what is compared first is a hash.
#[derive(Clone, Copy)]
struct Folded<'a> {
    text: &'a str,
    hash: u64,
}

impl<'a> Folded<'a> {
    fn new(text: &'a str, hashing: &Hashing) -> Self {
        let mut hasher = hashing.build_hasher();
        if text.is_ascii() {
            let others = text.bytes().filter(|byte| !byte.is_ascii_whitespace() && *byte != b'\x0B');
            others.for_each(|byte| hasher.write_u32(u32::from(byte.to_ascii_lowercase())));
        } else {
            Folded { text, hash: 0 }.characters().for_each(|character| hasher.write_u32(u32::from(character)));
        }
        Folded { text, hash: hasher.finish() }
    }

    /// What is left of it.
    fn characters(&self) -> impl Iterator<Item = char> + 'a {
        self.text.chars().filter(|character| !character.is_whitespace()).flat_map(char::to_lowercase)
    }

    /// How many characters are left.
    fn length(&self) -> usize {
        self.characters().count()
    }
}

impl PartialEq for Folded<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash && self.characters().eq(other.characters())
    }
}

impl Eq for Folded<'_> {}

impl Hash for Folded<'_> {
    fn hash<State: Hasher>(&self, state: &mut State) {
        state.write_u64(self.hash);
    }
}

/// How many texts from one place on are those from a place above it on, before that reaches the first place.
fn equal_from(texts: &[impl PartialEq], above: usize, place: usize) -> usize {
    texts[above..place].iter().zip(&texts[place..]).take_while(|(first, second)| first == second).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_equal_up_to_the_first_that_differs() {
        let texts: Vec<String> = ["a", "b", "c", "a", "b", "d"].iter().map(|&text| text.to_owned()).collect();
        assert_eq!(equal_from(&texts, 0, 3), 2);
        assert_eq!(equal_from(&texts, 2, 3), 0);
        let same = vec!["a".to_owned(); 5];
        assert_eq!((equal_from(&same, 0, 1), equal_from(&same, 0, 2)), (1, 2));
    }

    #[test]
    fn white_space_and_case_do_not_matter() {
        let hashing = Hashing::new();
        let folded = |text| Folded::new(text, &hashing);
        assert!(folded(" Built TO\u{a0}last\n") == folded("built\x0Btolast"));
        assert!(folded("built tolast") != folded("built to lust"));
        assert_eq!(folded(" Built TO\u{a0}last\n").length(), 11);
    }
}
