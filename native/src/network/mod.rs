//! The page network: log-odds of every block of a page being content. `inference.py` describes it and what it returns.

pub mod buffers;
pub mod convolution;
pub mod input_layer;
pub mod inputs;
pub mod layers;
pub mod matrix_products;
pub mod parts;
pub mod rectifying;
pub mod similar_blocks;
pub mod vector_width;
pub mod weights;

use crate::arrays::{Arguments, Column};
use crate::blocks::page_blocks::Blocks;
use crate::blocks::page_view::PageView;
use crate::failure::{filled, Failure};
use crate::features::network_inputs::{Found, Places};
use crate::stopping::may_stop;
use buffers::{aligned, Buffers};
use input_layer::InputLayer;
use inputs::{Inputs, Sizes};
use layers::Layer;
use matrix_products::{dot_rows, Matrix, USUAL_WIDTH};
use parts::Parts;
use rectifying::rectify;
use std::sync::Mutex;
use vector_width::{with_widest, Arithmetic};

/// Blocks that are dealt with at once, as many as stay in the processor's first cache: more than their hidden states is
/// never there for all blocks of a page.
const CHUNK: usize = 36;

/// The annotation policy of pages that belong to no data set.
pub const DEFAULT_POLICY: usize = 0;

/// Weights, ready to score. Threads can share it.
pub struct Network {
    width: usize,
    sizes: Sizes,
    input: InputLayer,
    layers: Vec<Layer>,
    output_hidden: Matrix,
    output_hidden_bias: Vec<f32>,
    /// 2 x width: the weights of each output.
    outputs: [Vec<f32>; 2],
    output_bias: [f32; 2],
    /// As many as threads have used the network at once.
    buffers: Mutex<Vec<Buffers>>,
}

/// The output of the network for the m blocks of a page.
pub struct NetworkReading {
    /// m log-odds of content.
    pub content: Vec<f32>,
    /// m log-odds of a reader's comment.
    pub comment: Vec<f32>,
    /// The probability of each page type.
    pub types: Vec<f32>,
}

impl NetworkReading {
    /// The columns, in this order.
    pub fn into_columns(self) -> Vec<Column> {
        [self.content, self.comment, self.types].into_iter().map(Column::F32).collect()
    }
}

impl Network {
    /// Score the blocks of a page whose inputs were measured before.
    pub fn read(&self, arguments: &mut Arguments, policy: usize) -> Result<NetworkReading, Failure> {
        let (inputs, mut dense) = Inputs::new(arguments, &self.sizes)?;
        let (first, last) = (arguments.i32s("part_first")?, arguments.i32s("part_last")?);
        let parts = Parts::new(first, last, inputs.blocks(), self.sizes.parts)?;
        if inputs.blocks() == 0 {
            return Ok(self.nothing_read());
        }
        let mut buffers = self.kept_buffers();
        let hidden = aligned(&mut buffers.hidden, inputs.blocks() * self.width)?;
        self.input.embed(&inputs, &mut dense, policy, &mut buffers.input, hidden)?;
        let reading = self.score(&parts, inputs.levels, &mut buffers)?;
        self.keep_buffers(buffers);
        Ok(reading)
    }

    /// Measure and score the blocks of a page.
    pub fn read_page(&self, page: &PageView, blocks: &Blocks, policy: usize) -> Result<NetworkReading, Failure> {
        if blocks.segments.is_empty() {
            return Ok(self.nothing_read());
        }
        let found = Found::new(page, blocks).map_err(|_| Failure::OutOfMemory)?;
        let mut buffers = self.kept_buffers();
        let hidden = aligned(&mut buffers.hidden, blocks.segments.len() * self.width)?;
        let inputs = Inputs::of_page(&found, &self.sizes)?;
        self.input.embed(&inputs, &mut found.dense(), policy, &mut buffers.input, hidden)?;
        // Of a large page, what was measured takes as much memory as the hidden states, and is not needed any more.
        let Places { levels, part_first, part_last } = found.into_places();
        let parts = Parts::new(&part_first, &part_last, blocks.segments.len(), self.sizes.parts)?;
        let reading = self.score(&parts, &levels, &mut buffers)?;
        self.keep_buffers(buffers);
        Ok(reading)
    }

    /// The output for a page without blocks, which may be of any type.
    fn nothing_read(&self) -> NetworkReading {
        let types = self.layers.iter().map(Layer::types).max().unwrap_or(0);
        NetworkReading { content: Vec::new(), comment: Vec::new(), types: vec![1.0 / types as f32; types] }
    }

    /// Buffers of an earlier page, or new ones. Nothing waits for the lock: a process forked while another thread has it
    /// would do so forever.
    fn kept_buffers(&self) -> Buffers {
        self.buffers.try_lock().map_or(None, |mut kept| kept.pop()).unwrap_or_default()
    }

    fn keep_buffers(&self, buffers: Buffers) {
        if buffers.is_small() {
            if let Ok(mut kept) = self.buffers.try_lock() {
                kept.push(buffers);
            }
        }
    }

    /// The output, from hidden states and elements above the blocks.
    fn score(&self, parts: &Parts, levels: &[i32], buffers: &mut Buffers) -> Result<NetworkReading, Failure> {
        let hidden = aligned(&mut buffers.hidden, parts.blocks() * self.width)?;
        let mut types = Vec::new();
        for layer in &self.layers {
            types = layer.add(hidden, parts, &mut buffers.layers)?.unwrap_or(types);
        }
        let [mut content, comment] = self.outputs(hidden, &mut buffers.layers.seen)?;
        similar_blocks::share_log_odds(levels, &mut content)?;
        Ok(NetworkReading { content, comment, types })
    }

    /// The log-odds of content, and of comments.
    fn outputs(&self, hidden: &[f32], seen: &mut Vec<f32>) -> Result<[Vec<f32>; 2], Failure> {
        let blocks = hidden.len() / self.width;
        let mut outputs = [filled(blocks, |_| 0.0)?, filled(blocks, |_| 0.0)?];
        let seen = aligned(seen, CHUNK * self.width)?;
        with_widest(Output { network: self, hidden, seen, outputs: &mut outputs });
        Ok(outputs)
    }
}

/// The last step: hidden states -> log-odds.
struct Output<'a> {
    network: &'a Network,
    /// m x width.
    hidden: &'a [f32],
    /// CHUNK x width.
    seen: &'a mut [f32],
    /// m of content, and of comments.
    outputs: &'a mut [Vec<f32>; 2],
}

impl Arithmetic for Output<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FUSED: bool>(self) {
        match self.network.width {
            USUAL_WIDTH => self.set::<FUSED>(USUAL_WIDTH),
            width => self.set::<FUSED>(width),
        }
    }
}

impl Output<'_> {
    /// Set the outputs.
    #[inline(always)]
    fn set<const FUSED: bool>(self, width: usize) {
        let Output { network, hidden, seen, outputs } = self;
        for (number, hidden) in hidden.chunks(CHUNK * width).enumerate() {
            may_stop();
            let seen = &mut seen[..hidden.len()];
            network.output_hidden.multiply(hidden, &network.output_hidden_bias, seen);
            rectify(seen);
            for ((output, weights), bias) in outputs.iter_mut().zip(&network.outputs).zip(network.output_bias) {
                let output = &mut output[number * CHUNK..][..seen.len() / width];
                dot_rows::<FUSED>(seen, &weights[..width], output);
                for log_odds in output {
                    *log_odds += bias;
                }
            }
        }
    }
}
