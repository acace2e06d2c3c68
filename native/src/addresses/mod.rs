//! Addresses: relative ones resolved, absolute ones checked and percent-encoded.
//!
//! Resolving follows RFC 3986 as Python's `urllib.parse` does it (3.11), oddities included, so that addresses stay the
//! same whatever version of Python runs.
#![forbid(unsafe_code)]

pub mod base_address;
pub mod joining;
pub mod safety;
pub mod sites;
pub mod splitting;
