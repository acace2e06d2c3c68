//! Keys of elements: 64 bits that are the same on every machine, for what looks the same.
//!
//! `style_keys` has the keys of single elements, `signatures` those of the way from BODY down to them. Site models store them:
//! neither the hash nor what is hashed may change.
#![forbid(unsafe_code)]

pub mod class_tokens;
pub mod signatures;
pub mod stable_hash;
pub mod style_keys;
