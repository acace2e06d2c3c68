//! What deciding asks about a page besides scores: clues to its type, and whether a rule can have anything to say.
#![forbid(unsafe_code)]

pub mod announcing_lines;
pub mod parts_apart;
pub mod signs;
pub mod teasers;
pub mod type_clues;
