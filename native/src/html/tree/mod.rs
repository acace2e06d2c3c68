//! The tree builder: tokens into a tree, by the rules of the html standard
//! (<https://html.spec.whatwg.org/multipage/parsing.html#tree-construction>).
//!
//! Scripting is off, so `<noscript>` is read. Each insertion mode is a function for start tags and one for end tags:
//! `before_body` has those up to `<body>`, `body_start_tags` and `body_end_tags` that of the body, `tables` those of tables,
//! `after_body` the rest; `foreign` has the rules of SVG and MathML. What they share is in `insertion`, `open_elements`,
//! `active_formatting`, `formatting` and `adoption_agency`.

#![forbid(unsafe_code)]

mod active_formatting;
mod adoption_agency;
mod after_body;
mod before_body;
mod body_end_tags;
mod body_start_tags;
mod builder;
mod document;
mod foreign;
mod formatting;
mod insertion;
mod namespaces;
mod open_elements;
mod quirks;
mod start_tag;
mod tables;
mod texts;

pub use builder::{build, Built, Growth};
pub use document::{Document, Node, NodeId, Place, NONE, ROOT};
