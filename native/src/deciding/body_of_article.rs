//! Keep the text that the page itself calls the body of its article, where the scores drop some of it.
//!
//! On sites that the network does not know, scores fail as a whole on a few pages. Pages of news often store their text a second
//! time for search engines, in JSON-LD: then there is no doubt what it is.
#![forbid(unsafe_code)]

use super::situations::{Situation, KEEP};
use crate::blocks::characters::letters;
use crate::blocks::kinds::kind;
use crate::failure::Failure;
use crate::html::stored_text::{article_bodies, escaped_number, kept_scripts};
use std::collections::BTreeSet;

/// Letters that are compared at once: of as many, few stand in two texts by chance.
const WINDOW: usize = 16;
/// Letters of the shortest body, and of as many as are looked at: a long book.
const FEWEST_LETTERS: usize = 200;
const MOST_LETTERS: usize = 400_000;
/// Share of the windows of a block that must be in the body: links and formatting are stored in other ways.
const MOST_WINDOWS: f64 = 0.75;
/// Share of the body that must be among the blocks: else it is that of another page, or stored in some other way.
const MOST_OF_BODY: f64 = 0.5;
/// Share of it that may be dropped: advertisements and teasers amid the text.
const LEAST: f64 = 0.2;

/// Share of the threshold that the dropped rest must reach on average: a gallery may store the texts of all its pictures, and
/// show them beside what it is about.
const DOUBT: f64 = 0.25;

/// Keep the blocks of the longest body that the page stores, if too few of them are kept.
pub fn body_of_article(situation: &Situation) -> Result<Vec<i8>, Failure> {
    let stored = longest_body(situation);
    // To compare all of it takes a tenth as long as to clean the page.
    if kept_samples(situation, stored) >= NEARLY_ALL {
        return situation.no_verdicts();
    }
    let body = letters(&without_markup(stored));
    if body.len() < FEWEST_LETTERS || body.len() > MOST_LETTERS {
        return situation.no_verdicts();
    }
    let windows = Windows::of(&body);
    let (mut members, mut texts) = (Vec::new(), BTreeSet::new());
    let (mut all, mut dropped, mut score_of_dropped) = (0, 0, 0.0);
    for index in (0..situation.len()).filter(|&index| situation.is_shown(index) && is_text(situation.kinds[index])) {
        let text = letters(situation.blocks.segments.texts.get(index));
        if windows.share_of(&text) >= MOST_WINDOWS {
            let length = text.len();
            // Another copy of it is no second part.
            if texts.insert(text) {
                members.push(index);
                all += length;
                if !situation.keep[index] {
                    dropped += length;
                    score_of_dropped += f64::from(situation.scores[index]) * length as f64;
                }
            }
        }
    }
    let (is_here, is_kept) = (all as f64 >= MOST_OF_BODY * body.len() as f64, dropped as f64 <= LEAST * all as f64);
    if !is_here || is_kept || score_of_dropped < DOUBT * situation.threshold * dropped as f64 {
        return situation.no_verdicts();
    }
    let mut verdicts = situation.open_verdicts()?;
    members.into_iter().for_each(|index| verdicts[index] = KEEP);
    Ok(verdicts)
}

/// Whether the page stores a body, and half of it is kept: then it is no page without content.
pub fn keeps_body(situation: &Situation) -> bool {
    let stored = longest_body(situation);
    stored.len() >= FEWEST_LETTERS && 2 * kept_samples(situation, stored) >= SAMPLES
}

/// The longest body that the page stores, as it is written; empty if there is none.
fn longest_body<'a>(situation: &Situation<'a>) -> &'a str {
    kept_scripts(situation.columns).flat_map(article_bodies).max_by_key(|body| body.len()).unwrap_or("")
}

/// How many samples of a stored text are kept, in their order.
fn kept_samples(situation: &Situation, stored: &str) -> usize {
    let (mut found, mut next) = (0, 0);
    for place in (1..=SAMPLES).map(|number| number * stored.len() / (SAMPLES + 1)) {
        let sample = sample_from(stored, place);
        let has_sample =
            |&index: &usize| situation.keep[index] && situation.blocks.segments.texts.get(index).contains(sample);
        if let Some(index) = (next..situation.len()).find(has_sample) {
            next = index;
            found += 1;
        }
    }
    found
}

/// Samples, and bytes of each.
const SAMPLES: usize = 8;
const SAMPLE: usize = 20;
/// Samples of a text that is kept: some may begin in one paragraph and end in the next.
const NEARLY_ALL: usize = 6;

/// About so many bytes of a text.
fn sample_from(text: &str, place: usize) -> &str {
    let boundary = |place: usize| (place..text.len()).find(|&place| text.is_char_boundary(place)).unwrap_or(text.len());
    &text[boundary(place)..boundary(place + SAMPLE)]
}

/// Whether a block may be part of a text.
fn is_text(kind: u8) -> bool {
    !matches!(kind, kind::TITLE | kind::FORM)
}

/// A string of JSON without tags and escape sequences, as far as its letters are concerned.
fn without_markup(string: &str) -> String {
    let mut text = String::with_capacity(string.len());
    let mut rest = string;
    while let Some(place) = rest.find(['\\', '<', '&']) {
        text.push_str(&rest[..place]);
        rest = &rest[place..];
        let length = match rest.as_bytes() {
            [b'\\', ..] => match escaped_number(rest) {
                Some(number) => {
                    text.extend(char::from_u32(number));
                    6
                }
                None => 2,
            },
            [b'<', ..] => length_up_to(b'>', rest, LONGEST_TAG),
            _ => length_up_to(b';', rest, LONGEST_ENTITY),
        };
        rest = rest.get(length..).unwrap_or(&rest[1..]);
    }
    text + rest
}

/// Bytes of a tag, and of an entity.
const LONGEST_TAG: usize = 1000;
const LONGEST_ENTITY: usize = 10;

/// Bytes up to the end of a tag or an entity; 1 if it has none.
fn length_up_to(end: u8, text: &str, longest: usize) -> usize {
    text.bytes().take(longest).position(|byte| byte == end).map_or(1, |place| place + 1)
}

/// The windows of a text: a set of bits by their hashes, some of which are there by chance.
struct Windows {
    bits: Vec<u64>,
}

/// The factor of rolling hashes, and of what spreads them over the set: odd, with as many ones as zeros.
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

impl Windows {
    /// Those that begin at each letter.
    fn of(text: &str) -> Self {
        let letters: Vec<char> = text.chars().collect();
        // 64 bits for each window.
        let mut windows = Windows { bits: vec![0; letters.len().next_power_of_two()] };
        let leaving = (0..WINDOW).fold(1u64, |power, _| power.wrapping_mul(FACTOR));
        let mut hash = 0u64;
        for (end, &letter) in letters.iter().enumerate() {
            hash = with_letter(hash, letter);
            if end >= WINDOW {
                hash = hash.wrapping_sub(leaving.wrapping_mul(letters[end - WINDOW] as u64));
            }
            if end + 1 >= WINDOW {
                let (word, bit) = windows.place(hash);
                windows.bits[word] |= bit;
            }
        }
        windows
    }

    /// The share of a text's windows, side by side, that are among these; 0 of a text without any.
    fn share_of(&self, text: &str) -> f64 {
        let (mut hash, mut length, mut found, mut all) = (0, 0, 0, 0);
        for letter in text.chars() {
            hash = with_letter(hash, letter);
            length += 1;
            if length == WINDOW {
                let (word, bit) = self.place(hash);
                found += usize::from(self.bits[word] & bit != 0);
                all += 1;
                hash = 0;
                length = 0;
            }
        }
        found as f64 / all.max(1) as f64
    }

    /// The word and the bit of a hash.
    fn place(&self, hash: u64) -> (usize, u64) {
        let spread = (hash ^ hash >> 32).wrapping_mul(FACTOR);
        ((spread >> 32) as usize & (self.bits.len() - 1), 1 << (spread >> 26 & 63))
    }
}

fn with_letter(hash: u64, letter: char) -> u64 {
    hash.wrapping_mul(FACTOR).wrapping_add(u64::from(letter as u32))
}

#[cfg(test)]
mod tests {
    use super::super::situations::with_situation;
    use super::*;

    const FIRST: &str = "The kettle is filled with fresh water every morning, before anybody else is up. ";
    const SECOND: &str =
        "Then the leaves are weighed, and the pot is warmed with the first water, which takes longer in a cold house. ";
    const THIRD: &str = "After four minutes the tea is poured through a sieve and is drunk without any milk. ";
    const OTHER: &str = "Subscribe to our letter and get news about kettles, cups and pots once a week. ";

    fn verdicts(stored: &str, keep: bool) -> Vec<i8> {
        let html = format!(
            "<script type=application/ld+json>{{\"articleBody\": \"{}\"}}</script><p>{}<p>{}<p>{}<p>{}",
            stored, OTHER, FIRST, SECOND, THIRD
        );
        with_situation(&html, keep, |situation| body_of_article(situation).unwrap())
    }

    #[test]
    fn what_the_page_calls_its_body_is_kept() {
        let stored = format!("<p>{}</p>\\n\\t{}&nbsp;\\u201C{}", FIRST.to_uppercase(), SECOND, THIRD);
        assert_eq!(verdicts(&stored, false), [0, KEEP, KEEP, KEEP]);
        assert_eq!(verdicts(&stored, true), [0; 0]);
    }

    #[test]
    fn the_body_of_another_page_says_nothing() {
        assert_eq!(verdicts(&OTHER.replace("letter", "paper").repeat(9), false), [0; 0]);
        assert_eq!(verdicts(FIRST, false), [0; 0]);
        assert_eq!(verdicts(&[FIRST, "And much more that is not here. "].concat().repeat(5), false), [0; 0]);
    }

    #[test]
    fn broken_strings_are_read() {
        for (string, text) in
            [("a\\u00e9b", "aéb"), ("\\ud83d", ""), ("\\", ""), ("\\u12", "12"), ("a<b", "ab"), ("&amp", "amp")]
        {
            assert_eq!(without_markup(string), text);
        }
    }

    #[test]
    fn windows_are_found_wherever_they_begin() {
        let windows = Windows::of(&letters(&[FIRST, SECOND].concat()));
        assert_eq!(windows.share_of(&letters(&SECOND[7..])), 1.0);
        assert_eq!(windows.share_of(&letters(OTHER)), 0.0);
        assert_eq!(windows.share_of("short"), 0.0);
    }
}
