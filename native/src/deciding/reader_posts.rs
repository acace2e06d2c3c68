//! Rules on what readers write: comments below an article, signatures below posts in a forum.
//!
//! Comments are found in two ways: the network classifies most of the kept text as comments, and an article remains without
//! them; or a line such as `12 Comments` announces them, and they follow in the same element.
#![forbid(unsafe_code)]

use super::announcing_lines::announcing_lines;
use super::situations::{Situation, FEWEST_CHARACTERS};
use crate::blocks::kinds::kind;
use crate::blocks::tags::attribute;
use crate::failure::{filled, Failure};

/// Probability from which a block counts as a comment. Few pages have comments, and the network is careful: of held-out
/// pages of dragnet-2012 with comments it finds them with a mean word F1 of 0.74 from here, and of 0.45 from 0.5.
pub const COMMENT: f32 = 0.15;
/// The same where comments are dropped that scored as content: with 0.15, news-90minutos loses 0.10 of its word F1.
const SURELY_COMMENT: f32 = 0.5;
/// Share of the kept text from which comments bury an article. In a forum everything, or nearly so, is a comment.
const MOSTLY_COMMENTS: f64 = 0.6;
/// Probability from which a page is certainly a forum, whose posts are all kept. An article with much discussion below it
/// also resembles a forum, but with less certainty.
pub const SURELY_FORUM: f64 = 0.95;
/// Announcing lines on a page with one comment section, which may have parts from two comment services.
const MOST_LINES: usize = 2;
/// Announced text this many times as long as the rest is a discussion, and kept: its replies are posts.
const DISCUSSION: f64 = 2.0;
/// Characters that must follow in the same element; otherwise the section is the element around it.
const SHORTEST_SECTION: i64 = 40;
/// Largest share of the kept text that signatures may have: BODY can have the class `with-signatures`, too.
const MOST_IN_SIGNATURES: f64 = 0.5;

/// Drop comments, as classified by the network, that make up most of the page, if enough other text is left.
pub fn comments_on_an_article(situation: &Situation) -> Result<Vec<i8>, Failure> {
    let is_comment = |index: usize| situation.comments[index] >= SURELY_COMMENT;
    if situation.is_forum || !(0..situation.len()).any(is_comment) {
        return situation.no_verdicts();
    }
    let (kept, commenting) = (situation.kept_characters(|_| true), situation.kept_characters(is_comment));
    let is_buried = commenting as f64 >= MOSTLY_COMMENTS * kept as f64 && kept - commenting >= FEWEST_CHARACTERS;
    situation.drop_kept(|index| is_buried && is_comment(index))
}

/// Drop what a line announces as comments, and the line itself.
pub fn announced_comments(situation: &Situation) -> Result<Vec<i8>, Failure> {
    let lines = announcing_lines(situation.blocks);
    if lines.is_empty() {
        return situation.no_verdicts();
    }
    let kept_before = running_sums(situation, |index| situation.keep[index])?;
    let lengths_before = running_sums(situation, |_| true)?;
    let all = kept_before[situation.len()];
    let announces = |&line: &usize| {
        let is_control = [kind::FORM, kind::LIST_ITEM].contains(&situation.kinds[line]); // buttons and tabs
        kept_before[line] >= FEWEST_CHARACTERS && kept_before[line] < all && !is_control
    };
    let lines: Vec<usize> = lines.iter().map(|&line| line as usize).filter(announces).collect();
    let mut announced = filled(situation.len(), |_| false)?;
    // More lines than that: answers with comments of their own, and the answers are the content.
    if lines.len() <= MOST_LINES {
        for first in lines {
            announced[first..end_of_section(situation, first, &lengths_before)].fill(true);
        }
    }
    let found = situation.kept_characters(|index| announced[index]);
    let is_discussion = found as f64 > DISCUSSION * (all - found) as f64;
    situation.drop_kept(|index| announced[index] && !is_discussion)
}

/// Characters before each block in blocks that are wanted, and in all of them.
pub fn running_sums(situation: &Situation, is_wanted: impl Fn(usize) -> bool) -> Result<Vec<i64>, Failure> {
    let mut sum = 0;
    filled(situation.len() + 1, |index| {
        if index > 0 && is_wanted(index - 1) {
            sum += situation.length(index - 1);
        }
        sum
    })
}

/// The end of the closest element around a block in which enough text follows it.
fn end_of_section(situation: &Situation, first: usize, lengths_before: &[i64]) -> usize {
    let (page, segments) = (situation.page, &situation.blocks.segments);
    let mut row = segments.owner[first];
    loop {
        let end = page.subtree_end[row.max(0) as usize];
        let end = segments.first_row.partition_point(|&first| first < end);
        if row <= 0 || lengths_before[end] - lengths_before[first + 1] >= SHORTEST_SECTION {
            return end.max(first);
        }
        row = page.parent[row as usize];
    }
}

/// Drop kept blocks in elements whose class or id names a signature.
pub fn signatures(situation: &Situation) -> Result<Vec<i8>, Failure> {
    let page = situation.page;
    let named = [attribute::CLASS, attribute::ID];
    let signed = (0..page.attribute_name.len()).filter(|&index| named.contains(&page.attribute_name[index]));
    let mut rows: Vec<usize> = signed
        .filter(|&index| names_signature(page.value_of(index)))
        .map(|index| page.row_of_attribute(index))
        .collect();
    rows.dedup();
    if rows.is_empty() {
        return situation.no_verdicts();
    }
    let mut inside = filled(page.len() + 1, |_| false)?;
    let mut end = 0;
    for row in rows {
        let after = page.subtree_end[row] as usize;
        inside[row.max(end)..after.max(end)].fill(true);
        end = end.max(after);
    }
    let is_inside = |index: usize| inside[situation.blocks.segments.first_row[index] as usize];
    let (found, kept) = (situation.kept_characters(is_inside), situation.kept_characters(|_| true));
    situation.drop_kept(|index| is_inside(index) && found as f64 <= MOST_IN_SIGNATURES * kept as f64)
}

/// Whether a name is that of a signature: `message-signature`, `userSignature` or `post_sig`, but not `assigned` or
/// `designed`. In lower case, `signatures?(?![a-z])|(?<![a-z])sig(?![a-z])` finds it.
fn names_signature(name: &str) -> bool {
    let is_letter = |at: usize| name.as_bytes().get(at).is_some_and(u8::is_ascii_alphabetic);
    let is_at = |at: usize, word: &str| {
        name.as_bytes().get(at..at + word.len()).is_some_and(|part| part.eq_ignore_ascii_case(word.as_bytes()))
    };
    let ends_at = |at: usize, word: &str| is_at(at, word) && !is_letter(at + word.len());
    // The last letter of `sig` is rarer than the first.
    let letters = name.bytes().enumerate().skip(2).filter(|&(_, letter)| letter | 0x20 == b'g');
    letters.map(|(last, _)| last - 2).filter(|&at| is_at(at, "sig")).any(|at| {
        ends_at(at, "signature") || ends_at(at, "signatures") || (ends_at(at, "sig") && !(at > 0 && is_letter(at - 1)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_signatures() {
        for name in
            ["signature", "post message-Signature", "userSignature", "SIG", "post_sig_12", "signatures", "é sig"]
        {
            assert!(names_signature(name), "{}", name);
        }
        for name in ["sign-in", "design", "signal", "significant", "assigned", "", "si", "sigs", "xsig"] {
            assert!(!names_signature(name), "{}", name);
        }
    }
}
