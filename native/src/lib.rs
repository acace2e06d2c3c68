//! The compiled part of dehusk: what costs most of the time on a page.
//!
//! `html` reads a page into the columns of `columns::Page`, `blocks` cuts it into blocks, `features` measures them and
//! `network` scores them; `deciding` finds which to keep, and `document` makes text of those, with `addresses` resolved;
//! `metadata` collects what the page says of itself, `keys` has keys of elements, blocks and words, `near_duplicates`
//! finds pages that say the same, and `site_evidence` what the pages of a site say about one of them. Python calls these through `abi`, which has unsafe code
//! as such an interface must; so has `network::vector_width`, which chooses vector instructions while the program runs.
//! Everything else is safe, takes slices and returns values.
#![deny(unsafe_code)]
#![warn(missing_docs)]

pub mod abi;
pub mod address_exchange;
pub mod addresses;
pub mod arrays;
pub mod blocks;
pub mod brotli;
pub mod calculation_exchange;
pub mod cleaning_exchange;
pub mod columns;
#[cfg(counted_work)]
pub mod counted_work;
pub mod deciding;
pub mod deciding_exchange;
pub mod decoding_exchange;
pub mod derived_exchange;
pub mod document;
pub mod document_exchange;
pub mod encodings;
pub mod failure;
pub mod features;
pub mod halves;
pub mod html;
pub mod keys;
pub mod metadata;
pub mod near_duplicates;
pub mod network;
pub mod numbered_columns;
pub mod outcome;
pub mod page_exchange;
pub mod site_counts;
pub mod site_evidence;
pub mod site_exchange;
pub mod site_sums;
pub mod stopping;
