//! Memory that pages use one after the other: fresh memory for each would cost a fifth of the time.
#![forbid(unsafe_code)]

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
    /// The input row of a block.
    pub row: Vec<f32>,
    /// Columns of the rows of some blocks.
    pub gathered: Vec<f32>,
    /// Those times their weights.
    pub products: Vec<f32>,
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

impl Buffers {
    /// Whether they are small enough to be kept.
    pub fn is_small(&self) -> bool {
        let layers = self.layers.looked_at.len() + self.layers.seen.len() + 2 * self.layers.sums.len();
        self.input.elements.len() + self.hidden.len() + layers <= MOST_KEPT
    }
}
