//! Labelled blocks -> document -> text. What is kept, in the structure it has on the page.
//!
//! `building` makes leaves of blocks and `assembling` puts them into lists, quotes and figures. Each structure has its own
//! module: `code`, `footnotes`, `formulas`, `images`, `links`, `lists`, `locales`, `marks`, `tables`. Formats are written
//! from the `tree`.
#![forbid(unsafe_code)]

pub mod assembling;
pub mod background_images;
pub mod box_styles;
pub mod building;
pub mod callouts;
pub mod card_titles;
pub mod class_signs;
pub mod class_words;
pub mod code;
pub mod code_frames;
pub mod code_languages;
pub mod code_lines;
pub mod code_parts;
pub mod containers;
pub mod definition_items;
pub mod document_columns;
pub mod drawn_lists;
pub mod drawn_tables;
pub mod edges;
pub mod embeds;
pub mod footnote_marks;
pub mod footnotes;
pub mod formula_blocks;
pub mod formula_elements;
pub mod formula_images;
pub mod formula_texts;
pub mod formulas;
pub mod groups;
pub mod headings;
pub mod html;
pub mod image_addresses;
pub mod image_signs;
pub mod image_twins;
pub mod images;
mod lead_images;
mod line_numbers;
#[cfg(test)]
mod linear_time;
pub mod link_places;
pub mod links;
pub mod lists;
pub mod locales;
pub mod markdown;
pub mod markdown_escaping;
pub mod markdown_formulas;
pub mod markdown_inline;
pub mod markdown_lines;
pub mod markdown_tables;
pub mod marks;
pub mod markup;
pub mod markup_escaping;
pub mod markup_inline;
pub mod mathjax;
pub mod mathml;
pub mod mathml_scripts;
pub mod mathml_signs;
pub mod media_spans;
pub mod named_boxes;
pub mod note_parts;
pub mod numbered_entries;
pub mod numbered_steps;
pub mod page_facts;
pub mod plain_characters;
pub mod plain_spans;
pub mod plain_text;
pub mod posts;
pub mod pull_quotes;
pub mod quotations;
#[cfg(test)]
mod read_documents;
pub mod repeated_images;
pub mod ruby_as_text;
#[rustfmt::skip]
mod sign_table;
pub mod signs;
pub mod silent_images;
pub mod site_names;
pub mod source;
pub mod span_list;
pub mod spans;
pub mod standing;
pub mod steps;
pub mod structures;
pub mod tables;
pub mod tabs;
pub mod tasks;
pub mod tei;
pub mod tei_divisions;
pub mod tei_header;
pub mod texts;
pub mod tree;
pub mod unlinked_notes;
pub mod word_lists;
pub mod written_callouts;
pub mod written_lists;
pub mod written_notes;
pub mod xml;
