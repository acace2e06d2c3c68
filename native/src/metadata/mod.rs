//! Metadata on a page: collected here, in one pass over its elements; `dehusk.metadata` chooses and parses the values.
//!
//! `head` has what the page declares in meta elements and links, `microdata` its schema.org items. The others have what it
//! shows: `bylines`, `shown_dates`, `shown_labels` (subtitle, tags, breadcrumbs, licence), and a `language_sample`,
//! whose language `language_scores` tell. `unshown_text` has what it only stores.
//! Elements are found by class name and id (`class_names`). All lists are bounded, as are the texts in them.
#![forbid(unsafe_code)]

pub mod bylines;
pub mod class_names;
pub mod date_document;
pub mod date_numbers;
pub mod elements;
pub mod head;
pub mod language_sample;
pub mod language_scores;
pub mod letter_pairs;
pub mod microdata;
pub mod shown_dates;
pub mod shown_labels;
pub mod stored_values;
pub mod text_lists;
pub mod unshown_text;
pub mod visible_text;
