//! The page network: log-odds of every block of a page being content. `inference.py` describes it and what it returns.
#![forbid(unsafe_code)]

pub mod buffers;
pub mod convolution;
pub mod inputs;
pub mod layers;
pub mod matrix_products;
pub mod parts;
pub mod similar_blocks;
pub mod weights;

use crate::blocks::page_blocks::Blocks;
use crate::blocks::page_view::PageView;
use crate::exchange::{filled, refused, sized, Arguments, Column, Failure, Outcome};
use crate::features::block_features::DenseRows;
use crate::features::network_inputs::{Found, Places};
use buffers::Buffers;
use inputs::{Inputs, Sizes};
use layers::{rectified, Layer};
use matrix_products::{dot, Matrix};
use parts::Parts;
use std::sync::Mutex;

/// Blocks that are dealt with at once, as many as stay in the processor's first cache: more than their hidden states is
/// never there for all blocks of a page.
const CHUNK: usize = 32;
/// The feature that says that a block is a heading; `inference.py` has the same.
const HEADING: usize = 30;

/// Weights, ready to score. Threads can share it.
pub struct Network {
    width: usize,
    embedding: usize,
    sizes: Sizes,
    names: Vec<f32>,
    words: Vec<f32>,
    level_weights: Vec<f32>,
    /// policies x width: what is added at the input under each annotation policy.
    policies: Vec<f32>,
    /// (features + 3 x embedding) x width.
    input: Matrix,
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
    /// m x parts: the first block of each part around a block.
    pub part_first: Vec<i32>,
    /// m x parts: one past the last block of each part.
    pub part_last: Vec<i32>,
}

impl NetworkReading {
    /// The columns, in this order.
    fn into_columns(self) -> Vec<Column> {
        let numbers = [self.content, self.comment, self.types].into_iter().map(Column::F32);
        numbers.chain([self.part_first, self.part_last].into_iter().map(Column::I32)).collect()
    }
}

impl Network {
    /// Score the blocks of a page. Columns: log-odds of content, log-odds of a comment, probabilities of page types.
    pub fn read(&self, arguments: &mut Arguments, policy: usize) -> Result<Outcome, Failure> {
        let (inputs, mut dense) = Inputs::new(arguments, &self.sizes)?;
        let (first, last) = (arguments.i32s("part_first")?, arguments.i32s("part_last")?);
        let parts = Parts::new(first, last, inputs.blocks(), self.sizes.parts)?;
        if inputs.blocks() == 0 {
            return Ok(Outcome { columns: self.nothing_read().into_columns(), ..Outcome::default() });
        }
        let mut buffers = self.kept_buffers();
        self.embed(&inputs, &mut dense, policy, &mut buffers)?;
        let reading = self.score(&parts, inputs.levels, &mut buffers)?;
        self.keep_buffers(buffers);
        Ok(Outcome { columns: reading.into_columns(), ..Outcome::default() })
    }

    /// Measure and score the blocks of a page. Columns: those of `read`, then where the parts around blocks begin and end.
    pub fn judge(&self, page: &PageView, blocks: &Blocks, policy: usize) -> Result<Outcome, Failure> {
        let columns = self.read_page(page, blocks, policy)?.into_columns();
        Ok(Outcome { columns, ..Outcome::default() })
    }

    /// Measure and score the blocks of a page.
    pub fn read_page(&self, page: &PageView, blocks: &Blocks, policy: usize) -> Result<NetworkReading, Failure> {
        if blocks.segments.is_empty() {
            return Ok(self.nothing_read());
        }
        let found = Found::new(page, blocks).map_err(|_| Failure::OutOfMemory)?;
        let mut buffers = self.kept_buffers();
        self.embed(&Inputs::of_page(&found, &self.sizes)?, &mut found.dense(), policy, &mut buffers)?;
        // Of a large page, what was measured takes as much memory as the hidden states, and is not needed any more.
        let Places { levels, part_first, part_last } = found.into_places();
        let parts = Parts::new(&part_first, &part_last, blocks.segments.len(), self.sizes.parts)?;
        let reading = self.score(&parts, &levels, &mut buffers)?;
        self.keep_buffers(buffers);
        Ok(NetworkReading { part_first, part_last, ..reading })
    }

    /// The output for a page without blocks, which may be of any type.
    fn nothing_read(&self) -> NetworkReading {
        let types = self.layers.iter().map(Layer::types).max().unwrap_or(0);
        NetworkReading {
            content: Vec::new(),
            comment: Vec::new(),
            types: vec![1.0 / types as f32; types],
            part_first: Vec::new(),
            part_last: Vec::new(),
        }
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

    /// Set the hidden states of the blocks to what their inputs make of them.
    fn embed(
        &self,
        inputs: &Inputs,
        dense: &mut impl DenseRows,
        policy: usize,
        buffers: &mut Buffers,
    ) -> Result<(), Failure> {
        let bias = match self.policies.chunks_exact(self.width).nth(policy) {
            Some(bias) => bias,
            None => return Err(refused(format!("there is no policy {}", policy))),
        };
        self.embed_names(inputs, sized(&mut buffers.elements, inputs.elements.count() * self.embedding)?);
        let hidden = sized(&mut buffers.hidden, inputs.blocks() * self.width)?;
        let rows = sized(&mut buffers.rows, CHUNK * self.depth())?;
        let heading = sized(&mut buffers.heading, self.embedding)?;
        heading.fill(0.0);
        for (number, hidden) in hidden.chunks_mut(CHUNK * self.width).enumerate() {
            let rows = &mut rows[..hidden.len() / self.width * self.depth()];
            self.fill_rows(inputs, dense, number * CHUNK, &buffers.elements, rows);
            self.fill_headings(heading, rows);
            self.input.multiply(rows, bias, hidden);
            rectify(hidden);
        }
        Ok(())
    }

    /// The output, from hidden states and elements above the blocks; the parts are left out.
    fn score(&self, parts: &Parts, levels: &[i32], buffers: &mut Buffers) -> Result<NetworkReading, Failure> {
        let hidden = &mut buffers.hidden[..parts.blocks() * self.width];
        let mut types = Vec::new();
        for layer in &self.layers {
            types = layer.add(hidden, parts, &mut buffers.layers)?.unwrap_or(types);
        }
        let [mut content, comment] = self.outputs(hidden, &mut buffers.layers.seen)?;
        similar_blocks::share_log_odds(levels, &mut content)?;
        Ok(NetworkReading { content, comment, types, part_first: Vec::new(), part_last: Vec::new() })
    }

    /// Numbers of an input row: dense features, means of the names above, of the words, and of those of the heading.
    fn depth(&self) -> usize {
        self.sizes.features + 3 * self.embedding
    }

    fn embed_names(&self, inputs: &Inputs, elements: &mut [f32]) {
        for (element, mean) in elements.chunks_exact_mut(self.embedding).enumerate() {
            inputs.elements.mean(element, &self.names, mean);
        }
    }

    /// Set the input rows of the blocks from a first one on.
    fn fill_rows(&self, inputs: &Inputs, dense: &mut impl DenseRows, first: usize, elements: &[f32], rows: &mut [f32]) {
        for (block, row) in (first..).zip(rows.chunks_exact_mut(self.depth())) {
            let (row_dense, embedded) = row.split_at_mut(self.sizes.features);
            let (names, rest) = embedded.split_at_mut(self.embedding);
            let words = &mut rest[..self.embedding];
            dense.write(block, row_dense);
            self.embed_levels(&inputs.levels[block * self.sizes.levels..][..self.sizes.levels], elements, names);
            inputs.words.mean(block, &self.words, words);
        }
    }

    /// Set the ends of input rows to the words of the last heading up to the block; `heading` has those of earlier rows.
    fn fill_headings(&self, heading: &mut [f32], rows: &mut [f32]) {
        for row in rows.chunks_exact_mut(self.depth()) {
            let is_heading = self.sizes.features > HEADING && row[HEADING] > 0.5;
            let (words, above) = row[self.sizes.features + self.embedding..].split_at_mut(self.embedding);
            if is_heading {
                heading.copy_from_slice(words);
            }
            above.copy_from_slice(heading);
        }
    }

    /// Set `names` to the means of the elements above a block, each with the weight of its level.
    fn embed_levels(&self, levels: &[i32], elements: &[f32], names: &mut [f32]) {
        names.fill(0.0);
        for (level, weight) in levels.iter().zip(&self.level_weights) {
            let mean = &elements[*level as usize * self.embedding..][..self.embedding];
            names.iter_mut().zip(mean).for_each(|(sum, value)| *sum += weight * value);
        }
    }

    /// The log-odds of content, and of comments.
    fn outputs(&self, hidden: &[f32], seen: &mut Vec<f32>) -> Result<[Vec<f32>; 2], Failure> {
        let blocks = hidden.len() / self.width;
        let mut outputs = [filled(blocks, |_| 0.0)?, filled(blocks, |_| 0.0)?];
        let seen = sized(seen, CHUNK * self.width)?;
        for (number, hidden) in hidden.chunks(CHUNK * self.width).enumerate() {
            let seen = &mut seen[..hidden.len()];
            self.output_hidden.multiply(hidden, &self.output_hidden_bias, seen);
            rectify(seen);
            for (block, row) in (number * CHUNK..).zip(seen.chunks_exact(self.width)) {
                for ((output, weights), bias) in outputs.iter_mut().zip(&self.outputs).zip(self.output_bias) {
                    output[block] = dot(row, weights) + bias;
                }
            }
        }
        Ok(outputs)
    }
}

fn rectify(values: &mut [f32]) {
    values.iter_mut().for_each(|value| *value = rectified(*value));
}
