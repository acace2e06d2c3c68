//! Rules on pages without content: they keep one message, or their title.
#![forbid(unsafe_code)]

use super::announcing_lines::telling_words;
use super::body_of_article::keeps_body;
use super::error_lines::{error_line, nothing_line, says_that_nothing_is_here};
use super::link_pages::link_page;
use super::situations::{Situation, DROP, FEWEST_CHARACTERS, KEEP};
use crate::blocks::characters::strip;
use crate::blocks::kinds::kind;
use crate::failure::{filled, Failure};

/// Blocks from one part of the message to the next: between a heading and its sentence may be a button.
const REACH: usize = 2;
/// Blocks below `Page not found` in which its sentence is looked for: a search field or a note may be between them.
const REACH_OF_SENTENCE: usize = 6;
/// Characters of such a sentence.
const SHORTEST_SENTENCE: i64 = 20;
/// Share of link text of such a sentence: suggestions are links.
const MOST_LINKED: f32 = 0.5;
/// Letters of a word that a sentence shares with its heading: shorter ones are in any sentence.
const SHORTEST_WORD: usize = 4;
/// Characters of a line whose words are compared.
const TELLING: usize = 400;
/// Score below which nothing on the page is a message. Anything from 0.3 to 0.6 is as good on labelled pages.
const UNLIKELY: f32 = 0.4;

/// Drop what is kept apart from the block with the highest score and the blocks around it, unless a text of some length is
/// among it: then the page has content. Where a line says that there is no such page, or nothing on it, it is the message.
pub fn one_message(situation: &Situation) -> Result<Vec<i8>, Failure> {
    if keeps_body(situation) {
        return situation.no_verdicts();
    }
    if let Some(message) = message_in_words(situation)? {
        return keep_only(situation, &message);
    }
    if let Some(found) = link_page(situation) {
        return keep_links(situation, &found);
    }
    let kept: Vec<usize> = (0..situation.len()).filter(|&index| situation.keep[index]).collect();
    let score = |place: usize| situation.scores[kept[place]];
    let better = |best: usize, place: usize| if score(place) > score(best) { place } else { best };
    let best = (0..kept.len()).fold(0, better);
    let is_near = |pair: &[usize]| pair[1] - pair[0] <= REACH;
    let below = kept.windows(2).skip(best).take_while(|pair| is_near(pair)).count();
    let above = kept.windows(2).take(best).rev().take_while(|pair| is_near(pair)).count();
    let message = kept.get(best - above).copied()..=kept.get(best + below).copied();
    let is_apart =
        |index: usize| situation.keep[index] && (!message.contains(&Some(index)) || is_left_over(situation, index));
    if (0..situation.len()).any(|index| is_apart(index) && situation.length(index) >= FEWEST_CHARACTERS) {
        return situation.no_verdicts();
    }
    situation.drop_kept(is_apart)
}

/// Whether a block is a tag that the site's software should have replaced: `[gallery ids=3]`.
fn is_left_over(situation: &Situation, index: usize) -> bool {
    let text = strip(situation.blocks.segments.texts.get(index));
    text.starts_with('[') && text.ends_with(']')
}

/// Keep nothing but the `<title>` if it is kept and no heading or sentence scores higher: a page that has content shows its
/// heading. The same if nothing on the page looks like a message. A shown heading that has the title stands for it.
pub fn title_alone(situation: &Situation) -> Result<Vec<i8>, Failure> {
    if keeps_body(situation) {
        return situation.no_verdicts();
    }
    let title = match (0..situation.len()).find(|&index| situation.kinds[index] == kind::TITLE) {
        Some(title) if message_in_words(situation)?.is_none() => title,
        _ => return situation.no_verdicts(),
    };
    if let Some(found) = link_page(situation) {
        return keep_links(situation, &found);
    }
    let others: Vec<usize> = (0..situation.len()).filter(|&index| situation.keep[index] && index != title).collect();
    let all = |is_so: &dyn Fn(usize) -> bool| others.iter().all(|&index| is_so(index));
    let is_line =
        |index: usize| situation.kinds[index] == kind::HEADING || situation.length(index) >= SHORTEST_SENTENCE;
    let is_less = |index: usize| !is_line(index) || situation.scores[index] < situation.scores[title];
    let is_alone = situation.keep[title] && all(&|index| is_less(index) && situation.length(index) < FEWEST_CHARACTERS);
    let no_message = all(&|index| situation.scores[index] < UNLIKELY && situation.length(index) < FEWEST_CHARACTERS);
    if is_alone || no_message {
        let message = shown_title(situation, title).unwrap_or(title);
        return keep_only(situation, &filled(situation.len(), |index| index == message)?);
    }
    situation.no_verdicts()
}

/// The first shown heading with which a title begins: what follows in the title is the name of the site.
fn shown_title(situation: &Situation, title: usize) -> Option<usize> {
    let words = |index: usize| telling_words(situation.blocks.segments.texts.get(index), TELLING);
    let title_words = words(title);
    let has_title = |&index: &usize| {
        let own = words(index);
        let rest = title_words.strip_prefix(own.as_str()).filter(|_| own.chars().count() >= SHORTEST_WORD);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    let is_heading = |&index: &usize| situation.kinds[index] == kind::HEADING && situation.is_shown(index);
    (0..situation.len()).filter(is_heading).find(has_title)
}

/// Verdicts that keep a message and nothing else.
fn keep_only(situation: &Situation, message: &[bool]) -> Result<Vec<i8>, Failure> {
    filled(situation.len(), |index| match (message[index], situation.keep[index]) {
        (true, _) => KEEP,
        (false, true) => DROP,
        (false, false) => 0,
    })
}

/// Verdicts that keep a page of links, which shows its own title.
fn keep_links(situation: &Situation, found: &[usize]) -> Result<Vec<i8>, Failure> {
    let mut verdicts = situation.open_verdicts()?;
    let is_title = |index: &usize| situation.keep[*index] && situation.kinds[*index] == kind::TITLE;
    (0..situation.len()).filter(is_title).for_each(|index| verdicts[index] = DROP);
    found.iter().for_each(|&index| verdicts[index] = KEEP);
    Ok(verdicts)
}

/// The message of a page that says that there is no such page, or nothing on it.
fn message_in_words(situation: &Situation) -> Result<Option<Vec<bool>>, Failure> {
    let is_kept = |index: usize| situation.keep[index];
    if let Some(line) = error_line(situation.blocks, is_kept) {
        return error_message(situation, line).map(Some);
    }
    match nothing_line(situation.blocks, is_kept) {
        Some(line) => {
            let heading = heading_above(situation, line);
            filled(situation.len(), |index| index == line || Some(index) == heading).map(Some)
        }
        None => Ok(None),
    }
}

/// The kept heading with the highest score above a line; without one the title, if that is kept.
fn heading_above(situation: &Situation, line: usize) -> Option<usize> {
    let of_kind = |wanted: u8| move |&index: &usize| situation.keep[index] && situation.kinds[index] == wanted;
    let better =
        |best: usize, index: usize| if situation.scores[index] > situation.scores[best] { index } else { best };
    let mut headings = (0..line).filter(of_kind(kind::HEADING));
    headings.next().map(|first| headings.fold(first, better)).or_else(|| (0..line).find(of_kind(kind::TITLE)))
}

/// A line that says that there is no such page, kept headings just above it, further such lines, and the first sentence
/// below that has a word of the line; if none has, the first sentence.
fn error_message(situation: &Situation, line: usize) -> Result<Vec<bool>, Failure> {
    let mut message = filled(situation.len(), |index| index == line)?;
    let mut first = line;
    let is_heading = |&index: &usize| situation.keep[index] && situation.kinds[index] == kind::HEADING;
    while let Some(above) = (first.saturating_sub(REACH)..first).rev().find(is_heading) {
        message[above] = true;
        first = above;
    }
    let text = |index: usize| situation.blocks.segments.texts.get(index);
    let says_so = |&index: &usize| situation.keep[index] && says_that_nothing_is_here(text(index));
    let mut last = line;
    while let Some(below) = (last + 1..situation.len()).take(REACH).find(says_so) {
        message[below] = true;
        last = below;
    }
    let words = format!("{} {}", telling_words(text(line), TELLING), telling_words(text(last), TELLING));
    let shares_word = |&index: &usize| {
        let own = telling_words(text(index), TELLING);
        let mut long = own.split(' ').filter(|word| word.chars().count() >= SHORTEST_WORD);
        long.any(|word| words.split(' ').any(|other| other == word))
    };
    let sentences: Vec<usize> = (last + 1..situation.len())
        .take(REACH_OF_SENTENCE)
        .filter(|&index| situation.is_shown(index) && may_be_sentence(situation, index))
        .collect();
    if let Some(&sentence) = sentences.iter().find(|&index| shares_word(index)).or_else(|| sentences.first()) {
        message[sentence] = true;
    }
    Ok(message)
}

/// Whether a block may be the sentence of a message: no item of a list, field of a form or link.
fn may_be_sentence(situation: &Situation, index: usize) -> bool {
    !matches!(situation.kinds[index], kind::TITLE | kind::LIST_ITEM | kind::FORM)
        && situation.length(index) >= SHORTEST_SENTENCE
        && situation.blocks.segments.link_share(index) < MOST_LINKED
}
