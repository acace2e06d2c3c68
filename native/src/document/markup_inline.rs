//! Running text as elements: marks nested in a fixed order, each around as many spans as have it.
#![forbid(unsafe_code)]

use super::groups::groups;
use super::markup::MarkupWriter;
use super::quotations::outer_quotations;
use super::steps::count;
use super::tree::{mark, Marks, Span};

/// What a span may be marked as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A link.
    Link,
    /// A text with its reading.
    Ruby,
    /// The reading.
    Reading,
    /// Bold.
    Strong,
    /// Italic.
    Emphasis,
    /// Struck out.
    Deleted,
    /// Inside quotation marks.
    Quoted,
    /// Lowered.
    Subscript,
    /// Raised.
    Superscript,
    /// Code.
    Code,
}

/// From the outermost to the innermost, with their flags; links and ruby annotations have numbers.
const LEVELS: [(Mark, u8); 10] = [
    (Mark::Link, 0),
    (Mark::Ruby, 0),
    (Mark::Reading, mark::READING),
    (Mark::Strong, mark::STRONG),
    (Mark::Emphasis, mark::EMPHASIS),
    (Mark::Deleted, mark::DELETED),
    (Mark::Quoted, mark::QUOTED),
    (Mark::Subscript, mark::SUBSCRIPT),
    (Mark::Superscript, mark::SUPERSCRIPT),
    (Mark::Code, mark::CODE),
];
/// The level of quotations, which may enclose what is outside of it.
const QUOTED: usize = 6;

/// The mark of spans at a level: 0 if there is none.
fn mark_at(level: usize, marks: &Marks) -> u32 {
    match LEVELS[level] {
        (Mark::Link, _) => marks.link,
        (Mark::Ruby, _) => marks.ruby as u32,
        (_, flag) => u32::from(marks.flags & flag),
    }
}

/// Writes spans with their marks.
pub fn append_nested<'a>(writer: &mut impl MarkupWriter<'a>, spans: &[Span]) {
    append_from(writer, spans, 0);
}

/// Writes spans with their marks from a level on.
fn append_from<'a>(writer: &mut impl MarkupWriter<'a>, spans: &[Span], level: usize) {
    count(spans.len() + 1);
    let has_marks = |&level: &usize| spans.iter().any(|span| mark_at(level, &span.marks) != 0);
    let Some(level) = (level..LEVELS.len()).find(has_marks) else {
        return spans.iter().for_each(|span| writer.write_leaf(span));
    };
    let runs = if level < QUOTED { outer_quotations(spans, |marks| mark_at(level, marks)) } else { None };
    if let Some(runs) = runs {
        for run in &runs {
            let quotation = u32::from(run.is_outer);
            append_marked(writer, Mark::Quoted, quotation, |writer| append_from(writer, &run.spans, level));
        }
        return;
    }
    for (mark, group) in groups(spans, |span| mark_at(level, &span.marks)) {
        append_marked(writer, LEVELS[level].0, mark, |writer| append_from(writer, group, level + 1));
    }
}

/// Writes something inside a mark, unless that is 0.
fn append_marked<'a, W: MarkupWriter<'a>>(writer: &mut W, mark: Mark, number: u32, write: impl FnOnce(&mut W)) {
    let document = writer.document();
    if number != 0 {
        writer.begin_mark(mark, if mark == Mark::Link { &document.addresses[number as usize] } else { "" });
    }
    write(writer);
    if number != 0 {
        writer.end_mark(mark);
    }
}

#[cfg(test)]
mod tests {
    use super::super::read_documents::markup_of;

    /// The content of the only paragraph of a page, as html, XML and TEI.
    fn paragraph(html: &str) -> [String; 3] {
        markup_of(&format!("<p>{html}</p>")).map(|written| {
            let (_, content) = written.rsplit_once("<p>").unwrap();
            content.split_once("</p>").unwrap().0.to_string()
        })
    }

    #[test]
    fn marks_share_elements_and_quotations_enclose_them() {
        let cases = [
            ("a <b>b <i>c</i></b>", ["a <strong>b <em>c</em></strong>", "a <b>b <i>c</i></b>"]),
            ("<i>a <b>b</b></i>", ["<em>a </em><strong><em>b</em></strong>", "<i>a </i><b><i>b</i></b>"]),
            ("<q>a <b>b</b></q>", ["<q>a <strong>b</strong></q>", "<q>a <b>b</b></q>"]),
            ("<b>a <q>b</q></b>", ["<strong>a <q>b</q></strong>", "<b>a <q>b</q></b>"]),
            ("a<br>b &amp; c", ["a<br>b &amp; c", "a<br/>b &amp; c"]),
            (
                "<ruby>x<rt>y</rt></ruby>",
                ["<ruby>x<rp>(</rp><rt>y</rt><rp>)</rp></ruby>", "<ruby>x<reading>y</reading></ruby>"],
            ),
        ];
        for (html, expected) in cases {
            assert_eq!(paragraph(html)[..2], expected, "{html}");
        }
    }

    #[test]
    fn tei_has_readings_in_parentheses() {
        assert_eq!(paragraph("<b><ruby>x<rt>y</rt></ruby></b>")[2], "<hi rend=\"bold\">x(y)</hi>");
    }
}
