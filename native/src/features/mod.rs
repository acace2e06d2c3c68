//! Blocks -> what the network reads.
#![forbid(unsafe_code)]
