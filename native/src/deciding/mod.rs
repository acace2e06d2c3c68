//! Scores -> keep or drop: the type of a page, its threshold, and the rules that override a score.
#![forbid(unsafe_code)]

pub mod address_clues;
pub mod announcing_lines;
pub mod body_of_article;
pub mod clues;
pub mod decision;
pub mod error_lines;
pub mod form_fields;
pub mod further_articles;
pub mod hidden_text;
pub mod judgement;
pub mod kept_together;
pub mod labels_of_tabs;
pub mod likely_types;
pub mod link_pages;
pub mod lists_between;

pub mod modules_of_posts;
pub mod notes_of_text;
pub mod one_message;
pub mod openers;
pub mod parts_apart;
pub mod probabilities;
pub mod product_sections;
pub mod reader_posts;
pub mod repeated_text;
mod rows_inside;
pub mod situations;
pub mod stock_lines;
pub mod tables_between_text;
pub mod teaser_lists;
pub mod teasers;
pub mod thresholds;
pub mod title_words;
pub mod type_clues;
pub mod widget_names;
