//! Numbers in texts, and whether they are those of a date.
#![forbid(unsafe_code)]

use crate::blocks::characters::is_digit;

/// A number in a text.
pub struct Number<'a> {
    /// What is before it, back to the number before.
    pub before: &'a str,
    /// How many digits that number has; 0 if there is none.
    pub digits_before: usize,
    /// Those of the number itself.
    pub digits: &'a str,
    /// All that is behind it.
    pub behind: &'a str,
}

/// The numbers in a text.
pub fn numbers_in(text: &str) -> impl Iterator<Item = Number<'_>> {
    let (mut left, mut digits_before) = (text, 0);
    std::iter::from_fn(move || {
        let start = left.find(is_digit)?;
        let behind = left[start..].trim_start_matches(is_digit);
        let digits = &left[start..left.len() - behind.len()];
        let number = Number { before: &left[..start], digits_before, digits, behind };
        left = behind;
        digits_before = digits.chars().count();
        Some(number)
    })
}

/// Whether a text begins with two numbers behind such separators: a day or a month, and one of at least so many digits.
pub fn begins_with_two(text: &str, separators: &[char], least_digits: usize) -> bool {
    let number_after = |text: &str| {
        let behind = text.strip_prefix(separators)?;
        let end = behind.find(|character| !is_digit(character)).unwrap_or(behind.len());
        Some((behind[..end].chars().count(), behind.len() - end))
    };
    match number_after(text) {
        Some((1..=2, left)) => {
            matches!(number_after(&text[text.len() - left..]), Some((digits, _)) if digits >= least_digits)
        }
        _ => false,
    }
}

/// Whether four digits that start with 19 or 20 are in a text.
pub fn has_year(text: &str) -> bool {
    let digits = |text: &str| text.chars().take(2).filter(|&character| is_digit(character)).count();
    let mut pairs = text.as_bytes().windows(2).enumerate();
    pairs.any(|(at, pair)| matches!(pair, b"19" | b"20") && digits(&text[at + 2..]) == 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_what_is_around_them() {
        let found: Vec<_> =
            numbers_in("a 1/٢3b").map(|one| (one.before, one.digits_before, one.digits, one.behind)).collect();
        assert_eq!(found, [("a ", 0, "1", "/٢3b"), ("/", 1, "٢3", "b")]);
        assert_eq!(numbers_in("a").count(), 0);
    }

    #[test]
    fn two_numbers_behind_separators() {
        assert!(begins_with_two("/17/24", &['/'], 2) && begins_with_two("-1.234", &['-', '.'], 1));
        for text in ["/17", "/17/2", "/170/24", "17/24", "/ 17/24", "/17-24", ""] {
            assert!(!begins_with_two(text, &['/'], 2), "{}", text);
        }
    }

    #[test]
    fn years() {
        assert!(has_year("2024") && has_year("x1999x") && has_year("19 2010"));
        assert!(!has_year("201") && !has_year("1 920") && !has_year("") && !has_year("20a1"));
    }
}
