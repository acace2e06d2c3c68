//! Footnotes that a page writes by hand, without any markup: `Price*` in a text, and `* Without tax.` below it.
//!
//! The sign is a star or a dagger behind a word, a raised number, a raised character such as `¹`, or a number in brackets. A
//! paragraph is a note if it begins with the sign, or a line at the end of a paragraph does, and the text before it refers to
//! it; the items of a numbered list are notes if the line above says so (`References`) and raised numbers refer to them, and
//! so are the entries of a list, a table or a list of terms that are numbered in brackets.
//! Several notes of a page may have the same sign: each belongs to what refers to it since the one before. Plain text has them
//! as they are.
#![forbid(unsafe_code)]

use super::numbered_entries::{leave_others, numbers_of, take_entry};
use super::steps::count;
use super::tree::{mark as shown_mark, Document, Item, Marks, Node, Note, Part, Span, SpanKind};
use crate::blocks::characters::{is_space, strip};
use std::collections::HashSet;

/// Signs of notes. A paragraph that begins with `§` or `#` is a law, or a heading.
const SIGNS: [char; 3] = ['*', '†', '‡'];
/// How often a sign is repeated: `***`.
const MOST_REPEATED: usize = 3;
/// Raised digits, from 0.
const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
/// Digits of the number of a note.
const MOST_DIGITS: usize = 3;
/// Letters of a word before a raised digit that make it a power: `m²`, `km²`.
const LONGEST_UNIT: usize = 2;
/// Bytes of a note: what is longer is a part of the text.
const LONGEST_NOTE: usize = 1500;
/// Notes of a page that are written by hand, at most.
const MOST_NOTES: usize = 200;
/// References to one note.
const MOST_REFERENCES: usize = 12;
/// Bytes of a line that says that notes follow.
const LONGEST_HEADING: usize = 40;
/// The word that notes begin with, which their label replaces.
const LABEL: &str = "note";
/// What the line above a list of notes says.
#[rustfmt::skip]
const HEADINGS: [&str; 33] = [
    "references", "notes", "footnotes", "endnotes", "sources", "citations", "works cited", "bibliography", "reference list",
    "notes and references", "references and notes", "notes & references", "sources and references",
    "anmerkungen", "fußnoten", "quellen", "quellenangaben", "einzelnachweise", "literatur", "literaturverzeichnis",
    "références", "notes et références", "sources et références", "notas", "referencias", "fuentes", "note", "riferimenti",
    "referências", "примечания", "источники", "参考文献", "脚注",
];

/// A mark that a note and its references share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Mark {
    /// A sign, so many times.
    Sign(char, usize),
    Number(u32),
}

/// What may be a note: a line of a paragraph, or an item of a list.
struct Candidate {
    mark: Mark,
    /// Which of the children of the document it is in.
    child: usize,
    /// The item of a list, or the row of a table, that it is.
    item: Option<usize>,
    /// Its spans, without the mark; empty for items.
    spans: Part,
    /// Where its paragraph ends if it is a note.
    before: Part,
    /// Bytes of the mark in its first span.
    length: usize,
    /// Whether the mark is a number and a full stop, as those of lists are.
    is_like_item: bool,
}

impl Candidate {
    /// An entry of a list, by its place and number.
    fn entry(child: usize, (place, number): (usize, u32)) -> Self {
        Candidate {
            mark: Mark::Number(number),
            child,
            item: Some(place),
            spans: Part::default(),
            before: Part::default(),
            length: 0,
            is_like_item: false,
        }
    }
}

/// A mark in the text.
struct Reference {
    mark: Mark,
    /// The number of its text among those of the child.
    text: usize,
    /// Its span, and its bytes in there.
    span: usize,
    bytes: Part,
    child: usize,
}

/// Makes footnotes of such notes.
pub fn make_notes(document: &mut Document) {
    let candidates = candidates(document);
    if candidates.is_empty() || candidates.len() > MOST_NOTES {
        return;
    }
    let references = references(document, &candidates);
    let pairs = pairs(&candidates, &references);
    if !pairs.is_empty() {
        move_notes(document, &candidates, &references, pairs);
    }
}

/// What may be a note, in order.
fn candidates(document: &Document) -> Vec<Candidate> {
    let mut found = Vec::new();
    for (child, node) in document.children.iter().enumerate() {
        match node {
            Node::Paragraph { spans, .. } if may_hold_note(document, *spans) => {
                add_lines(document, child, *spans, &mut found);
            }
            Node::List(list) if list.is_ordered && child > 0 && says_notes(document, &document.children[child - 1]) => {
                let number = |item: &Item| u32::try_from(item.number).unwrap_or(0);
                found.extend(list.items.iter().map(number).enumerate().map(|entry| Candidate::entry(child, entry)));
            }
            node => found
                .extend(numbers_of(document, node).into_iter().enumerate().map(|entry| Candidate::entry(child, entry))),
        }
    }
    found
}

/// Whether a paragraph, or a line of it, begins with something like a mark: most do not.
fn may_hold_note(document: &Document, spans: Part) -> bool {
    let begins = |span: &Span| {
        let first = document.text[span.text.range()].trim_start_matches(is_space).chars().next();
        let is_raised = span.marks.has(shown_mark::SUPERSCRIPT);
        span.kind == SpanKind::Text
            && first.is_some_and(|first| {
                is_raised || first == '[' || first.is_ascii_digit() || SIGNS.contains(&first) || RAISED.contains(&first)
            })
    };
    lines(document, spans).any(|line| !line.is_empty() && begins(&document.spans[line.start]))
}

/// The lines of a paragraph.
fn lines<'a>(document: &'a Document, spans: Part) -> impl Iterator<Item = Part> + 'a {
    let mut start = spans.start;
    let is_break = move |&place: &usize| place == spans.end || document.spans[place].kind == SpanKind::LineBreak;
    (spans.start..=spans.end).filter(is_break).map(move |end| {
        let line = Part { start, end };
        start = end + 1;
        line
    })
}

/// Adds the lines at the end of a paragraph that begin with a mark.
fn add_lines(document: &Document, child: usize, spans: Part, found: &mut Vec<Candidate>) {
    let lines: Vec<Part> = lines(document, spans).collect();
    count(spans.range().len());
    let first = found.len();
    for (place, line) in lines.iter().enumerate().rev() {
        let (mark, rest, length) = match mark_at_start(document, *line) {
            Some(begun) => begun,
            None => break,
        };
        let before = Part { start: spans.start, end: if place > 0 { line.start - 1 } else { spans.start } };
        let is_like_item =
            document.text_of(document.spans[line.start].text).starts_with(|first: char| first.is_ascii_digit())
                && !document.spans[line.start].marks.has(shown_mark::SUPERSCRIPT);
        found.push(Candidate { mark, child, item: None, spans: rest, before, length, is_like_item });
    }
    found[first..].reverse();
}

/// The mark that a line begins with, the spans behind it, and its bytes in the first of these.
fn mark_at_start(document: &Document, line: Part) -> Option<(Mark, Part, usize)> {
    let bytes: usize = document.spans_of(line).iter().map(|span| span.text.range().len()).sum();
    let first = document.spans_of(line).first().filter(|span| span.kind == SpanKind::Text && bytes <= LONGEST_NOTE)?;
    let text = document.text_of(first.text);
    if first.marks.has(shown_mark::CODE) || first.marks.link != 0 {
        return None;
    }
    let begun = if first.marks.has(shown_mark::SUPERSCRIPT) {
        raised(text).map(|mark| (mark, text.len()))
    } else {
        begun(text)
    };
    let (mark, length) = begun?;
    let rest = text[length..].trim_start_matches(is_space);
    // A sign alone, or one before another sign or a gap in a word that is left out, is no mark.
    let next =
        || document.spans_of(line).get(1).map_or("", |span| document.text_of(span.text).trim_start_matches(is_space));
    let after = if rest.is_empty() { next() } else { rest };
    let says_something =
        after.starts_with(|character: char| character.is_alphanumeric() || "“\"'‘«(„$€£<".contains(character));
    if !says_something {
        return None;
    }
    // A text between two signs is emphasised.
    let is_sign_again = |span: &Span| match mark {
        Mark::Sign(sign, _) => document.text_of(span.text).contains(sign),
        Mark::Number(_) => false,
    };
    let has_sign_again = rest.contains(|character: char| matches!(mark, Mark::Sign(sign, _) if sign == character));
    if has_sign_again || document.spans_of(line)[1..].iter().any(is_sign_again) {
        return None;
    }
    let start = line.start + usize::from(rest.is_empty());
    Some((mark, Part { start, end: line.end }, if rest.is_empty() { 0 } else { text.len() - rest.len() }))
}

/// The mark at the start of a text that is not raised, and its bytes.
fn begun(text: &str) -> Option<(Mark, usize)> {
    let first = text.chars().next()?;
    if SIGNS.contains(&first) {
        let times = text.chars().take_while(|&character| character == first).count();
        return (times <= MOST_REPEATED).then(|| (Mark::Sign(first, times), times * first.len_utf8()));
    }
    if RAISED.contains(&first) {
        return raised_digits(text).map(|(number, length)| (Mark::Number(number), length));
    }
    let number = text.strip_prefix('[').unwrap_or(text);
    // Only a few characters are read: a text may have any number of brackets.
    let end = number.bytes().take(MOST_DIGITS).take_while(u8::is_ascii_digit).count();
    let (digits, behind) = number.split_at(end);
    let rest = if first == '[' {
        behind.strip_prefix(']')?
    } else {
        // As items of lists begin.
        behind.strip_prefix(['.', ')'].as_slice()).filter(|rest| rest.starts_with(is_space))?
    };
    let length = text.len() - rest.strip_prefix(':').unwrap_or(rest).len();
    number_of(digits).map(|number| (Mark::Number(number), length))
}

/// The mark that a raised text is.
fn raised(text: &str) -> Option<Mark> {
    let text = strip(text);
    let first = text.chars().next()?;
    if SIGNS.contains(&first) && text.chars().all(|character| character == first) {
        let times = text.chars().count();
        return (times <= MOST_REPEATED).then_some(Mark::Sign(first, times));
    }
    let bare = text.trim_start_matches(['[', '('].as_slice()).trim_end_matches([']', ')', '.'].as_slice());
    number_of(bare).map(Mark::Number)
}

/// A number of a few digits.
fn number_of(digits: &str) -> Option<u32> {
    let is_number = (1..=MOST_DIGITS).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().ok()).flatten()
}

/// The number that a text begins with in raised characters, and its bytes.
fn raised_digits(text: &str) -> Option<(u32, usize)> {
    let value = |character: char| RAISED.iter().position(|&raised| raised == character);
    let digits: Vec<usize> = text.chars().map_while(value).take(MOST_DIGITS).collect();
    let number = digits.iter().fold(0, |number, &digit| 10 * number + digit as u32);
    let length = text.chars().take(digits.len()).map(char::len_utf8).sum();
    (!digits.is_empty()).then_some((number, length))
}

/// Whether a node says that notes follow.
fn says_notes(document: &Document, node: &Node) -> bool {
    let spans = match node {
        Node::Heading { spans, .. } | Node::Paragraph { spans, .. } => document.spans_of(*spans),
        _ => return false,
    };
    let text = match spans {
        [span] if span.kind == SpanKind::Text => strip(document.text_of(span.text)).trim_end_matches(':'),
        _ => return false,
    };
    text.len() <= LONGEST_HEADING && HEADINGS.contains(&text.to_lowercase().as_str())
}

/// The texts of a node, in order.
fn texts(node: &Node, found: &mut Vec<Part>) {
    let mut each = |nodes: &[Node]| nodes.iter().for_each(|node| texts(node, found));
    match node {
        Node::Heading { spans, .. } | Node::Paragraph { spans, .. } => found.push(*spans),
        Node::Quote(children) => each(children),
        Node::Callout { title, children, .. } => {
            each(title);
            each(children);
        }
        Node::List(list) => list.items.iter().for_each(|item| each(&item.children)),
        Node::Definitions(definitions) => {
            definitions.iter().flat_map(|one| one.terms.iter().chain(&one.descriptions)).for_each(|nodes| each(nodes));
        }
        Node::Table(table) => {
            each(&table.caption);
            table.rows.iter().flatten().for_each(|cell| each(&cell.children));
        }
        Node::Figure { children, caption } => {
            each(children);
            each(caption);
        }
        Node::Code { .. } | Node::Comments(_) => (),
    }
}

/// The same texts, to be replaced.
fn replace_texts(node: &mut Node, replace: &mut dyn FnMut(&mut Part)) {
    let mut each = |nodes: &mut [Node]| nodes.iter_mut().for_each(|node| replace_texts(node, replace));
    match node {
        Node::Heading { spans, .. } | Node::Paragraph { spans, .. } => replace(spans),
        Node::Quote(children) => each(children),
        Node::Callout { title, children, .. } => {
            each(title);
            each(children);
        }
        Node::List(list) => list.items.iter_mut().for_each(|item| each(&mut item.children)),
        Node::Definitions(definitions) => {
            for one in definitions {
                one.terms.iter_mut().chain(&mut one.descriptions).for_each(|nodes| each(nodes));
            }
        }
        Node::Table(table) => {
            each(&mut table.caption);
            table.rows.iter_mut().flatten().for_each(|cell| each(&mut cell.children));
        }
        Node::Figure { children, caption } => {
            each(children);
            each(caption);
        }
        Node::Code { .. } | Node::Comments(_) => (),
    }
}

/// The marks in all texts that some note may have.
fn references(document: &Document, candidates: &[Candidate]) -> Vec<Reference> {
    let wanted: HashSet<Mark> = candidates.iter().map(|candidate| candidate.mark).collect();
    let mut found = Vec::new();
    for (child, node) in document.children.iter().enumerate() {
        let mut parts = Vec::new();
        texts(node, &mut parts);
        // What is a note itself refers to no other one.
        let own = candidates.iter().find(|candidate| candidate.child == child);
        for (text, part) in parts.into_iter().enumerate() {
            let part = own.map_or(part, |own| if own.item.is_some() { Part::default() } else { own.before });
            for span in part.range() {
                let before = if span > part.start { document.text_of(document.spans[span - 1].text) } else { "" };
                let after = if span + 1 < part.end { document.text_of(document.spans[span + 1].text) } else { "" };
                for (mark, bytes) in marks_in(document, span, before, after) {
                    if wanted.contains(&mark) {
                        found.push(Reference { mark, text, span, bytes, child });
                    }
                }
            }
        }
    }
    found
}

/// The marks in a span, with the texts before and behind it.
fn marks_in(document: &Document, span: usize, before: &str, after: &str) -> Vec<(Mark, Part)> {
    let Span { text, marks, kind, .. } = document.spans[span];
    let shown = document.text_of(text);
    count(shown.len());
    if kind != SpanKind::Text || marks.has(shown_mark::CODE) || marks.link != 0 {
        return Vec::new();
    }
    if marks.has(shown_mark::SUPERSCRIPT) {
        let found = raised_marks(shown, text);
        let is_power = found.iter().any(|(mark, _)| matches!(mark, Mark::Number(_))) && ends_in_unit(before);
        return if before.is_empty() || is_power { Vec::new() } else { found };
    }
    let mut found = Vec::new();
    let mut end = 0;
    // The sign before a word that is between two of them: *this*.
    let mut opened = None;
    for (place, first) in shown.char_indices() {
        let may_begin = first == '[' || SIGNS.contains(&first) || RAISED.contains(&first);
        if place < end || !may_begin {
            continue;
        }
        if let Some((mark, length)) = begun(&shown[place..]) {
            end = place + length;
            let word = if place > 0 { &shown[..place] } else { before };
            let rest = if end < shown.len() { &shown[end..] } else { after };
            let is_close = opened == Some(mark);
            if matches!(mark, Mark::Sign(..)) {
                opened = Some(mark).filter(|_| !is_close && rest.starts_with(char::is_alphanumeric));
            }
            if !is_close && refers(mark, first, word, rest) {
                found.push((mark, Part { start: text.start + place, end: text.start + end }));
            }
        } else if SIGNS.contains(&first) {
            // More of a sign than any note has.
            end = place + shown[place..].chars().take_while(|&other| other == first).count() * first.len_utf8();
        }
    }
    found
}

/// The marks in a raised text: one, or several with commas between them. The first stands for all of the text.
fn raised_marks(shown: &str, text: Part) -> Vec<(Mark, Part)> {
    let marks: Option<Vec<Mark>> = shown.split(',').take(MOST_REFERENCES).map(raised).collect();
    let place = |number: usize| if number == 0 { text } else { Part { start: text.end, end: text.end } };
    marks.unwrap_or_default().into_iter().enumerate().map(|(number, mark)| (mark, place(number))).collect()
}

/// Whether a mark between two texts is a reference, given the character it begins with.
fn refers(mark: Mark, first: char, before: &str, after: &str) -> bool {
    let last = before.chars().next_back();
    let ends_word = last.is_some_and(|last| last.is_alphanumeric() || ".,;:!?)]”\"’'»%®™€$".contains(last));
    match mark {
        Mark::Sign(..) => ends_word && !after.starts_with(|next: char| next.is_alphanumeric() || SIGNS.contains(&next)),
        Mark::Number(_) if first == '[' => last.is_some() && !after.starts_with(['(', ':'].as_slice()),
        Mark::Number(_) => ends_word && !ends_in_unit(before),
    }
}

/// Whether a text ends in a digit or a unit, of which a raised number is a power.
pub(super) fn ends_in_unit(text: &str) -> bool {
    let letters = text.chars().rev().take_while(|character| character.is_alphanumeric()).take(LONGEST_UNIT + 1);
    text.ends_with(|character: char| character.is_ascii_digit()) || (1..=LONGEST_UNIT).contains(&letters.count())
}

/// Numbers of candidates that are notes, each with its references, in the order of the first of these.
fn pairs(candidates: &[Candidate], references: &[Reference]) -> Vec<(usize, Vec<usize>)> {
    let mut found: Vec<(usize, Vec<usize>)> = Vec::new();
    for (number, candidate) in candidates.iter().enumerate() {
        // What is numbered as items of lists are, somewhere in the text, is no note of those in brackets.
        let is_same =
            |other: &&Candidate| other.mark == candidate.mark && (candidate.is_like_item || !other.is_like_item);
        let before = candidates[..number].iter().rev().find(is_same);
        let after = candidates[number + 1..].iter().find(is_same);
        // Several paragraphs in turn that begin with the same sign are a list.
        let is_close =
            |other: Option<&Candidate>| other.is_some_and(|other| other.child.abs_diff(candidate.child) <= 1);
        if is_close(before) || is_close(after) {
            continue;
        }
        let first = before.map_or(0, |before| before.child + 1);
        let is_own = |reference: &Reference| {
            reference.mark == candidate.mark && (first..=candidate.child).contains(&reference.child)
        };
        let own: Vec<usize> = (0..references.len()).filter(|&place| is_own(&references[place])).collect();
        count(references.len());
        if !own.is_empty() && own.len() <= MOST_REFERENCES {
            found.push((number, own));
        }
    }
    leave_out_torn(candidates, &mut found);
    // Paragraphs with the numbers of a list are notes if all of them are referred to.
    let is_like_item = |number: usize| candidates[number].is_like_item;
    let like_items = (0..candidates.len()).filter(|&number| is_like_item(number)).count();
    let are_notes = found.iter().filter(|(number, _)| is_like_item(*number)).count() == like_items
        && candidates.iter().find(|candidate| candidate.is_like_item).is_none_or(|first| first.mark == Mark::Number(1));
    if !are_notes {
        found.retain(|(number, _)| !is_like_item(*number));
    }
    // A list of sources is one of notes if most of it is referred to.
    let in_lists = candidates.iter().filter(|candidate| candidate.item.is_some()).count();
    let found_in_lists = found.iter().filter(|(number, _)| candidates[*number].item.is_some()).count();
    if 2 * found_in_lists < in_lists {
        found.retain(|(number, _)| candidates[*number].item.is_none());
    }
    found.sort_by_key(|(_, own)| own[0]);
    found
}

/// Leaves out the notes of paragraphs of which a later line is none: what is behind a note would be lost.
fn leave_out_torn(candidates: &[Candidate], found: &mut Vec<(usize, Vec<usize>)>) {
    let is_found: HashSet<usize> = found.iter().map(|&(number, _)| number).collect();
    let is_torn = |number: usize| {
        let child = candidates[number].child;
        let mut behind = (number + 1..candidates.len()).take_while(|&other| candidates[other].child == child);
        candidates[number].item.is_none() && behind.any(|other| !is_found.contains(&other))
    };
    found.retain(|&(number, _)| !is_torn(number));
}

/// Moves notes to the end, and puts references into the texts.
fn move_notes(
    document: &mut Document,
    candidates: &[Candidate],
    references: &[Reference],
    pairs: Vec<(usize, Vec<usize>)>,
) {
    let mut used: HashSet<String> =
        document.notes.iter().map(|note| document.text_of(note.label).to_string()).collect();
    let wanted: HashSet<String> = pairs.iter().filter_map(|&(number, _)| own_label(candidates[number].mark)).collect();
    let mut labels: Vec<(usize, Part)> = Vec::new();
    let mut emptied: HashSet<usize> = HashSet::new();
    for (number, own) in &pairs {
        let candidate = &candidates[*number];
        let asked = own_label(candidate.mark).filter(|label| !used.contains(label));
        let free = || {
            (1..).map(|number: usize| number.to_string()).find(|label| !used.contains(label) && !wanted.contains(label))
        };
        let label = asked.or_else(free).unwrap_or_default();
        let part = document.add_text(&label);
        used.insert(label);
        labels.extend(own.iter().map(|&reference| (reference, part)));
        let children = take_note(document, candidate, &mut emptied);
        document.notes.push(Note { label: part, children });
    }
    labels.sort_unstable_by_key(|&(reference, _)| reference);
    put_references(document, references, &labels);
    leave_out_empty(document, &emptied);
}

/// The label that a mark asks for.
fn own_label(mark: Mark) -> Option<String> {
    match mark {
        Mark::Number(number) => Some(number.to_string()),
        Mark::Sign(..) => None,
    }
}

/// Takes a note out of where it stands.
fn take_note(document: &mut Document, candidate: &Candidate, emptied: &mut HashSet<usize>) -> Vec<Node> {
    emptied.insert(candidate.child);
    if let Some(place) = candidate.item {
        let mut children = std::mem::take(&mut document.children);
        let note = take_entry(document, &mut children[candidate.child], place);
        document.children = children;
        return note;
    }
    let node = &mut document.children[candidate.child];
    let locale = match node {
        Node::Paragraph { spans, locale } => {
            // Notes of one paragraph are taken in any order: its first one leaves the least.
            spans.end = spans.end.min(candidate.before.end.max(spans.start));
            *locale
        }
        _ => 0,
    };
    let start = document.spans.len();
    document.spans.extend_from_within(candidate.spans.range());
    document.spans[start].text.start += candidate.length;
    let start = behind_label(document, start);
    vec![Node::Paragraph { spans: Part { start, end: document.spans.len() }, locale }]
}

/// Takes the word `Note:`, a colon and blanks off the start of the last spans; returns the first that is left.
fn behind_label(document: &mut Document, mut start: usize) -> usize {
    while document.spans[start].kind == SpanKind::Text {
        let text = document.spans[start].text;
        let shown = document.text_of(text);
        let word = shown.get(..LABEL.len()).filter(|word| word.eq_ignore_ascii_case(LABEL));
        let is_label = word.is_some_and(|_| shown[LABEL.len()..].trim_start_matches(is_space).starts_with(':'));
        let rest = if is_label || strip(shown).eq_ignore_ascii_case(LABEL) { &shown[LABEL.len()..] } else { shown };
        let length = rest.trim_start_matches(|character: char| character == ':' || is_space(character)).len();
        if length == 0 && start + 1 < document.spans.len() {
            start += 1;
            continue;
        }
        if length > 0 {
            document.spans[start].text.start = text.end - length;
        }
        break;
    }
    start
}

/// Puts references into texts.
fn put_references(document: &mut Document, references: &[Reference], labels: &[(usize, Part)]) {
    let mut children = std::mem::take(&mut document.children);
    let mut next = 0;
    for (child, node) in children.iter_mut().enumerate() {
        if labels.get(next).is_none_or(|&(reference, _)| references[reference].child != child) {
            continue;
        }
        let mut text = 0;
        replace_texts(node, &mut |part: &mut Part| {
            let first = next;
            let is_own = |&(reference, _): &(usize, Part)| {
                references[reference].child == child && references[reference].text == text
            };
            while labels.get(next).is_some_and(is_own) {
                next += 1;
            }
            if next > first {
                *part = with_references(document, *part, references, &labels[first..next]);
            }
            text += 1;
        });
    }
    document.children = children;
}

/// A text with some of its marks replaced by references.
fn with_references(document: &mut Document, part: Part, references: &[Reference], labels: &[(usize, Part)]) -> Part {
    let start = document.spans.len();
    let mut rest = labels.iter().peekable();
    count(part.range().len());
    for number in part.range() {
        let mut span = document.spans[number];
        while let Some(&&(reference, label)) =
            rest.peek().filter(|(reference, _)| references[*reference].span == number)
        {
            let bytes = references[reference].bytes;
            if bytes.start > span.text.start {
                document.spans.push(Span { text: Part { start: span.text.start, end: bytes.start }, ..span });
            }
            document.spans.push(Span { text: label, marks: Marks::default(), kind: SpanKind::Note, address: 0 });
            span.text.start = bytes.end;
            rest.next();
        }
        if !span.text.is_empty() || span.kind != SpanKind::Text {
            document.spans.push(span);
        }
    }
    Part { start, end: document.spans.len() }
}

/// Leaves out what has become empty: paragraphs, items, lists, and the lines above these.
fn leave_out_empty(document: &mut Document, emptied: &HashSet<usize>) {
    let mut is_left = vec![true; document.children.len()];
    for &child in emptied {
        is_left[child] = match &mut document.children[child] {
            Node::Paragraph { spans, .. } => !spans.is_empty(),
            node => leave_others(node),
        };
        if !is_left[child] && child > 0 && says_notes(document, &document.children[child - 1]) {
            is_left[child - 1] = false;
        }
    }
    let mut kept = is_left.into_iter();
    document.children.retain(|_| kept.next().unwrap_or(true));
}

#[cfg(test)]
mod tests {
    use super::super::read_documents::{markdown_of, text_of};

    #[test]
    fn notes_that_are_written_by_hand() {
        let cases = [
            ("<p>One* two.<p>Text.<p>* A note.", "One[^1] two.\n\nText.\n\n[^1]: A note.\n"),
            (
                "<p>One* two**.<p>*A note.<br>**Another note.",
                "One[^1] two[^2].\n\n[^1]: A note.\n\n[^2]: Another note.\n",
            ),
            ("<p>One* two.<br>*A note.", "One[^1] two.\n\n[^1]: A note.\n"),
            (
                "<p>One* a.<p>*First note.<p>Two* b.<p><em>*Second note.</em>",
                "One[^1] a.\n\nTwo[^2] b.\n\n[^1]: First note.\n\n[^2]: *Second note.*\n",
            ),
            (
                "<p>One<sup>*</sup> two<sup>†</sup>.<p><sup>*</sup> A note.<p><sup>†</sup>B note.",
                "One[^1] two[^2].\n\n[^1]: A note.\n\n[^2]: B note.\n",
            ),
            (
                "<p>One<sup>1, 2</sup>.<p><sup>1</sup> A note.<br><sup>2</sup> B note.",
                "One[^1][^2].\n\n[^1]: A note.\n\n[^2]: B note.\n",
            ),
            (
                "<p>One<sup>1</sup> two<sup>2</sup>.<p>1. A note.<p>2. B note.",
                "One[^1] two[^2].\n\n[^1]: A note.\n\n[^2]: B note.\n",
            ),
            ("<p>One* two.<p><b>*Note</b> <b>:</b> A note.", "One[^1] two.\n\n[^1]: A note.\n"),
            ("<p>Word¹ other².<p>¹ A note.<p>² B note.", "Word[^1] other[^2].\n\n[^1]: A note.\n\n[^2]: B note.\n"),
            (
                "<p>One [1] two [2].<p>[1] A note.<p>[2]: B note.",
                "One [^1] two [^2].\n\n[^1]: A note.\n\n[^2]: B note.\n",
            ),
            (
                "<p>One<sup>1</sup> two<sup>2</sup>.<h2>References</h2><ol><li>A note.<li>B note.</ol>",
                "One[^1] two[^2].\n\n[^1]: A note.\n\n[^2]: B note.\n",
            ),
            (
                "<p>One [1] two [2].<p>References<table><tr><td>[1]<td>A note.<tr><td>[2]<td>B note.</table>",
                "One [^1] two [^2].\n\n[^1]: A note.\n\n[^2]: B note.\n",
            ),
            (
                "<p>One [1] two [2].<ul><li>[1] A <i>note</i>.<li>[2] B note.</ul>",
                "One [^1] two [^2].\n\n[^1]: A *note*.\n\n[^2]: B note.\n",
            ),
            (
                "<p>One [1] two [2].<p>1) First.<ul><li>[1] A note.<li>[2] B note.</ul>",
                "One [^1] two [^2].\n\n1\\) First.\n\n[^1]: A note.\n\n[^2]: B note.\n",
            ),
            (
                "<p>One [1] two [2].<dl><dt>[1]<dd>A note.<dt>[2]<dd>B note.</dl>",
                "One [^1] two [^2].\n\n[^1]: A note.\n\n[^2]: B note.\n",
            ),
            (
                "<table><tr><th>A*<th>B<tr><td>1<td>2</table><p>* A note.",
                "| A[^1] | B |\n| --- | --- |\n| 1 | 2 |\n\n[^1]: A note.\n",
            ),
        ];
        for (html, expected) in cases {
            assert_eq!(markdown_of(html), expected, "{html}");
        }
        assert_eq!(text_of(cases[0].0), "One* two.\n\nText.\n\n* A note.\n");
    }

    #[test]
    fn what_is_no_note() {
        for html in [
            "<p>One two.<p>* A note.",
            "<p>One* two.<p>* A note.<p>* Another.",
            "<p>2*3 and F*** and a *b*.<p>* A note.",
            "<p>10 m² and 3².<p>² A note.",
            "<p>One* two.<p>*",
            "<p>One <code>a*</code> two.<p>* A note.",
            "<p>One<sup>1</sup>.<h2>References</h2><ol><li>A.<li>B.<li>C.</ol>",
            "<p>One<sup>1</sup>.<h2>Steps</h2><ol><li>A.</ol>",
            "<p>* A note.<p>One* two.",
            "<p>One* two.<p>*A note:* of something.",
            "<p>One* two.<p>* A note.<br>** Projected.",
            "<p>One<sup>1</sup> two.<p>1. A.<p>2. B.",
            "<p>One two.<p>1. A.<p>2. B.",
            "<p>One [1] two.<table><tr><td>[1]<td>A.<tr><td>[3]<td>B.</table>",
            "<p>One two.<ul><li>[1] A.<li>[2] B.</ul>",
        ] {
            assert!(!markdown_of(html).contains("[^"), "{html}");
        }
    }
}
