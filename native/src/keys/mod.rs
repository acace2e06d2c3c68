//! Keys of elements: 64 bits that are the same on every machine, for what looks the same.
//!
//! `style_keys` has the keys of single elements, `signatures` those of the way from BODY down to them, `block_keys` those of
//! blocks, `word_keys` those of words. Site models store them:
//! neither the hash nor what is hashed may change.
#![forbid(unsafe_code)]

pub mod block_keys;
pub mod class_tokens;
pub mod signatures;
pub mod stable_hash;
pub mod style_keys;
pub mod word_keys;
