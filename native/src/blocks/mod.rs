//! Page -> blocks: the texts of a page in reading order, what kind each is, and where it stands in tables.
#![forbid(unsafe_code)]

pub mod character_offsets;
pub mod character_properties;
#[rustfmt::skip]
mod character_table;
pub mod characters;
pub mod code_areas;
pub mod kinds;
pub mod memory;
pub mod page_blocks;
pub mod page_view;
pub mod paths;
pub mod remembered_values;
pub mod segmentation;
pub mod table_cells;
pub mod tags;
pub mod white_space;
#[cfg(test)]
pub mod written_pages;
