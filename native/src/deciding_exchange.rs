//! Judgements and decisions that cross the interface.
#![forbid(unsafe_code)]

use crate::arrays::{fits, Arguments, Column};
use crate::blocks::characters::is_space;
use crate::blocks::kinds::kind::TITLE;
use crate::blocks::page_blocks::Blocks;
use crate::blocks::segmentation::Segments;
use crate::columns::Page;
use crate::deciding::decision::{Decision, Planned, Question};
use crate::deciding::judgement::{judge, Judgement, Reading};
use crate::deciding::likely_types::TypeWeights;
use crate::deciding::probabilities::Calibration;
use crate::deciding::type_clues::type_clues;
use crate::document::formula_blocks::formula_blocks;
use crate::document::structures::Structures;
use crate::failure::Failure;
use crate::network::{Network, DEFAULT_POLICY};
use crate::outcome::Outcome;

/// Entries of the plan for each rule: its number, its stage, and whether it finds comments.
const PLANNED: usize = 3;

/// What pages are judged with.
pub struct Judge<'a> {
    /// Reads pages; None if a reading is given.
    pub network: Option<&'a Network>,
    /// Weights of clues to the type.
    pub types: &'a TypeWeights,
    /// From log-odds to probabilities.
    pub calibration: Calibration,
    /// The threshold; None for the best one of the page.
    pub threshold: Option<f64>,
}

impl Judge<'_> {
    /// Judge a page. Arrays: its address; without a network also log-odds of content and of comments, and probabilities of
    /// types. Columns: scores, probabilities of comments. Numbers: threshold, type, its certainty, whether it is agreed on.
    pub fn judge_page(&self, page: &Page, blocks: &Blocks, arguments: &mut Arguments) -> Result<Outcome, Failure> {
        let address = arguments.text("address")?;
        if let Some(network) = self.network {
            let found = network.read_page(&page.view(), blocks, DEFAULT_POLICY)?;
            let reading = Reading { content: &found.content, comment: &found.comment, types: &found.types };
            return self.judge_reading(&reading, page, blocks, address);
        }
        let size = blocks.segments.len();
        let reading = Reading {
            content: arguments.f32s_of("content", size)?,
            comment: arguments.f32s_of("comment", size)?,
            types: arguments.f32s("page_type")?,
        };
        self.judge_reading(&reading, page, blocks, address)
    }

    /// Judge a page by a reading.
    fn judge_reading(
        &self,
        reading: &Reading,
        page: &Page,
        blocks: &Blocks,
        address: &str,
    ) -> Result<Outcome, Failure> {
        let clues = type_clues(page, address);
        let likely = self.types.likely(reading.types, clues.names());
        let judged = judge(reading, &likely, &blocks.segments.length, self.calibration, self.threshold)?;
        Ok(outcome_of_judgement(judged.taken_at_its_word(blocks, &likely)))
    }
}

/// The outcome of a judgement.
fn outcome_of_judgement(judged: Judgement) -> Outcome {
    let numbers = [
        judged.threshold,
        judged.page_type as f64,
        f64::from(judged.type_certainty),
        f64::from(u8::from(judged.type_agreed)),
    ];
    let columns = vec![Column::F32(judged.scores), Column::F32(judged.comments)];
    Outcome { columns, numbers, ..Outcome::default() }
}

/// What the user wants, and what is known of the page as a whole.
pub struct Wishes {
    /// The threshold before the user's wishes.
    pub threshold: f64,
    /// Shift of the threshold in log-odds.
    pub step: f64,
    /// Probability of the page being a forum.
    pub forum: f64,
    /// Whether readers' comments are kept.
    pub wants_comments: bool,
}

/// Decide what to keep. Arrays: scores; probabilities of comments, empty if the model judges no pages; what selectors keep,
/// empty for none; kinds read by a model, empty for none; the plan; the address.
///
/// Columns: what is kept, comments, rules with verdicts, and their verdicts one after the other. Numbers: threshold,
/// expected F1, characters that a browser shows.
pub fn decide_page(
    page: &Page,
    structures: &Structures,
    blocks: &Blocks,
    wishes: &Wishes,
    arguments: &mut Arguments,
) -> Result<Outcome, Failure> {
    let size = blocks.segments.len();
    let (scores, comments) = (arguments.f32s_of("scores", size)?, arguments.f32s("comments")?);
    let (selected, read_kinds) = (arguments.u8s("selected")?, arguments.u8s("read_kinds")?);
    for (name, length) in [("comments", comments.len()), ("selected", selected.len()), ("kinds", read_kinds.len())] {
        fits(name, length, if length == 0 { 0 } else { size })?;
    }
    let read: Vec<u8> =
        read_kinds.iter().zip(&blocks.kinds.kind).map(|(&read, &kind)| if read == 0 { kind } else { read }).collect();
    let (view, judges_pages) = (page.view(), comments.len() == size);
    let (mut code_areas, mut formulas) = (Vec::new(), Vec::new());
    if judges_pages {
        // For rules, which apply to pages that are judged as a whole.
        code_areas = structures.code_areas.of_blocks(&view, &blocks.segments);
        if !structures.formulas.is_empty() || may_have_delimiters(&blocks.segments) {
            formulas = formula_blocks(&view, &blocks.segments, &structures.formulas);
        }
    }
    let question = Question {
        page: &view,
        columns: page,
        structures,
        blocks,
        kinds: if read.is_empty() { &blocks.kinds.kind } else { &read },
        scores,
        comments,
        selected,
        threshold: wishes.threshold,
        step: wishes.step,
        forum: wishes.forum,
        wants_comments: wishes.wants_comments,
        plan: arguments.u8s("plan")?.chunks_exact(PLANNED).map(planned).collect(),
        address: arguments.text("address")?,
        code_areas,
        formulas,
    };
    let decision = if judges_pages { question.decide()? } else { question.decide_by_threshold()? };
    Ok(outcome_of_decision(decision, shown_characters(blocks)))
}

/// Whether a block may be a formula between delimiters: few begin with one of these signs.
fn may_have_delimiters(segments: &Segments) -> bool {
    let begins_so = |index: usize| segments.texts.get(index).trim_start_matches(is_space).starts_with(['$', '\\']);
    (0..segments.len()).any(|index| match segments.texts.first_byte(index) {
        first if first.is_ascii_graphic() => matches!(first, b'$' | b'\\'),
        _ => begins_so(index),
    })
}

/// An entry of the plan.
fn planned(entry: &[u8]) -> Planned {
    Planned { rule: entry[0], stage: entry[1], finds_comments: entry[2] != 0 }
}

/// Characters of the blocks that a browser shows, the title aside.
fn shown_characters(blocks: &Blocks) -> i64 {
    let segments = &blocks.segments;
    let is_shown = |&index: &usize| segments.hidden[index] == 0 && blocks.kinds.kind[index] != TITLE;
    (0..segments.len()).filter(is_shown).map(|index| i64::from(segments.length[index])).sum()
}

/// The outcome of a decision.
fn outcome_of_decision(decision: Decision, shown: i64) -> Outcome {
    let bytes = |mask: Vec<bool>| Column::U8(mask.into_iter().map(u8::from).collect());
    let Decision { keep, comments, threshold, expected_f1, moved } = decision;
    let rules = Column::U8(moved.iter().map(|moved| moved.rule).collect());
    let verdicts = moved.iter().flat_map(|moved| moved.verdicts.iter().map(|&verdict| verdict as u8));
    Outcome {
        columns: vec![bytes(keep), bytes(comments), rules, Column::U8(verdicts.collect())],
        numbers: [threshold, expected_f1, shown as f64, 0.0],
        ..Outcome::default()
    }
}
