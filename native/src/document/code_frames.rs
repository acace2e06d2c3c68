//! What tools put around code: copy buttons, the name of the language, the name of a file.
//!
//! It is looked for in the elements that have hardly any text besides the code, and right beside these.
#![forbid(unsafe_code)]

use super::code::{code_language, language_in_header, wrappers};
use super::code_languages::language_of_file;
use super::code_parts::{core_of, has_class, has_part_of_class, DIAGRAM, SIGNATURE};
use super::source::{show, Source};
use super::steps::count;
use crate::blocks::characters::{is_space, strip};
use crate::blocks::code_areas::CodeAreas;
use crate::blocks::kinds::kind;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::number_of;
use std::collections::HashMap;

const BUTTON: i32 = number_of("button");
const TEXTAREA: i32 = number_of("textarea");
/// Blocks looked at on each side of an area.
const REACH: usize = 6;
/// Bytes of the longest name of a file, or words on a button.
const LONGEST: usize = 80;
/// Characters of the ending of a file's name, at most.
const LONGEST_ENDING: usize = 8;
/// What is part of the classes of frames.
const PARTS_OF_FRAMES: [&str; 10] = [
    "copy",
    "clipboard",
    "toolbar",
    "filename",
    "file-name",
    "code-header",
    "codeheader",
    "code-title",
    "codeblocktitle",
    "code-lang",
];
/// Class around the name of a file that Quarto writes above its code.
const NAME_BY_QUARTO: &str = "code-with-filename-file";
/// What buttons of code say, in lower case.
#[rustfmt::skip]
const WORDS_ON_BUTTONS: [&str; 34] = [
    "copy", "copy code", "copied", "copied!", "copy to clipboard", "copy snippet", "copy text", "copy link", "wrap lines",
    "wrap text", "toggle word wrap", "expand", "collapse", "expand code", "show more", "run", "run code", "▶ run", "download",
    "raw", "view raw", "edit", "try it", "explain", "fullscreen", "enter fullscreen mode", "exit fullscreen mode", "?",
    "print", "open in app",
    // For listeners, above the frame that Expressive Code draws; on Juejin, and on sites of Tencent.
    "terminal window", "复制代码", "复制", "open cloud shell",
];

/// m entries, or none if there is no code: row of the area, or of the listing in a post, that a block is in, or -1.
fn areas_of_blocks(source: &Source) -> Vec<i32> {
    let areas = &source.structures.code_areas;
    // Plain text has these as they are.
    let is_code = |row: &usize| !source.shows(show::PLAIN) || !has_class(source.page, *row, &[DIAGRAM, SIGNATURE]);
    let listings: Vec<usize> = source.structures.listings.iter().copied().filter(is_code).collect();
    if listings.is_empty() {
        return areas.of_blocks(source.page, &source.blocks.segments);
    }
    let apart = listings.into_iter().filter(|&row| areas.around(source.page, row).is_none());
    let mut rows: Vec<usize> = areas.rows.iter().copied().chain(apart).collect();
    rows.sort_unstable();
    CodeAreas { rows }.of_blocks(source.page, &source.blocks.segments)
}

/// The code of a page: which blocks are part of it, and which only frame it.
#[derive(Debug, Default)]
pub struct CodeBlocks {
    /// m entries, or none if there is no code: row of the area that a block is in, or -1.
    area: Vec<i32>,
    /// m entries, or none: whether a block is only the frame of code.
    is_frame: Vec<bool>,
    /// Row of an area -> its language, where a header says it.
    languages: HashMap<usize, &'static str>,
}

impl CodeBlocks {
    /// Those of a page.
    pub fn new(source: &Source) -> Self {
        let area = areas_of_blocks(source);
        let mut found = CodeBlocks { is_frame: vec![false; area.len()], area, languages: HashMap::new() };
        let mut block = 0;
        while block < found.area.len() {
            let start = block;
            block += 1;
            if found.area[start] >= 0 {
                while found.area.get(block) == Some(&found.area[start]) {
                    block += 1;
                }
                found.look_around(source, found.area[start] as usize, start, block);
            }
        }
        found.leave_out_names(source);
        found.name_files(source);
        found.leave_out_twins(source);
        found
    }

    /// Gives the first listing under the name of a file the language of that file: GitHub's view of one, for example.
    fn name_files(&mut self, source: &Source) {
        let mut file = None;
        for block in 0..self.area.len() {
            if self.area[block] < 0 {
                let is_heading = source.kind(block) == kind::HEADING;
                // Headings for screen readers are between the name and the file.
                file = if is_heading { named_file(strip(source.text(block))).or(file) } else { file };
            } else if let Some(language) = file.take() {
                self.languages.entry(self.area[block] as usize).or_insert(language);
            }
        }
    }

    /// Leaves out the names of files that Quarto writes as listings of their own. Plain text has them as they are.
    fn leave_out_names(&mut self, source: &Source) {
        let mut named: Option<usize> = None;
        for block in 0..if source.shows(show::PLAIN) { 0 } else { self.area.len() } {
            let area = match usize::try_from(self.area[block]) {
                Ok(area) => area,
                Err(_) => continue,
            };
            let text = strip(source.text(block));
            let around = source.page.parent[area].max(0) as usize;
            if has_class(source.page, around, &[NAME_BY_QUARTO]) && text.len() <= LONGEST {
                self.is_frame[block] = true;
                named = Some(block);
            } else if let Some(language) = named.take().and_then(|name| named_file(strip(source.text(name)))) {
                self.languages.entry(area).or_insert(language);
            }
        }
    }

    /// Leaves out the hidden lines beside a `<textarea>` with the whole file.
    fn leave_out_twins(&mut self, source: &Source) {
        if source.structures.code_areas.rows.iter().any(|&row| source.page.tag[row] == TEXTAREA) {
            for block in 0..self.area.len() {
                self.is_frame[block] |= self.area[block] >= 0 && source.is_hidden(block);
            }
        }
    }

    /// Row of the area that a block is in; -1 for none.
    pub fn area_of(&self, block: usize) -> i32 {
        self.area.get(block).copied().unwrap_or(-1)
    }

    /// Whether a block is only the frame of code.
    pub fn is_frame(&self, block: usize) -> bool {
        self.is_frame.get(block).is_some_and(|&is_frame| is_frame)
    }

    /// The language of an area.
    pub fn language<'a>(&self, page: &PageView<'a>, area: usize) -> &'a str {
        Some(code_language(page, area))
            .filter(|name| !name.is_empty())
            .or_else(|| self.languages.get(&area).copied())
            .unwrap_or("")
    }

    /// Finds the frame of an area, whose blocks are `start` to `end`.
    fn look_around(&mut self, source: &Source, area: usize, start: usize, end: usize) {
        let page = source.page;
        self.look_inside(page, area);
        let wrapper = wrappers(page, area).last();
        let is_in_wrapper = |block: usize| {
            let row = source.rows(block).0;
            wrapper.is_some_and(|wrapper| wrapper <= row && row < page.subtree_end[wrapper] as usize)
        };
        let before = (0..start).rev().take(REACH);
        let after = (end..self.area.len()).take(REACH);
        for (block, is_before) in before.map(|block| (block, true)).chain(after.map(|block| (block, false))) {
            count(1);
            if self.area[block] >= 0 || !(is_in_wrapper(block) || is_beside(block, start, end)) {
                continue;
            }
            let text = strip(source.text(block));
            let language = language_in_header(text).filter(|_| is_before && is_in_wrapper(block));
            if let Some(language) = language.or_else(|| named_file(text).filter(|_| is_before && is_in_wrapper(block)))
            {
                self.languages.entry(area).or_insert(language);
            }
            let is_frame = language.is_some()
                || is_button(source, block, text)
                || (is_in_wrapper(block) && is_bar(source, block, text));
            self.is_frame[block] |= is_frame;
        }
    }

    /// Finds the language in a header inside the area.
    fn look_inside(&mut self, page: &PageView, area: usize) {
        let core = core_of(page, area);
        if core == area {
            return;
        }
        let texts = (area + 1..core).filter(|&row| page.is_text(row)).take(REACH);
        if let Some(language) = texts.filter_map(|row| language_in_header(page.text_between(row, row))).next() {
            self.languages.insert(area, language);
        }
    }
}

/// Whether a block is the one right before or after some others.
fn is_beside(block: usize, start: usize, end: usize) -> bool {
    block + 1 == start || block == end
}

/// Whether a block is a button for the code beside it.
fn is_button(source: &Source, block: usize, text: &str) -> bool {
    let says_it = || WORDS_ON_BUTTONS.contains(&text.to_lowercase().as_str());
    text.len() <= LONGEST && source.kind(block) != kind::HEADING && says_it()
}

/// Whether a block in the wrapper of code is part of a bar: a button, or the name of a file.
fn is_bar(source: &Source, block: usize, text: &str) -> bool {
    let page = source.page;
    let (first, _) = source.rows(block);
    let is_framed = |row: usize| page.tag[row] == BUTTON || has_part_of_class(page, row, &PARTS_OF_FRAMES);
    text.len() <= LONGEST && (is_file_name(text) || page.ancestors(first).take(3).any(is_framed))
}

/// The language of the file that a text names.
fn named_file(text: &str) -> Option<&'static str> {
    Some(text).filter(|text| is_file_name(text)).and_then(language_of_file)
}

/// Whether a text is the name of a file: `src/main.rs`, `.env`, `Makefile`.
pub fn is_file_name(text: &str) -> bool {
    if text.contains(is_space) {
        return false;
    }
    let name = text.rsplit(['/', '\\'].as_slice()).next().unwrap_or("");
    let has_ending = name.rsplit_once('.').is_some_and(|(_, ending)| {
        (1..=LONGEST_ENDING).contains(&ending.len()) && ending.chars().all(|letter| letter.is_ascii_alphanumeric())
    });
    has_ending || matches!(name, "Makefile" | "Dockerfile" | "Gemfile")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files() {
        for name in ["main.rs", "src/app/page.tsx", ".env", "a\\b.c", "Makefile", "next.config.mjs"] {
            assert!(is_file_name(name), "{name}");
        }
        for text in ["", "Example", "See main.rs", "Note.", "e.g. this", "a.verylongending"] {
            assert!(!is_file_name(text), "{text}");
        }
    }
}
