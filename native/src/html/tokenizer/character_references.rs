//! Character references: `&amp;`, `&#38;`, `&#x26;`.

#![forbid(unsafe_code)]

use super::named_references::NAMED_REFERENCES;

/// Where a reference stands. In attributes, `&copy=` is no reference: addresses have parameters of such names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Context {
    Text,
    Attribute,
}

/// The references that most pages have: tried before all others.
const COMMON: [(&str, &str); 5] = [("amp;", "&"), ("nbsp;", "\u{a0}"), ("quot;", "\""), ("lt;", "<"), ("gt;", ">")];

/// What browsers make of numbers from 0x80 on: the characters of windows-1252.
const WINDOWS_1252: [u32; 32] = [
    0x20AC, 0x81, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039, 0x152, 0x8D, 0x17D,
    0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x2DC, 0x2122, 0x161, 0x203A, 0x153, 0x9D,
    0x17E, 0x178,
];

/// Where the names of each two first letters start in the sorted table.
static STARTS: [u16; 64 * 64 + 1] = {
    let mut starts = [0; 64 * 64 + 1];
    let (mut pair, mut index) = (0, 0);
    while pair < starts.len() {
        while index < NAMED_REFERENCES.len() && pair_of(NAMED_REFERENCES[index].0.as_bytes()) < pair {
            index += 1;
        }
        starts[pair] = index as u16;
        pair += 1;
    }
    starts
};

/// The number of the first two letters of a name, in the order of the table: letters differ in their lower six bits.
const fn pair_of(name: &[u8]) -> usize {
    (name[0] & 0x3F) as usize * 64 + (name[1] & 0x3F) as usize
}

/// Append the characters of the reference that starts with the `&` at the start; how many bytes it has.
///
/// What is no reference is an ampersand, and text goes on after it.
pub fn decode_reference(written: &[u8], context: Context, characters: &mut String) -> usize {
    let read = match written.get(1) {
        Some(b'#') => numeric(written, characters),
        Some(letter) if letter.is_ascii_alphabetic() => named(written, context, characters),
        _ => None,
    };
    read.unwrap_or_else(|| {
        characters.push('&');
        1
    })
}

fn numeric(written: &[u8], characters: &mut String) -> Option<usize> {
    let (base, start) = if matches!(written.get(2), Some(b'x' | b'X')) { (16, 3) } else { (10, 2) };
    let digits = written[start.min(written.len())..].iter().map_while(|&byte| (byte as char).to_digit(base));
    let (mut number, mut end) = (0_u32, start);
    for digit in digits {
        number = number.saturating_mul(base).saturating_add(digit);
        end += 1;
    }
    if end == start {
        return None;
    }
    characters.push(numbered(number));
    Some(end + usize::from(written.get(end) == Some(&b';')))
}

/// The character that a number stands for; U+FFFD if there is none.
fn numbered(number: u32) -> char {
    let number = match number {
        0 => 0xFFFD,
        0x80..=0x9F => WINDOWS_1252[number as usize - 0x80],
        _ => number,
    };
    char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER)
}

fn named(written: &[u8], context: Context, characters: &mut String) -> Option<usize> {
    let (name, value) = longest_name(&written[1..])?;
    let end = 1 + name.len();
    let goes_on = matches!(written.get(end), Some(&byte) if byte == b'=' || byte.is_ascii_alphanumeric());
    if context == Context::Attribute && !name.ends_with(';') && goes_on {
        return None;
    }
    characters.push_str(value);
    Some(end)
}

/// The longest name that a text starts with. Few names begin with the same two letters.
fn longest_name(text: &[u8]) -> Option<(&'static str, &'static str)> {
    if let Some(&common) = COMMON.iter().find(|(name, _)| text.starts_with(name.as_bytes())) {
        return Some(common);
    }
    if !text.get(1)?.is_ascii_alphabetic() {
        return None;
    }
    let pair = pair_of(text);
    let alike = &NAMED_REFERENCES[usize::from(STARTS[pair])..usize::from(STARTS[pair + 1])];
    // Of names that fit, each begins with those before it.
    alike.iter().rev().find(|(name, _)| text.starts_with(name.as_bytes())).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_found_and_the_longest_counts() {
        assert!(NAMED_REFERENCES.windows(2).all(|two| pair_of(two[0].0.as_bytes()) <= pair_of(two[1].0.as_bytes())));
        let naive = |text: &str| {
            let fitting = NAMED_REFERENCES.iter().filter(|(name, _)| text.starts_with(name));
            fitting.max_by_key(|(name, _)| name.len()).copied()
        };
        for (name, _) in NAMED_REFERENCES {
            for after in ["", ";", "x", " and so on"] {
                let text = format!("{}{}", name, after);
                assert_eq!(longest_name(text.as_bytes()), naive(&text));
            }
        }
        for other in ["a", "g", "zz", "a1", "utm_source=x", "n\u{e9}", "notx"] {
            assert_eq!(longest_name(other.as_bytes()), naive(other), "{}", other);
        }
    }
}
