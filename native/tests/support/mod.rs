//! What several tests share: the conformance cases, which live outside the repository, and a page shown as lines.

#![forbid(unsafe_code)]
#![allow(dead_code)]

pub mod json;
pub mod random_pages;

use dehusk_native::columns::Page;
use dehusk_native::html::attributes::ATTRIBUTES;
use dehusk_native::html::tags::{NAMES, TABLE_SIZE, TEXT};
use std::path::{Path, PathBuf};

/// Files of the conformance cases with an ending, in order; nothing, with a message, where there are none.
///
/// They are looked for in `DEHUSK_DATA`, or in `../../shared` beside the repository.
pub fn conformance_files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    let data = std::env::var_os("DEHUSK_DATA").map_or(beside, PathBuf::from);
    let folder = data.join("conformance").join(folder);
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|found| found == ending))
        .collect();
    if files.is_empty() {
        println!("skipped: no conformance cases in {}; set DEHUSK_DATA", folder.display());
    }
    files.sort();
    files
}

/// The name of a file without its folder and ending.
pub fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The name of a row's tag.
pub fn tag_name(page: &Page, row: usize) -> String {
    let tag = page.tag[row] as usize;
    match tag.checked_sub(TABLE_SIZE) {
        None => NAMES[tag].to_string(),
        Some(other) => page.view().other_tags.get(other).to_string(),
    }
}

/// The kept attributes of a row, by name.
pub fn attributes(page: &Page, row: usize) -> Vec<(String, String)> {
    let view = page.view();
    let mut found: Vec<(String, String)> = view
        .attributes(row)
        .map(|index| {
            let name = ATTRIBUTES[page.attribute_name[index] as usize].to_string();
            (name, view.value_of(index).to_string())
        })
        .collect();
    found.sort();
    found
}

/// One line for an element.
pub fn element_line(depth: usize, name: &str, attributes: &[(String, String)]) -> String {
    let attributes: String = attributes.iter().map(|(name, value)| format!(" {name}={value:?}")).collect();
    format!("{}<{name}{attributes}>", "  ".repeat(depth))
}

/// One line for a text.
pub fn text_line(depth: usize, text: &str) -> String {
    format!("{}{text:?}", "  ".repeat(depth))
}

/// A page as lines, one for each row, indented by depth.
pub fn page_lines(page: &Page) -> Vec<String> {
    let line = |row: usize| {
        let depth = page.depth[row] as usize;
        if page.tag[row] == TEXT as i32 {
            text_line(depth, &page.text[page.text_span(row)])
        } else {
            element_line(depth, &tag_name(page, row), &attributes(page, row))
        }
    };
    (0..page.len()).map(line).collect()
}
