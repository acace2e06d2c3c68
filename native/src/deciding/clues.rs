//! Clues to the type of a page, as many as are worth while.
#![forbid(unsafe_code)]

use crate::blocks::characters::beginning;

/// Clues of a page. A shop's list of articles has the same few types a thousand times.
pub const MOST: usize = 200;
/// Characters of a name.
const LONGEST_NAME: usize = 40;

/// The clues of a page: `address forum`, `og article`, `schema Product`. Each is given once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clues {
    /// One after the other, in the order in which they were found.
    joined: String,
    /// Where each ends.
    ends: Vec<usize>,
}

impl Clues {
    /// Add a clue of some kind, unless it is there or there are enough: so few that none is looked up by a hash.
    pub fn add(&mut self, kind: &str, name: &str) {
        if self.ends.len() == MOST {
            return;
        }
        let start = self.joined.len();
        self.joined.push_str(kind);
        self.joined.push_str(beginning(name, LONGEST_NAME));
        let clue = &self.joined[start..];
        if self.names().any(|known| known == clue) {
            self.joined.truncate(start);
        } else {
            self.ends.push(self.joined.len());
        }
    }

    /// The clues, in the order in which they were found.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(move |(start, &end)| &self.joined[start..end])
    }
}
