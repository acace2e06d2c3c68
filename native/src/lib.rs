pub mod blocks;
pub mod features;
