//! Rules that keep related blocks together: headings, captions, code and formulas with their text.
//!
//! A score judges each block by itself. Readers stumble over the heading of a section that is gone. Lists need no
//! rule: blocks of the same style share their scores (`similar_blocks.rs`). Rules that kept or dropped lists and tables whole
//! made 45 of 1,074 pages of unseen sites better, and 58 worse; one on the doubtful cells of tables with headers is left.
#![forbid(unsafe_code)]

use super::announcing_lines::{telling_words, Beginnings};
use super::lists_between::{holes_of_lists, lists_between_texts, lists_like_kept_ones};
use super::parts_apart::{parts_apart, stays_whole, turns_of_conversation};
use super::situations::{Situation, DROP, KEEP};
use crate::blocks::characters::strip;
use crate::blocks::kinds::kind;
use crate::blocks::page_view::entry;
use crate::blocks::tags::number_of;
use crate::document::code_frames::is_file_name;
use crate::failure::{filled, Failure};
use crate::html::attributes::ARIA_HIDDEN;
use std::collections::{BTreeMap, BTreeSet};

const FIGURE: i32 = number_of("figure");
const HEADER_CELL: i32 = number_of("th");
const TERM: i32 = number_of("dt");
const DESCRIPTION: i32 = number_of("dd");
/// Elements from the text of a listing or its caption to the figure around both.
const REACH_OF_FIGURE: usize = 8;
/// Elements from the text of a term or a description to it.
const REACH_OF_MEMBERS: usize = 6;
/// Share of the threshold from which a dropped block is doubtful, and its surroundings decide.
const DOUBT: f64 = 0.5;
/// The same for cells: those with a word or a number have low scores.
const DOUBT_OF_CELLS: f64 = 0.3;
/// Share of the threshold below which code, lists and tables do not belong to the text around them.
pub const UNLIKELY: f64 = 0.1;
/// Characters of the number of a row: `[12]`, `12.`.
const LONGEST_NUMBER: i64 = 5;
/// Share of the characters of a listing that must be kept for the rest of it to be kept, too.
const MOST: f64 = 0.5;
/// Share of the rows of a table that must have a kept cell for the rest of them to be kept.
const MOST_ROWS: f64 = 0.75;
/// Blocks from code to its text: a file name or a copy button may be between them. From a formula to its text it is as
/// far: the lines of a derivation.
pub const REACH: usize = 6;
/// Blocks that stand for the section below a heading.
const BEGINNING: usize = 3;

/// Bytes of a label above other articles.
const LONGEST_LABEL: usize = 80;
/// Letters and blanks that tell whether a heading is such a label.
const TELLING: usize = 40;
/// Labels of tables of contents and of other articles, in many languages.
#[rustfmt::skip]
const LABELS: [&str; 34] = [
    "contents", "table of contents", "content", "in this article", "in this post", "in this guide", "in this section",
    "on this page", "on this article", "jump to", "jump to section", "jump ahead", "quick links", "further reading",
    "read more", "read next", "read also", "keep reading", "inhaltsverzeichnis", "inhalt", "mehr zum thema", "sommaire",
    "table des matières", "à lire aussi", "índice", "contenido", "indice", "sumário", "spis treści", "содержание",
    "оглавление", "目次", "目录", "相关阅读",
];
/// How other labels of this kind begin.
#[rustfmt::skip]
const BEGINNINGS_OF_LABELS: [&str; 9] = [
    "related ", "more from ", "recommended ", "you may also ", "you might also ", "other customers ", "similar ",
    "most read", "most popular",
];
/// The first letters of both.
static BEGINNINGS: Beginnings = Beginnings::of(&LABELS).and(&BEGINNINGS_OF_LABELS);

/// Let a doubtful heading follow the blocks up to the next heading, if these agree. The label of a table of contents, or of
/// other articles, goes with these whatever its score.
pub fn section_headings(situation: &Situation) -> Result<Vec<i8>, Failure> {
    let mut verdicts = situation.open_verdicts()?;
    let is_heading = |index: usize| situation.kinds[index] == kind::HEADING;
    let is_label = |index: usize| {
        situation.keep[index]
            && situation.is_shown(index)
            && announces_others(situation.blocks.segments.texts.get(index))
    };
    let follows = |index: usize| is_doubtful(situation, index) || is_label(index);
    for heading in (0..situation.len()).filter(|&index| is_heading(index) && follows(index)) {
        let shown = (heading + 1..situation.len()).filter(|&index| situation.is_shown(index));
        let section = shown.take(BEGINNING).take_while(|&index| !is_heading(index)).map(|index| situation.keep[index]);
        // The entries of a table of contents come at once.
        let section = section.take(if is_label(heading) { 1 } else { BEGINNING });
        let [kept, dropped] = section.fold([false; 2], |[kept, dropped], keep| [kept | keep, dropped | !keep]);
        if kept != dropped {
            verdicts[heading] = if kept { KEEP } else { DROP };
        }
    }
    keep_terms(situation, &mut verdicts);
    Ok(verdicts)
}

/// Keeps doubtful terms of kept descriptions: the names of parameters, which are headings of what is said about them.
fn keep_terms(situation: &Situation, verdicts: &mut [i8]) {
    let (page, segments) = (situation.page, &situation.blocks.segments);
    let around = |index: usize, tag: i32| {
        let row = segments.first_row[index] as usize;
        page.ancestors(row).take(REACH_OF_MEMBERS).find(|&outer| page.tag[outer] == tag)
    };
    if !page.has_tag(TERM) {
        return;
    }
    let is_open = |index: &usize| !situation.keep[*index] && is_doubtful(situation, *index);
    for index in (0..situation.len()).filter(is_open) {
        if has_year(segments.texts.get(index)) {
            continue; // names of readers above their comments
        }
        let next = (index + 1..situation.len()).find(|&next| situation.is_shown(next));
        let description = next.filter(|&next| situation.keep[next]).and_then(|next| around(next, DESCRIPTION));
        let is_of_it = |term: usize| description.is_some_and(|it| page.parent[it] == page.parent[term] && term < it);
        if around(index, TERM).is_some_and(is_of_it) {
            verdicts[index] = KEEP;
        }
    }
}

/// Whether a text has a year in it, as dates have.
fn has_year(text: &str) -> bool {
    text.split(|character: char| !character.is_ascii_digit())
        .any(|number| number.len() == 4 && (number.starts_with("19") || number.starts_with("20")))
}

/// Whether a heading announces a table of contents or other articles: with the words of such a label, or beginning with them.
pub fn announces_others(text: &str) -> bool {
    if text.len() > LONGEST_LABEL || !BEGINNINGS.may_begin(text) {
        return false;
    }
    let words = telling_words(text, TELLING);
    LABELS.contains(&words.as_str()) || BEGINNINGS_OF_LABELS.iter().any(|start| words.starts_with(start))
}

/// Let a doubtful figure caption follow the text before and after the figure, if both agree.
pub fn figure_captions(situation: &Situation) -> Result<Vec<i8>, Failure> {
    let is_doubtful_caption = |index: usize| situation.kinds[index] == kind::CAPTION && is_doubtful(situation, index);
    if !(0..situation.len()).any(is_doubtful_caption) || !situation.page.has_tag(FIGURE) {
        return situation.no_verdicts();
    }
    let mut verdicts = situation.open_verdicts()?;
    let figures = situation.page.closest(|row| situation.page.tag[row] == FIGURE);
    let in_figure = |index: usize| entry(&figures, situation.blocks.segments.owner[index]) >= 0;
    let is_around = |index: usize| !in_figure(index) && situation.is_shown(index);
    let wanted = |index: usize| is_doubtful_caption(index) && in_figure(index);
    for (caption, before, after) in between(situation.len(), wanted, is_around) {
        if situation.keep[before] == situation.keep[after] {
            verdicts[caption] = if situation.keep[after] { KEEP } else { DROP };
        }
    }
    Ok(verdicts)
}

/// Keep code between kept text, or under the name of its file: the network does not recognise it as something to read.
pub fn code_between_text(situation: &Situation) -> Result<Vec<i8>, Failure> {
    let least = (UNLIKELY * situation.threshold) as f32;
    let is_likely = likely_areas(situation, least);
    let mut verdicts = keep_between_text(situation, |index| match situation.code_areas.get(index) {
        Some(&area) if area >= 0 => is_likely.contains(&area),
        _ => {
            let is_code = || situation.kinds[index] == kind::CODE || is_in_listing(situation, index);
            situation.scores[index] >= least && is_code()
        }
    })?;
    let under_names = under_names_of_files(situation);
    let has_figures = situation.page.has_tag(FIGURE);
    if verdicts.is_empty() && (!under_names.is_empty() || has_figures && !situation.code_areas.is_empty()) {
        verdicts = situation.open_verdicts()?;
    }
    for index in under_names {
        verdicts[index] = KEEP;
    }
    if has_figures && !verdicts.is_empty() {
        for index in captions_of_listings(situation, &verdicts) {
            verdicts[index] = KEEP;
        }
    }
    Ok(verdicts)
}

/// The dropped captions right below kept listings in figures: what is above one is the name of its file.
fn captions_of_listings(situation: &Situation, verdicts: &[i8]) -> Vec<usize> {
    let (page, segments) = (situation.page, &situation.blocks.segments);
    let figure = |index: usize| {
        let row = segments.first_row[index] as usize;
        page.ancestors(row).take(REACH_OF_FIGURE).find(|&outer| page.tag[outer] == FIGURE)
    };
    let is_kept_code = |index: usize| is_code(situation, index) && (situation.keep[index] || verdicts[index] == KEEP);
    let is_below_code = |index: usize| figure(index).is_some_and(|own| figure(index - 1) == Some(own));
    let is_caption = |index: usize| situation.kinds[index] == kind::CAPTION && !situation.keep[index];
    let captions = (1..situation.len()).filter(|&index| is_caption(index) && situation.is_shown(index));
    captions.filter(|&index| is_kept_code(index - 1) && is_below_code(index)).collect()
}

/// Areas of code with a block that may be content. An editor makes a block of each line, and many of these look like no text.
fn likely_areas(situation: &Situation, least: f32) -> BTreeSet<i32> {
    let areas = situation.code_areas.iter().zip(situation.scores);
    areas.filter(|&(&area, &score)| area >= 0 && score >= least).map(|(&area, _)| area).collect()
}

/// Whether a block is in a listing without `<pre>`.
fn is_in_listing(situation: &Situation, index: usize) -> bool {
    let (page, row) = (situation.page, situation.blocks.segments.first_row[index] as usize);
    let listings = &situation.structures.listings;
    let before = listings[..listings.partition_point(|&listing| listing <= row)].last();
    before.is_some_and(|&listing| row < page.subtree_end[listing] as usize)
}

/// The dropped blocks of listings that are the first one under a kept heading which names a file.
fn under_names_of_files(situation: &Situation) -> Vec<usize> {
    let is_name = |index: usize| {
        situation.kinds[index] == kind::HEADING
            && situation.keep[index]
            && is_file_name(strip(situation.blocks.segments.texts.get(index)))
    };
    let (mut found, mut is_next, mut area) = (Vec::new(), false, -1);
    for index in 0..situation.code_areas.len() {
        let own = situation.code_areas[index];
        if own < 0 {
            is_next |= is_name(index);
        } else if situation.is_shown(index) && (own == area || std::mem::take(&mut is_next)) {
            area = own;
            found.extend(Some(index).filter(|&index| !situation.keep[index]));
        }
    }
    found
}

/// Keep formulas between kept text: to the network they are hardly words.
pub fn formulas_between_text(situation: &Situation) -> Result<Vec<i8>, Failure> {
    if situation.formulas.is_empty() {
        return situation.no_verdicts();
    }
    keep_between_text(situation, |index| situation.formulas[index] != 0)
}

/// Keep shown blocks of a kind that have kept ones before and after them, not far away.
fn keep_between_text(situation: &Situation, is_wanted: impl Fn(usize) -> bool) -> Result<Vec<i8>, Failure> {
    let is_dropped = |index: usize| is_wanted(index) && situation.is_shown(index) && !situation.keep[index];
    if !(0..situation.len()).any(is_dropped) {
        return situation.no_verdicts();
    }
    let mut verdicts = situation.open_verdicts()?;
    // An editor may make a block of each line, and of each number before it: none of them is further from the text.
    let mut outside = 0;
    let places = filled(situation.len(), |index| {
        outside += usize::from(!is_in_area(situation, index));
        outside
    })?;
    let distance = |from: usize, to: usize| places[to] - places[from];
    let is_text = |index: usize| situation.keep[index] && situation.is_shown(index);
    for (wanted, before, after) in between(situation.len(), is_dropped, is_text) {
        if distance(before, wanted) <= REACH && distance(wanted, after) <= REACH {
            verdicts[wanted] = KEEP;
        }
    }
    Ok(verdicts)
}

/// Keep all of a listing, an editor or a `<pre>`, most of which is kept: some tools make each line a block.
pub fn whole_listings(situation: &Situation) -> Result<Vec<i8>, Failure> {
    let members: Vec<usize> =
        (0..situation.len()).filter(|&index| is_in_area(situation, index) && situation.is_shown(index)).collect();
    if members.is_empty() {
        return situation.no_verdicts();
    }
    let mut verdicts = situation.open_verdicts()?;
    let mut lengths: BTreeMap<i32, [i64; 2]> = BTreeMap::new();
    for &index in &members {
        let [kept, all] = lengths.entry(situation.code_areas[index]).or_default();
        *kept += if situation.keep[index] { situation.length(index) } else { 0 };
        *all += situation.length(index);
    }
    for index in members.into_iter().filter(|&index| !situation.keep[index]) {
        let [kept, all] = lengths[&situation.code_areas[index]];
        if kept as f64 >= MOST * all as f64 {
            verdicts[index] = KEEP;
        }
    }
    Ok(verdicts)
}

/// Keep the doubtful cells of data tables of which most cells are kept, or some of most rows: a table with holes misleads.
/// Tables without headers often only place what is in them: of these, only the numbers of kept rows are kept.
pub fn cells_of_tables(situation: &Situation) -> Result<Vec<i8>, Failure> {
    let (page, tables) = (situation.page, &situation.blocks.table.table);
    if tables.iter().all(|&table| table < 0) {
        return situation.no_verdicts();
    }
    let mut verdicts = situation.open_verdicts()?;
    // Cells may hold lists and paragraphs.
    let is_cell = |index: usize| {
        matches!(situation.kinds[index], kind::CELL | kind::LIST_ITEM | kind::PARAGRAPH)
            && tables[index] >= 0
            && situation.is_shown(index)
    };
    let mut cells: BTreeMap<i32, [usize; 3]> = BTreeMap::new();
    // A column that is dropped as a whole is one of buttons.
    let column = |index: usize| (tables[index], situation.blocks.table.column[index]);
    let kept_columns: BTreeSet<(i32, i32)> =
        (0..situation.len()).filter(|&index| is_cell(index) && situation.keep[index]).map(column).collect();
    let row = |index: usize| (tables[index], situation.blocks.table.row[index]);
    let kept_rows: BTreeSet<(i32, i32)> =
        (0..situation.len()).filter(|&index| is_cell(index) && situation.keep[index]).map(row).collect();
    let is_number = |index: usize| {
        situation.blocks.table.column[index] == 0
            && situation.length(index) <= LONGEST_NUMBER
            && kept_rows.contains(&row(index))
            && kept_columns.contains(&column(index))
    };
    for index in (0..situation.len()).filter(|&index| is_cell(index)) {
        let [kept, all, headers] = cells.entry(tables[index]).or_default();
        *kept += usize::from(situation.keep[index]);
        *all += 1;
        let cell = situation.blocks.table.cell[index].max(0) as usize;
        *headers += usize::from(page.tag[cell] == HEADER_CELL);
    }
    let rows: BTreeSet<(i32, i32)> = (0..situation.len()).filter(|&index| is_cell(index)).map(row).collect();
    let count = |rows: &BTreeSet<(i32, i32)>, table: i32| rows.range((table, 0)..(table + 1, 0)).count();
    let has_most_rows = |table: &i32| count(&kept_rows, *table) as f64 >= MOST_ROWS * count(&rows, *table) as f64;
    let with_most_rows: BTreeSet<i32> = cells.keys().copied().filter(has_most_rows).collect();
    for index in (0..situation.len()).filter(|&index| is_cell(index) && !situation.keep[index]) {
        let [kept, all, headers] = cells[&tables[index]];
        let share = if kept_columns.contains(&column(index)) { DOUBT_OF_CELLS } else { DOUBT };
        let least = (share * situation.threshold) as f32;
        let is_of_rest = headers > 0 || is_number(index);
        let is_mostly_kept = kept as f64 >= MOST * all as f64 || with_most_rows.contains(&tables[index]);
        if is_of_rest && is_mostly_kept && situation.scores[index] >= least {
            verdicts[index] = KEEP;
        }
    }
    Ok(verdicts)
}

/// The dropped blocks of what somebody says to a language model, near kept text: a short question before a long answer.
fn turns_beside_text(situation: &Situation) -> Vec<usize> {
    let turns = turns_of_conversation(situation.page, situation.structures, situation.blocks);
    let is_kept = |index: usize| situation.keep[index] && situation.is_shown(index);
    let is_beside_text = |index: usize| {
        let end = (index + REACH + 1).min(turns.len());
        situation.kinds[index] != kind::FORM && (index.saturating_sub(REACH)..end).any(is_kept)
    };
    let is_dropped = |&index: &usize| turns[index] >= 0 && situation.is_shown(index) && !situation.keep[index];
    (0..turns.len()).filter(is_dropped).filter(|&index| is_beside_text(index)).collect()
}

/// Keep callouts and posts of other sites whole if the text around them is kept, or some of their own; and lists and
/// quotations between the paragraphs of a kept text.
pub fn parts_set_apart(situation: &Situation) -> Result<Vec<i8>, Failure> {
    let parts = parts_apart(situation.page, situation.structures, situation.blocks);
    let mut lists = lists_between_texts(situation, &parts);
    lists.extend(lists_like_kept_ones(situation));
    lists.extend(holes_of_lists(situation));
    lists.extend(turns_beside_text(situation));
    if parts.is_empty() && lists.is_empty() {
        return situation.no_verdicts();
    }
    let mut verdicts = situation.open_verdicts()?;
    lists.into_iter().for_each(|index| verdicts[index] = KEEP);
    if parts.is_empty() {
        return Ok(verdicts);
    }
    let shown: Vec<usize> = (0..situation.len()).filter(|&index| situation.is_shown(index)).collect();
    // Captions, buttons and other such parts say nothing about the text around.
    // Neither does a link to the picture of a figure.
    let segments = &situation.blocks.segments;
    let is_link = |index: usize| segments.link_length[index] >= segments.length[index];
    let is_text = |index: usize| !matches!(situation.kinds[index], kind::CAPTION | kind::FORM) && !is_link(index);
    // Several parts may follow each other: a table and a figure.
    let others: Vec<usize> = shown.iter().copied().filter(|&index| parts[index] < 0).collect();
    let text_before = |place: usize| others[..place].iter().rev().take(REACH).copied().find(|&index| is_text(index));
    let text_after = |place: usize| others[place..].iter().take(REACH).copied().find(|&index| is_text(index));
    let is_kept_text = |text: Option<usize>| text.is_some_and(|index| situation.keep[index]);
    let rows = &segments.first_row;
    // What is in the same element as a part, and before it, is in the text that it ends.
    let is_beside = |text: Option<usize>, part: i32| {
        let around = situation.page.parent[part.max(0) as usize];
        text.is_some_and(|index| rows[index] > around)
    };
    let mut start = 0;
    while start < shown.len() {
        let part = parts[shown[start]];
        let end = start + shown[start..].iter().take_while(|&&index| parts[index] == part).count();
        let place = others.partition_point(|&index| index < shown[start]);
        let before = text_before(place);
        let is_enclosed = is_kept_text(before) && is_kept_text(text_after(place));
        let has_kept = || shown[start..end].iter().any(|&index| situation.keep[index]);
        let ends_text =
            || is_kept_text(before) && is_beside(before, part) && is_likely_on_average(situation, &shown[start..end]);
        let stays = || match stays_whole(situation.page, situation.structures, part as usize) {
            true => is_enclosed || has_kept() || ends_text(),
            false => is_enclosed && !has_kept() && !situation.is_forum,
        };
        if part >= 0 && stays() {
            shown[start..end].iter().for_each(|&index| verdicts[index] = KEEP);
        }
        start = end;
    }
    keep_silent_titles(situation, &mut verdicts);
    Ok(verdicts)
}

/// Whether the blocks of a part are doubtful on average, and not sure to be dropped.
pub fn is_likely_on_average(situation: &Situation, blocks: &[usize]) -> bool {
    let total: f64 = blocks.iter().map(|&index| f64::from(situation.scores[index])).sum();
    total >= DOUBT * situation.threshold * blocks.len() as f64
}

/// Keeps the titles of callouts that only screen readers pass over, which hear the label of the whole: Starlight.
fn keep_silent_titles(situation: &Situation, verdicts: &mut [i8]) {
    let (page, segments) = (situation.page, &situation.blocks.segments);
    for &title in &situation.structures.callouts.titles {
        if page.attribute(title, ARIA_HIDDEN).is_some() {
            let mut inside =
                segments.beginning_in(page, title).take(BEGINNING).skip_while(|&index| situation.keep[index]);
            let is_next_kept =
                |&index: &usize| verdicts.get(index + 1) == Some(&KEEP) || situation.keep.get(index + 1) == Some(&true);
            if let Some(index) = inside.next().filter(is_next_kept) {
                verdicts[index] = KEEP;
            }
        }
    }
}

/// Whether a block is in an area of code.
fn is_in_area(situation: &Situation, index: usize) -> bool {
    situation.code_areas.get(index).is_some_and(|&row| row >= 0)
}

/// Whether a block is code.
pub fn is_code(situation: &Situation, index: usize) -> bool {
    situation.kinds[index] == kind::CODE || is_in_area(situation, index)
}

/// Whether a block is shown, and its score is near the threshold.
fn is_doubtful(situation: &Situation, index: usize) -> bool {
    let threshold = situation.threshold;
    let (least, most) = ((DOUBT * threshold) as f32, (threshold + DOUBT * (1.0 - threshold)) as f32);
    situation.is_shown(index) && situation.scores[index] >= least && situation.scores[index] < most
}

/// The wanted blocks that have others before and after them, each with the closest of these.
fn between(
    count: usize,
    is_wanted: impl Fn(usize) -> bool,
    is_other: impl Fn(usize) -> bool,
) -> Vec<(usize, usize, usize)> {
    let (mut found, mut waiting) = (Vec::new(), Vec::new());
    let mut before = None;
    for index in 0..count {
        if is_other(index) {
            found.extend(waiting.drain(..).map(|(wanted, before)| (wanted, before, index)));
            before = Some(index);
        } else if let (Some(before), true) = (before, is_wanted(index)) {
            waiting.push((index, before));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_on_both_sides() {
        let found = between(7, |index| [0, 2, 3, 6].contains(&index), |index| index == 1 || index == 4);
        assert_eq!(found, [(2, 1, 4), (3, 1, 4)]);
    }
}
