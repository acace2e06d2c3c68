//! The page network: log-odds of every block of a page being content. `inference.py` describes it and what it returns.
#![forbid(unsafe_code)]

pub mod buffers;
pub mod inputs;
pub mod layers;
pub mod matrix_products;
pub mod similar_blocks;
pub mod weights;

use crate::blocks::page_blocks::Blocks;
use crate::blocks::page_view::PageView;
use crate::exchange::{filled, refused, sized, Arguments, Column, Failure, Outcome};
use crate::features::network_inputs::page_inputs;
use buffers::Buffers;
use inputs::{Inputs, Sizes};
use layers::{rectified, Layer, Parts};
use matrix_products::{dot, Matrix};
use std::sync::Mutex;

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
    /// (features + 2 x embedding) x width.
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

impl Network {
    /// Score the blocks of a page. Columns: log-odds of content, log-odds of a comment, probabilities of page types.
    pub fn read(&self, arguments: &mut Arguments, policy: usize) -> Result<Outcome, Failure> {
        let columns = self.score(&Inputs::new(arguments, &self.sizes)?, policy)?;
        Ok(Outcome { columns, ..Outcome::default() })
    }

    /// Measure and score the blocks of a page. Columns: those of `read`, then where the parts around blocks begin and end.
    pub fn judge(&self, page: &PageView, blocks: &Blocks, policy: usize) -> Result<Outcome, Failure> {
        let measured = page_inputs(page, blocks).map_err(|_| Failure::OutOfMemory)?;
        let mut columns = self.score(&Inputs::of_page(&measured, &self.sizes)?, policy)?;
        columns.extend([Column::I32(measured.part_first), Column::I32(measured.part_last)]);
        Ok(Outcome { columns, ..Outcome::default() })
    }

    /// The columns of the result for inputs that were checked.
    fn score(&self, inputs: &Inputs, policy: usize) -> Result<Vec<Column>, Failure> {
        if inputs.blocks() == 0 {
            return Err(refused("a page without blocks has nothing to score".to_string()));
        }
        let mut buffers = self.kept_buffers();
        let columns = self.columns(inputs, policy, &mut buffers)?;
        self.keep_buffers(buffers);
        Ok(columns)
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

    fn columns(&self, inputs: &Inputs, policy: usize, buffers: &mut Buffers) -> Result<Vec<Column>, Failure> {
        let bias = match self.policies.chunks_exact(self.width).nth(policy) {
            Some(bias) => bias,
            None => return Err(refused(format!("there is no policy {}", policy))),
        };
        self.embed_names(inputs, sized(&mut buffers.elements, inputs.elements.count() * self.embedding)?);
        let rows = sized(&mut buffers.rows, inputs.blocks() * self.depth())?;
        self.fill_rows(inputs, &buffers.elements, rows);
        let hidden = sized(&mut buffers.hidden, inputs.blocks() * self.width)?;
        self.input.multiply(rows, bias, hidden);
        rectify(hidden);
        let parts = Parts::new(inputs, self.sizes.parts)?;
        let mut types = Vec::new();
        for layer in &self.layers {
            types = layer.add(hidden, &parts, &mut buffers.layers)?.unwrap_or(types);
        }
        let last = sized(&mut buffers.layers.seen, hidden.len())?;
        self.output_hidden.multiply(hidden, &self.output_hidden_bias, last);
        rectify(last);
        let (mut content, comment) = (self.output(last, 0)?, self.output(last, 1)?);
        similar_blocks::share_log_odds(inputs.levels, &mut content)?;
        Ok(vec![Column::F32(content), Column::F32(comment), Column::F32(types)])
    }

    /// Numbers of an input row: dense features, means of the names above, and means of the words.
    fn depth(&self) -> usize {
        self.sizes.features + 2 * self.embedding
    }

    fn embed_names(&self, inputs: &Inputs, elements: &mut [f32]) {
        for (element, mean) in elements.chunks_exact_mut(self.embedding).enumerate() {
            inputs.elements.mean(element, &self.names, mean);
        }
    }

    /// Set the input rows (m x depth) of the blocks.
    fn fill_rows(&self, inputs: &Inputs, elements: &[f32], rows: &mut [f32]) {
        let blocks = inputs.dense.chunks_exact(self.sizes.features).zip(inputs.levels.chunks_exact(self.sizes.levels));
        for (block, (row, (dense, levels))) in rows.chunks_exact_mut(self.depth()).zip(blocks).enumerate() {
            let (row_dense, embedded) = row.split_at_mut(self.sizes.features);
            let (names, words) = embedded.split_at_mut(self.embedding);
            row_dense.copy_from_slice(dense);
            self.embed_levels(levels, elements, names);
            inputs.words.mean(block, &self.words, words);
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

    /// The log-odds of content (0) or of comments (1).
    fn output(&self, last: &[f32], number: usize) -> Result<Vec<f32>, Failure> {
        let row = |block: usize| &last[block * self.width..][..self.width];
        let log_odds = |block: usize| dot(row(block), &self.outputs[number]) + self.output_bias[number];
        filled(last.len() / self.width, log_odds)
    }
}

fn rectify(values: &mut [f32]) {
    values.iter_mut().for_each(|value| *value = rectified(*value));
}
