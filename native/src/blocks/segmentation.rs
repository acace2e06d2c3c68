//! Cutting a page into blocks: maximal runs of text that no block-level tag or `<br><br>` interrupts.
//!
//! One pass over the rows. A run may be partly hidden: then its visible part and its hidden part are two blocks.
#![forbid(unsafe_code)]

use super::characters::property_of;
use super::page_view::{entry, PageView};
use super::tags::{number_of, set};
use super::white_space::{append_exact, append_folded};
use crate::stopping::may_stop;

const DRAWING: i32 = number_of("svg");
/// Rows for each block of most pages: as many blocks have room before columns grow.
const ROWS_A_BLOCK: usize = 8;

/// The texts of m blocks in one buffer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    /// Each text followed by a NUL, which no text contains.
    pub joined: String,
    /// m + 1 entries: where each text begins, in bytes.
    pub start: Vec<i64>,
}

impl Texts {
    /// One of the texts.
    pub fn get(&self, index: usize) -> &str {
        &self.joined[self.start[index] as usize..self.start[index + 1] as usize - 1]
    }

    /// The first byte of a text, or the NUL that follows if it is empty.
    #[inline]
    pub fn first_byte(&self, index: usize) -> u8 {
        self.joined.as_bytes()[self.start[index] as usize]
    }
}

/// The m blocks of a page, in document order. One entry per block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Segments {
    /// White space as a browser shows it: runs folded to one blank, `<br>` a newline, `<pre>` exact.
    pub texts: Texts,
    /// First text row that is not blank.
    pub first_row: Vec<i32>,
    /// The last one; rows between may be of another block if `hidden` differs.
    pub last_row: Vec<i32>,
    /// Row of the closest block-level element.
    pub owner: Vec<i32>,
    /// 1 if the text is in the page, but a browser does not show it; else 0.
    pub hidden: Vec<u8>,
    /// Characters, white space around inline elements not counted.
    pub length: Vec<i32>,
    /// Characters inside links.
    pub link_length: Vec<i32>,
}

impl Segments {
    /// None, and room for about so many.
    fn with_room_for(blocks: usize) -> Self {
        Segments {
            texts: Texts { joined: String::new(), start: Vec::with_capacity(blocks + 1) },
            first_row: Vec::with_capacity(blocks),
            last_row: Vec::with_capacity(blocks),
            owner: Vec::with_capacity(blocks),
            hidden: Vec::with_capacity(blocks),
            length: Vec::with_capacity(blocks),
            link_length: Vec::with_capacity(blocks),
        }
    }

    /// The number of blocks.
    pub fn len(&self) -> usize {
        self.first_row.len()
    }

    /// Whether there are no blocks.
    pub fn is_empty(&self) -> bool {
        self.first_row.is_empty()
    }

    /// The blocks that begin in an element.
    pub fn beginning_in<'b>(&'b self, page: &PageView, row: usize) -> impl Iterator<Item = usize> + 'b {
        let end = page.subtree_end[row];
        let first = self.first_row.partition_point(|&first| (first as usize) < row);
        (first..self.len()).take_while(move |&index| self.first_row[index] < end)
    }

    /// The share of a block's characters that are link text.
    pub fn link_share(&self, index: usize) -> f32 {
        (f64::from(self.link_length[index]) / f64::from(self.length[index].max(1))) as f32
    }
}

/// The blocks of a page, in document order. Hidden text forms blocks of its own, marked.
pub fn segment(page: &PageView) -> Segments {
    let mut cutting = Cutting::new(page);
    let columns = page.tag.iter().zip(page.flags).zip(page.text_length).zip(page.subtree_end);
    for (row, (((&tag, &flags), &length), &end)) in columns.enumerate() {
        cutting.note_block(row, flags, end as usize);
        // Most rows are none of these.
        if flags & (set::LINK | set::PREFORMATTED | set::LINE_BREAK) != 0 || tag == DRAWING {
            cutting.note_enclosing(row, tag, flags, end as usize);
        }
        if length > 0 {
            cutting.read_text(row, length);
        }
    }
    cutting.end_run();
    cutting.segments
}

/// The visible or the hidden part of a run.
#[derive(Clone, Copy)]
struct Part {
    first: usize,
    last: usize,
    length: i32,
    link_length: i32,
    is_preformatted: bool,
}

/// A page being cut.
struct Cutting<'a> {
    page: &'a PageView<'a>,
    segments: Segments,
    /// The current run: its visible and its hidden part.
    parts: [Option<Part>; 2],
    /// Whether something separates the next text from the current run.
    is_separated: bool,
    /// One entry per row and one more: whether a block-level element ends there.
    ends_block: Vec<bool>,
    /// One entry per row: the closest block-level element at or above it.
    closest_block: Vec<i32>,
    /// Where the outermost drawing, link and preformatted element end that the current row is in.
    drawing_end: usize,
    link_end: usize,
    preformatted_end: usize,
    /// Whether nothing visible came since the last line break.
    after_line_break: bool,
    /// Where the text of the block before ends.
    end_before: usize,
}

impl<'a> Cutting<'a> {
    /// Before the first row.
    fn new(page: &'a PageView<'a>) -> Self {
        let mut segments = Segments::with_room_for(page.len() / ROWS_A_BLOCK);
        segments.texts.joined.reserve(page.text.len());
        segments.texts.start.push(0);
        Cutting {
            page,
            segments,
            parts: [None, None],
            is_separated: false,
            ends_block: vec![false; page.len() + 1],
            closest_block: vec![-1; page.len()],
            drawing_end: 0,
            link_end: 0,
            preformatted_end: 0,
            after_line_break: false,
            end_before: 0,
        }
    }

    /// Notes what a row separates. Texts are no blocks: to ask for them takes longer, as no processor can foresee which rows
    /// are.
    #[inline(always)]
    fn note_block(&mut self, row: usize, flags: u16, end: usize) {
        // Nothing cuts text inside a drawing, whose titles and labels may stand amid a sentence.
        let is_block = (flags & set::BLOCK != 0) & (row >= self.drawing_end);
        self.is_separated |= self.ends_block[row] | is_block;
        self.ends_block[end] |= is_block;
        let above = entry(&self.closest_block, self.page.parent[row]);
        self.closest_block[row] = if is_block { row as i32 } else { above };
    }

    /// Notes links, preformatted elements, line breaks and drawings.
    fn note_enclosing(&mut self, row: usize, tag: i32, flags: u16, end: usize) {
        if flags & set::LINK != 0 {
            self.link_end = self.link_end.max(end);
        }
        if flags & set::PREFORMATTED != 0 {
            self.preformatted_end = self.preformatted_end.max(end);
        }
        if flags & set::LINE_BREAK != 0 {
            // A break after a break, with nothing to see between them, is an empty line: it separates like a paragraph.
            self.is_separated |= self.after_line_break && row >= self.preformatted_end;
            self.after_line_break = true;
        }
        if tag == DRAWING {
            self.drawing_end = self.drawing_end.max(end);
        }
    }

    /// Adds a text row that is not blank to the current run, or to a new one.
    fn read_text(&mut self, row: usize, length: i32) {
        let is_hidden = self.page.hidden[row] != 0;
        self.after_line_break &= is_hidden;
        if self.is_separated {
            self.end_run();
        }
        let part = self.parts[usize::from(is_hidden)].get_or_insert(Part {
            first: row,
            last: row,
            length: 0,
            link_length: 0,
            is_preformatted: row < self.preformatted_end,
        });
        part.last = row;
        part.length += length;
        part.link_length += if row < self.link_end { length } else { 0 };
    }

    /// Makes blocks of the current run: of its visible part, then of its hidden one.
    fn end_run(&mut self) {
        may_stop();
        self.is_separated = false;
        let parts = std::mem::take(&mut self.parts);
        let is_interrupted = parts.iter().all(Option::is_some);
        for part in parts.iter().flatten() {
            self.write_text(part, is_interrupted);
            self.end_before = self.page.text_end(part.last);
            let begin = self.segments.texts.start[self.segments.len()] as usize;
            // Text of control characters alone makes no block.
            if self.segments.texts.joined.len() > begin {
                self.add_block(part);
            }
        }
    }

    /// Adds a block whose text is already written.
    fn add_block(&mut self, part: &Part) {
        let segments = &mut self.segments;
        segments.texts.joined.push('\0');
        segments.texts.start.push(segments.texts.joined.len() as i64);
        segments.first_row.push(part.first as i32);
        segments.last_row.push(part.last as i32);
        segments.owner.push(entry(&self.closest_block, self.page.parent[part.first]));
        segments.hidden.push(u8::from(self.page.hidden[part.first] != 0));
        segments.length.push(part.length);
        segments.link_length.push(part.link_length);
    }

    /// Writes the text of a block.
    fn write_text(&mut self, part: &Part, is_interrupted: bool) {
        let page = self.page;
        let own;
        let (text, written) = if is_interrupted {
            own = own_part(page, part);
            (own.as_str(), 0..own.len())
        } else {
            (page.text, page.text_start[part.first] as usize..page.text_end(part.last))
        };
        let output = &mut self.segments.texts.joined;
        if part.is_preformatted {
            append_exact(output, indent(page, part.first, self.end_before), &text[written]);
        } else {
            append_folded(output, text, written);
        }
    }
}

/// White space before preformatted text, in text rows of its own: `<pre>  <b>if</b>`.
fn indent<'a>(page: &PageView<'a>, first: usize, end_before: usize) -> &'a str {
    let mut row = page.parent[first];
    while row >= 0 && !page.is_in(row as usize, set::PREFORMATTED) {
        row = page.parent[row as usize];
    }
    let end = page.text_start[first] as usize;
    // Elements below the deepest level there is are no ancestors: then there is no indent.
    let begin = if row < 0 { end } else { page.text_start[row as usize] as usize };
    let before = &page.text[begin.max(end_before).min(end)..end];
    &before[before.trim_end_matches([' ', '\t'].as_slice()).len()..]
}

/// The text of the rows with the same visibility as the first one.
fn own_part(page: &PageView, part: &Part) -> String {
    let is_hidden = page.hidden[part.first] != 0;
    let mut own = String::new();
    for row in (part.first..=part.last).filter(|&row| page.is_text(row)) {
        let text = page.text_between(row, row);
        own.push_str(if (page.hidden[row] != 0) == is_hidden { text } else { trace_of(text, is_hidden) });
    }
    own
}

/// What text of the other visibility leaves inside a hidden or visible text: a space or nothing.
///
/// In visible text, a hidden sign that sets things apart (· | /) still does; hidden words leave nothing.
pub fn trace_of(other: &str, is_hidden: bool) -> &'static str {
    let has_words = || other.chars().any(|each| property_of(each).is_alphanumeric);
    if !is_hidden && has_words() {
        ""
    } else {
        " "
    }
}

#[cfg(test)]
mod tests {
    use super::super::written_pages::{random_markup, WrittenPage};
    use super::*;

    fn texts(markup: &str) -> Vec<String> {
        let page = WrittenPage::new(markup);
        let segments = segment(&page.view());
        (0..segments.len()).map(|index| segments.texts.get(index).to_string()).collect()
    }

    #[test]
    fn block_level_tags_and_empty_lines_separate() {
        assert_eq!(texts("<p>one <b>bold</b></p>two<div>three</div>four"), ["one bold", "two", "three", "four"]);
        assert_eq!(texts("one<br>two<br> <br>three"), ["one\ntwo", "three"]);
        assert_eq!(texts("one<hr>two"), ["one", "two"]);
        assert_eq!(texts("<pre>one<br><br>two</pre>"), ["one\n\ntwo"]);
    }

    #[test]
    fn nothing_separates_inside_a_drawing() {
        assert_eq!(texts("one <svg><p>two</p></svg> three"), ["one two three"]);
    }

    #[test]
    fn hidden_text_forms_blocks_of_its_own() {
        assert_eq!(texts("<p>one <i hidden>two</i> three</p>"), ["one three", "two"]);
        assert_eq!(texts("<p>one<i hidden>·</i>two</p>"), ["one two", "·"]);
        assert_eq!(texts("<p><i hidden>one</i><b>-</b><i hidden>two</i></p>"), ["-", "one two"]);
    }

    #[test]
    fn preformatted_text_keeps_its_indent() {
        assert_eq!(texts("<pre>\n  <b>if</b> x:\n    y\n</pre>"), ["  if x:\n    y"]);
        assert_eq!(texts("<p>one</p><pre> \t<b>two</b></pre>"), ["one", " \ttwo"]);
    }

    #[test]
    fn text_of_control_characters_alone_makes_no_block() {
        assert_eq!(texts("<p>\x01</p><p>one</p>"), ["one"]);
    }

    #[test]
    fn columns_of_a_block() {
        let page = WrittenPage::new("<div>one <a>two</a><i> three</i></div>");
        let segments = segment(&page.view());
        let view = page.view();
        assert_eq!((segments.length[0], segments.link_length[0]), (11, 3));
        assert_eq!(view.tag_name(view.tag[segments.owner[0] as usize]), "div");
        assert_eq!((segments.first_row[0], segments.last_row[0]), (2, 6));
    }

    /// First and last rows and visibility of blocks, from the running count of boundaries.
    fn naive_blocks(page: &PageView) -> Vec<(i32, i32, u8)> {
        let inside = |row: usize, wanted: &dyn Fn(usize) -> bool| {
            (0..=row).any(|outer| wanted(outer) && (page.subtree_end[outer] as usize) > row)
        };
        let is_drawing = |row: usize| page.tag[row] == DRAWING;
        let is_block = |row: usize| page.is_in(row, set::BLOCK) && !inside(row, &is_drawing);
        let is_break = |row: usize| page.is_in(row, set::LINE_BREAK);
        let is_mark = |row: &usize| is_break(*row) || (page.text_length[*row] > 0 && page.hidden[*row] == 0);
        let marks: Vec<usize> = (0..page.len()).filter(is_mark).collect();
        let is_doubled = |row: usize| {
            marks.windows(2).any(|pair| pair[1] == row && is_break(pair[0]) && is_break(row))
                && !inside(row, &|outer| page.is_in(outer, set::PREFORMATTED))
        };
        let mut run = 0;
        let mut rows = Vec::new();
        for row in 0..page.len() {
            let ends = (0..row).any(|other| is_block(other) && page.subtree_end[other] as usize == row);
            run += usize::from(ends || is_block(row) || is_doubled(row));
            if page.text_length[row] > 0 {
                rows.push((run, page.hidden[row], row as i32));
            }
        }
        rows.sort_unstable();
        let mut blocks: Vec<(usize, i32, i32, u8)> = Vec::new();
        for (run, hidden, row) in rows {
            match blocks.last_mut() {
                Some(block) if (block.0, block.3) == (run, hidden) => block.2 = row,
                _ => blocks.push((run, row, row, hidden)),
            }
        }
        blocks.into_iter().map(|(_, first, last, hidden)| (first, last, hidden)).collect()
    }

    #[test]
    fn cuts_like_the_naive_twin() {
        for seed in 0..800 {
            let markup = random_markup(seed);
            let page = WrittenPage::new(&markup);
            let segments = segment(&page.view());
            let found: Vec<_> = (0..segments.len())
                .map(|index| (segments.first_row[index], segments.last_row[index], segments.hidden[index]))
                .collect();
            assert_eq!(found, naive_blocks(&page.view()), "{markup}");
        }
    }
}
