//! Marks of footnotes: the texts of references, and what they look like at the start of a note.
#![forbid(unsafe_code)]

use super::code_parts::has_class;
use super::source::Source;
use super::steps::count;
use super::texts::{folded, strip_start};
use super::tree::{mark, Document, Node, Part, SpanKind};
use crate::blocks::characters::{is_digit, is_space, property_of, strip};
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{attribute, number_of, set};
use crate::html::attributes::code_of;
use std::iter::once;

const HREF: u8 = code_of("href");
const RAISED: i32 = number_of("sup");
const LINK: i32 = number_of("a");
const LABEL: i32 = number_of("label");
const SPAN: i32 = number_of("span");
const INPUT: i32 = number_of("input");
const REFERENCE_OF_GITHUB: u8 = code_of("data-footnote-ref");
const BACK_LINK_OF_GITHUB: u8 = code_of("data-footnote-backref");
/// Parts of the classes and ids of references.
#[rustfmt::skip]
const NAMES_OF_REFERENCES: [&str; 6] = ["footnote", "endnote", "noteref", "fnref", "ftnref", "cite_ref"];
/// Classes of bibliographies: Pandoc, LaTeXML, docutils, journals.
pub const BIBLIOGRAPHIES: [&str; 10] = [
    "references",
    "reference-list",
    "references-list",
    "bibliography",
    "ref-list",
    "citation-list",
    "csl-bib-body",
    "ltx_biblist",
    "c-article-references",
    "bibliography-list",
];
/// Elements from a link or an entry to the bibliography around it.
const MOST_AROUND_ENTRY: usize = 5;
/// Characters of a citation: a few names and a year.
const LONGEST_CITATION: usize = 60;
/// A number of so many digits is a year.
const DIGITS_OF_YEARS: usize = 4;
/// How the targets of references begin in addresses that are absolute.
#[rustfmt::skip]
const FRAGMENTS_OF_NOTES: [&str; 10] = [
    "easy-footnote", "footnote", "fn", "cite_note", "cite_ref", "_ftn", "user-content-fn", "ref-CR", "Fn", "bib.bib",
];
/// Parts of the classes of links from notes to references.
const NAMES_OF_BACK_LINKS: [&str; 6] =
    ["footnote-back", "reversefootnote", "backref", "footnote-return", "easy-footnote-to-top", "fn-backref"];
/// How the texts of such links begin.
#[rustfmt::skip]
const WORDS_BACK: [&str; 14] = [
    "back to", "return to", "jump back", "jump up", "go back", "zurück", "retour", "volver", "voltar", "본문", "本文に戻", "返回",
    "torna", "terug",
];
/// Class of what MediaWiki writes around links back.
const BACK_LINKS_OF_WIKIS: &str = "mw-cite-backlink";
/// Classes of the marks of notes.
const LABELS: [&str; 15] = [
    "order",
    "index",
    "num",
    "note-number",
    "fn-number",
    "footnote-num",
    "footnote__number",
    "label",
    "footnote-number",
    "footnote-label",
    "fn-label",
    "ltx_note_mark",
    "ltx_tag_note",
    "sidenote-number",
    "sidenote__number",
];
/// Characters of links back that say nothing else; the last one asks for an arrow instead of a picture.
const ARROWS: &str = "↩↑⤴⏎↵⮐⬆^⇑⬑\u{fe0e}";
/// Classes of notes amid the text: Tufte CSS, plugins of WordPress, LaTeXML.
pub const NOTES_AMID_TEXT: [&str; 9] = [
    "sidenote",
    "marginnote",
    "side-note",
    "margin-note",
    "modern-footnotes-footnote__note",
    "inline-footnote",
    "footnote-inline",
    "ltx_role_footnote",
    "sidenote__content",
];
/// Class of the references of a plugin of WordPress, whose links are scripts: its id says where the note is.
pub const SCRIPTED_REFERENCE: &str = "footnote_plugin_tooltip_text";
/// Class of the copies of its notes that are shown above the text.
pub const TOOLTIP_OF_NOTE: &str = "footnote_tooltip";
/// What the ids of its references and notes have instead of each other.
const IN_IDS: (&str, &str) = ("_tooltip_", "_reference_");

/// The id of the note of a scripted reference.
pub fn scripted_target(page: &PageView, row: usize) -> Option<String> {
    let id = page.value(row, attribute::ID).filter(|_| has_class(page, row, &[SCRIPTED_REFERENCE]))?;
    Some(id.replacen(IN_IDS.0, IN_IDS.1, 1))
}

/// Element of Distill's articles for notes amid the text.
const ELEMENT_OF_NOTES: &str = "d-footnote";
/// Rows before a note amid the text among which its mark is.
const ROWS_OF_MARK: usize = 12;
/// Characters of a link that are read: longer texts do not matter here, and may be as long as the page.
const MOST_CHARACTERS: usize = 200;
/// Rows of a link among which a `<sup>` makes it a reference.
const FIRST_ROWS: usize = 4;
/// Words before the number of a note, and whether a blank may follow.
#[rustfmt::skip]
const WORDS: [(&str, bool); 31] = [
    ("note ", false), ("nb ", false), ("n.", true), ("fn.", true), ("footnote ", false), ("endnote ", false), ("fn ", false),
    // Groups of MediaWiki, in some languages.
    ("lower-alpha ", false), ("upper-alpha ", false), ("lower-roman ", false), ("lower-greek ", false), ("n ", false),
    ("anm.", true), ("anm ", false), ("nota ", false), ("uwaga ", false), ("прим.", true), ("комм.", true), ("ком.", true),
    ("k ", false), ("a ", false), ("주 ", false), ("注釈", true), ("注", true), ("註", true), ("脚注", true), ("腳註", true),
    // Hatena, and Japanese notes by hand.
    ("*", false), ("※", false), ("fußnote ", false), ("fussnote ", false),
];
const SIGNS: &str = "*†‡§¶#";
/// Those of them that are nothing but references: the others are links to headings as well.
const SIGNS_OF_NOTES: &str = "*†‡";

/// The first characters of the text in an element, with white space folded.
pub fn text_of(page: &PageView, row: usize) -> String {
    let text = page.text_within(row);
    count(text.len().min(MOST_CHARACTERS));
    let end = text.char_indices().nth(MOST_CHARACTERS).map_or(text.len(), |(place, _)| place);
    folded(&text[..end])
}

/// The text of a footnote reference, without brackets; none if the link is not one.
pub fn mark_of(page: &PageView, row: usize) -> Option<String> {
    let text = text_of(page, row);
    let found = bare_mark(&text)?;
    let role = page.value(row, attribute::ROLE).unwrap_or("");
    let says_so = strip(role).eq_ignore_ascii_case("doc-noteref")
        || page.attribute(row, REFERENCE_OF_GITHUB).is_some()
        || [attribute::CLASS, attribute::ID].iter().any(|&name| page.value(row, name).is_some_and(names_reference))
        || page.value(row, HREF).is_some_and(|address| leads_to_numbered_note(address, found));
    let is_bracketed = text.starts_with(['[', '(']) && text.ends_with([']', ')']);
    let is_sign = text.chars().all(|character| SIGNS_OF_NOTES.contains(character)) || text.starts_with(['*', '※']);
    let is_mark = page.hidden[row] == 0 && (says_so || is_bracketed || is_sign || is_raised(page, row));
    is_mark.then(|| found.to_string())
}

/// What a citation shows, which is short.
pub fn citation_of(page: &PageView, row: usize) -> Option<Citation> {
    let text = text_of(page, row);
    let is_short = !text.is_empty() && text.chars().count() <= LONGEST_CITATION;
    if page.hidden[row] != 0 || !is_short || is_in_bibliography(page, row) {
        return None;
    }
    let number = bare_mark(&text).filter(|mark| mark.len() < DIGITS_OF_YEARS);
    let inner = text.trim_matches(['[', ']', '(', ')'].as_slice());
    Some(number.map_or_else(|| Citation::Name(format!("[{inner}]")), |mark| Citation::Number(mark.to_string())))
}

/// A link to an entry of a bibliography.
pub enum Citation {
    /// A number, which a reference replaces.
    Number(String),
    /// A name, a year or both: the text needs them. In brackets, as entries begin with it, if they do.
    Name(String),
}

/// Whether an element is an entry of a bibliography, or in one.
pub fn is_in_bibliography(page: &PageView, row: usize) -> bool {
    let mut around = once(row).chain(page.ancestors(row)).take(MOST_AROUND_ENTRY);
    around.any(|row| has_class(page, row, &BIBLIOGRAPHIES))
}

/// Whether a class or id is that of a reference.
fn names_reference(name: &str) -> bool {
    NAMES_OF_REFERENCES.iter().any(|part| name.contains(part))
}

/// Whether an address may lead to a note of the page, though it is not known to be on the page.
pub fn leads_to_note(address: &str) -> bool {
    let target = address.rsplit_once('#').map_or("", |(_, target)| target);
    FRAGMENTS_OF_NOTES.iter().any(|start| target.starts_with(start))
}

/// Whether an address leads to a part of the page that is named as a note with a number: `#footnote-1`.
fn leads_to_numbered_note(address: &str, mark: &str) -> bool {
    let is_number = !mark.is_empty() && mark.bytes().all(|byte| byte.is_ascii_digit());
    is_number && address.starts_with('#') && address.ends_with(mark) && leads_to_note(address)
}

/// Whether a link shows words that lead back, as notes end with them.
pub fn has_words_back(text: &str) -> bool {
    let small = text.trim_start_matches(|sign: char| "[(↑↩ ".contains(sign)).to_lowercase();
    WORDS_BACK.iter().any(|word| small.starts_with(word))
}

/// Whether a link says that it leads from a note to its reference, or shows nothing but an arrow.
pub fn says_back(page: &PageView, row: usize) -> bool {
    let says = |name: u8, words: &[&str]| {
        page.value(row, name).is_some_and(|value| words.iter().any(|word| value.contains(word)))
    };
    let is_arrow = || {
        let text = text_of(page, row);
        !text.is_empty() && text.chars().all(|character| ARROWS.contains(character))
    };
    let parent = page.parent[row].max(0) as usize;
    let is_of_wiki =
        |row: usize| page.value(row, attribute::CLASS).is_some_and(|class| class.contains(BACK_LINKS_OF_WIKIS));
    page.attribute(row, BACK_LINK_OF_GITHUB).is_some()
        || is_of_wiki(parent)
        || is_of_wiki(page.parent[parent].max(0) as usize)
        || says(attribute::ROLE, &["doc-backlink"])
        || says(attribute::CLASS, &NAMES_OF_BACK_LINKS)
        || is_arrow()
}

/// Whether an element of a note shows nothing but its mark.
pub fn is_label(page: &PageView, row: usize) -> bool {
    let classes = page.value(row, attribute::CLASS).unwrap_or("");
    let is_named = classes.split_ascii_whitespace().any(|class| LABELS.contains(&class));
    is_named && bare_mark(text_of(page, row).trim_end_matches('.')).is_some()
}

/// Rows of the side notes that stand amid the text of blocks, outermost first.
pub fn notes_amid_text(source: &Source, first: usize, last: usize) -> Vec<usize> {
    let page = source.page;
    let mut found: Vec<usize> = Vec::new();
    let mut end = 0;
    let among = source.structures.possible_notes.iter().copied().filter(|row| (first..=last).contains(row));
    for row in among.filter(|&row| is_named_note(page, row)) {
        if row >= end && is_note_amid_text(page, row) {
            end = page.subtree_end[row] as usize;
            found.push(row);
        }
    }
    if (0..page.other_tags.len()).any(|place| page.other_tags.get(place) == ELEMENT_OF_NOTES) {
        let is_note = |&row: &usize| page.tag_name(page.tag[row]) == ELEMENT_OF_NOTES && is_note_amid_text(page, row);
        found.extend((first..=last).filter(is_note));
        found.sort_unstable();
    }
    found
}

/// Whether the class of an element is that of side notes.
fn is_named_note(page: &PageView, row: usize) -> bool {
    let classes = page.value(row, attribute::CLASS).unwrap_or("");
    classes.split_ascii_whitespace().any(|class| NOTES_AMID_TEXT.contains(&class))
}

/// Whether an element that is named as a note is shown amid a text.
fn is_note_amid_text(page: &PageView, row: usize) -> bool {
    !page.is_in(row, set::BLOCK) && page.hidden[row] == 0 && !strip(page.text_within(row)).is_empty()
}

/// Rows in a note amid the text that show only its mark.
pub fn labels_inside<'a>(page: &'a PageView, note: usize) -> impl Iterator<Item = usize> + 'a {
    (note + 1..page.subtree_end[note] as usize).filter(move |&row| page.tag[row] != 0 && is_label(page, row))
}

/// Row of the mark or the label directly before a note amid the text, which its reference replaces.
pub fn mark_before(page: &PageView, note: usize) -> Option<usize> {
    let parent = page.parent[note];
    let is_sibling = |row: &usize| page.parent[*row] == parent;
    let mut before = (note.saturating_sub(ROWS_OF_MARK)..note).rev().filter(is_sibling);
    let row = before.find(|&row| page.tag[row] != INPUT && (page.tag[row] != 0 || page.text_length[row] > 0))?;
    let text = text_of(page, row);
    let is_mark = bare_mark(&text).is_some() || text == "\u{2295}";
    (matches!(page.tag[row], RAISED | LINK | LABEL | SPAN) && is_mark).then_some(row)
}

/// Whether a `<sup>` is around the link, or directly in it.
fn is_raised(page: &PageView, row: usize) -> bool {
    let parent = page.parent[row];
    let inside = row + 1..(page.subtree_end[row] as usize).min(row + FIRST_ROWS);
    (parent >= 0 && page.tag[parent as usize] == RAISED) || page.tag[inside].contains(&RAISED)
}

/// The number that a link shows between brackets that are outside of it: `[1,2]`.
pub fn number_in_brackets(page: &PageView, row: usize) -> Option<String> {
    let text = page.text_within(row);
    let (start, end) = (page.text_start[row] as usize, page.text_start[row] as usize + text.len());
    let is_number = (1..DIGITS_OF_YEARS).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_in_brackets = is_number
        && page.hidden[row] == 0
        && page.text[..start].ends_with(['[', ',', '–', '-'].as_slice())
        && page.text[end..].starts_with([']', ',', '–', '-'].as_slice());
    is_in_brackets.then(|| text.to_string())
}

/// A number, a letter or two, a roman number, or signs: in brackets or not, after a word for notes or not.
pub fn bare_mark(text: &str) -> Option<&str> {
    let inner = text.strip_prefix(['[', '(']).unwrap_or(text).trim_start_matches(is_space);
    let inner = inner.strip_suffix([']', ')']).unwrap_or(inner).trim_end_matches(is_space);
    // Short ones are marks as they are: `nb`, `**`.
    let after_word = || {
        WORDS.iter().find_map(|&(word, with_blank)| {
            let start = inner.get(..word.len()).filter(|start| start.eq_ignore_ascii_case(word))?;
            let rest = &inner[start.len()..];
            let rest = if with_blank { rest.strip_prefix(' ').unwrap_or(rest) } else { rest };
            let is_sign = matches!(word, "*" | "※");
            Some(rest).filter(|rest| is_bare_mark(rest) && (!is_sign || rest.starts_with(is_digit)))
        })
    };
    let has_signs_only = inner.bytes().all(|byte| byte.is_ascii_digit());
    Some(inner)
        .filter(|_| has_signs_only)
        .filter(|inner| is_bare_mark(inner))
        .or_else(after_word)
        .or(Some(inner).filter(|inner| is_bare_mark(inner)))
}

/// Whether a text is one of the marks.
fn is_bare_mark(text: &str) -> bool {
    let length = text.chars().count();
    let digits = text.chars().take_while(|&character| is_digit(character)).count();
    let is_number = (1..=4).contains(&digits) && length <= digits + 1 && text.chars().skip(digits).all(is_letter);
    is_number
        || ((1..=2).contains(&length) && text.chars().all(is_letter))
        || ((1..=6).contains(&length) && text.chars().all(is_roman_digit))
        || ((1..=3).contains(&length) && text.chars().all(|character| SIGNS.contains(character)))
}

/// A letter from a to z: also those beyond ASCII that have one of them as their other case.
fn is_letter(character: char) -> bool {
    character.is_ascii_alphabetic() || matches!(character, 'İ' | 'ı' | 'ſ' | '\u{212a}')
}

/// A digit of a roman number.
fn is_roman_digit(character: char) -> bool {
    matches!(character.to_ascii_lowercase(), 'i' | 'v' | 'x' | 'l' | 'c' | 'İ' | 'ı')
}

/// Takes the mark off the start of a note, whose label replaces it, and the blanks after it.
///
/// A bare number may be part of a sentence: it counts as a mark only if superscript, in brackets or before a full stop.
pub fn take_mark_off(document: &mut Document, note: &mut [Node], own_mark: &str) {
    let spans = match note.first_mut() {
        Some(Node::Paragraph { spans, .. }) => spans,
        _ => return,
    };
    take_start_off(document, spans, |document, span| length_of_mark(document, span, own_mark));
    // What is left of brackets around a number that linked back: DocBook.
    take_first_brackets_off(document, spans);
    // What is left behind such a number: AsciiDoctor, Hatena.
    take_start_off(document, spans, |document, span| {
        let text = document.text_of(document.spans[span].text);
        let is_left = text.starts_with(". ") || text.starts_with(':') || text == ".";
        usize::from(document.spans[span].kind == SpanKind::Text && is_left)
    });
    // What is left of the links of MediaWiki to several references.
    take_start_off(document, spans, |document, span| {
        let text = document.text_of(document.spans[span].text);
        let rest = text.trim_start_matches(['^', '↑']);
        // Zhihu writes no blank behind it.
        let is_arrow = rest.is_empty() || rest.starts_with(is_space) || rest.starts_with(char::is_alphabetic);
        if document.spans[span].kind == SpanKind::Text && is_arrow {
            text.len() - rest.len()
        } else {
            0
        }
    });
}

/// Brackets around links back, which are not shown.
const BRACKETS: [(char, char); 2] = [('[', ']'), ('(', ')')];

/// Takes brackets around nothing off the start of a note: there was a link back between them.
fn take_first_brackets_off(document: &mut Document, spans: &mut Part) {
    let text_at = |place: usize| match document.spans.get(place) {
        Some(span) if place < spans.end && span.kind == SpanKind::Text => document.text_of(span.text),
        _ => "",
    };
    let (first, second) = (text_at(spans.start), text_at(spans.start + 1));
    let is_opened = |&&(begin, _): &&(char, char)| strip(first).strip_prefix(begin).is_some_and(str::is_empty);
    let is_closed = BRACKETS.iter().find(is_opened).is_some_and(|&(_, end)| second.starts_with(end));
    if is_closed {
        spans.start += 1;
        take_start_off(document, spans, |_, _| 1);
    } else if BRACKETS.iter().any(|&(begin, end)| first.strip_prefix(begin).is_some_and(|rest| rest.starts_with(end))) {
        take_start_off(document, spans, |_, _| 2);
    }
}

/// Takes brackets around nothing off the end of a note, and the blanks before them.
pub fn take_last_brackets_off(document: &mut Document, note: &mut [Node]) {
    let spans = match note.last_mut() {
        Some(Node::Paragraph { spans, .. }) => spans,
        _ => return,
    };
    let text_at = |place: usize| match document.spans.get(place) {
        Some(span) if span.kind == SpanKind::Text => document.text_of(span.text),
        _ => "",
    };
    // In one text, or in two with the link between them.
    for (begin, end) in BRACKETS {
        let last = match spans.end.checked_sub(1).filter(|&last| last >= spans.start) {
            Some(last) => last,
            None => return,
        };
        let rest = match strip(text_at(last)).strip_suffix(end) {
            Some(rest) => rest,
            None => continue,
        };
        let kept = if rest.is_empty() && last > spans.start { last - 1 } else { last };
        let before = if kept < last { text_at(kept).trim_end_matches(is_space) } else { rest };
        let bare = match before.strip_suffix(begin) {
            Some(bare) => bare.trim_end_matches(is_space),
            None => continue,
        };
        let start = document.spans[kept].text.start;
        let length = text_at(kept).find(bare).map_or(0, |place| place + bare.len());
        if length > 0 {
            document.spans[kept].text.end = start + length;
            spans.end = kept + 1;
        } else if kept > spans.start {
            spans.end = kept;
        }
        return;
    }
}

/// Takes some bytes off the first of several spans, and the blanks after them.
fn take_start_off(document: &mut Document, spans: &mut Part, length: impl Fn(&Document, usize) -> usize) {
    if spans.is_empty() {
        return;
    }
    let length = length(document, spans.start);
    if length == 0 {
        return;
    }
    let first = document.spans[spans.start].text;
    let rest = strip_start(&document.text[first.start + length..first.end]).len();
    if rest > 0 {
        document.spans[spans.start].text.start = first.end - rest;
    } else if spans.range().len() > 1 {
        spans.start += 1;
        let next = &mut document.spans[spans.start];
        if next.kind == SpanKind::Text {
            next.text.start = next.text.end - strip_start(&document.text[next.text.range()]).len();
        }
    }
}

/// Bytes of the mark at the start of a span; 0 if there is none.
fn length_of_mark(document: &Document, span: usize, own_mark: &str) -> usize {
    let span = &document.spans[span];
    let text = document.text_of(span.text);
    if span.kind != SpanKind::Text {
        return 0;
    }
    if span.marks.has(mark::SUPERSCRIPT) && strip(text) == own_mark {
        return text.len();
    }
    let is_bracketed = |begin: char, end: char| {
        let inside = text.strip_prefix(begin).and_then(|rest| rest.strip_prefix(own_mark));
        inside.is_some_and(|rest| rest.starts_with(end))
    };
    if is_bracketed('[', ']') || is_bracketed('(', ')') {
        return own_mark.len() + 2;
    }
    let rest = match text.strip_prefix(own_mark) {
        Some(rest) => rest,
        None => return 0,
    };
    let mut following = rest.chars();
    if matches!(following.next(), Some('.' | ')' | ':')) && following.next().is_some_and(is_space) {
        return own_mark.len() + 1;
    }
    let is_word = own_mark.chars().all(|character| property_of(character).is_alphanumeric);
    if is_word {
        0
    } else {
        own_mark.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_with_and_without_brackets() {
        let marks = [
            ("1", "1"),
            ("[12a]", "12a"),
            ("( 3 )", "3"),
            ("note 4", "4"),
            ("[NB x]", "x"),
            ("n.5", "5"),
            ("fn. 6", "6"),
            ("xiv", "xiv"),
            ("**", "**"),
            ("†", "†"),
            ("nb", "nb"),
            ("٣", "٣"),
            ("[1", "1"),
            ("n. b", "b"),
        ];
        for (text, mark) in marks {
            assert_eq!(bare_mark(text), Some(mark), "{text}");
        }
        for text in ["", "12345", "abc", "[]", "note", "1 2", "****", "xivxivx", "1ab", "note 1 b"] {
            assert_eq!(bare_mark(text), None, "{text}");
        }
    }
}
