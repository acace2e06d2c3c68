//! The compiled part of dehusk: what costs most of the time on a page.
//!
//! `html` reads a page into the columns of `columns::Page`, `blocks` cuts it into blocks, `features` measures them and
//! `network` scores them; `document` makes text of those that are kept, with `addresses` resolved. Python calls these
//! through `abi`, the one file with unsafe code. Everything else takes slices and returns values.
#![deny(unsafe_code)]
#![warn(missing_docs)]

pub mod abi;
pub mod address_exchange;
pub mod addresses;
pub mod blocks;
pub mod columns;
pub mod document;
pub mod document_exchange;
pub mod exchange;
pub mod features;
pub mod html;
pub mod network;
pub mod page_exchange;
