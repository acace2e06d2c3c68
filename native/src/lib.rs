//! The native parts of dehusk.
//!
//! `html` reads a page into the columns of `columns::Page`, which are those of `dehusk.page.page_columns.Page`.

pub mod columns;
pub mod html;
