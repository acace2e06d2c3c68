//! Formulas in Markdown: LaTeX without anything that a parser without formula support would read as markup.
#![forbid(unsafe_code)]

use super::markdown_escaping::begins_reference;
use crate::blocks::characters::{is_space, property_of};

/// What a rule makes of the text at some place: bytes that it replaces, and by what.
type Change = Option<(usize, &'static str)>;
/// A rule, given the character before and the text from there on.
type Rule = fn(Option<char>, &str) -> Change;

/// The rules, each applied to what the ones before have left.
const RULES: [Rule; 12] = [
    |_, rest| Some((rest.len() - rest.trim_start_matches(is_space).len(), " ")).filter(|&(length, _)| length > 0),
    // Only where a tag could begin.
    |_, rest| (rest.starts_with('<') && rest[1..].starts_with(begins_tag)).then_some((1, "\\lt ")),
    // Only an underscore that can open emphasis: without one, none is closed.
    |before, rest| (rest.starts_with('_') && opens_emphasis(before, &rest[1..])).then_some((1, "_ ")),
    // The same of stars. At the end, a blank would be before the dollar, where some parsers allow none.
    |before, rest| (is_star(before, rest) && rest.len() == 1).then_some((1, "{* }")),
    |before, rest| (is_star(before, rest) && star_opens_emphasis(before, &rest[1..])).then_some((1, "* ")),
    |_, rest| rest.starts_with('`').then_some((1, "\\grave{}")),
    |before, rest| (rest.starts_with('$') && before != Some('\\')).then_some((1, "\\$")),
    |_, rest| begins_reference(rest).then_some((1, "& ")),
    |_, rest| (rest.starts_with(']') && rest[1..].starts_with(['(', '[', ':'])).then_some((1, "] ")),
    |_, rest| rest.starts_with("[^").then_some((1, "[ ")),
    |_, rest| rest.starts_with("^[").then_some((1, "^ ")),
    |_, rest| rest.starts_with("~~").then_some((1, "~ ")),
];

/// Whether a character after `<` makes it the start of a tag.
fn begins_tag(character: char) -> bool {
    character.is_ascii_alphabetic() || matches!(character, '/' | '!' | '?')
}

/// Whether a star ends the name of an environment, as in `{align*}`: there, it opens no emphasis, and would be no name.
fn ends_name(before: Option<char>, rest: &str) -> bool {
    rest.starts_with("*}") && before.is_some_and(|letter| letter.is_ascii_alphabetic())
}

/// Whether a star begins here that LaTeX reads as such.
fn is_star(before: Option<char>, rest: &str) -> bool {
    rest.starts_with('*') && before != Some('\\') && !ends_name(before, rest)
}

/// Whether a star between what stands before it and after it could open emphasis.
fn star_opens_emphasis(before: Option<char>, after: &str) -> bool {
    let is_alphanumeric = |character: char| property_of(character).is_alphanumeric;
    after.starts_with(is_alphanumeric) || !after.starts_with(is_space) && !before.is_some_and(is_alphanumeric)
}

/// Whether an underscore between what stands before it and after it could open emphasis.
fn opens_emphasis(before: Option<char>, after: &str) -> bool {
    let follows_word = before.is_some_and(|character| property_of(character).is_alphanumeric);
    !follows_word && !after.starts_with(is_space)
}

/// Appends LaTeX that no parser reads as markup; it says the same.
pub fn append_safe_latex(output: &mut String, latex: &str) {
    let mut safe = latex.to_string();
    for rule in RULES {
        safe = changed(&safe, rule);
    }
    output.push_str(&safe);
    // A backslash at the end would escape the dollar.
    if safe.ends_with('\\') {
        output.push(' ');
    }
}

/// A text with a rule applied wherever it can be.
fn changed(text: &str, rule: Rule) -> String {
    let mut written = String::with_capacity(text.len());
    let mut rest = text;
    let mut before = None;
    while let Some(character) = rest.chars().next() {
        let length = match rule(before, rest) {
            Some((length, by)) => {
                written.push_str(by);
                length
            }
            None => {
                written.push(character);
                character.len_utf8()
            }
        };
        before = rest[..length].chars().next_back();
        rest = &rest[length..];
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_read_as_markup() {
        let cases = [
            ("a < b>c<d</x", r"a < b>c\lt d\lt /x"),
            (r"a*b * c \* d", r"a* b * c \* d"),
            (r"Q^*Q = (A*) + v^*", r"Q^* Q = (A*) + v^{* }"),
            (r"\begin{align*}x*y\end{align*}", r"\begin{align*}x* y\end{align*}"),
            ("x_i _j", "x_i _ j"),
            ("[^a](b)^[c]", "[ ^a] (b)^ [c]"),
            (r"$\$&lt; ~~~ `", r"\$\$& lt; ~ ~ ~ \grave{}"),
            ("\\", "\\ "),
            ("a \n\t b", "a b"),
        ];
        for (latex, expected) in cases {
            let mut output = String::new();
            append_safe_latex(&mut output, latex);
            assert_eq!(output, expected);
        }
    }
}
