//! Quotations that must enclose other marks.
#![forbid(unsafe_code)]

use super::groups::groups;
use super::tree::{mark, Marks, Span};

/// Adjacent spans.
pub struct Run {
    /// Whether they are a quotation, which encloses their marks: they are no longer marked as quoted.
    pub is_outer: bool,
    /// The spans.
    pub spans: Vec<Span>,
}

/// Splits spans into runs, if there is a quotation that contains text both with and without the given mark.
///
/// Such a quotation must enclose the mark: otherwise a quotation around a link would become three, before, inside and
/// after the link. Ruby text is left as it is.
pub fn outer_quotations(spans: &[Span], mark_of: impl Fn(&Marks) -> u32) -> Option<Vec<Run>> {
    let is_quoted = |span: &Span| span.marks.has(mark::QUOTED);
    let is_outer = |run: &[Span]| {
        let differs = |span: &Span| mark_of(&span.marks) != mark_of(&run[0].marks);
        is_quoted(&run[0]) && run.iter().any(differs) && !run.iter().any(|span| span.marks.ruby != 0)
    };
    if !groups(spans, is_quoted).any(|(_, run)| is_outer(run)) {
        return None;
    }
    let mut runs: Vec<Run> = Vec::new();
    for (_, run) in groups(spans, is_quoted) {
        if is_outer(run) {
            runs.push(Run { is_outer: true, spans: run.iter().map(unquoted).collect() });
            continue;
        }
        match runs.last_mut() {
            Some(last) if !last.is_outer => last.spans.extend_from_slice(run),
            _ => runs.push(Run { is_outer: false, spans: run.to_vec() }),
        }
    }
    Some(runs)
}

/// A span that is not marked as quoted.
fn unquoted(span: &Span) -> Span {
    Span { marks: Marks { flags: span.marks.flags & !mark::QUOTED, ..span.marks }, ..*span }
}
