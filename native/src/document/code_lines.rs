//! The text of an area of code, line by line, with all indentation and without line numbers and buttons.
//!
//! Tools end lines with newlines, with `<br>`, by giving each line an element, or by two of these at once: then the
//! newline after an element is the end of its line and no other one.
#![forbid(unsafe_code)]

use super::code_parts::{
    core_of, first_numbers, has_class, has_lines_as_children, has_number, is_apart, is_exact, is_line, is_no_code,
    is_of_writerside,
};
use super::line_numbers::numbers_before_lines;
use super::source::Source;
use super::steps::count;
use crate::blocks::characters::strip;
use crate::blocks::code_areas::CODE_OF_DISTILL;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{number_of, set};
use crate::blocks::white_space::{shown_character, LINE_SEPARATOR};
use crate::html::attributes::STYLE;

const CODE: i32 = number_of("code");
/// Blanks between the numbers of lines and the code, where they are part of the text.
const AFTER_NUMBERS: usize = 1;
/// Class of the element around lines with a place each.
const POSITIONED_LINES: &str = "view-lines";
const NO_BREAK_SPACE: char = '\u{a0}';
const BLANKS: [char; 2] = [' ', '\t'];
const LINE_ENDS: [char; 2] = ['\n', '\r'];

/// Appends the code of an area, of which some blocks are kept.
pub fn append_code(source: &Source, area: usize, blocks: &[usize], output: &mut String) {
    let page = source.page;
    let core = core_of(page, area);
    if let Some(order) = order_of_lines(page, core) {
        return append_ordered(source, &order, output);
    }
    let begin = output.len();
    let is_of_editor = !page.is_in(area, set::PREFORMATTED) || (core != area && page.tag[core] != CODE);
    let mut lines = Lines { output, begin, is_ended: false, has_text: false, is_after_newline: false, is_of_editor };
    let mut walk = Walk { page, open: Vec::new(), exact_end: 0, lines_of: usize::MAX };
    let text = page.text_within(core);
    // Where `<br>` ends lines, newlines are only blanks.
    let is_of_distill = page.tag_name(page.tag[core]) == CODE_OF_DISTILL;
    let shows_newlines =
        (page.tag[core] == CODE || is_of_distill) && text.contains('\n') && !text.contains(LINE_SEPARATOR);
    let is_exact_here = shows_newlines || is_of_writerside(page, core) || is_inside_exact(page, core);
    walk.exact_end = if is_exact_here { page.subtree_end[core] as usize } else { 0 };
    walk.find_lines(core);
    let mut shown = blocks.iter().map(|&block| source.rows(block)).peekable();
    let first_numbers = first_numbers(page, area);
    let mut numbers = numbers_before_lines(page, core).into_iter().peekable();
    let mut is_numbered = false;
    let mut row = core + 1;
    while row < page.subtree_end[core] as usize {
        count(1);
        if numbers.next_if_eq(&row).is_some() {
            is_numbered = true;
            row = page.subtree_end[row] as usize;
            continue;
        }
        walk.close_lines(row, &mut lines);
        if !page.is_text(row) {
            let begins_line = lines.is_ended || !lines.has_text;
            if !begins_line && is_apart(page, area, row) {
                lines.add_blank();
            }
            row = if is_no_code(page, row, begins_line) || first_numbers == Some(row) {
                is_numbered |= has_number(page, row);
                page.subtree_end[row] as usize
            } else {
                walk.open(row, &mut lines)
            };
            continue;
        }
        while shown.peek().is_some_and(|&(_, last)| last < row) {
            shown.next();
        }
        let is_shown = page.hidden[row] == page.hidden[core] && shown.peek().is_some_and(|&(first, _)| first <= row);
        if is_shown || page.text_length[row] == 0 {
            lines.add(page.text_between(row, row), row < walk.exact_end);
        }
        row += 1;
    }
    lines.end();
    if is_of_distill || (is_numbered && indentation_of(&output[begin..]) == AFTER_NUMBERS) {
        take_indentation_off(output, begin);
    }
    empty_blank_lines(output, begin);
}

/// How many blanks all lines of a listing begin with.
fn indentation_of(code: &str) -> usize {
    let blanks = |line: &str| line.len() - line.trim_start_matches(BLANKS.as_slice()).len();
    code.split('\n').filter(|line| !strip(line).is_empty()).map(blanks).min().unwrap_or(0)
}

/// Takes off the blanks that all lines from some place on begin with: the element is indented like those around it.
fn take_indentation_off(output: &mut String, begin: usize) {
    let code = output.split_off(begin);
    let least = indentation_of(&code);
    for (number, line) in code.split('\n').enumerate() {
        output.push_str(if number > 0 { "\n" } else { "" });
        output.push_str(line.get(least..).unwrap_or(""));
    }
}

/// Takes off the blank that tools write into a line to give it its height.
fn empty_blank_lines(output: &mut String, begin: usize) {
    let is_blank = |line: &str| line == " " || line.strip_prefix(NO_BREAK_SPACE) == Some("");
    if output[begin..].split('\n').any(is_blank) {
        let code = output.split_off(begin);
        for (number, line) in code.split('\n').enumerate() {
            output.push_str(if number > 0 { "\n" } else { "" });
            output.push_str(if is_blank(line) { "" } else { line });
        }
    }
}

/// The lines of an editor that draws them in the order of their changes, by the places that their styles give.
fn order_of_lines(page: &PageView, core: usize) -> Option<Vec<usize>> {
    if !has_class(page, core, &[POSITIONED_LINES]) {
        return None;
    }
    let mut lines: Vec<(f64, usize)> = Vec::new();
    let mut row = core + 1;
    while row < page.subtree_end[core] as usize {
        count(1);
        if !page.is_text(row) {
            let style = page.value(row, STYLE)?;
            let (_, after) = style.split_once("top:")?;
            let pixels = strip(after.split(';').next()?).strip_suffix("px")?.parse().ok()?;
            lines.push((pixels, row));
        }
        row = page.subtree_end[row] as usize;
    }
    lines.sort_by(|left, right| left.0.total_cmp(&right.0));
    Some(lines.into_iter().map(|(_, row)| row).collect())
}

/// Appends lines in an order.
fn append_ordered(source: &Source, lines: &[usize], output: &mut String) {
    for (number, &line) in lines.iter().enumerate() {
        output.push_str(if number > 0 { "\n" } else { "" });
        output.extend(source.page.text_within(line).chars().filter_map(edited_character));
    }
}

/// Whether an element, or one around it, shows white space as it is written.
fn is_inside_exact(page: &PageView, row: usize) -> bool {
    let mut outer = row as i32;
    while outer >= 0 {
        count(1);
        if is_exact(page, outer as usize) {
            return true;
        }
        outer = page.parent[outer as usize];
    }
    false
}

/// The way through the elements of an area.
struct Walk<'a> {
    page: &'a PageView<'a>,
    /// Open lines: where each ends, and how much was written when it began.
    open: Vec<(usize, usize)>,
    /// Until where white space is shown as it is written.
    exact_end: usize,
    /// Row of the element whose children are lines though nothing says so.
    lines_of: usize,
}

impl Walk<'_> {
    /// Enters an element; returns the next row.
    fn open(&mut self, row: usize, lines: &mut Lines) -> usize {
        let end = self.page.subtree_end[row] as usize;
        if is_exact(self.page, row) {
            self.exact_end = self.exact_end.max(end);
        }
        if is_line(self.page, row) || self.page.parent[row] == self.lines_of as i32 {
            lines.begin_line();
            self.open.push((end, lines.output.len()));
        }
        self.find_lines(row);
        row + 1
    }

    /// Notes whether the children of an element are its lines.
    fn find_lines(&mut self, row: usize) {
        if self.lines_of == usize::MAX && has_lines_as_children(self.page, row) {
            self.lines_of = row;
        }
    }

    /// Ends the lines whose elements end before a row.
    fn close_lines(&mut self, row: usize, lines: &mut Lines) {
        while self.open.last().is_some_and(|&(end, _)| end <= row) {
            if let Some((_, length)) = self.open.pop() {
                lines.is_ended = lines.output.len() <= length || !lines.output.ends_with('\n');
            }
        }
    }
}

/// Lines being written.
struct Lines<'a> {
    output: &'a mut String,
    begin: usize,
    /// Whether the element of a line has ended, but the line has not.
    is_ended: bool,
    /// Whether there is anything but blanks on the current line.
    has_text: bool,
    /// Whether a blank that stands for a newline was written last.
    is_after_newline: bool,
    /// Whether a tool wrote it, not the author of a `<pre>`.
    is_of_editor: bool,
}

impl Lines<'_> {
    /// Adds a character.
    fn push(&mut self, character: char) {
        self.has_text = character != '\n' && (self.has_text || !BLANKS.contains(&character));
        self.is_after_newline = false;
        self.output.push(character);
    }

    /// Adds a blank, if there is none.
    fn add_blank(&mut self) {
        if !self.output.ends_with(BLANKS.as_slice()) {
            self.push(' ');
        }
    }

    /// Begins a line with an element of its own.
    fn begin_line(&mut self) {
        if self.is_ended || self.has_text {
            self.end_line();
        } else {
            let length = self.output[self.begin..].trim_end_matches(BLANKS.as_slice()).len();
            self.output.truncate(self.begin + length);
        }
    }

    /// Ends a line, without the blank that a newline in the source has left.
    fn end_line(&mut self) {
        if self.is_after_newline && self.output.ends_with(' ') {
            self.output.pop();
        }
        self.push('\n');
        self.is_ended = false;
    }

    /// Adds text as it is written, or with its white space folded.
    fn add(&mut self, text: &str, is_exact: bool) {
        count(text.len());
        let mut text = text;
        if self.is_ended {
            let after_blanks = text.trim_start_matches(BLANKS.as_slice());
            if after_blanks.is_empty() {
                return;
            }
            if !is_exact && after_blanks.trim_start().is_empty() && !after_blanks.contains(LINE_SEPARATOR) {
                return; // between the lines of an editor
            }
            self.end_line();
            text = after_blanks.strip_prefix(['\n', LINE_SEPARATOR].as_slice()).unwrap_or(text);
        }
        if is_exact {
            self.add_characters(text);
        } else {
            self.add_folded(text);
        }
    }

    /// Adds text in which newlines and the blanks around them are only blanks.
    fn add_folded(&mut self, text: &str) {
        for (number, part) in text.split('\n').enumerate() {
            let part = if number > 0 { part.trim_start_matches(BLANKS.as_slice()) } else { part };
            if number > 0 && self.has_text && !self.output.ends_with(BLANKS.as_slice()) {
                self.push(' ');
                self.is_after_newline = true;
            }
            self.add_characters(part);
        }
    }

    /// Adds what characters show.
    fn add_characters(&mut self, text: &str) {
        let read = if self.is_of_editor { edited_character } else { code_character };
        text.chars().filter_map(read).for_each(|character| self.push(character));
    }

    /// Takes off empty lines at both ends.
    fn end(self) {
        if self.is_after_newline {
            self.output.pop();
        }
        // A box around the code is set apart by a blank.
        if self.is_of_editor && self.output[self.begin..].ends_with(' ') {
            self.output.pop();
        }
        let code = &self.output[self.begin..];
        let end = code.trim_end_matches(LINE_ENDS.as_slice()).len();
        let kept = code[..end].trim_start_matches(LINE_ENDS.as_slice()).len();
        self.output.truncate(self.begin + end);
        self.output.replace_range(self.begin..self.begin + end - kept, "");
    }
}

/// What a character of a page shows in code.
fn code_character(character: char) -> Option<char> {
    if character == LINE_SEPARATOR {
        return Some('\n');
    }
    shown_character(character)
}

/// The same in what a tool wrote: no-break spaces keep its blanks apart, and characters of no width its lines open.
fn edited_character(character: char) -> Option<char> {
    match character {
        NO_BREAK_SPACE => Some(' '),
        '\r' | '\u{200b}' | '\u{feff}' => None,
        other => code_character(other),
    }
}
