//! Formulas that a page leaves in its text, between delimiters, for a script to draw: `\(x\)`, `\[x\]`, `$x$`, `$$x$$`.
//!
//! Dollars are also money and variables, so that what is between single ones must look like a formula.
#![forbid(unsafe_code)]

use super::formula_images::SIGNS_OF_LATEX;
use super::steps::count;
use super::texts::folded;
use super::tree::{mark, Document, Marks, Part, Span, SpanKind};
use crate::blocks::characters::{is_space, strip};
use crate::html::has_any;

/// Stands for images, code and footnotes, over which no formula reaches.
const OBJECT: char = '\u{fffc}';
/// Bytes of a formula between delimiters, at most.
const LONGEST: usize = 4_000;
/// Bytes of a formula between single dollars, at most.
const LONGEST_INLINE: usize = 400;
/// A blank before signs that have none before them.
const BEFORE_SIGNS: [&str; 3] = [" ,", " .", " )"];
/// Environments that need no delimiters.
#[rustfmt::skip]
const ENVIRONMENTS: [&str; 14] = [
    "equation", "equation*", "align", "align*", "aligned", "gather", "gather*", "multline", "multline*", "eqnarray", "eqnarray*",
    "displaymath", "math", "alignat",
];
/// Environments that say nothing but that there is a formula.
const BARE: [&str; 4] = ["equation", "equation*", "displaymath", "math"];
/// What makes a text between single dollars, or square brackets, a formula.
const SIGNS: [char; 5] = ['=', '+', '<', '>', '|'];

/// Tags around LaTeX: Pressbooks and Lumen, Quora, forums.
const TAGS: [(&str, &str); 3] = [("[latex]", "[/latex]"), ("[math]", "[/math]"), ("[tex]", "[/tex]")];

/// Whether a text has the end of such a tag.
fn has_tags(text: &str) -> bool {
    text.contains("[/") && TAGS.iter().any(|(_, closing)| text.contains(closing))
}

/// A formula in a text: where it is with its delimiters, and what is between them.
#[derive(Debug, PartialEq, Eq)]
struct Found {
    start: usize,
    end: usize,
    latex: String,
    is_displayed: bool,
}

/// Makes formulas of the texts between delimiters, in the spans of a document from one of them on.
pub fn split_formulas(document: &mut Document, start: usize) {
    let has_signs = |span: &Span| {
        let text = document.text_of(span.text);
        has_any(text.as_bytes(), [b'$', b'[', b'\\'])
            && (has_any(text.as_bytes(), [b'$', b'$', b'\\']) || has_tags(text))
    };
    if !document.spans[start..].iter().any(|span| span.kind == SpanKind::Text && has_signs(span)) {
        return;
    }
    let spans = document.spans[start..].to_vec();
    let mut text = String::new();
    for span in &spans {
        match span.kind {
            SpanKind::LineBreak => text.push('\n'),
            SpanKind::Text if !span.marks.has(mark::CODE) => text.push_str(document.text_of(span.text)),
            _ => text.push(OBJECT),
        }
    }
    let mut found = find_in(&text);
    // The element of a formula may be a box of its own, which a blank sets apart from what follows.
    let is_before_sign = |end: usize| BEFORE_SIGNS.iter().any(|signs| text[end..].starts_with(signs));
    found.iter_mut().filter(|found| is_before_sign(found.end)).for_each(|found| found.end += 1);
    if !found.is_empty() {
        document.spans.truncate(start);
        rebuild(document, &spans, &found);
    }
}

/// Adds spans, with formulas in place of some of their text.
fn rebuild(document: &mut Document, spans: &[Span], found: &[Found]) {
    let mut rest = found.iter().peekable();
    let mut begin = 0;
    for span in spans {
        count(1);
        let length = match span.kind {
            SpanKind::LineBreak => 1,
            SpanKind::Text if !span.marks.has(mark::CODE) => span.text.range().len(),
            _ => OBJECT.len_utf8(),
        };
        let end = begin + length;
        let mut place = begin;
        while let Some(formula) = rest.peek().filter(|formula| formula.start < end) {
            if formula.start >= begin {
                add_part(document, span, begin, place, formula.start);
                let latex = document.add_text(&formula.latex);
                let kind = if formula.is_displayed { SpanKind::DisplayFormula } else { SpanKind::Formula };
                document.spans.push(Span { text: latex, marks: Marks::default(), kind, address: 0 });
            }
            place = formula.end;
            if formula.end > end {
                break;
            }
            rest.next();
        }
        if place < end {
            add_part(document, span, begin, place, end);
        }
        begin = end;
    }
}

/// Adds what a span, whose text begins at some place, has from one place to another.
fn add_part(document: &mut Document, span: &Span, begin: usize, from: usize, to: usize) {
    if from >= to {
        return;
    }
    if span.kind != SpanKind::Text || span.marks.has(mark::CODE) {
        return document.spans.push(*span);
    }
    let text = Part { start: span.text.start + from - begin, end: span.text.start + to - begin };
    document.spans.push(Span { text, ..*span });
}

/// The formulas in a text, from left to right.
fn find_in(text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    let mut place = 0;
    let mut ends = Ends::default();
    // Tags in brackets are looked for only where one ends.
    let signs = if has_tags(text) { &['$', '\\', '['][..] } else { &['$', '\\'][..] };
    while let Some(next) = text[place..].find(signs) {
        let start = place + next;
        match formula_at(text, start, &mut ends) {
            Some(formula) => {
                place = formula.end;
                found.push(formula);
            }
            // An escaped sign, or a command.
            None if text[start..].starts_with('\\') => {
                let after = text[start + 1..].chars().next().map_or(0, char::len_utf8);
                place = start + 1 + after;
            }
            None => place = start + text[start..].bytes().take_while(|&byte| byte == b'$').count().clamp(1, 6),
        }
    }
    found
}

/// Where the next end of each kind of formula is, as far as it was looked for; beyond the text if there is none. Looking for
/// it from every beginning would take as long each time.
#[derive(Default)]
struct Ends {
    round: usize,
    square: usize,
    dollars: usize,
    tags: [usize; TAGS.len()],
}

/// The formula that begins at a place.
fn formula_at(text: &str, start: usize, ends: &mut Ends) -> Option<Found> {
    let rest = &text[start..];
    let between = |opening: &str, closing: &str, next: &mut usize| {
        let begin = start + opening.len();
        if *next < begin {
            *next = text[begin..].find(closing).map_or(usize::MAX, |length| begin + length);
            count((*next).min(text.len()) - begin);
        }
        let length = *next - begin;
        (length <= LONGEST && *next < text.len()).then(|| (&text[begin..*next], opening.len() + length + closing.len()))
    };
    let (latex, length, is_displayed) = if rest.starts_with('[') {
        let number = TAGS.iter().position(|(opening, _)| rest.starts_with(opening))?;
        let (latex, length) = between(TAGS[number].0, TAGS[number].1, &mut ends.tags[number])?;
        (latex, length, false)
    } else if rest.starts_with("$$$") {
        // Codeforces.
        let (latex, length) = between_many_dollars(rest)?;
        (latex, length, rest.starts_with("$$$$$$"))
    } else if rest.starts_with(r"\(") {
        let (latex, length) = between(r"\(", r"\)", &mut ends.round)?;
        (latex, length, false)
    } else if rest.starts_with(r"\[") {
        let (latex, length) = between(r"\[", r"\]", &mut ends.square)?;
        (Some(latex).filter(|latex| looks_like_formula(latex))?, length, true)
    } else if rest.starts_with("$$") {
        let (latex, length) = between("$$", "$$", &mut ends.dollars)?;
        (latex, length, true)
    } else if rest.starts_with(r"\begin{") {
        let (latex, length, name) = environment(rest)?;
        (latex, length, name != "math")
    } else {
        let latex = between_dollars(text, start)?;
        (latex, latex.len() + 2, false)
    };
    let is_formula = !strip(latex).is_empty() && !latex.contains(OBJECT);
    is_formula.then(|| Found { start, end: start + length, latex: folded(latex), is_displayed })
}

/// Bytes of a text among which the end of a formula is looked for.
fn length_near(text: &str) -> usize {
    let mut length = text.len().min(LONGEST);
    while !text.is_char_boundary(length) {
        length -= 1;
    }
    length
}

/// LaTeX between six or three dollars at the start of a text, and how long that is with these.
fn between_many_dollars(rest: &str) -> Option<(&str, usize)> {
    let dollars = if rest.starts_with("$$$$$$") { "$$$$$$" } else { "$$$" };
    let inside = &rest[dollars.len()..];
    let length = inside[..length_near(inside)]
        .find('$')
        .filter(|&length| length > 0 && inside[length..].starts_with(dollars))?;
    count(length);
    Some((&inside[..length], length + 2 * dollars.len()))
}

/// LaTeX in an environment at the start of a text, how long that is, and the name of the environment.
fn environment(rest: &str) -> Option<(&str, usize, &'static str)> {
    let inside = rest.strip_prefix(r"\begin{")?;
    let (name, _) = inside.split_once('}')?;
    let name = ENVIRONMENTS.iter().find(|known| **known == name)?;
    let end = format!("\\end{{{name}}}");
    let begin = r"\begin{}".len() + name.len();
    count(rest.len().min(LONGEST));
    let length = rest[..length_near(rest)].find(&end)?;
    let whole = length + end.len();
    Some((if BARE.contains(name) { &rest[begin..length] } else { &rest[..whole] }, whole, name))
}

/// What is between the dollar at a place and the next one, if it looks like a formula and not like money.
fn between_dollars(text: &str, start: usize) -> Option<&str> {
    let rest = text[start..].strip_prefix('$')?;
    let mut length = 0;
    for (place, character) in rest.char_indices().take(LONGEST_INLINE) {
        count(1);
        match character {
            '$' if !rest[..place].ends_with('\\') => {
                length = place;
                break;
            }
            '\n' | OBJECT => return None,
            _ => (),
        }
    }
    if length == 0 {
        return None;
    }
    let inside = &rest[..length];
    let follows_word = |before: char| before.is_alphanumeric() || matches!(before, '$' | '\\');
    let is_apart = !text[..start].ends_with(follows_word)
        && !rest[length + 1..].starts_with(|after: char| after.is_alphanumeric() || after == '$');
    let is_tight = !inside.starts_with(is_space) && !inside.ends_with(is_space);
    let is_letter = inside.chars().count() == 1 && inside.chars().all(char::is_alphabetic);
    let looks_like_it = is_letter || (looks_like_formula(inside) && !is_money(inside));
    (is_apart && is_tight && looks_like_it).then_some(inside)
}

/// Whether a text has what formulas have.
fn looks_like_formula(text: &str) -> bool {
    let text = strip(text);
    let is_letter = text.chars().count() == 1 && text.chars().all(char::is_alphabetic);
    let is_call = text.ends_with(')') && text.starts_with(char::is_alphabetic) && !text.contains(is_space);
    is_letter || is_call || text.contains(SIGNS_OF_LATEX) || text.contains(SIGNS)
}

/// Whether a text after a dollar is an amount, and words after it.
fn is_money(text: &str) -> bool {
    let amount = text.trim_start_matches(|digit: char| digit.is_ascii_digit() || matches!(digit, '.' | ','));
    amount.len() < text.len() && amount.starts_with(' ') && !text.contains(SIGNS_OF_LATEX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let mark = |formula: &Found| if formula.is_displayed { "D" } else { "I" };
        find_in(text).iter().map(|formula| format!("{}{}", mark(formula), formula.latex)).collect()
    }

    #[test]
    fn formulas_between_delimiters() {
        assert_eq!(found(r"a \(x\) and \[ y = 1 \]"), ["Ix", "Dy = 1"]);
        assert_eq!(found("a $x$, $x^2$ and $$\ny\n$$"), ["Ix", "Ix^2", "Dy"]);
        assert_eq!(found("$f(x)$ $a=b$ $\\alpha$-test ($n$)"), ["If(x)", "Ia=b", "I\\alpha", "In"]);
        assert_eq!(found("$$$x$$$ and $$$$$$y$$$$$$"), ["Ix", "Dy"]);
        assert_eq!(found("[latex]x^2[/latex], [math]y[/math] and [z]"), ["Ix^2", "Iy"]);
        assert_eq!(found(r"\begin{equation} x \end{equation}"), ["Dx"]);
        assert_eq!(found(r"\begin{align} x &= y \end{align} z"), [r"D\begin{align} x &= y \end{align}"]);
    }

    #[test]
    fn what_is_no_formula() {
        for text in [
            "$5 and $10",
            "from $20-$30 = much",
            "it costs $5 or 6$ + tax",
            "echo $HOME:$PATH",
            "$foo = $bar",
            r"a \$x\$ b",
            r"see \[1\] and \[citation needed\]",
            r"\( open",
            "$ x^2 $",
            "$$",
            "US$5^2$",
            "$a\nb=1$",
            "$é",
            "$",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
