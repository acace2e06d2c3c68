//! The tree-construction cases of html5lib-tests, as far as a `Page` shows them.
//!
//! A page keeps elements, texts and some attributes. Comments and doctypes are left out of the expected trees (texts
//! before and after a comment stay apart), and so are other attributes, namespaces and the "content" of templates, whose
//! children are the template's own. The texts of scripts and style sheets are taken out of pages; the tokenizer cases
//! check these.

#![forbid(unsafe_code)]

mod support;

use dehusk_native::columns::Limits;
use dehusk_native::html::attributes::ATTRIBUTES;
use dehusk_native::html::read;
use dehusk_native::html::tag_sets::{flags_of, RAW_TEXT};
use dehusk_native::html::tags::NAMES;
use std::fs;
use support::{conformance_files, element_line, page_lines, stem, text_line};

/// Cases that a page is not read like: (file, number in the file from 1, reason).
const EXCEPTIONS: &[(&str, usize, &str)] =
    &[("webkit02", 45, SELECTED), ("webkit02", 46, SELECTED), ("webkit02", 47, SELECTED), ("webkit02", 48, SELECTED)];
const SELECTED: &str = "browsers copy the chosen option into <selectedcontent>; a page has each text once";

#[derive(Default)]
struct Case {
    data: String,
    document: String,
    is_fragment: bool,
    needs_script: bool,
}

/// The cases of a file: sections that start with `#data`, `#document` and so on.
fn cases(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut section = "";
    for line in text.split('\n') {
        match line {
            "#data" => cases.push(Case::default()),
            "#document-fragment" => cases.last_mut().unwrap().is_fragment = true,
            "#script-on" => cases.last_mut().unwrap().needs_script = true,
            "#errors" | "#new-errors" | "#script-off" | "#document" => {}
            _ => {
                let case = cases.last_mut().unwrap();
                match section {
                    "#data" => case.data = case.data.clone() + line + "\n",
                    "#document" => case.document = case.document.clone() + line + "\n",
                    _ => {}
                }
                continue;
            }
        }
        section = line;
    }
    for case in &mut cases {
        case.data.pop();
    }
    cases
}

/// The nodes of an expected tree: indentation and what is written there. Texts may have several lines.
fn expected_nodes(document: &str) -> Vec<(usize, String)> {
    let mut nodes: Vec<(usize, String)> = Vec::new();
    for line in document.trim_end_matches('\n').split('\n') {
        match line.strip_prefix("| ") {
            Some(rest) => {
                let written = rest.trim_start_matches(' ');
                nodes.push(((rest.len() - written.len()) / 2, written.to_string()));
            }
            None => {
                let (_, last) = nodes.last_mut().unwrap();
                last.push('\n');
                last.push_str(line);
            }
        }
    }
    nodes
}

/// An element of an expected tree, whose attributes follow.
struct Element {
    depth: usize,
    name: String,
    attributes: Vec<(String, String)>,
}

impl Element {
    fn add_attribute(&mut self, written: &str) {
        let (name, value) = written.split_once('=').unwrap();
        if ATTRIBUTES.contains(&name) {
            self.attributes.push((name.to_string(), value[1..value.len() - 1].to_string()));
        }
    }

    /// The line of the element; a line break has a text.
    fn lines(mut self) -> Vec<String> {
        self.attributes.sort();
        let mut lines = vec![element_line(self.depth, &self.name, &self.attributes)];
        if self.name == "br" {
            lines.push(text_line(self.depth + 1, "\u{b}"));
        }
        lines
    }

    fn has_raw_text(&self) -> bool {
        let tag = NAMES.iter().position(|&known| known == self.name);
        tag.is_some_and(|tag| flags_of(tag as u32) & RAW_TEXT != 0)
    }
}

/// The lines that `page_lines` should give.
fn expected_lines(document: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut element: Option<Element> = None;
    // Depth of the script, style sheet or frame around, whose text is none of the page's.
    let mut raw_text: Option<usize> = None;
    // Depths of the "content" of templates: what is below moves up by one.
    let mut contents: Vec<usize> = Vec::new();
    for (indent, written) in expected_nodes(document) {
        contents.retain(|&content| content < indent);
        let depth = indent - contents.len();
        let is_tag = written.starts_with('<') && written.ends_with('>');
        if !is_tag && !written.starts_with('"') && written != "content" {
            element.as_mut().unwrap().add_attribute(&written);
            continue;
        }
        if element.as_ref().is_some_and(Element::has_raw_text) {
            raw_text = element.as_ref().map(|owner| owner.depth);
        }
        raw_text = raw_text.filter(|&owner| owner < depth);
        lines.extend(element.take().map_or(Vec::new(), Element::lines));
        if written == "content" {
            contents.push(indent);
        } else if let Some(text) = written.strip_prefix('"') {
            lines.push(text_line(depth, if raw_text == Some(depth - 1) { "" } else { &text[..text.len() - 1] }));
        } else if !written.starts_with("<!") && !written.starts_with("<?") {
            let name = written[1..written.len() - 1].rsplit(' ').next().unwrap().to_string();
            element = Some(Element { depth, name, attributes: Vec::new() });
        }
    }
    lines.extend(element.map_or(Vec::new(), Element::lines));
    lines
}

fn exception(file: &str, number: usize, case: &Case) -> Option<&'static str> {
    if case.is_fragment {
        return Some("a fragment: only whole pages are read");
    }
    if case.needs_script {
        return Some("with scripting: pages are read without");
    }
    EXCEPTIONS.iter().find(|(name, index, _)| *name == file && *index == number).map(|(_, _, reason)| *reason)
}

#[test]
fn trees_are_those_of_the_standard() {
    let (mut passed, mut excepted, mut failed) = (0, 0, 0);
    for path in conformance_files("tree-construction", "dat") {
        let file = stem(&path);
        for (index, case) in cases(&fs::read_to_string(&path).unwrap()).iter().enumerate() {
            if exception(&file, index + 1, case).is_some() {
                excepted += 1;
                continue;
            }
            let found = page_lines(&read(&case.data, &Limits::default()));
            let expected = expected_lines(&case.document);
            if found == expected {
                passed += 1;
            } else {
                failed += 1;
                println!(
                    "{file} {}: {:?}\nexpected\n{}\nfound\n{}\n",
                    index + 1,
                    case.data,
                    expected.join("\n"),
                    found.join("\n")
                );
            }
        }
    }
    println!("tree construction: {passed} passed, {excepted} excepted, {failed} failed");
    assert_eq!(failed, 0);
}
