//! A network from the arrays of a model file.
#![forbid(unsafe_code)]

use super::buffers::Table;
use super::convolution::Convolution;
use super::input_layer::{Embeddings, InputLayer};
use super::inputs::Sizes;
use super::layers::{Layer, TypeHead};
use super::matrix_products::Matrix;
use super::parts::PartLayer;
use super::Network;
use crate::arrays::{fits, Arguments};
use crate::failure::{refused, Failure};
use std::sync::Mutex;

// The numbers of the kinds of layers; `inference.py` has the same.
const CONVOLUTION: i32 = 0;
const PARTS: i32 = 1;
const TYPES: i32 = 2;

impl Network {
    /// Take the layers (kind and dilation of each), then the weights, in the order of `REQUIRED` in `inference.py`.
    pub fn new(arguments: &mut Arguments) -> Result<Self, Failure> {
        let plan = arguments.i32s("layers")?;
        let (names, words) = (arguments.f32s("names")?, arguments.f32s("words")?);
        let (level_weights, policies) = (arguments.f32s("level_weights")?, arguments.f32s("policies")?);
        let (dense, of_names) = (arguments.f32s("input_dense")?, arguments.f32s("input_names")?);
        let (of_words, of_heading) = (arguments.f32s("input_words")?, arguments.f32s("input_heading")?);
        let input_bias = arguments.f32s("input_bias")?;
        let width = input_bias.len();
        let embedding = of_names.len() / width.max(1);
        for (name, array, row) in [
            ("names", names, embedding),
            ("words", words, embedding),
            ("policies", policies, width),
            ("input_dense", dense, width),
            ("input_names", of_names, width),
        ] {
            whole_rows(name, array.len(), row)?;
        }
        fits("input_words", of_words.len(), of_names.len())?;
        fits("input_heading", of_heading.len(), of_names.len())?;
        let output = Output::new(arguments, width)?;
        let mut head = Some(type_head(arguments, width)?);
        let mut parts = None;
        let mut layers = Vec::new();
        for layer in plan.chunks(2) {
            layers.push(match layer {
                [CONVOLUTION, dilation] => convolution(arguments, width, *dilation)?,
                [PARTS, _] => of_parts(arguments, width, &mut parts)?,
                [TYPES, _] => of_types(arguments, width, head.take())?,
                other => return Err(refused(format!("no layer is {:?}", other))),
            });
        }
        let sizes = Sizes {
            features: dense.len() / width,
            levels: level_weights.len(),
            parts: parts.unwrap_or(0),
            names: names.len() / embedding,
            words: words.len() / embedding,
        };
        let embeddings = Embeddings {
            names: Table::new(names),
            words: Table::new(words),
            level_weights: level_weights.to_vec(),
            size: embedding,
        };
        let biases = policies.iter().zip(input_bias.iter().cycle()).map(|(one, bias)| one + bias).collect();
        Ok(Network {
            width,
            sizes,
            input: InputLayer::new(embeddings, &[dense, of_names, of_words, of_heading].concat(), biases, width),
            layers,
            output_hidden: output.hidden,
            output_hidden_bias: output.hidden_bias,
            outputs: output.weights,
            output_bias: output.bias,
            buffers: Mutex::default(),
        })
    }
}

struct Output {
    hidden: Matrix,
    hidden_bias: Vec<f32>,
    weights: [Vec<f32>; 2],
    bias: [f32; 2],
}

impl Output {
    fn new(arguments: &mut Arguments, width: usize) -> Result<Self, Failure> {
        let hidden = Matrix::new(arguments.f32s_of("output_hidden", width * width)?, width);
        let hidden_bias = arguments.f32s_of("output_hidden_bias", width)?.to_vec();
        let weights = arguments.f32s_of("output", 2 * width)?;
        let bias = arguments.f32s_of("output_bias", 2)?;
        let column = |number: usize| weights.iter().skip(number).step_by(2).copied().collect();
        Ok(Output { hidden, hidden_bias, weights: [column(0), column(1)], bias: [bias[0], bias[1]] })
    }
}

fn type_head(arguments: &mut Arguments, width: usize) -> Result<TypeHead, Failure> {
    let telling = arguments.f32s_of("telling", width)?;
    let (weights, bias) = (arguments.f32s("type_weights")?, arguments.f32s("type_bias")?);
    fits("type_weights", weights.len(), 2 * width * bias.len())?;
    let table = arguments.f32s_of("type_table", bias.len() * width)?;
    Ok(TypeHead { telling: telling.to_vec(), weights: weights.to_vec(), bias: bias.to_vec(), table: table.to_vec() })
}

fn convolution(arguments: &mut Arguments, width: usize, dilation: i32) -> Result<Layer, Failure> {
    let weights = Matrix::new(arguments.f32s_of("convolution", width * width)?, width);
    let bias = arguments.f32s_of("convolution_bias", width)?.to_vec();
    let taps = arguments.f32s("convolution_taps")?;
    whole_rows("convolution_taps", taps.len(), width)?;
    let dilation = usize::try_from(dilation).map_err(|_| refused(format!("{} is no dilation", dilation)))?;
    Ok(Layer::Convolution(Convolution { dilation, taps: taps.to_vec(), weights, bias }))
}

/// A layer of parts. The first one says how many parts there are around a block, which all others must agree with.
fn of_parts(arguments: &mut Arguments, width: usize, parts: &mut Option<usize>) -> Result<Layer, Failure> {
    let weights = arguments.f32s("parts")?;
    let (count, square) = (parts.unwrap_or((weights.len() / (width * width)).max(1) - 1), width * width);
    fits("parts", weights.len(), (count + 1) * square)?;
    *parts = Some(count);
    let (around, page) = weights.split_at(count * square);
    let bias = arguments.f32s_of("parts_bias", width)?.to_vec();
    let weights = around.chunks_exact(square).map(|weights| Matrix::new(weights, width)).collect();
    Ok(Layer::Parts(PartLayer { weights, page_weights: page.to_vec(), bias }))
}

fn of_types(arguments: &mut Arguments, width: usize, head: Option<TypeHead>) -> Result<Layer, Failure> {
    let head = head.ok_or_else(|| refused("two layers ask for the type of the page".to_string()))?;
    let weights = arguments.f32s_of("types", 2 * width * width)?.to_vec();
    let bias = arguments.f32s_of("types_bias", width)?.to_vec();
    Ok(Layer::Types { weights, bias, head })
}

fn whole_rows(name: &str, length: usize, row: usize) -> Result<(), Failure> {
    if row > 0 && length > 0 && length % row == 0 {
        return Ok(());
    }
    Err(refused(format!("{} has {} entries, which are no rows of {}", name, length, row)))
}
