//! Texts that need no further look at their characters.
#![forbid(unsafe_code)]

/// Whether a text is certain to stay as it is when its letters are composed (NFC) and its odd spaces and line ends made
/// plain. Most texts beyond ASCII are, and Python takes twenty times as long to find out.
pub fn is_settled(text: &str) -> bool {
    text.is_ascii() || text.chars().all(is_settled_character)
}

/// Whether a character is neither changed nor joined with the one before it: common letters and signs of which that is
/// known. Those that are left out may be, too.
fn is_settled_character(character: char) -> bool {
    matches!(
        character,
        '\0'..='\x0c' | '\x0e'..='\u{9f}' | '\u{a1}'..='\u{ac}' | '\u{ae}'..='\u{2ff}' // Latin
            | '\u{388}'..='\u{3ff}' | '\u{400}'..='\u{482}' | '\u{48a}'..='\u{52f}' // Greek, Cyrillic
            | '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205e}' | '\u{20a0}'..='\u{20bf}' | '\u{2122}' | '\u{2190}'..='\u{21ff}'
            | '\u{3001}'..='\u{3029}' | '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fe}' | '\u{4e00}'..='\u{9fff}'
            | '\u{ac00}'..='\u{d7a3}' | '\u{ff01}'..='\u{ffef}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_spaces_line_ends_and_combining_marks_are_not_settled() {
        for text in
            ["a\u{a0}b", "a\u{ad}é", "é\r", "a\u{2028}", "\u{3000}", "\u{feff}é", "e\u{301}", "か\u{3099}", "\u{212b}"]
        {
            assert!(!is_settled(text), "{text:?}");
        }
    }

    #[test]
    fn ordinary_texts_are_settled() {
        for text in
            ["", "plain\r\n", "“naïve” – café…", "Ελλάδα", "Привет", "漢字、かな。", "한국어", "ＡＢＣ", "→ 5 €"]
        {
            assert!(is_settled(text), "{text:?}");
        }
    }
}
