//! Characters of formulas as LaTeX.
#![forbid(unsafe_code)]

/// Characters that LaTeX has a command for, in order; an empty one for those that only mean something to programs.
#[rustfmt::skip]
static COMMANDS: [(char, &str); 226] = [
    ('#', "\\#"), ('$', "\\$"), ('%', "\\%"), ('&', "\\&"), ('\\', "\\backslash"), ('_', "\\_"), ('{', "\\{"),
    ('}', "\\}"), ('~', "\\sim"), ('¬', "\\neg"), ('°', "^\\circ"), ('±', "\\pm"), ('·', "\\cdot"),
    ('×', "\\times"), ('÷', "\\div"), ('Γ', "\\Gamma"), ('Δ', "\\Delta"), ('Θ', "\\Theta"), ('Λ', "\\Lambda"),
    ('Ξ', "\\Xi"), ('Π', "\\Pi"), ('Σ', "\\Sigma"), ('Υ', "\\Upsilon"), ('Φ', "\\Phi"), ('Ψ', "\\Psi"),
    ('Ω', "\\Omega"), ('α', "\\alpha"), ('β', "\\beta"), ('γ', "\\gamma"), ('δ', "\\delta"), ('ε', "\\varepsilon"),
    ('ζ', "\\zeta"), ('η', "\\eta"), ('θ', "\\theta"), ('ι', "\\iota"), ('κ', "\\kappa"), ('λ', "\\lambda"),
    ('μ', "\\mu"), ('ν', "\\nu"), ('ξ', "\\xi"), ('ο', "o"), ('π', "\\pi"), ('ρ', "\\rho"), ('ς', "\\varsigma"),
    ('σ', "\\sigma"), ('τ', "\\tau"), ('υ', "\\upsilon"), ('φ', "\\varphi"), ('χ', "\\chi"), ('ψ', "\\psi"),
    ('ω', "\\omega"), ('ϑ', "\\vartheta"), ('ϕ', "\\phi"), ('ϖ', "\\varpi"), ('ϰ', "\\varkappa"), ('ϱ', "\\varrho"),
    ('ϵ', "\\epsilon"), ('‖', "\\|"), ('†', "\\dagger"), ('‡', "\\ddagger"), ('•', "\\bullet"), ('…', "\\dots"),
    ('′', "'"), ('″', "''"), ('‴', "'''"), ('\u{2061}', ""), ('\u{2062}', ""), ('\u{2063}', ""), ('\u{2064}', ""),
    ('ℂ', "\\mathbb{C}"), ('ℋ', "\\mathcal{H}"), ('ℍ', "\\mathbb{H}"), ('ℎ', "h"), ('ℏ', "\\hbar"),
    ('ℐ', "\\mathcal{I}"), ('ℑ', "\\Im"), ('ℒ', "\\mathcal{L}"), ('ℓ', "\\ell"), ('ℕ', "\\mathbb{N}"),
    ('℘', "\\wp"), ('ℙ', "\\mathbb{P}"), ('ℚ', "\\mathbb{Q}"), ('ℛ', "\\mathcal{R}"), ('ℜ', "\\Re"),
    ('ℝ', "\\mathbb{R}"), ('ℤ', "\\mathbb{Z}"), ('ℬ', "\\mathcal{B}"), ('ℰ', "\\mathcal{E}"), ('ℱ', "\\mathcal{F}"),
    ('ℳ', "\\mathcal{M}"), ('ℵ', "\\aleph"), ('←', "\\leftarrow"), ('↑', "\\uparrow"), ('→', "\\to"),
    ('↓', "\\downarrow"), ('↔', "\\leftrightarrow"), ('↕', "\\updownarrow"), ('↖', "\\nwarrow"), ('↗', "\\nearrow"),
    ('↘', "\\searrow"), ('↙', "\\swarrow"), ('↦', "\\mapsto"), ('↩', "\\hookleftarrow"), ('↪', "\\hookrightarrow"),
    ('⇀', "\\rightharpoonup"), ('⇌', "\\rightleftharpoons"), ('⇐', "\\Leftarrow"), ('⇑', "\\Uparrow"),
    ('⇒', "\\Rightarrow"), ('⇓', "\\Downarrow"), ('⇔', "\\Leftrightarrow"), ('⇝', "\\leadsto"), ('∀', "\\forall"),
    ('∂', "\\partial"), ('∃', "\\exists"), ('∄', "\\nexists"), ('∅', "\\emptyset"), ('∇', "\\nabla"), ('∈', "\\in"),
    ('∉', "\\notin"), ('∋', "\\ni"), ('∎', "\\blacksquare"), ('∏', "\\prod"), ('∐', "\\coprod"), ('∑', "\\sum"),
    ('−', "-"), ('∓', "\\mp"), ('∕', "/"), ('∖', "\\setminus"), ('∗', "\\ast"), ('∘', "\\circ"), ('∙', "\\bullet"),
    ('√', "\\surd"), ('∝', "\\propto"), ('∞', "\\infty"), ('∠', "\\angle"), ('∣', "\\mid"), ('∤', "\\nmid"),
    ('∥', "\\parallel"), ('∦', "\\nparallel"), ('∧', "\\wedge"), ('∨', "\\vee"), ('∩', "\\cap"), ('∪', "\\cup"),
    ('∫', "\\int"), ('∬', "\\iint"), ('∭', "\\iiint"), ('∮', "\\oint"), ('∼', "\\sim"), ('≃', "\\simeq"),
    ('≅', "\\cong"), ('≈', "\\approx"), ('≐', "\\doteq"), ('≔', ":="), ('≜', "\\triangleq"), ('≠', "\\neq"),
    ('≡', "\\equiv"), ('≢', "\\not\\equiv"), ('≤', "\\leq"), ('≥', "\\geq"), ('≦', "\\leqq"), ('≧', "\\geqq"),
    ('≪', "\\ll"), ('≫', "\\gg"), ('≺', "\\prec"), ('≻', "\\succ"), ('⊂', "\\subset"), ('⊃', "\\supset"),
    ('⊄', "\\not\\subset"), ('⊆', "\\subseteq"), ('⊇', "\\supseteq"), ('⊊', "\\subsetneq"), ('⊋', "\\supsetneq"),
    ('⊎', "\\uplus"), ('⊓', "\\sqcap"), ('⊔', "\\sqcup"), ('⊕', "\\oplus"), ('⊖', "\\ominus"), ('⊗', "\\otimes"),
    ('⊘', "\\oslash"), ('⊙', "\\odot"), ('⊢', "\\vdash"), ('⊤', "\\top"), ('⊥', "\\perp"), ('⊨', "\\models"),
    ('⊲', "\\triangleleft"), ('⊳', "\\triangleright"), ('⋀', "\\bigwedge"), ('⋁', "\\bigvee"), ('⋂', "\\bigcap"),
    ('⋃', "\\bigcup"), ('⋅', "\\cdot"), ('⋆', "\\star"), ('⋮', "\\vdots"), ('⋯', "\\cdots"), ('⋱', "\\ddots"),
    ('⌈', "\\lceil"), ('⌉', "\\rceil"), ('⌊', "\\lfloor"), ('⌋', "\\rfloor"), ('■', "\\blacksquare"),
    ('□', "\\square"), ('△', "\\triangle"), ('▽', "\\nabla"), ('◊', "\\lozenge"), ('♠', "\\spadesuit"),
    ('♡', "\\heartsuit"), ('♢', "\\diamondsuit"), ('♣', "\\clubsuit"), ('⟨', "\\langle"), ('⟩', "\\rangle"),
    ('⟵', "\\longleftarrow"), ('⟶', "\\longrightarrow"), ('⟷', "\\longleftrightarrow"), ('⟸', "\\Longleftarrow"),
    ('⟹', "\\Longrightarrow"), ('⟺', "\\Longleftrightarrow"), ('⟼', "\\longmapsto"), ('⨁', "\\bigoplus"),
    ('⨂', "\\bigotimes"), ('⩽', "\\leqslant"), ('⩾', "\\geqslant"), ('⪯', "\\preceq"), ('⪰', "\\succeq"),
    ('〈', "\\langle"), ('〉', "\\rangle"),
];

/// Names that LaTeX has a command for, set upright.
#[rustfmt::skip]
const FUNCTIONS: [&str; 33] = [
    "sin", "cos", "tan", "cot", "sec", "csc", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "coth", "log", "ln", "lg", "exp",
    "lim", "limsup", "liminf", "max", "min", "sup", "inf", "det", "dim", "ker", "deg", "gcd", "arg", "hom", "Pr", "injlim",
];

/// Commands that take their limits below and above.
#[rustfmt::skip]
const WITH_LIMITS: [&str; 24] = [
    "\\sum", "\\prod", "\\coprod", "\\int", "\\iint", "\\iiint", "\\oint", "\\bigcup", "\\bigcap", "\\bigvee", "\\bigwedge",
    "\\bigoplus", "\\bigotimes", "\\lim", "\\limsup", "\\liminf", "\\max", "\\min", "\\sup", "\\inf", "\\det", "\\gcd", "\\Pr",
    "\\injlim",
];

/// Accents above a letter, and the commands that set them.
const ACCENTS: [(char, &str); 19] = [
    ('^', "\\hat"),
    ('ˆ', "\\hat"),
    ('~', "\\tilde"),
    ('˜', "\\tilde"),
    ('∼', "\\tilde"),
    ('¯', "\\overline"),
    ('‾', "\\overline"),
    ('−', "\\overline"),
    ('_', "\\overline"),
    ('→', "\\vec"),
    ('⃗', "\\vec"),
    ('˙', "\\dot"),
    ('.', "\\dot"),
    ('¨', "\\ddot"),
    ('ˇ', "\\check"),
    ('˘', "\\breve"),
    ('´', "\\acute"),
    ('`', "\\grave"),
    ('⏞', "\\overbrace"),
];

/// Relations and signs between two terms, which stand apart from these.
#[rustfmt::skip]
const BETWEEN: [char; 52] = [
    '=', '<', '>', '+', '-', '−', '±', '×', '÷', '≤', '≥', '≠', '≈', '≡', '∼', '≃', '≅', '∝', '≪', '≫', '∈', '∉', '⊂', '⊃', '⊆', '⊇',
    '∪', '∩', '∧', '∨', '→', '←', '↔', '⇒', '⇐', '⇔', '↦', '⟶', '⟹', '⟺', '∘', '⊕', '⊗', '⋅', '·', '≜', '≔', '∣', '⊢', '⊨', '∗', ':',
];

/// First characters of the alphabets in Unicode's block for formulas, and the commands that set them: 26 capital and 26 small
/// letters each.
const ALPHABETS: [(u32, &str); 13] = [
    (0x1D400, "\\mathbf"),
    (0x1D434, ""),
    (0x1D468, "\\boldsymbol"),
    (0x1D49C, "\\mathcal"),
    (0x1D4D0, "\\mathcal"),
    (0x1D504, "\\mathfrak"),
    (0x1D538, "\\mathbb"),
    (0x1D56C, "\\mathfrak"),
    (0x1D5A0, "\\mathsf"),
    (0x1D5D4, "\\mathsf"),
    (0x1D608, "\\mathsf"),
    (0x1D63C, "\\mathsf"),
    (0x1D670, "\\mathtt"),
];
/// Letters of an alphabet, capital and small.
const LETTERS: u32 = 52;
/// The digits of Unicode's block for formulas: five times ten.
const DIGITS: std::ops::RangeInclusive<u32> = 0x1D7CE..=0x1D7FF;
/// Its Greek letters: five alphabets of 58 characters, of which only the order counts here.
const GREEK: std::ops::Range<u32> = 0x1D6A8..0x1D7CA;
const GREEK_ALPHABET: u32 = 58;
const GREEK_LETTERS: &str = "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡϴΣΤΥΦΧΨΩ∇αβγδεζηθικλμνξοπρςστυφχψω∂ϵϑϰϕϱϖ";
/// Letters of a command, at most: `\longleftrightarrow` has 18. Before more of them there is none.
const LONGEST_COMMAND: usize = 18;

/// Appends a character as LaTeX.
pub fn append_character(output: &mut String, character: char) {
    if character.is_ascii_alphanumeric() {
        return append_token(output, character.encode_utf8(&mut [0; 4]));
    }
    if let Ok(place) = COMMANDS.binary_search_by_key(&character, |&(known, _)| known) {
        return append_token(output, COMMANDS[place].1);
    }
    match alphabetic(character) {
        Some((letter, "")) => append_character(output, letter),
        Some((letter, command)) => append_token(output, &format!("{command}{{{letter}}}")),
        None => append_token(output, character.encode_utf8(&mut [0; 4])),
    }
}

/// The plain letter of a character in Unicode's block for formulas, and the command that sets it.
fn alphabetic(character: char) -> Option<(char, &'static str)> {
    let code = character as u32;
    if DIGITS.contains(&code) {
        return char::from_digit((code - DIGITS.start()) % 10, 10).map(|digit| (digit, ""));
    }
    if GREEK.contains(&code) {
        let letter = GREEK_LETTERS.chars().nth(((code - GREEK.start) % GREEK_ALPHABET) as usize)?;
        return Some((letter, ""));
    }
    let (first, command) = ALPHABETS.iter().rev().find(|&&(first, _)| first <= code)?;
    let place = code - first;
    let letter = if place < LETTERS / 2 { b'A' + place as u8 } else { b'a' + (place - LETTERS / 2) as u8 };
    (place < LETTERS).then_some((char::from(letter), *command))
}

/// Appends a token; a blank keeps a command apart from a letter after it.
pub fn append_token(output: &mut String, token: &str) {
    let begins_word = token.starts_with(|character: char| character.is_ascii_alphabetic());
    if begins_word && ends_with_command(output) {
        output.push(' ');
    }
    output.push_str(token);
}

/// Whether a text ends with a command made of letters.
fn ends_with_command(output: &str) -> bool {
    let name = output.bytes().rev().take(LONGEST_COMMAND + 1).take_while(u8::is_ascii_alphabetic).count();
    name > 0 && output[..output.len() - name].ends_with('\\')
}

/// Whether a name is one of a function.
pub fn is_function(name: &str) -> bool {
    FUNCTIONS.contains(&name)
}

/// Whether LaTeX sets what is below and above a command there.
pub fn takes_limits(latex: &str) -> bool {
    WITH_LIMITS.contains(&latex)
}

/// The command for an accent above something, if it is one.
pub fn accent(sign: &str) -> Option<&'static str> {
    let mut characters = sign.chars();
    let (first, rest) = (characters.next()?, characters.next());
    ACCENTS.iter().find(|&&(known, _)| known == first && rest.is_none()).map(|&(_, command)| command)
}

/// Whether a sign stands between two terms.
pub fn is_between(sign: char) -> bool {
    BETWEEN.contains(&sign)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_in_order() {
        assert!(COMMANDS.windows(2).all(|pair| pair[0].0 < pair[1].0));
        let tokens = COMMANDS.iter().chain(&ACCENTS).map(|&(_, token)| token).chain(FUNCTIONS);
        assert!(tokens.map(|token| token.trim_start_matches('\\').len()).max() == Some(LONGEST_COMMAND));
        assert_eq!(GREEK_LETTERS.chars().count(), GREEK_ALPHABET as usize);
    }

    #[test]
    fn characters_become_commands() {
        let written = |text: &str| {
            let mut output = String::new();
            text.chars().for_each(|character| append_character(&mut output, character));
            output
        };
        assert_eq!(written("αx∑y"), "\\alpha x\\sum y");
        assert_eq!(written("𝐀𝑥𝔸𝟐𝛼ℝ"), "\\mathbf{A}x\\mathbb{A}2\\alpha\\mathbb{R}");
        assert_eq!(written("{é\u{2061}"), "\\{é");
    }
}
