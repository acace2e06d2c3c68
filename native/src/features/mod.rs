//! Blocks -> what the network reads: dense features, hashed tokens, and the parts of the page around each block.
#![forbid(unsafe_code)]

pub mod block_features;
pub mod character_counts;
pub mod checksum;
pub mod element_tokens;
pub mod feature_numbers;
pub mod fixed_words;
pub mod function_words;
pub mod measurements;
pub mod name_words;
pub mod network_inputs;
pub mod numbering;
pub mod page_features;
pub mod part_features;
pub mod sought_words;
pub mod styles;
pub mod surroundings;
pub mod text_counts;
pub mod word_hashes;
pub mod word_runs;
pub mod word_sets;
