//! Scores -> keep or drop: the threshold, then the rules. Nothing else decides.
//!
//! `dehusk.deciding.rules` has the table of rules, with their reasons, and sends those that may apply to the page.
#![forbid(unsafe_code)]

use super::body_of_article::body_of_article;
use super::form_fields::form_fields;
use super::further_articles::further_articles;
use super::hidden_text::hidden_text;
use super::kept_together::{
    cells_of_tables, code_between_text, figure_captions, formulas_between_text, parts_set_apart, section_headings,
    whole_listings,
};
use super::labels_of_tabs::labels_of_tabs;
use super::notes_of_text::notes_of_text;
use super::one_message::{one_message, title_alone};
use super::product_sections::{other_products, reviews_of_a_product};
use super::reader_posts::{announced_comments, comments_on_an_article, signatures, COMMENT, SURELY_FORUM};
use super::repeated_text::{repeated_quotes, repeated_text};
use super::situations::{Situation, DROP, KEEP};
use super::stock_lines::stock_and_delivery;
use super::tables_between_text::tables_between_text;
use super::teasers::teasers;
use super::thresholds::{expected_f1, favoured};
use crate::blocks::page_blocks::Blocks;
use crate::blocks::page_view::PageView;
use crate::columns::Page;
use crate::document::structures::Structures;
use crate::failure::{filled, Failure};
use crate::stopping::may_stop;

/// A rule: KEEP, DROP or 0 for each block.
type Rule = fn(&Situation) -> Result<Vec<i8>, Failure>;

/// The rules, by the order of `dehusk.deciding.rules`.
const RULES: [Rule; 25] = [
    tables_between_text,
    section_headings,
    figure_captions,
    code_between_text,
    whole_listings,
    formulas_between_text,
    parts_set_apart,
    notes_of_text,
    cells_of_tables,
    body_of_article,
    labels_of_tabs,
    hidden_text,
    comments_on_an_article,
    signatures,
    announced_comments,
    further_articles,
    teasers,
    form_fields,
    reviews_of_a_product,
    other_products,
    stock_and_delivery,
    repeated_text,
    repeated_quotes,
    one_message,
    title_alone,
];

/// When a rule is applied; `dehusk.deciding.rules.Stage` has the same numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Mends what the threshold kept.
    Repair = 0,
    /// Drops text that no reader can see.
    Hide = 1,
    /// Drops the rest of what is clearly unwanted.
    Remove = 2,
}

/// A rule that may apply to the page.
#[derive(Clone, Copy, Debug)]
pub struct Planned {
    /// Its place in `RULES`.
    pub rule: u8,
    /// The number of its stage.
    pub stage: u8,
    /// Whether what it drops are readers' comments.
    pub finds_comments: bool,
}

/// Verdicts of a rule: KEEP, DROP or 0 for each block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// Its place in `RULES`.
    pub rule: u8,
    /// One entry per block.
    pub verdicts: Vec<i8>,
}

/// What is decided on. One entry per block.
pub struct Question<'a> {
    /// The page.
    pub page: &'a PageView<'a>,
    /// All columns of it.
    pub columns: &'a Page,
    /// Its address; empty if it is unknown.
    pub address: &'a str,
    /// Its code, formulas and callouts.
    pub structures: &'a Structures,
    /// Its blocks.
    pub blocks: &'a Blocks,
    /// What each block is to a reader.
    pub kinds: &'a [u8],
    /// Scores.
    pub scores: &'a [f32],
    /// The probability that each block is a reader's comment.
    pub comments: &'a [f32],
    /// Whether the user's selectors keep a block, whatever its score; empty for none.
    pub selected: &'a [u8],
    /// The threshold before the user's wishes.
    pub threshold: f64,
    /// Shift of the threshold in log-odds, up for precision.
    pub step: f64,
    /// Probability of the page being a forum.
    pub forum: f64,
    /// Whether readers' comments are kept.
    pub wants_comments: bool,
    /// Rules to apply, in order.
    pub plan: Vec<Planned>,
    /// The row of the area of code that a block is in, or -1; empty if there is no code.
    pub code_areas: Vec<i32>,
    /// 1 for blocks that are nothing but a formula; empty if there are none.
    pub formulas: Vec<u8>,
}

/// What is kept, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// Whether each block is kept.
    pub keep: Vec<bool>,
    /// Whether it is a reader's comment.
    pub comments: Vec<bool>,
    /// The threshold used.
    pub threshold: f64,
    /// The F1 that can be expected of what is kept.
    pub expected_f1: f64,
    /// Rules with verdicts.
    pub moved: Vec<Moved>,
}

impl<'a> Question<'a> {
    /// Decide what to keep, by scores and rules.
    pub fn decide(&self) -> Result<Decision, Failure> {
        let threshold = favoured(self.scores, &self.blocks.segments.length, self.threshold, self.step)?;
        let size = self.scores.len();
        let kept = filled(size, |index| self.scores[index] >= threshold as f32 || self.is_selected(index))?;
        let maybe_comment = |index: usize| self.comments[index] >= COMMENT;

        let repairing = self.apply(Stage::Repair, threshold, &kept)?;
        let repaired = after(kept, &repairing);
        let to_hide = filled(size, |index| repaired[index] || (self.wants_comments && maybe_comment(index)))?;
        let hiding = self.apply(Stage::Hide, threshold, &to_hide)?;
        let shown = after(repaired.clone(), &hiding);
        let removing = self.apply(Stage::Remove, threshold, &shown)?;
        let mut keep = after(shown, &removing);
        (0..size).for_each(|index| keep[index] |= self.is_selected(index));

        let visible = after(filled(size, |_| true)?, &hiding);
        let is_out = |index: usize| (repaired[index] && !keep[index]) || !visible[index];
        let expected_f1 = self.expected_f1(&keep, is_out);
        let found = |index: usize| self.is_found_comment(&removing, index);
        let is_comment =
            |index: usize| ((maybe_comment(index) && !repaired[index]) || found(index)) && !self.is_selected(index);
        let comments = filled(size, is_comment)?;
        if self.wants_comments {
            (0..size).for_each(|index| keep[index] |= comments[index]);
            keep = after(keep, &hiding);
            (0..size).for_each(|index| keep[index] |= self.is_selected(index));
        }
        let moved = repairing.into_iter().chain(hiding).chain(removing).collect();
        Ok(Decision { keep, comments, threshold, expected_f1, moved })
    }

    /// Keep what scores at least the threshold, and what the model has no opinion on: for models that judge no pages.
    pub fn decide_by_threshold(&self) -> Result<Decision, Failure> {
        let least = self.threshold as f32;
        let keeps =
            |index: usize| self.scores[index].is_nan() || self.scores[index] >= least || self.is_selected(index);
        let (keep, comments) = (filled(self.scores.len(), keeps)?, filled(self.scores.len(), |_| false)?);
        Ok(Decision { keep, comments, threshold: self.threshold, expected_f1: 0.0, moved: Vec::new() })
    }

    /// Whether the user's selectors keep a block.
    fn is_selected(&self, index: usize) -> bool {
        self.selected.get(index).is_some_and(|&selected| selected != 0)
    }

    /// The F1 that can be expected: what rules took out is not content, and what the user selected is.
    fn expected_f1(&self, keep: &[bool], is_out: impl Fn(usize) -> bool) -> f64 {
        let likely = |index: usize| match (self.is_selected(index), is_out(index)) {
            (true, _) => 1.0,
            (false, true) => 0.0,
            (false, false) => self.scores[index],
        };
        expected_f1(likely, |index| f64::from(self.blocks.segments.length[index]), keep)
    }

    /// Whether a rule that finds comments dropped a block.
    fn is_found_comment(&self, removing: &[Moved], index: usize) -> bool {
        let finds = |rule: u8| self.plan.iter().any(|planned| planned.rule == rule && planned.finds_comments);
        removing.iter().any(|moved| moved.verdicts[index] == DROP && finds(moved.rule))
    }

    /// The verdicts of the rules of a stage that have any; they do not see each other's verdicts.
    fn apply(&self, stage: Stage, threshold: f64, keep: &[bool]) -> Result<Vec<Moved>, Failure> {
        let situation = Situation {
            page: self.page,
            columns: self.columns,
            address: self.address,
            structures: self.structures,
            blocks: self.blocks,
            kinds: self.kinds,
            keep,
            scores: self.scores,
            threshold,
            comments: self.comments,
            is_forum: self.forum >= SURELY_FORUM,
            code_areas: &self.code_areas,
            formulas: &self.formulas,
        };
        let mut moved = Vec::new();
        for planned in self.plan.iter().filter(|planned| planned.stage == stage as u8) {
            may_stop();
            let verdicts = RULES.get(usize::from(planned.rule)).map_or(Ok(Vec::new()), |rule| rule(&situation))?;
            // Of all verdicts at once: most rules have none.
            if verdicts.iter().fold(0, |found, verdict| found | verdict) != 0 {
                moved.push(Moved { rule: planned.rule, verdicts });
            }
        }
        Ok(moved)
    }
}

/// What is kept after all verdicts; of two that disagree, the later one wins.
fn after(mut keep: Vec<bool>, moved: &[Moved]) -> Vec<bool> {
    for Moved { verdicts, .. } in moved {
        for (keep, &verdict) in keep.iter_mut().zip(verdicts).filter(|(_, &verdict)| verdict != 0) {
            *keep = verdict == KEEP;
        }
    }
    keep
}
