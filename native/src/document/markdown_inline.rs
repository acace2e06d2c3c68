//! Inline Markdown: escaping, emphasis, code, links, images and formulas within one block.
//!
//! Marks are nested around runs of spans, with blanks left outside. Where CommonMark would not recognise the marks
//! (`a**"b"**c` is not emphasis), they are left out: literal asterisks would be worse.
#![forbid(unsafe_code)]

use super::groups::groups;
use super::markdown_escaping::{append_escaped, destination, first_when_escaped, longest_ticks, Dollars};
use super::markdown_formulas::append_safe_latex;
use super::quotations::{outer_quotations, Run};
use super::signs::{is_ascii_symbol, is_punctuation, is_symbol};
use super::steps::count;
use super::texts::{strip_end, strip_start};
use super::tree::{mark, Document, Marks, Span, SpanKind};
use crate::blocks::characters::strip;

/// From the outermost kind of mark to the innermost; the first is the link, which is no flag.
const LEVELS: [u8; 9] = [
    0,
    mark::READING,
    mark::QUOTED,
    mark::STRONG,
    mark::EMPHASIS,
    mark::DELETED,
    mark::SUBSCRIPT,
    mark::SUPERSCRIPT,
    mark::CODE,
];
const LINK: usize = 0;
/// The level of quotations, which may enclose what is outside of it.
const QUOTED: usize = 2;

/// The mark of a span at a level: 0 if there is none.
pub fn mark_at(level: usize, marks: &Marks) -> u32 {
    if level == LINK {
        marks.link
    } else {
        u32::from(marks.flags & LEVELS[level])
    }
}

/// Appends spans as inline Markdown, with `line_break` between lines. None begins or ends with a blank, or is empty.
pub fn append_inline(document: &Document, spans: &[Span], line_break: &str, output: &mut String) {
    if let [Span { kind: SpanKind::Text, text, marks, .. }] = spans {
        if marks.flags == 0 && marks.link == 0 {
            let text = strip(document.text_of(*text));
            return append_escaped(output, text, Dollars::of([text].into_iter(), false));
        }
    }
    let spans = with_steady_code(document, spans);
    let mut writer = Inline { document, output, dollars: dollars_in(document, &spans) };
    let start = writer.output.len();
    for (is_break, line) in groups(&spans, |span| span.kind == SpanKind::LineBreak) {
        if !is_break {
            writer.append_line(line, line_break, start);
        }
    }
}

/// What dollars in the texts of a block are; those in code are never read as markup.
fn dollars_in(document: &Document, spans: &[Span]) -> Dollars {
    let is_text = |span: &&Span| !span.kind.is_formula() && !span.marks.has(mark::CODE);
    let texts = spans.iter().filter(is_text).map(|span| document.text_of(span.text));
    Dollars::of(texts, spans.iter().any(|span| span.kind.is_formula()))
}

/// Spans in which adjacent code has the same marks: two code spans that touch would be read as one.
fn with_steady_code(document: &Document, spans: &[Span]) -> Vec<Span> {
    let mut steady = spans.to_vec();
    for place in 1..steady.len() {
        let (before, span) = (steady[place - 1], steady[place]);
        let are_code = before.marks.has(mark::CODE) && span.marks.has(mark::CODE);
        let touch = || !document.text_of(before.text).ends_with(' ') && !document.text_of(span.text).starts_with(' ');
        if are_code && touch() {
            steady[place].marks = before.marks;
        }
    }
    steady
}

/// What surrounds a text: the last character before it, and the first after it.
#[derive(Clone, Copy, Default)]
struct Surroundings {
    before: Option<char>,
    after: Option<char>,
}

/// Writes spans.
struct Inline<'a> {
    document: &'a Document<'a>,
    output: &'a mut String,
    dollars: Dollars,
}

impl Inline<'_> {
    /// A line after others that begin at `start`, unless it is empty.
    fn append_line(&mut self, line: &[Span], line_break: &str, start: usize) {
        let end = self.output.len();
        if end > start {
            self.output.push_str(line_break);
        }
        let begin = self.output.len();
        self.render(line, 0, Surroundings::default());
        let core_end = begin + strip_end(&self.output[begin..]).len();
        self.output.truncate(core_end);
        let blanks = core_end - begin - strip_start(&self.output[begin..]).len();
        self.output.replace_range(begin..begin + blanks, "");
        if self.output.len() == begin {
            self.output.truncate(end);
        }
    }

    /// Spans with their marks from a level on.
    fn render(&mut self, spans: &[Span], level: usize, around: Surroundings) {
        count(spans.len() + 1);
        let has_marks = |&level: &usize| spans.iter().any(|span| mark_at(level, &span.marks) != 0);
        let level = match (level..LEVELS.len()).find(has_marks) {
            Some(level) => level,
            None => return spans.iter().for_each(|span| self.append_unmarked(span)),
        };
        if level < QUOTED {
            if let Some(runs) = outer_quotations(spans, |marks| mark_at(level, marks)) {
                return self.render_quotations(&runs, level, around);
            }
        }
        let begin = self.output.len();
        let mut rest = groups(spans, |span| mark_at(level, &span.marks)).peekable();
        while let Some((mark, group)) = rest.next() {
            let following = rest.peek().map(|(_, group)| &group[0]);
            let after = following.map_or(around.after, |span| self.first_of(span));
            let before = self.output[begin..].chars().next_back().or(around.before);
            self.render_group(mark, group, level, begin, Surroundings { before, after });
        }
    }

    /// Spans with the same mark at a level; what was written of that level begins at `begin`.
    fn render_group(&mut self, mark: u32, group: &[Span], level: usize, begin: usize, around: Surroundings) {
        let start = self.output.len();
        let is_code = mark != 0 && LEVELS[level] == mark::CODE;
        if is_code {
            group.iter().for_each(|span| self.append_code(span));
        } else {
            self.render(group, level + 1, around);
        }
        let inside = &self.output[start..];
        count(inside.len());
        let core_start = start + inside.len() - strip_start(inside).len();
        let core_end = start + strip_end(inside).len();
        if mark == 0 || core_end <= core_start {
            return;
        }
        let core = &self.output[core_start..core_end];
        let before = self.output[start..core_start].chars().next_back().or(around.before);
        let after = self.output[core_end..].chars().next().or(around.after);
        let is_star = matches!(LEVELS[level], mark::STRONG | mark::EMPHASIS);
        if is_star && !is_read(core, before, after) {
            return;
        }
        let (opening, closing) = self.signs(mark, level, core);
        self.output.insert_str(core_end, &closing);
        self.output.insert_str(core_start, &opening);
        if level == LINK && self.output[begin..start].ends_with('!') {
            self.output.insert(start - 1, '\\'); // before a link it would make an image
        }
    }

    /// What stands before and after a text with a mark.
    fn signs(&self, mark: u32, level: usize, core: &str) -> (String, String) {
        let both = |opening: &str, closing: &str| (opening.to_string(), closing.to_string());
        match LEVELS[level] {
            mark::READING => both("(", ")"),
            mark::QUOTED => both("“", "”"),
            mark::STRONG => both("**", "**"),
            mark::EMPHASIS => both("*", "*"),
            // Marks that CommonMark lacks are written as inline HTML.
            mark::DELETED => both("<del>", "</del>"),
            mark::SUBSCRIPT => both("<sub>", "</sub>"),
            mark::SUPERSCRIPT => both("<sup>", "</sup>"),
            mark::CODE => code_signs(core),
            _ => ("[".to_string(), format!("]({})", destination(&self.document.addresses[mark as usize]))),
        }
    }

    /// Quotations that contain marks, and the runs between them.
    fn render_quotations(&mut self, runs: &[Run], level: usize, around: Surroundings) {
        let begin = self.output.len();
        for (place, run) in runs.iter().enumerate() {
            let after = match runs.get(place + 1) {
                Some(next) if next.is_outer => Some('“'),
                Some(next) => self.first_of(&next.spans[0]),
                None => around.after,
            };
            let before = self.output[begin..].chars().next_back().or(around.before);
            if !run.is_outer {
                self.render(&run.spans, level, Surroundings { before, after });
                continue;
            }
            let start = self.output.len();
            self.render(&run.spans, level, Surroundings { before: Some('“'), after: Some('”') });
            let inside = &self.output[start..];
            let core_start = start + inside.len() - strip_start(inside).len();
            let core_end = start + strip_end(inside).len();
            if core_end > core_start {
                self.output.insert(core_end, '”');
                self.output.insert(core_start, '“');
            }
        }
    }

    /// A span without its marks.
    fn append_unmarked(&mut self, span: &Span) {
        let text = self.document.text_of(span.text);
        match span.kind {
            SpanKind::Text | SpanKind::LineBreak => append_escaped(self.output, text, self.dollars),
            SpanKind::Image => {
                self.output.push_str("![");
                append_escaped(self.output, text, self.dollars);
                self.output.push_str("](");
                self.output.push_str(&destination(&self.document.addresses[span.address as usize]));
                self.output.push(')');
            }
            SpanKind::Formula | SpanKind::DisplayFormula => {
                let fence = if span.kind == SpanKind::Formula { "$" } else { "$$" };
                self.output.push_str(fence);
                append_safe_latex(self.output, text);
                self.output.push_str(fence);
            }
            SpanKind::Task => self.output.push_str(text),
            SpanKind::Note => {
                self.output.push_str("[^");
                self.output.push_str(text);
                self.output.push(']');
            }
        }
    }

    /// Code verbatim, without marks.
    fn append_code(&mut self, span: &Span) {
        if span.kind == SpanKind::Text {
            self.output.push_str(self.document.text_of(span.text));
        } else {
            self.append_unmarked(span);
        }
    }

    /// The first character of a span without its marks.
    fn first_of(&self, span: &Span) -> Option<char> {
        match span.kind {
            SpanKind::Text | SpanKind::LineBreak => first_when_escaped(self.document.text_of(span.text)),
            SpanKind::Image => Some('!'),
            SpanKind::Formula | SpanKind::DisplayFormula => Some('$'),
            SpanKind::Note | SpanKind::Task => Some('['),
        }
    }
}

/// Appends code on one line, between enough back-ticks.
pub fn append_code_span(output: &mut String, code: &str) {
    let (opening, closing) = code_signs(code);
    output.push_str(&opening);
    output.push_str(code);
    output.push_str(&closing);
}

/// What stands before and after code on one line.
fn code_signs(code: &str) -> (String, String) {
    let ticks = "`".repeat(longest_ticks(code) + 1);
    let blank = if code.starts_with('`') || code.ends_with('`') { " " } else { "" };
    (format!("{ticks}{blank}"), format!("{blank}{ticks}"))
}

/// Whether CommonMark would read asterisks around a text as emphasis.
fn is_read(core: &str, before: Option<char>, after: Option<char>) -> bool {
    if before == Some('*') || after == Some('*') {
        return false; // asterisks side by side would be read as one
    }
    let inside = core.trim_matches('*');
    let is_sign = |character: char| is_punctuation(character) || is_symbol(character);
    let fits = |edge: Option<char>, beside: Option<char>| !edge.is_some_and(is_sign) || stands_apart(beside);
    !inside.is_empty() && fits(inside.chars().next(), before) && fits(inside.chars().next_back(), after)
}

/// Whether there is white space or punctuation in every version of CommonMark: older ones exclude symbols beyond ASCII.
fn stands_apart(character: Option<char>) -> bool {
    character.is_none_or(|character| {
        matches!(character, '\t' | '\n' | '\x0C' | '\r')
            || is_blank(character)
            || is_punctuation(character)
            || is_ascii_symbol(character)
    })
}

/// A blank of any width (category Zs).
fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}')
}
