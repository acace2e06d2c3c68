//! Footnotes: short links to a part of the same page, and the parts they link to.
//!
//! A link is a footnote reference if it is declared as one (by its role or class), superscript, or in brackets, and its
//! text looks like one. Its target is a note if it is a small, kept part of the page, is no heading, and starts after the
//! reference; this excludes the targets of back links. Back links from a note to its reference are not shown, nor is the
//! mark at the start of a note: its label replaces it. Side notes amid the text are notes as well.
#![forbid(unsafe_code)]

use super::code_parts::has_class;
use super::footnote_marks::{
    bare_mark, citation_of, has_words_back, is_in_bibliography, is_label, labels_inside, leads_to_note, mark_before,
    mark_of, notes_amid_text, number_in_brackets, says_back, scripted_target, text_of, Citation, TOOLTIP_OF_NOTE,
};
use super::groups::groups;
use super::note_parts::{description_of, NoteParts, NoteRange};
use super::source::{show, Source};
use super::steps::count;
use super::unlinked_notes::find_unlinked_notes;
use crate::blocks::characters::{property_of, strip};
use crate::blocks::kinds::kind;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{attribute, number_of, set};
use crate::features::numbering::Hashing;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

const LINK: i32 = number_of("a");
const RAISED: i32 = number_of("sup");
const NUMBERED_LIST: i32 = number_of("ol");
const ITEM: i32 = number_of("li");
const TERM: i32 = number_of("dt");
/// Rows from the place that several numbers lead to, to the list of their notes.
const REACH_OF_LIST: usize = 60;
/// Children of such a list that are read: items, and white space between them.
const MOST_CHILDREN: usize = 500;
/// What GitHub writes before the ids of a page's author.
const PREFIX_OF_GITHUB: &str = "user-content-";
/// Characters of a link back to the reference: an arrow, or a number.
const LONGEST_BACK_LINK: usize = 8;
/// The same of one to a term that leads to the note: `return to reference`.
const LONGEST_WORDS_BACK: usize = 40;
/// Rows at the start of a note among which its link back is.
const REACH_OF_BACK_LINK: usize = 40;
/// Blocks of one note. A link to more is a link to a section.
const MOST_BLOCKS: usize = 12;

/// A footnote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundNote {
    /// What references show, different for each note.
    pub label: String,
    /// The page's own mark, without brackets.
    pub mark: String,
    /// Where it stands.
    pub place: Place,
}

/// Where a footnote stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Between blocks, or in a part of one.
    Apart {
        /// Row of the element it is in.
        part: usize,
        /// Its blocks, in order, and the first and last row of each that belong to it.
        pieces: Vec<Piece>,
        /// The block that shows nothing but its mark.
        mark: Option<usize>,
    },
    /// Amid the text, in the element of this row.
    Amid(usize),
}

/// A part of a block: its number, first and last row.
pub type Piece = (usize, usize, usize);

impl FoundNote {
    /// Its blocks, if they are its own, with that of its mark.
    pub fn blocks(&self) -> Vec<usize> {
        match &self.place {
            Place::Apart { pieces, mark, .. } => {
                mark.iter().copied().chain(pieces.iter().map(|piece| piece.0)).collect()
            }
            Place::Amid(_) => Vec::new(),
        }
    }
}

/// The footnotes of a page; rows are those of `<a>` elements, or of notes amid the text.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    /// In the order of the references.
    pub found: Vec<FoundNote>,
    /// Row of a reference -> number of its note.
    pub references: HashMap<usize, usize>,
    /// Rows of the references that show their text, too: citations by name and year.
    pub citations: HashSet<usize>,
    /// Rows that are not shown: links from notes to references, and the marks before notes amid the text.
    pub back_links: Vec<usize>,
}

/// A link within the page.
pub(super) struct Link<'a> {
    row: usize,
    /// The id it points to.
    target: Cow<'a, str>,
}

/// A reference: number of its link and the mark, the same of a citation that stays, or row of a note amid the text.
enum Reference {
    Link(usize, String),
    Citation(usize, String),
    Amid(usize),
}

/// The footnotes among the kept blocks.
pub fn find_notes(source: &Source) -> Notes {
    let first = source.kept().next().map(|block| source.rows(block).0);
    let last = source.kept().map(|block| source.rows(block).1).max();
    let (first, last) = match (first, last) {
        (Some(first), Some(last)) => (source.page.parent[first].max(0) as usize, last),
        _ => return Notes::default(),
    };
    let mut links = links_within(source, first, last);
    let scripted = source.structures.possible_notes.iter().filter(|row| (first..=last).contains(row));
    links.extend(scripted.filter_map(|&row| Some(Link { row, target: scripted_target(source.page, row)?.into() })));
    // Where links are shown, a number that leads to a note is one of those. What a note is to a decision is not known by that.
    let in_brackets = |row: usize| if source.shows(show::LINKS) { number_in_brackets(source.page, row) } else { None };
    let mark_at = |row: usize| mark_of(source.page, row).or_else(|| in_brackets(row));
    let marks = links
        .iter()
        .enumerate()
        .filter_map(|(number, link)| Some((link.row, Reference::Link(number, mark_at(link.row)?))));
    let mut references: Vec<(usize, Reference)> = marks.collect();
    references.extend(notes_amid_text(source, first, last).into_iter().map(|row| (row, Reference::Amid(row))));
    let may_have_terms = leads_to_link(source.page, &links);
    if references.is_empty() && !source.structures.has_bibliography && !may_have_terms {
        return find_unlinked_notes(source);
    }
    let mut finder = Finder::new(source, &links);
    references.extend(finder.citations());
    if may_have_terms {
        references.extend(finder.terms());
    }
    if references.is_empty() {
        return find_unlinked_notes(source);
    }
    references.sort_by_key(|&(row, _)| row);
    let references: Vec<Reference> = references.into_iter().map(|(_, reference)| reference).collect();
    finder.find_lists(&references);
    let notes = finder.notes(&references);
    if notes.found.is_empty() {
        return find_unlinked_notes(source);
    }
    notes
}

/// Resolves references to notes.
pub(super) struct Finder<'a> {
    source: &'a Source<'a>,
    links: &'a [Link<'a>],
    rows_of_ids: RowsOfIds<'a>,
    /// Blocks by their first row: the hidden text of a block follows its visible text, but may begin before it.
    order: Vec<usize>,
    /// Number of a link to a whole list of notes -> row of the item that its own number stands for.
    items: HashMap<usize, usize>,
    /// Address within the page -> row of the last link to it: a link from a note back to its reference.
    rows_of_targets: HashMap<&'a str, usize>,
}

impl<'a> Finder<'a> {
    /// Notes that some links lead to.
    pub(super) fn new(source: &'a Source<'a>, links: &'a [Link<'a>]) -> Self {
        let mut order: Vec<usize> = (0..source.blocks.segments.len()).collect();
        order.sort_by_key(|&block| source.rows(block).0);
        let rows_of_targets = links.iter().map(|link| (&*link.target, link.row)).collect();
        Finder { source, links, rows_of_ids: rows_of_ids(source.page), order, items: HashMap::new(), rows_of_targets }
    }

    /// Finds the items that references with different numbers mean which all lead to the same place: a list of sources, or
    /// the heading above it.
    fn find_lists(&mut self, references: &[Reference]) {
        let mut numbers: HashMap<usize, Vec<(usize, usize)>> = HashMap::new();
        for reference in references {
            if let Reference::Link(link, mark) = reference {
                let aim = self.aim(&self.links[*link]).filter(|&aim| aim > self.links[*link].row);
                if let (Some(aim), Ok(number)) = (aim, mark.parse()) {
                    numbers.entry(aim).or_default().push((*link, number));
                }
            }
        }
        for (aim, links) in numbers {
            if links.iter().any(|&(_, number)| number != links[0].1) {
                let items = items_below(self.source.page, aim);
                let item_of = |&(link, number): &(usize, usize)| Some((link, *items.get(number.checked_sub(1)?)?));
                self.items.extend(links.iter().filter_map(item_of));
            }
        }
    }

    /// The row that the link of a reference means.
    fn meant(&self, number: usize) -> Option<usize> {
        self.items.get(&number).copied().or_else(|| self.aim(&self.links[number]))
    }

    /// The row that a link points to.
    fn aim(&self, link: &Link) -> Option<usize> {
        let aim = self.rows_of_ids.get(&*link.target);
        // GitHub writes a prefix before ids, but not always into links.
        let aim = aim.or_else(|| self.rows_of_ids.get(&*format!("{PREFIX_OF_GITHUB}{}", link.target))).copied();
        aim.or_else(|| self.led_back_from(link.row))
    }

    /// The row of a link farther down that leads back to this one: scripts of journals find the entry that a reference means.
    fn led_back_from(&self, row: usize) -> Option<usize> {
        let page = self.source.page;
        let names = [attribute::NAME, attribute::ID];
        let back = names.iter().filter_map(|&name| self.rows_of_targets.get(page.value(row, name)?)).next();
        back.copied().filter(|&back| back > row)
    }

    /// The links to entries of a bibliography that do not look like references.
    fn citations(&self) -> Vec<(usize, Reference)> {
        let page = self.source.page;
        let citation = |(number, link): (usize, &Link)| {
            self.aim(link).filter(|&aim| aim > link.row && is_in_bibliography(page, aim))?;
            let reference = match citation_of(page, link.row)? {
                Citation::Number(mark) => Reference::Link(number, mark),
                Citation::Name(name) => Reference::Citation(number, name),
            };
            Some((link.row, reference))
        };
        if !self.source.structures.has_bibliography {
            return Vec::new();
        }
        let others = self.links.iter().enumerate().filter(|(_, link)| mark_of(page, link.row).is_none());
        others.filter_map(citation).collect()
    }

    /// The links amid a text to a note that has a link back to them, and that do not look like references: they are words,
    /// which stay.
    fn terms(&self) -> Vec<(usize, Reference)> {
        let page = self.source.page;
        let aims: HashSet<(usize, usize)> =
            self.links.iter().filter_map(|link| Some((link.row, self.aim(link)?))).collect();
        let is_led_back = |aim: usize, row: usize| {
            let end = (page.subtree_end[aim] as usize).min(aim + REACH_OF_BACK_LINK);
            count(end - aim);
            (aim..end).any(|inner| aims.contains(&(inner, row)))
        };
        let term = |(number, link): (usize, &Link)| {
            page.attribute(link.row, attribute::ID).filter(|_| mark_of(page, link.row).is_none())?;
            self.aim(link).filter(|&aim| aim > link.row && is_led_back(aim, link.row))?;
            is_amid_text(page, link.row).then(|| (link.row, Reference::Citation(number, String::new())))
        };
        self.links.iter().enumerate().filter_map(term).collect()
    }

    /// The notes of references.
    fn notes(&self, references: &[Reference]) -> Notes {
        let mut notes = Notes::default();
        let mut note_at: HashMap<usize, usize> = HashMap::new();
        let mut part_of_block: HashMap<usize, usize> = HashMap::new();
        let wanted = references.iter().map(|reference| match reference {
            Reference::Link(_, mark) => label_like(mark),
            Reference::Citation(..) => String::new(),
            Reference::Amid(row) => label_like(&own_mark(self.source.page, *row)),
        });
        let mut labels = Labels::new(wanted);
        let parts = NoteParts::new(self.source.page, self.aims(references));
        for reference in references {
            let (number, mark, asks_for) = match reference {
                Reference::Link(number, mark) => (*number, mark, mark.as_str()),
                Reference::Citation(number, mark) => (*number, mark, ""),
                Reference::Amid(row) => {
                    notes.references.insert(*row, notes.found.len());
                    let mark = own_mark(self.source.page, *row);
                    notes.found.push(FoundNote { label: labels.label_for(&mark), mark, place: Place::Amid(*row) });
                    continue;
                }
            };
            let is_citation = matches!(reference, Reference::Citation(..));
            let link = &self.links[number];
            let range = match self.meant(number).and_then(|aim| parts.range(aim)) {
                Some(range) if range.part > link.row => range,
                _ => continue,
            };
            let shown_row = if is_citation { link.row } else { with_brackets(self.source.page, link.row) };
            if let Some(&note) = note_at.get(&range.start) {
                notes.references.insert(shown_row, note);
                notes.citations.extend(is_citation.then_some(link.row));
                continue;
            }
            let mut pieces = self.pieces(&range);
            let is_taken = |&(block, ..): &Piece| part_of_block.get(&block).is_some_and(|&part| part != range.part);
            if pieces.is_empty() || pieces.iter().any(is_taken) {
                continue;
            }
            part_of_block.extend(pieces.iter().map(|&(block, ..)| (block, range.part)));
            note_at.insert(range.start, notes.found.len());
            notes.references.insert(shown_row, notes.found.len());
            notes.citations.extend(is_citation.then_some(link.row));
            let is_mark = |&(block, ..): &Piece| {
                let text = self.source.text(block).trim_start_matches(['↑', '^'].as_slice());
                text == mark || bare_mark(text.trim_end_matches('.')) == Some(mark)
            };
            let has_mark = pieces.len() > 1 && is_mark(&pieces[0]);
            let own_mark = has_mark.then(|| pieces.remove(0).0);
            let place = Place::Apart { part: range.part, pieces, mark: own_mark };
            notes.found.push(FoundNote { label: labels.label_for(asks_for), mark: mark.clone(), place });
        }
        notes.back_links = self.back_links(&notes);
        notes
    }

    /// Rows that references point to.
    fn aims(&self, references: &[Reference]) -> Vec<usize> {
        let aim = |reference: &Reference| match reference {
            Reference::Link(number, _) | Reference::Citation(number, _) => {
                self.meant(*number).filter(|&aim| aim > self.links[*number].row)
            }
            Reference::Amid(_) => None,
        };
        references.iter().filter_map(aim).collect()
    }

    /// The kept blocks of a range of rows, if it can be a note.
    pub(super) fn pieces(&self, range: &NoteRange) -> Vec<Piece> {
        count(MOST_BLOCKS);
        let place = |row: usize| self.order.partition_point(|&block| self.source.rows(block).0 < row);
        // A block that begins before the range, within the same element, may go on in it.
        let inside = place(range.start).saturating_sub(1)..place(range.end);
        if inside.len() > MOST_BLOCKS + 1 {
            return Vec::new();
        }
        let mut found: Vec<Piece> = Vec::new();
        for &block in self.order[inside].iter().filter(|&&block| self.source.is_kept(block)) {
            let (first, last) = self.source.rows(block);
            if first < range.part || last < range.start {
                continue;
            }
            // Texinfo and laws have the mark in a heading.
            let is_mark = || bare_mark(self.source.text(block).trim_end_matches('.')).is_some();
            if self.source.kind(block) == kind::HEADING && !(found.is_empty() && is_mark()) {
                return Vec::new();
            }
            found.push((block, first.max(range.start), last.min(range.end - 1)));
        }
        found.sort_unstable();
        found
    }

    /// Links in notes that point to an element in, at or around a reference, or say that they lead back.
    fn back_links(&self, notes: &Notes) -> Vec<usize> {
        let references = &notes.references;
        let page = self.source.page;
        let mut is_part = vec![false; page.len()];
        let mut hidden_marks = Vec::new();
        for note in &notes.found {
            match note.place {
                Place::Apart { part, .. } => {
                    is_part[part] = true;
                    let description = Some(part).filter(|&part| page.tag[part] == TERM);
                    let description = description.and_then(|term| description_of(page, term));
                    description.into_iter().for_each(|row| is_part[row] = true);
                }
                Place::Amid(row) => {
                    hidden_marks.extend(mark_before(page, row));
                    hidden_marks.extend(labels_inside(page, row));
                }
            }
        }
        let closest_part = page.closest(|row| is_part[row]);
        let closest_mark = page.closest(|row| references.contains_key(&row));
        let mut marks: Vec<usize> = references.keys().copied().collect();
        marks.sort_unstable();
        let holds_mark = |row: usize| {
            let first = marks.partition_point(|&mark| mark < row);
            marks.get(first).is_some_and(|&mark| (mark as i32) < page.subtree_end[row])
        };
        let leads_back = |link: &&Link| {
            let is_in_note = closest_part[link.row] >= 0 && !references.contains_key(&link.row);
            let is_aimed = || self.aim(link).is_some_and(|aim| closest_mark[aim] >= 0 || holds_mark(aim));
            let length = || text_of(page, link.row).chars().count();
            let is_mutual = || self.aim(link).is_some_and(|aim| notes.citations.contains(&aim));
            let says_so = || is_mutual() || has_words_back(&text_of(page, link.row));
            let longest = if says_so() { LONGEST_WORDS_BACK } else { LONGEST_BACK_LINK };
            is_in_note && (says_back(page, link.row) || (is_aimed() && length() <= longest))
        };
        let links = self.links.iter().filter(leads_back).map(|link| link.row);
        let classes = page.attributes_named(attribute::CLASS).map(|index| page.row_of_attribute(index));
        let labels =
            classes.filter(|&row| closest_part[row] >= 0 && closest_part[row] != row as i32 && is_label(page, row));
        let possible = self.source.structures.possible_notes.iter().copied();
        let tooltips = possible.filter(|&row| has_class(page, row, &[TOOLTIP_OF_NOTE]));
        links.chain(labels).chain(hidden_marks).chain(tooltips).collect()
    }
}

/// The items of the first numbered list at or below a row.
fn items_below(page: &PageView, row: usize) -> Vec<usize> {
    let end = (row + REACH_OF_LIST).min(page.len());
    count(end - row);
    let list = match (row..end).find(|&row| page.tag[row] == NUMBERED_LIST) {
        Some(list) => list,
        None => return Vec::new(),
    };
    let end = page.subtree_end[list] as usize;
    let next = |&inner: &usize| Some((page.subtree_end[inner] as usize).max(inner + 1)).filter(|&next| next < end);
    let children = std::iter::successors(Some(list + 1).filter(|&first| first < end), next).take(MOST_CHILDREN);
    count(MOST_CHILDREN.min(end - list));
    children.filter(|&row| page.tag[row] == ITEM).collect()
}

/// The row of a reference: that of the `<sup>` around the link if this has nothing but brackets besides it, as AsciiDoctor
/// writes it.
fn with_brackets(page: &PageView, link: usize) -> usize {
    let parent = page.parent[link].max(0) as usize;
    let (outer, inner) = (text_of(page, parent), text_of(page, link));
    let is_in_brackets =
        page.tag[parent] == RAISED && outer.len() == inner.len() + 2 && bare_mark(&outer) == Some(&inner);
    if is_in_brackets {
        parent
    } else {
        link
    }
}

/// Whether a link stands within more text: not in a list of questions, each a link to its answer.
fn is_amid_text(page: &PageView, link: usize) -> bool {
    let is_inline = |row: &usize| !page.is_in(*row, set::BLOCK);
    let block = page.ancestors(link).find(|row| !is_inline(row)).unwrap_or(0);
    strip(page.text_within(block)).len() > 2 * strip(page.text_within(link)).len()
}

/// The mark that a note amid the text has on the page; empty if it has none.
fn own_mark(page: &PageView, row: usize) -> String {
    let shown = labels_inside(page, row).next().or_else(|| mark_before(page, row));
    let text = shown.map(|row| text_of(page, row)).unwrap_or_default();
    bare_mark(&text).unwrap_or("").to_string()
}

/// Whether a link leads to one of the others: one that is led back to from a note does.
fn leads_to_link(page: &PageView, links: &[Link]) -> bool {
    let mut names = HashSet::new();
    for &Link { row, .. } in links.iter().filter(|link| page.attribute(link.row, attribute::ID).is_some()) {
        for name in [attribute::ID, attribute::NAME].iter().filter_map(|&name| page.value(row, name)) {
            names.insert(name);
            names.extend(name.strip_prefix(PREFIX_OF_GITHUB));
        }
    }
    !names.is_empty() && links.iter().any(|link| names.contains(&*link.target))
}

/// Links within the page among the rows from `first` to `last`.
fn links_within<'a>(source: &Source<'a>, first: usize, last: usize) -> Vec<Link<'a>> {
    let page = source.page;
    let attributes = page.attribute_start[first] as usize..page.attribute_start[last + 1] as usize;
    let mut links = Vec::new();
    let own_path = path_of(source.own_address);
    for &index in source.structures.fragments.iter().filter(|index| attributes.contains(index)) {
        let value = page.value_of(index);
        let is_own =
            || !source.own_address.is_empty() && (value.starts_with(source.own_address) || is_at(value, own_path));
        if value.starts_with('#') || is_own() || leads_to_note(value) {
            let row = page.row_of_attribute(index);
            if page.tag[row] == LINK {
                let target = value.split_once('#').map_or("", |(_, target)| target);
                links.push(Link { row, target: unquoted(target) });
            }
        }
    }
    links
}

/// The path of an absolute address, with its query; empty for the start of a site.
fn path_of(address: &str) -> &str {
    let path = address.split_once("://").and_then(|(_, rest)| Some(&rest[rest.find('/')?..]));
    path.map_or("", |path| path.split('#').next().unwrap_or("")).trim_end_matches('/')
}

/// Whether an address without a site has a path, and a part of that page.
fn is_at(address: &str, path: &str) -> bool {
    let rest = address.strip_prefix(path).filter(|_| !path.is_empty());
    rest.is_some_and(|rest| rest.starts_with('#') || rest.starts_with("/#"))
}

/// Id, or name of an anchor, -> row of the first element that has it.
pub type RowsOfIds<'a> = HashMap<&'a str, usize, Hashing>;

/// Those of a page.
pub fn rows_of_ids<'a>(page: &PageView<'a>) -> RowsOfIds<'a> {
    let mut found = RowsOfIds::default();
    for index in page.attributes_named(attribute::ID) {
        found.entry(page.value_of(index)).or_insert_with(|| page.row_of_attribute(index));
    }
    for index in page.attributes_named(attribute::NAME) {
        let row = page.row_of_attribute(index);
        if page.tag[row] == LINK {
            found.entry(page.value_of(index)).or_insert(row);
        }
    }
    found
}

/// Hands out labels, each once.
struct Labels {
    used: HashSet<String>,
    /// Labels that marks ask for: numbers leave these out.
    wanted: HashSet<String>,
    number: usize,
}

impl Labels {
    /// Before the first label.
    fn new(wanted: impl Iterator<Item = String>) -> Self {
        Labels { used: HashSet::new(), wanted: wanted.collect(), number: 0 }
    }

    /// The mark as a label, or the next number if it cannot be one, or is already used.
    fn label_for(&mut self, mark: &str) -> String {
        let mut label = label_like(mark);
        if label.is_empty() || self.used.contains(&label) {
            label = self.next_number();
        }
        self.used.insert(label.clone());
        label
    }

    /// The next number that no mark asks for.
    fn next_number(&mut self) -> String {
        loop {
            self.number += 1;
            let label = self.number.to_string();
            if !self.wanted.contains(&label) {
                return label;
            }
        }
    }
}

/// A mark as a label: its letters and digits; empty for stars and daggers.
fn label_like(mark: &str) -> String {
    mark.chars().filter(|&character| property_of(character).is_alphanumeric).collect()
}

/// A text with its percent-encoded bytes decoded: those of each run of ASCII by themselves, as Python's `unquote` does.
pub fn unquoted(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut decoded = String::with_capacity(text.len());
    for run in groups(text.as_bytes(), u8::is_ascii).map(|(_, run)| run) {
        decoded.push_str(&String::from_utf8_lossy(&unquoted_bytes(run)));
    }
    Cow::Owned(decoded)
}

/// Bytes with `%41` as `A`; a percent sign before anything else stays.
fn unquoted_bytes(text: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut place = 0;
    while place < text.len() {
        let digit = |offset: usize| text.get(place + offset).and_then(|&byte| (byte as char).to_digit(16));
        match (text[place], digit(1), digit(2)) {
            (b'%', Some(high), Some(low)) => {
                bytes.push((16 * high + low) as u8);
                place += 3;
            }
            (byte, _, _) => {
                bytes.push(byte);
                place += 1;
            }
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percent_encoded_bytes() {
        assert_eq!(unquoted("a%20b%C3%A9%"), "a bé%");
        assert_eq!(unquoted("%zz%4"), "%zz%4");
        assert_eq!(unquoted("é%C3漢%A9"), "é\u{fffd}漢\u{fffd}");
        assert_eq!(unquoted("%e2%82x%ff"), "\u{fffd}x\u{fffd}");
    }

    #[test]
    fn labels_are_unique() {
        let mut labels = Labels::new(["1", "", "1", "b"].iter().map(|mark| mark.to_string()));
        let given: Vec<String> = ["1", "*", "1", "b"].iter().map(|mark| labels.label_for(mark)).collect();
        assert_eq!(given, ["1", "2", "3", "b"]);
    }
}
