//! Memory that pages use one after the other: fresh memory for each would cost a fifth of the time.
#![forbid(unsafe_code)]

use super::matrix_products::LANES;
use crate::failure::{sized, Failure};

/// Numbers that a network keeps for the next page, so many as 10,000 blocks need. Those of larger pages are given back.
const MOST_KEPT: usize = 1_000_000;

/// Buffers of the layers, which share them.
#[derive(Default)]
pub struct LayerBuffers {
    /// What a layer looks at: neighbours blended.
    pub looked_at: Vec<f32>,
    /// What it makes of it.
    pub seen: Vec<f32>,
    /// Running sums over the blocks, where parts begin and end.
    pub sums: Vec<f64>,
}

/// Buffers of the input layer.
#[derive(Default)]
pub struct InputBuffers {
    /// The means of the names of each element.
    pub elements: Vec<f32>,
    /// The input rows of some blocks.
    pub rows: Vec<f32>,
    /// Columns of these times their weights.
    pub products: Vec<[f32; LANES]>,
    /// Of the rows of tables that were read ahead: anything. If nobody kept it, the compiler would not read them.
    pub read_ahead: u32,
}

/// All buffers that one page needs.
#[derive(Default)]
pub struct Buffers {
    /// For the input layer.
    pub input: InputBuffers,
    /// Hidden states.
    pub hidden: Vec<f32>,
    /// For the layers.
    pub layers: LayerBuffers,
}

/// A table of numbers that begins at a cache line, so that no more of these are read for a row than it needs.
pub struct Table {
    numbers: Vec<f32>,
    begin: usize,
}

impl Table {
    /// With these numbers.
    pub fn new(numbers: &[f32]) -> Self {
        let mut table = Table { numbers: vec![0.0; numbers.len() + MORE], begin: 0 };
        table.begin = table.numbers.as_ptr().align_offset(CACHE_LINE).min(MORE);
        table.numbers[table.begin..][..numbers.len()].copy_from_slice(numbers);
        table
    }

    /// Its numbers.
    #[inline(always)]
    pub fn numbers(&self) -> &[f32] {
        &self.numbers[self.begin..self.numbers.len() + self.begin - MORE]
    }
}

/// Numbers that a table has room for beyond its own: so many that it can begin at a cache line.
const MORE: usize = CACHE_LINE / std::mem::size_of::<f32>();

/// Bytes of a cache line.
const CACHE_LINE: usize = 64;

/// A buffer as a slice of this length, with whatever it had in it before. It begins at a cache line, so that no vector of
/// numbers is in two of them: each of those would be read twice.
pub fn aligned<T: Clone + Default>(buffer: &mut Vec<T>, length: usize) -> Result<&mut [T], Failure> {
    let more = CACHE_LINE / std::mem::size_of::<T>();
    let room = sized(buffer, length + more)?;
    let begin = room.as_ptr().align_offset(CACHE_LINE).min(more);
    Ok(&mut room[begin..begin + length])
}

impl Buffers {
    /// Whether they are small enough to be kept.
    pub fn is_small(&self) -> bool {
        let layers = self.layers.looked_at.len() + self.layers.seen.len() + 2 * self.layers.sums.len();
        self.input.elements.len() + self.hidden.len() + layers <= MOST_KEPT
    }
}
