//! Blocks -> spans: marked text, line breaks, images, formulas, footnote references.
//!
//! Marks come from the ancestors of a text. Each ancestor is visited once, and only those of kept blocks are visited at
//! all. Most blocks are plain: one text without marks.
#![forbid(unsafe_code)]

use super::card_titles::is_title_of_card;
use super::edges::find_edges;
use super::footnotes::Notes;
use super::formula_texts::split_formulas;
use super::formulas::Formulas;
use super::headings::{is_label_of_accordion, tools_elsewhere, tools_in_headings};
use super::image_signs::is_initial;
use super::images::is_image;
use super::link_places::Places;
use super::links::Links;
use super::marks::{mark_of_tag, marked, shown_marks, LINK, PARENTHESIS, RUBY};
use super::plain_characters::with_plain_characters;
use super::source::{show, Source};
use super::span_list::SpanList;
use super::steps::count;
use super::tabs::{is_label_of_pane, is_tab};
use super::tasks::{box_of, make_written_box};
use super::tree::{Document, Marks, Part, Span, SpanKind};
use super::word_lists::items_of_word;
use crate::blocks::kinds::kind;
use crate::blocks::page_view::PageView;
use crate::blocks::segmentation::trace_of;
use crate::blocks::tags::{number_of, set};
use crate::blocks::white_space::{append_shown, LINE_SEPARATOR};
use crate::features::numbering::Hashing;
use crate::html::attributes::code_of;
use crate::html::has_any;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

const ITEM: i32 = number_of("li");
const CITE: i32 = number_of("cite");
const QUOTE: i32 = number_of("blockquote");
/// Elements between the first text of a name and its `<cite>`: a link and bold text.
const REACH_OF_NAME: usize = 3;
/// Elements between a name and the quotation below it.
const REACH_OF_QUOTE: usize = 2;
const IMAGE: i32 = number_of("img");
const SUMMARY: i32 = number_of("summary");
const HREF: u8 = code_of("href");
/// Rows of a card among which its heading is: a picture, a category and a date may come before it.
const LARGEST_CARD: usize = 64;
/// Of a row whose ancestors were not looked at yet. Zeros take no time where memory is fresh.
const UNKNOWN: u32 = 0;
/// Of a row whose ancestors mean nothing.
const NOTHING: u32 = 1;

/// What the ancestors of a text mean for it.
#[derive(Clone, Copy, Default)]
pub(super) struct Around {
    pub(super) marks: Marks,
    /// Row of the formula or footnote link that replaces the text inside it; 0 for none.
    stand_in: usize,
    /// Row of the citation that the text is in, which a reference follows; 0 for none.
    citation: usize,
    /// The target of the link around a card, which only the heading of the card shows; 0 for none.
    pub(super) card: u32,
    /// Whether any of them may mean something.
    is_telling: bool,
}

/// Adjacent texts of a block with the same marks: which, and from which row to which.
struct Run {
    around: Around,
    first: usize,
    last: usize,
}

/// Reads the spans of the blocks of one page into a document.
pub struct SpanReader<'a, 'b> {
    pub(super) source: &'a Source<'a>,
    pub(super) page: &'a PageView<'a>,
    notes: &'b Notes,
    /// The formulas of the page.
    pub formulas: &'a Formulas,
    /// What is written so far.
    pub document: Document<'a>,
    /// Addresses in it.
    pub links: Links<'a>,
    shown_marks: u8,
    /// Whether images and scripts inside a text may be shown.
    reads_images: bool,
    /// By row: which of `arounds` holds for the text inside it.
    around: Vec<u32>,
    arounds: Vec<Around>,
    /// By row: formulas, footnote links and what is not shown of headings; empty if there are none.
    is_stand_in: Vec<bool>,
    /// Items of lists that Word has saved -> rows of their bullets, which are not shown.
    pub items_of_word: HashMap<usize, usize>,
    /// Block -> rows of what has no text at its start or end.
    edges: HashMap<usize, Vec<usize>>,
    /// Rows of the formulas without text that are in no block.
    pub formulas_apart: Vec<usize>,
    /// Addresses of what stands apart: pages repeat it for other screens.
    apart: HashSet<u32>,
    /// Blocks of which only some rows are read: the first and the last.
    pub clips: HashMap<usize, (usize, usize)>,
    /// Places on the page that links point to.
    places: Option<Places<'a>>,
    /// Rows of the formulas that stand in for text and are written.
    written: HashSet<usize>,
    /// Addresses of images that stand at several places, once they are looked for.
    pub(super) repeated_signs: Option<HashSet<&'a str, Hashing>>,
    /// Used again for each run.
    buffer: String,
    /// Used again for each line of ancestors.
    path: Vec<usize>,
}

/// An empty document with room for the kept blocks, which have a span each, or a few.
fn with_room_for_kept<'a>(source: &Source) -> Document<'a> {
    let (spans, bytes) =
        source.kept().fold((0, 0), |(spans, bytes), block| (spans + 1, bytes + source.text(block).len()));
    Document { text: String::with_capacity(bytes), spans: Vec::with_capacity(spans), ..Document::default() }
}

impl<'a, 'b> SpanReader<'a, 'b> {
    /// Nothing is read yet.
    pub fn new(source: &'a Source<'a>, notes: &'b Notes) -> Self {
        let formulas = &source.structures.formulas;
        let has_textless = formulas.values().any(|formula| formula.is_textless);
        let mut tools = tools_in_headings(source);
        tools.append(&mut tools_elsewhere(source));
        let items_of_word = items_of_word(source);
        let mut is_stand_in = Vec::new();
        if !(formulas.is_empty() && notes.references.is_empty() && tools.is_empty() && items_of_word.is_empty()) {
            is_stand_in.resize(source.page.len(), false);
            let rows = formulas
                .keys()
                .chain(notes.references.keys())
                .chain(&notes.back_links)
                .chain(&tools)
                .chain(items_of_word.values());
            rows.for_each(|&row| is_stand_in[row] = true);
        }
        let reader = SpanReader {
            source,
            page: source.page,
            notes,
            formulas,
            document: with_room_for_kept(source),
            links: Links::new(source.base),
            shown_marks: shown_marks(source),
            reads_images: source.shows(show::IMAGES) || has_textless,
            around: vec![UNKNOWN; source.page.len()],
            arounds: vec![Around::default(); NOTHING as usize + 1],
            is_stand_in,
            items_of_word,
            edges: HashMap::new(),
            formulas_apart: Vec::new(),
            apart: HashSet::new(),
            clips: HashMap::new(),
            places: None,
            written: HashSet::new(),
            repeated_signs: None,
            buffer: String::new(),
            path: Vec::new(),
        };
        let (edges, formulas_apart) = find_edges(source, formulas);
        SpanReader { edges, formulas_apart, ..reader }
    }

    /// The spans of a block.
    pub fn spans(&mut self, block: usize) -> Part {
        let start = self.document.spans.len();
        if !self.is_plain(block) {
            return self.read(block, start);
        }
        let text = self.plain_text(self.source.text(block));
        let has_edge = text.starts_with(' ') || text.ends_with(' ') || text.is_empty();
        if has_edge || has_any(text.as_bytes(), [b'\n', b'$', b'\\']) {
            let mut list = self.list(start);
            list.add_lines(&text, '\n', Marks::default());
            list.ended();
            self.find_formulas_in_text(start);
            return Part { start, end: self.document.spans.len() };
        }
        let text = self.document.add_text(&text);
        self.document.spans.push(Span { text, marks: Marks::default(), kind: SpanKind::Text, address: 0 });
        if self.is_item(block) {
            make_written_box(&mut self.document, start);
        }
        Part { start, end: self.document.spans.len() }
    }

    /// Makes formulas of what is between delimiters, in the spans from one of them on; without formatting it stays text.
    fn find_formulas_in_text(&mut self, start: usize) {
        if self.source.shows(show::FORMATTING) {
            split_formulas(&mut self.document, start);
        }
    }

    /// A text with plain characters, if these are asked for.
    fn plain_text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.source.shows(show::PLAIN_CHARACTERS) {
            with_plain_characters(text)
        } else {
            Cow::Borrowed(text)
        }
    }

    /// The list of spans from one of them on.
    fn list(&mut self, start: usize) -> SpanList<'_, 'a> {
        SpanList::new(&mut self.document, start)
    }

    /// The spans of an image, embedded media or a formula that is in no block; none for an image without an address.
    pub fn spans_apart(&mut self, row: usize) -> Part {
        let start = self.document.spans.len();
        let span = if self.formulas_apart.binary_search(&row).is_ok() {
            self.formula(row)
        } else if is_image(self.page, row) {
            self.image(row).filter(|span| self.apart.insert(span.address))
        } else {
            self.embed(row).filter(|span| self.apart.insert(span.marks.link))
        };
        self.document.spans.extend(span);
        Part { start, end: self.document.spans.len() }
    }

    /// The spans of a note amid the text. What was read before must not be read again.
    pub fn spans_inside(&mut self, row: usize) -> Part {
        let end = self.page.subtree_end[row] as usize;
        self.is_stand_in[row] = false;
        self.around[row..end].fill(UNKNOWN);
        let start = self.document.spans.len();
        self.read_rows((row + 1, end - 1), false, start);
        let spans = self.list(start).ended();
        self.links.bound(&mut self.document.spans[start..]);
        spans
    }

    /// Whether a block is text without marks; of some that are, it is not known before they are read.
    fn is_plain(&mut self, block: usize) -> bool {
        let (first, last) = self.source.rows(block);
        if self.clips.get(&block).is_some_and(|&clip| clip != (first, last)) {
            return false;
        }
        let around = self.around_of(self.page.parent[first]);
        count(last - first + 1);
        !around.is_telling && !self.edges.contains_key(&block) && !(first..=last).any(|row| self.is_telling(row))
    }

    /// Whether an element may mean something for the text inside it, or shows something itself.
    fn is_telling(&self, row: usize) -> bool {
        match self.page.tag[row] {
            RUBY | PARENTHESIS => true,
            IMAGE if self.reads_images => true,
            LINK if self.source.shows(show::LINKS) => true,
            tag => mark_of_tag(tag) & self.shown_marks != 0 || self.stands_in(row),
        }
    }

    /// Whether a row is a formula or a footnote link.
    fn stands_in(&self, row: usize) -> bool {
        self.is_stand_in.get(row).is_some_and(|&is_stand_in| is_stand_in)
    }

    /// What an element and its ancestors mean for the text in it.
    pub(super) fn around_of(&mut self, row: i32) -> Around {
        let mut path = std::mem::take(&mut self.path);
        let mut above = row;
        let mut found = NOTHING;
        while above >= 0 {
            found = self.around[above as usize];
            if found != UNKNOWN {
                break;
            }
            path.push(above as usize);
            above = self.page.parent[above as usize];
        }
        if above < 0 {
            found = NOTHING;
        }
        count(path.len() + 1);
        for &row in path.iter().rev() {
            let outer = self.arounds[found as usize];
            if self.is_telling(row) || (outer.card != 0 && is_title_of_card(self.page, row)) {
                let further = self.further(outer, row);
                found = self.arounds.len() as u32;
                self.arounds.push(Around { is_telling: true, ..further });
            }
            self.around[row] = found;
        }
        path.clear();
        self.path = path;
        self.arounds[found as usize]
    }

    /// What a text inside one more element is.
    fn further(&mut self, around: Around, row: usize) -> Around {
        let marks = around.marks;
        if around.stand_in != 0 {
            return around; // its content is not shown
        }
        match self.page.tag[row] {
            _ if self.notes.citations.contains(&row) => Around { citation: row, ..around },
            _ if self.stands_in(row) => Around { stand_in: row, ..around },
            LINK => self.linked(around, row),
            _ if around.card != 0 && is_title_of_card(self.page, row) => {
                Around { marks: Marks { link: around.card, ..marks }, card: 0, ..around }
            }
            RUBY => Around { marks: Marks { ruby: row as i32, ..marks }, ..around },
            // A heading is bold anyway.
            SUMMARY
                if self.keeps_inside(row, |page, row| page.is_in(row, set::HEADING))
                    || is_label_of_accordion(self.page, row as i32) =>
            {
                around
            }
            // Not shown: formats write parentheses around a reading themselves.
            PARENTHESIS => Around { stand_in: row, ..around },
            tag => Around { marks: marked(marks, tag, self.shown_marks), ..around },
        }
    }

    /// What a text inside a link is. A link around a card is that of its heading, or each of its lines would repeat it.
    fn linked(&mut self, around: Around, row: usize) -> Around {
        let link = self.link(row);
        if link != 0 && self.keeps_inside(row, is_title_of_card) {
            return Around { card: link, ..around };
        }
        Around { marks: Marks { link, ..around.marks }, ..around }
    }

    /// Whether a wanted element inside another one, near its start, is kept.
    fn keeps_inside(&self, row: usize, is_wanted: impl Fn(&PageView, usize) -> bool) -> bool {
        let end = (self.page.subtree_end[row] as usize).min(row + LARGEST_CARD);
        count(end - row);
        (row + 1..end).filter(|&inner| is_wanted(self.page, inner)).any(|inner| self.source.keeps_text_in(inner))
    }

    /// The number of the target of a link; 0 for one to nowhere.
    fn link(&mut self, row: usize) -> u32 {
        let page = self.page;
        let index = match page.attribute(row, HREF) {
            Some(index) => index,
            None => return 0,
        };
        let address = page.value_of(index);
        if address.starts_with('#') && (is_tab(page, row) || is_label_of_pane(&self.source.structures.tabs, row)) {
            return 0;
        }
        let source = self.source;
        if address.contains('#') {
            let places = self.places.get_or_insert_with(|| Places::new(source.page));
            if places.leads_nowhere(source, row, address) {
                return 0;
            }
        }
        let number = self.links.add(page.attribute_value[index], address);
        // A heading may link to the page that it is on.
        let is_own =
            source.own_address.strip_suffix('#').is_some_and(|own| *self.links.distinct[number as usize] == *own);
        if is_own && self.is_in_heading(row) {
            return 0;
        }
        number
    }

    /// Whether an element is directly in a heading, or in an element directly in one.
    fn is_in_heading(&self, row: usize) -> bool {
        let parent = |row: usize| self.page.parent[row].max(0) as usize;
        [parent(row), parent(parent(row))].iter().any(|&row| self.page.is_in(row, set::HEADING))
    }

    /// Reads the spans of a block that is more than plain text.
    fn read(&mut self, block: usize, start: usize) -> Part {
        let first = self.source.rows(block).0;
        let edges = self.edges.get(&block).cloned().unwrap_or_default();
        count(edges.len());
        let (mut before, mut begins_word) = (None, false);
        for &row in edges.iter().filter(|&&row| row < first) {
            self.add_gap(start, before, row);
            let shown = self.at_edge(row).or_else(|| self.task(row));
            self.add_others(start, shown);
            before = Some(row);
            begins_word = self.page.tag[row] == IMAGE && is_initial(self.page, row);
        }
        let rows = self.clips.get(&block).copied().unwrap_or_else(|| self.source.rows(block));
        self.add_gap(start, before, rows.0);
        let is_hidden = self.source.is_hidden(block);
        match self.end_of_name(rows) {
            Some(end) => {
                self.read_rows((rows.0, end - 1), is_hidden, start);
                self.list(start).add_lines("\n", '\n', Marks::default());
                self.read_rows((end, rows.1), is_hidden, start);
            }
            None => self.read_rows(rows, is_hidden, start),
        }
        let mut before = Some(rows.1);
        for &row in edges.iter().filter(|&&row| row > first) {
            self.add_gap(start, before, row);
            let shown = self.at_edge(row);
            self.add_others(start, shown);
            before = Some(row);
        }
        self.list(start).ended();
        if begins_word {
            self.join_initial(start);
        }
        self.find_formulas_in_text(start);
        self.links.bound(&mut self.document.spans[start..]);
        if self.is_item(block) {
            make_written_box(&mut self.document, start);
        }
        Part { start, end: self.document.spans.len() }
    }

    /// Where the name ends that stands above what is quoted from somebody, in the same block: phpBB shows it on a line of its own.
    fn end_of_name(&self, (first, last): (usize, usize)) -> Option<usize> {
        let page = self.page;
        let cite = page.ancestors(first).take(REACH_OF_NAME).find(|&row| page.tag[row] == CITE)?;
        let is_quoted = page.ancestors(cite).take(REACH_OF_QUOTE).any(|row| page.tag[row] == QUOTE);
        Some(page.subtree_end[cite] as usize).filter(|&end| is_quoted && end <= last)
    }

    /// Whether a block is the text of an item, which may have a label for a box.
    fn is_item(&self, block: usize) -> bool {
        let is_label = || usize::try_from(self.source.owner(block)).is_ok_and(|row| self.source.page.tag[row] == ITEM);
        let kind = self.source.kind(block);
        kind == kind::LIST_ITEM || (kind == kind::FORM && is_label())
    }

    /// Takes away the blank after the first letter of a text that is an image, unless that is a word: `A`, `I`, `O`.
    fn join_initial(&mut self, start: usize) {
        let document = &mut self.document;
        let part_of = |place: usize| document.spans.get(place).map(|span| span.text.range());
        let (letter, rest) = match part_of(start).zip(part_of(start + 1)) {
            Some((letter, rest)) => (&document.text[letter], &document.text[rest]),
            None => return,
        };
        let goes_on = rest.strip_prefix(' ').is_some_and(|rest| rest.starts_with(char::is_lowercase));
        if goes_on && !matches!(letter, "A" | "I" | "O") {
            document.spans[start + 1].text.start += 1;
        }
    }

    /// Adds a blank if there is white space between two rows of which one is at the edge of a block.
    fn add_gap(&mut self, start: usize, before: Option<usize>, row: usize) {
        let page = self.page;
        let is_blank = |between: usize| page.is_text(between) && !page.text_between(between, between).is_empty();
        if before.is_some_and(|before| (before + 1..row).any(is_blank)) {
            self.list(start).add_lines(" ", LINE_SEPARATOR, Marks::default());
        }
    }

    /// What an inline element at the edge of a block shows: a formula, or an image that stands for a character.
    fn at_edge(&mut self, row: usize) -> Option<Span> {
        if self.page.tag[row] == IMAGE && !self.formulas.contains_key(&row) {
            return self.image(row);
        }
        self.formula(row)
    }

    /// Rows of what is shown at the edges of blocks.
    pub fn rows_at_edges(&self) -> HashSet<usize> {
        self.edges.values().flatten().copied().collect()
    }

    /// The spans of blocks that are one sentence: a button within it makes a block of its own.
    pub fn spans_of_sentence(&mut self, blocks: &[usize]) -> Part {
        let start = self.document.spans.len();
        for (number, &block) in blocks.iter().enumerate() {
            let before = if number > 0 { gap_before(self.source.text(block)) } else { "" };
            self.list(start).add_lines(before, LINE_SEPARATOR, Marks::default());
            self.spans(block);
        }
        Part { start, end: self.document.spans.len() }
    }

    /// Reads rows of a block, from the first to the last, run by run.
    ///
    /// Texts of consecutive rows are adjacent in the page's text, whatever elements are between them, so a run is one
    /// slice of it.
    fn read_rows(&mut self, (first, last): (usize, usize), is_hidden: bool, start: usize) {
        let mut run: Option<Run> = None;
        // An image inside a formula or a footnote link splits its run in two, but it must be added only once.
        let mut stand_in = 0;
        count(last - first + 1);
        for row in first..=last {
            let tag = self.page.tag[row];
            if tag == 0 {
                let around = self.around_of(self.page.parent[row]);
                match &mut run {
                    Some(run) if run.around.is_same(&around) => run.last = row,
                    _ => {
                        self.add_run(run.take(), start, is_hidden, &mut stand_in);
                        run = Some(Run { around, first: row, last: row });
                    }
                }
            } else if self.shows_itself(row) {
                self.add_run(run.take(), start, is_hidden, &mut stand_in);
                let textless = self.textless(row);
                self.add_others(start, textless);
            }
        }
        self.add_run(run, start, is_hidden, &mut stand_in);
    }

    /// Adds the text of a run, or what stands in for it.
    fn add_run(&mut self, run: Option<Run>, start: usize, is_hidden: bool, last_stand_in: &mut usize) {
        let run = match run {
            Some(run) => run,
            None => return,
        };
        if run.around.stand_in == 0 {
            let mut buffer = std::mem::take(&mut self.buffer);
            buffer.clear();
            append_text(self.page, run.first, run.last, is_hidden, &mut buffer);
            let text = self.plain_text(&buffer);
            self.list(start).add_lines(&text, LINE_SEPARATOR, run.around.marks);
            drop(text);
            self.buffer = buffer;
            self.add_reference_after(&run, start);
        } else if run.around.stand_in != *last_stand_in {
            *last_stand_in = run.around.stand_in;
            let shown = self.stand_in(run.around.stand_in);
            self.add_others(start, shown);
        }
    }

    /// Adds the reference after the last text of a citation.
    fn add_reference_after(&mut self, run: &Run, start: usize) {
        let citation = run.around.citation;
        if citation == 0 {
            return;
        }
        let mut rest = run.last + 1..self.page.subtree_end[citation] as usize;
        count(rest.len());
        if !rest.any(|row| self.page.text_length[row] > 0) {
            let shown = self.stand_in(citation);
            self.add_others(start, shown);
        }
    }

    /// Adds a span that is no text, if there is one.
    fn add_others(&mut self, start: usize, span: Option<Span>) {
        if let Some(span) = span {
            self.list(start).add_other(span);
        }
    }

    /// Whether an element without text shows something: an image, or a formula.
    fn shows_itself(&self, row: usize) -> bool {
        self.reads_images && (self.page.tag[row] == IMAGE || self.is_textless_formula(row))
    }

    /// Whether an element is a formula of which the page shows no text.
    fn is_textless_formula(&self, row: usize) -> bool {
        self.stands_in(row) && self.formulas.get(&row).is_some_and(|formula| formula.is_textless)
    }

    /// An image, or a formula without text; nothing inside another formula.
    fn textless(&mut self, row: usize) -> Option<Span> {
        if self.around_of(self.page.parent[row]).stand_in != 0 {
            return None;
        }
        if self.is_textless_formula(row) {
            return self.formula(row);
        }
        let is_image = self.page.tag[row] == IMAGE && self.page.hidden[row] == 0;
        (is_image && self.source.shows(show::IMAGES)).then(|| self.image(row)).flatten()
    }

    /// What is shown in place of the text of an element.
    fn stand_in(&mut self, row: usize) -> Option<Span> {
        if let Some(&note) = self.notes.references.get(&row) {
            let text = self.document.add_text(&self.notes.found[note].label);
            return Some(Span { text, marks: Marks::default(), kind: SpanKind::Note, address: 0 });
        }
        let has_text = self.formulas.get(&row).is_some_and(|formula| !formula.is_textless);
        // Its form for readers and its form for screen readers may be blocks of their own.
        (has_text && self.written.insert(row)).then(|| self.formula(row)).flatten()
    }

    /// A formula.
    fn formula(&mut self, row: usize) -> Option<Span> {
        let formula = self.formulas.get(&row).filter(|formula| !formula.latex.is_empty())?;
        let kind = if formula.is_displayed { SpanKind::DisplayFormula } else { SpanKind::Formula };
        let text = self.document.add_text(&formula.latex);
        Some(Span { text, marks: Marks::default(), kind, address: 0 })
    }

    /// The box of a task.
    fn task(&mut self, row: usize) -> Option<Span> {
        let text = self.document.add_text(box_of(self.page, row));
        Some(Span { text, marks: Marks::default(), kind: SpanKind::Task, address: 0 })
    }
}

/// What stands between a button and the text after it, or the text before it.
fn gap_before(text: &str) -> &'static str {
    let closes = |character: char| matches!(character, '.' | ',' | ';' | ':' | '!' | '?' | ')');
    if text.starts_with(closes) {
        ""
    } else {
        " "
    }
}

impl Around {
    /// Whether two texts have the same marks.
    fn is_same(&self, other: &Around) -> bool {
        self.marks == other.marks && self.stand_in == other.stand_in && self.citation == other.citation
    }
}

/// Appends the text of some rows; rows whose visibility differs from the block's leave only their trace.
fn append_text(page: &PageView, first: usize, last: usize, is_hidden: bool, output: &mut String) {
    count(last - first + 1);
    let is_own = |row: usize| (page.hidden[row] != 0) == is_hidden;
    if (first..=last).all(is_own) {
        return append_shown(output, page.text_between(first, last));
    }
    let mut written = String::new();
    for row in (first..=last).filter(|&row| page.is_text(row)) {
        let text = page.text_between(row, row);
        written.push_str(if is_own(row) { text } else { trace_of(text, is_hidden) });
    }
    append_shown(output, &written);
}
