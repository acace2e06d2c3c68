//! Running text of a page, from which its language is detected.
#![forbid(unsafe_code)]

use super::visible_text::single_blanks;
use crate::blocks::characters::beginning;
use crate::blocks::page_view::PageView;

/// Characters used for detection. More take longer, and tell no more languages right: what follows is often a list or code in
/// another one.
const READ: usize = 500;
/// Texts that are read.
const MOST_TEXTS: usize = 200;
/// Characters below which detection is a guess.
const LEAST: i64 = 100;
/// Characters from which a text counts as a sentence; shorter ones are labels and names, in any language.
const SENTENCE: i32 = 40;

/// The beginning of the visible text: of the sentences, if there are enough of them.
pub fn language_sample(page: &PageView) -> String {
    let rows = |shortest: i32| {
        (0..page.len())
            .filter(move |&row| page.text_length[row] >= shortest && page.is_text(row) && page.hidden[row] == 0)
    };
    let mut characters = rows(SENTENCE).scan(0, |sum, row| {
        *sum += i64::from(page.text_length[row]);
        Some(*sum)
    });
    let shortest = if characters.any(|sum| sum >= LEAST) { SENTENCE } else { 1 };
    let (mut sample, mut left) = (String::new(), READ);
    for row in rows(shortest).take(MOST_TEXTS) {
        let text = single_blanks(beginning(page.text_between(row, row), READ));
        let text = beginning(&text, left);
        sample.push_str(text);
        sample.push(' ');
        left = left.saturating_sub(text.chars().count() + 1);
        if left == 0 {
            break;
        }
    }
    sample
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Limits;
    use crate::html::read;

    fn sample_of(html: &str) -> String {
        language_sample(&read(html, &Limits::default()).view())
    }

    #[test]
    fn sentences_if_there_are_enough() {
        let sentence = "Steep the leaves for three minutes or so, then pour.";
        assert_eq!(sample_of(&format!("<p>Home<p>{}<p hidden>{}", sentence, sentence)), format!("Home {} ", sentence));
        assert_eq!(sample_of(&format!("<p>Home<p>{}<p>{}", sentence, sentence)), format!("{} {} ", sentence, sentence));
        assert_eq!(sample_of(""), "");
    }

    #[test]
    fn so_many_characters_are_enough() {
        let html = format!("<p>{}", "é".repeat(50)).repeat(100);
        assert_eq!(sample_of(&html).trim_end().chars().count(), READ);
        assert_eq!(sample_of(&"é".repeat(9000)).trim_end().chars().count(), READ);
    }
}
