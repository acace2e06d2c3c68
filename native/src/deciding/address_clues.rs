//! Clues to the type of a page in its address: names in the host, words, a date or a title in the path.
#![forbid(unsafe_code)]

use super::clues::Clues;
use crate::addresses::splitting::split;
use crate::blocks::characters::{beginning, is_digit, is_word, strip};

/// Characters of an address that are read.
const LONGEST_ADDRESS: usize = 2000;
/// Steps of a path beyond which it is only deep.
const DEEPEST: usize = 5;
/// Letters of a word.
const SHORTEST_WORD: usize = 3;
/// Beginnings of years.
const CENTURIES: [&str; 2] = ["19", "20"];

/// Add the clues of an address, if it has a host.
pub fn add_address_clues(address: &str, clues: &mut Clues) {
    let address = strip(beginning(address, LONGEST_ADDRESS)).to_lowercase();
    let parts = match split(&address, "") {
        Ok(parts) => parts,
        Err(_) => return,
    };
    let host = host_name(&parts.host);
    if host.is_empty() {
        return;
    }
    if let Some((labels, _)) = host.rsplit_once('.') {
        labels.split('.').for_each(|label| clues.add("host ", label));
    }
    let path = parts.path.trim_matches('/');
    let steps = path.matches('/').count() + usize::from(!path.is_empty());
    clues.add("address of ", &format!("{} steps", steps.min(DEEPEST)));
    for text in [path, &parts.query] {
        let words = text.split(|letter: char| !letter.is_ascii_lowercase());
        words.filter(|word| word.len() >= SHORTEST_WORD).for_each(|word| clues.add("address ", word));
    }
    if has_year(&parts.path) {
        clues.add("address with ", "date");
    }
    if has_title(path) {
        clues.add("address with ", "title");
    }
}

/// The host without user and port.
fn host_name(host: &str) -> &str {
    let after_user = host.rsplit_once('@').map_or(host, |(_, after)| after);
    match after_user.split_once('[') {
        Some((_, bracketed)) => bracketed.split(']').next().unwrap_or(""),
        None => after_user.split(':').next().unwrap_or(""),
    }
}

/// Whether a step of a path, with slashes on both sides, is a year of the last or this century.
fn has_year(path: &str) -> bool {
    let between = path.split('/').skip(1);
    let last = path.matches('/').count();
    between.take(last.saturating_sub(1)).any(is_year)
}

fn is_year(step: &str) -> bool {
    let rest = CENTURIES.iter().find_map(|century| step.strip_prefix(century));
    rest.is_some_and(|rest| rest.chars().count() == 2 && rest.chars().all(is_digit))
}

/// Whether four words stand with hyphens between them, as `\w-\w+-\w+-\w` finds them: articles and questions have
/// titles in their addresses.
fn has_title(path: &str) -> bool {
    let pieces: Vec<&str> = path.split('-').collect();
    let is_whole = |piece: &str| !piece.is_empty() && piece.chars().all(is_word);
    pieces.windows(4).any(|four| {
        four[0].ends_with(is_word) && is_whole(four[1]) && is_whole(four[2]) && four[3].starts_with(is_word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clues_of(address: &str) -> Vec<String> {
        let mut clues = Clues::default();
        add_address_clues(address, &mut clues);
        clues.names().map(str::to_string).collect()
    }

    #[test]
    fn hosts_words_and_steps() {
        let address = " HTTPS://me@Forum.Tea.example:80/Topic/12/?page=2&sort=Tea ";
        let expected =
            ["host forum", "host tea", "address of 2 steps", "address topic", "address page", "address sort"];
        assert_eq!(clues_of(address)[..6], expected);
        assert_eq!(clues_of(address)[6..], ["address tea"]);
        assert_eq!(clues_of("http://localhost"), ["address of 0 steps"]);
        assert_eq!(clues_of("http://[::1]/a/b/c/d/e/f/"), ["address of 5 steps"]);
    }

    #[test]
    fn dates_and_titles() {
        for (address, found) in [
            ("http://a/2026/x", true),
            ("http://a/x/1999/01/", true),
            ("http://a/2026", false),
            ("http://a/20260/", false),
            ("http://a/20٣٤/", true),
            ("http://a/20½½/", false),
        ] {
            assert_eq!(clues_of(address).contains(&"address with date".to_string()), found, "{}", address);
        }
        for (path, found) in [
            ("how-to-make-tea", true),
            ("a-b-c", false),
            ("x/a-tea-pot-é", true),
            ("a--b-c-d", false),
            ("a-b.-c-d-e", false),
        ] {
            assert_eq!(has_title(path), found, "{}", path);
        }
    }

    #[test]
    fn what_has_no_host_has_none() {
        for address in ["", "/topic/12", "http://", "http://[x/", "http://a／b/", "mailto:me@tea.example"] {
            assert_eq!(clues_of(address), [""; 0], "{}", address);
        }
    }
}
