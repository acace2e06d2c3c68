//! Lines that announce readers' comments: `12 Comments`, `Комментарии (3)`, `3 thoughts on "Tea"`.
#![forbid(unsafe_code)]

use crate::blocks::character_properties::kind;
use crate::blocks::characters::{is_digit, property_of};
use crate::blocks::page_blocks::Blocks;

/// Characters of an announcing line, which may repeat the title: `3 responses to "How to..."`.
const LONGEST_LINE: i32 = 160;
/// Share of link text: beside the title of an article, `12 Comments` is a link to them.
const MOST_LINKED: f32 = 0.5;
/// Letters and blanks that tell whether a line announces: more than the longest name, and than the longest start of a
/// line about the title.
const TELLING: usize = 24;

/// Bytes of a letter.
const MOST_BYTES: usize = 4;

/// Announcing lines in many languages, without numbers and punctuation.
#[rustfmt::skip]
const NAMES: [&str; 43] = [
    "comments", "reader comments", "user comments", "all comments", "latest comments", "comments so far", "responses",
    "replies", "reactions", "kommentare", "leserkommentare", "kommentarer", "kommentit", "reacties", "commentaires",
    "réactions", "commenti", "comentarios", "comentários", "komentarze", "opinie", "komentáře", "komentari",
    "hozzászólások", "yorumlar", "комментарии", "отзывы", "коментарі", "коментари", "σχόλια", "评论", "网友评论",
    "網友評論", "评论区", "最新评论", "热门评论", "留言", "回應", "コメント", "댓글", "bình luận", "تعليقات", "التعليقات",
];
/// Words that announce comments only with a number.
#[rustfmt::skip]
const NAMES_OF_NUMBERS: [&str; 23] = [
    "comment", "response", "reply", "thought", "thoughts", "kommentar", "commentaire", "comentario", "comentário",
    "commento", "reactie", "komentarz", "komentář", "комментарий", "комментария", "комментариев", "коментар", "σχόλιο",
    "yorum", "条评论", "条留言", "則留言", "件のコメント",
];
/// How announcing lines with a number and the title begin: one of these words, or several of them, and a preposition.
const ABOUT: [&str; 6] = ["comment", "response", "reply", "replie", "reaction", "thought"];
const PREPOSITIONS: [&str; 3] = [" on ", " to ", " for "];

/// How all these begin.
static BEGINNINGS: Beginnings = Beginnings::of(&NAMES).and(&NAMES_OF_NUMBERS).and(&ABOUT);

/// The first letters of names: two, where both are ASCII. Few lines begin like one: most need not be looked at closer.
#[derive(Clone, Copy)]
pub struct Beginnings {
    /// By the first letter in any case: bits of the second ones, and bit 0 for a blank.
    seconds: [u32; 32],
    /// Bits of the first letters that are beyond ASCII, by the last six bits of their codes.
    firsts: u64,
}

impl Beginnings {
    /// Those of some names.
    pub const fn of(names: &[&str]) -> Self {
        Beginnings { seconds: [0; 32], firsts: 0 }.and(names)
    }

    /// Those of more names, too.
    pub const fn and(mut self, names: &[&str]) -> Self {
        let mut number = 0;
        while number < names.len() {
            let name = names[number].as_bytes();
            if name[0].is_ascii() && name[1].is_ascii() {
                self.seconds[(name[0] & 31) as usize] |= 1 << (name[1] & 31);
            } else if !name[0].is_ascii() {
                // The last byte of a character has the last bits of its code.
                let mut last = 0;
                while last + 1 < name.len() && name[last + 1] & 0xC0 == 0x80 {
                    last += 1;
                }
                self.firsts |= 1 << (name[last] & 63);
            }
            number += 1;
        }
        self
    }

    /// Whether a line may begin with one of the names.
    pub fn may_begin(&self, text: &str) -> bool {
        let begins_at_once = text.as_bytes().first().is_some_and(u8::is_ascii_alphabetic);
        let letters = if begins_at_once { text } else { text.trim_start_matches(|character| !is_letter(character)) };
        match letters.as_bytes() {
            [first, second, ..] if first.is_ascii() && second.is_ascii() => {
                let second = if second.is_ascii_alphabetic() { second & 31 } else { 0 };
                self.seconds[usize::from(first & 31)] >> second & 1 != 0
            }
            _ => {
                let first = letters.chars().next().and_then(|first| first.to_lowercase().next());
                first.is_some_and(|first| first.is_ascii() || self.firsts >> (first as u32 & 63) & 1 != 0)
            }
        }
    }
}

/// Indexes of the visible, short and hardly linked blocks that announce comments.
pub fn announcing_lines(blocks: &Blocks) -> Vec<i32> {
    let segments = &blocks.segments;
    // The beginning is what most lines fail by.
    let mut words = String::new();
    let is_line = |&index: &usize| {
        segments.hidden[index] == 0
            && segments.length[index] <= LONGEST_LINE
            && BEGINNINGS.may_begin(segments.texts.get(index))
            && segments.link_share(index) < MOST_LINKED
            && announces(segments.texts.get(index), &mut words)
    };
    (0..segments.len()).filter(is_line).map(|index| index as i32).collect()
}

/// Whether a line announces comments, and some. Its words are read into `words`.
fn announces(text: &str, words: &mut String) -> bool {
    read_telling_words(text, TELLING, words);
    let names = NAMES.contains(&words.as_str());
    if !names && !NAMES_OF_NUMBERS.contains(&words.as_str()) && !is_about_title(words) {
        return false;
    }
    (names || text.chars().any(is_number)) && !has_lone_zero(text)
}

/// The first words of a line in lower case, with one blank for anything between them, cut after so many characters.
pub fn telling_words(text: &str, most: usize) -> String {
    let mut words = String::new();
    read_telling_words(text, most, &mut words);
    words
}

/// The same in place of what was in `words`: rules that look at many lines use it again.
pub fn read_telling_words(text: &str, most: usize, words: &mut String) {
    words.clear();
    words.reserve(text.len().min(MOST_BYTES * (most + 1)));
    let mut number = 0;
    let mut is_separated = false;
    for character in text.chars() {
        if !is_letter(character) {
            is_separated = number > 0;
            continue;
        }
        if is_separated {
            words.push(' ');
            number += 1;
        }
        if number > most {
            break;
        }
        is_separated = false;
        match character.is_ascii() {
            true => words.push(character.to_ascii_lowercase()),
            false => words.extend(character.to_lowercase()),
        }
        number += 1;
    }
}

/// Whether words begin like `comments on the title`.
fn is_about_title(words: &str) -> bool {
    let follows = |rest: &str| PREPOSITIONS.iter().any(|word| rest.starts_with(word));
    let mut rests = ABOUT.iter().filter_map(|word| words.strip_prefix(word));
    rests.any(|rest| follows(rest) || rest.strip_prefix('s').is_some_and(follows))
}

/// Whether the number 0 stands in a text: no comments.
fn has_lone_zero(text: &str) -> bool {
    text.match_indices('0').any(|(at, _)| {
        let (before, after) = (text[..at].chars().next_back(), text[at + 1..].chars().next());
        !before.is_some_and(is_digit) && !after.is_some_and(is_digit)
    })
}

/// Whether a character is part of a word, and neither a decimal digit nor an underscore.
fn is_letter(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphabetic();
    }
    property_of(character).in_names
}

/// Whether a character is a digit or another number.
fn is_number(character: char) -> bool {
    property_of(character).is(kind::DIGIT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_announce() {
        for text in [
            "12 Comments",
            "Комментарии (3)",
            "3 thoughts on “Tea”",
            "COMMENTS",
            "1 reply to a very long title that goes on and on",
            "2 Responses for tea",
            "5条评论",
            "Bình luận (12)",
            "Comments so far: 10",
            "— Comments —",
        ] {
            assert!(announces(text, &mut String::new()), "{}", text);
        }
    }

    #[test]
    fn lines_that_do_not() {
        for text in [
            "Comments: 0",
            "Comment",
            "Leave a comment",
            "",
            "12",
            "Comments are closed",
            "thoughts on tea",
            "3 thoughts on",
            "Comments so far and everything else that was said about it",
            "0 replies to “Tea”",
        ] {
            assert!(!announces(text, &mut String::new()), "{}", text);
        }
    }

    #[test]
    fn beginnings_are_those_of_all_names() {
        for name in NAMES.iter().chain(&NAMES_OF_NUMBERS).chain(&ABOUT) {
            assert!(
                BEGINNINGS.may_begin(name) && BEGINNINGS.may_begin(&format!("12 ({}", name.to_uppercase())),
                "{}",
                name
            );
        }
        assert!(!BEGINNINGS.may_begin("12 Kettles") && !BEGINNINGS.may_begin("Tea"));
    }

    #[test]
    fn words_are_cut_where_they_cannot_tell_any_more() {
        let longest = NAMES.iter().chain(&NAMES_OF_NUMBERS).map(|name| name.chars().count()).max();
        assert!(longest.unwrap() < TELLING);
        assert_eq!(telling_words("  12 —  Ärger_mit TEE 3 ", TELLING), "ärger mit tee");
        assert!(telling_words(&"a ".repeat(80), TELLING).chars().count() > longest.unwrap());
    }

    #[test]
    fn a_zero_within_a_number_is_none() {
        assert!(has_lone_zero("(0)") && has_lone_zero("a0b") && has_lone_zero("10, 0"));
        assert!(!has_lone_zero("10") && !has_lone_zero("105") && !has_lone_zero(""));
    }
}
