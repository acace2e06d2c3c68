//! The compiled part of dehusk: what costs most of the time on a page.
//!
//! Python calls it through `abi`, the one file with unsafe code. Everything else takes slices and returns values.
#![deny(unsafe_code)]
#![warn(missing_docs)]

pub mod abi;
pub mod exchange;
pub mod network;
