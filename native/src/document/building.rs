//! Labelled blocks -> document.
//!
//! Every kept block becomes a leaf (heading, paragraph, code) with a path of containers (list items, quotes, figures), and
//! leaves are assembled to a tree.
#![forbid(unsafe_code)]

use super::assembling::{Assembly, Leaf};
use super::code_frames::CodeBlocks;
use super::code_lines::append_code;
use super::code_parts::has_class;
use super::containers::Containers;
use super::embeds::embed_rows;
use super::footnote_marks::{take_last_brackets_off, take_mark_off};
use super::footnotes::{find_notes, FoundNote, Notes, Place};
use super::groups::groups;
use super::headings::{
    block_below_title, buttons_in_headings, close_gaps_between_levels, drop_repeated_title, heading_around_button,
    headings_for_listeners, is_heading_by_role, is_label_of_accordion, is_no_heading, level_by_role, level_by_tag,
    make_title_of_paragraph, raise_title, tools_beside_headings,
};
use super::image_twins::without_twins;
use super::images::{alternative_of, dropped_caption, shown_images, Beside, VisibleBlocks};
use super::lists::{is_item_by_role, is_member, ItemNumbers};
use super::locales::Locales;
use super::numbered_steps::number_items;
use super::site_names::heading_of_site;
use super::source::{show, Source};
use super::spans::SpanReader;
use super::steps::count;
use super::tables::{is_for_layout, repeat_spans, table_of, Content};
use super::tabs::with_labels_at_panels;
use super::tree::{mark, Cell, Document, Item, List, Node, Note, Part, Table};
use super::written_callouts::make_callouts;
use super::written_notes::make_notes;
use crate::blocks::characters::strip;
use crate::blocks::code_areas::is_no_listing;
use crate::blocks::kinds::kind;
use crate::blocks::memory::ask_for;
use crate::blocks::page_view::entry;
use crate::blocks::tags::{attribute, number_of, set};
use std::collections::{HashMap, HashSet, TryReserveError};

const BUTTON: i32 = number_of("button");
const CAPTION: i32 = number_of("caption");
const CELL: i32 = number_of("td");
const TABLE: i32 = number_of("table");
const SUMMARY: i32 = number_of("summary");
/// Class of labels that rustdoc shows while the text below is closed, which it is not.
const SHOWN_IF_CLOSED: &str = "hideme";
/// Class around the table of notes on the lines of a listing, which AsciiDoc writes if numbers are letters of a font.
const NOTES_OF_LISTING: &str = "colist";
/// Class of the callouts that AsciiDoc writes.
const ASCII_DOC: &str = "admonitionblock";
/// Bytes of the text of a button within a sentence.
const LONGEST_BUTTON: usize = 60;
/// The level of the least headings.
const LOWEST_LEVEL: i32 = 6;
/// Outside tables, and outside code.
const NONE: i32 = -1;
/// Bytes that building takes for each row of the page, at most, besides the texts: two columns of 4 bytes, spans, and nodes.
const BYTES_A_ROW: usize = 160;
/// How many times the text of the page is held: as texts of the document, and as output.
const TIMES_TEXT: usize = 4;

/// The document of the kept blocks; an error if there is not enough memory for it.
pub fn build<'a>(source: &'a Source<'a>) -> Result<Document<'a>, TryReserveError> {
    ask_for(TIMES_TEXT * source.page.text.len() + BYTES_A_ROW * source.page.len())?;
    let notes = if source.shows(show::FOOTNOTES) { find_notes(source) } else { Notes::default() };
    let locales = if source.shows(show::LOCALES) { Locales::on(source.page) } else { Locales::none() };
    let mut builder = Builder::new(source, &notes, &locales);
    builder.add_children();
    builder.add_notes(&notes);
    let title = (0..source.keep.len()).find(|&block| source.kind(block) == kind::TITLE);
    let SpanReader { document, links, .. } = builder.reader;
    let mut document = Document {
        title: title.map_or("", |block| source.text(block)),
        locale: locales.of_page,
        addresses: links.distinct,
        locales: locales.distinct.clone(),
        ..document
    };
    make_callouts(&mut document, !source.structures.callouts.kinds.is_empty());
    if !source.shows(show::PLAIN) {
        number_items(&mut document);
    }
    make_title_of_paragraph(&mut document);
    // Plain text has them as they are.
    if source.shows(show::FOOTNOTES) && !source.shows(show::PLAIN) {
        make_notes(&mut document);
    }
    // Plain text does not show the levels of headings.
    let shows_levels = !source.shows(show::PLAIN);
    document.has_title = shows_levels && raise_title(&mut document);
    drop_repeated_title(&mut document);
    if shows_levels {
        close_gaps_between_levels(&mut document.children);
    }
    Ok(document)
}

/// Builds the document of one page.
struct Builder<'a, 'b> {
    source: &'a Source<'a>,
    locales: &'b Locales<'a>,
    reader: SpanReader<'a, 'b>,
    containers: Containers<'a>,
    beside: Beside,
    /// By block: whether it is in a footnote, or not shown at all.
    is_in_note: Vec<bool>,
    numbers: ItemNumbers,
    code: CodeBlocks,
    /// Kept caption -> row of its table, if that is shown as one.
    captions: HashMap<usize, i32>,
    /// Captions that are shown with their images, though they were dropped.
    shown_captions: HashSet<usize>,
    /// Rows of tables that only set parts of the page side by side.
    layout: HashSet<i32>,
    /// The block right below the title.
    below_title: Option<usize>,
    /// The level of the last heading.
    level: i32,
    /// Used again for each cell of a table.
    leaves_of_cell: Vec<Leaf>,
    /// Used again for all blocks that become leaves together: the row of the code that each is in, and the block.
    code_rows: Vec<(i32, usize)>,
}

impl<'a, 'b> Builder<'a, 'b> {
    /// Nothing is built yet.
    fn new(source: &'a Source<'a>, notes: &'b Notes, locales: &'b Locales<'a>) -> Self {
        let reader = SpanReader::new(source, notes);
        let mut is_in_note = vec![false; source.keep.len()];
        notes.found.iter().flat_map(FoundNote::blocks).for_each(|block| is_in_note[block] = true);
        let beside = headings_for_listeners(source).into_iter().chain(tools_beside_headings(source));
        let not_shown = beside.chain(heading_of_site(source)).chain(labels_of_open_parts(source));
        let not_shown = not_shown.chain(buttons_in_headings(source));
        not_shown.for_each(|block| is_in_note[block] = true);
        Builder {
            source,
            locales,
            beside: rows_beside(source, &reader, &is_in_note),
            is_in_note,
            reader,
            containers: Containers::new(source.page, source.structures, source.shows(show::PLAIN)),
            numbers: ItemNumbers::default(),
            code: CodeBlocks::new(source),
            captions: captions_of_tables(source),
            shown_captions: HashSet::new(),
            layout: tables_for_layout(source),
            below_title: block_below_title(source),
            level: 1,
            leaves_of_cell: Vec::new(),
            code_rows: Vec::new(),
        }
    }

    /// Builds the content: comments, and what is not.
    fn add_children(&mut self) {
        let kept: Vec<usize> = self.source.kept().filter(|&block| !self.is_in_note[block]).collect();
        let kept = with_labels_at_panels(self.source, kept);
        let (source, sets_apart) = (self.source, self.source.shows(show::COMMENTS));
        for (is_comment, blocks) in groups(&kept, |&block| sets_apart && source.comments[block] != 0) {
            let mut nodes = self.nodes(blocks, 0, false);
            let children = &mut self.reader.document.children;
            if is_comment && !nodes.is_empty() {
                children.push(Node::Comments(nodes));
            } else {
                children.append(&mut nodes);
            }
        }
    }

    /// Builds the footnotes.
    fn add_notes(&mut self, notes: &Notes) {
        for note in &notes.found {
            let mut children = self.nodes_of_note(note);
            let document = &mut self.reader.document;
            take_mark_off(document, &mut children, &note.mark);
            take_last_brackets_off(document, &mut children);
            let label = document.add_text(&note.label);
            document.notes.push(Note { label, children });
        }
    }

    /// The content of a footnote.
    fn nodes_of_note(&mut self, note: &FoundNote) -> Vec<Node> {
        match &note.place {
            Place::Amid(row) => {
                let spans = self.reader.spans_inside(*row);
                vec![Node::Paragraph { spans, locale: 0 }]
            }
            Place::Apart { part, pieces, .. } => {
                let blocks: Vec<usize> = pieces.iter().map(|piece| piece.0).collect();
                let depth = self.shared_containers(&blocks);
                // Some tools write notes as rows of a table, or as tables.
                let is_table = self.source.blocks.table.table[blocks[0]] >= 0
                    && (self.source.page.is_in(*part, set::TABLE_ROW) || self.source.page.tag[*part] == TABLE);
                self.reader.clips = pieces.iter().map(|&(block, first, last)| (block, (first, last))).collect();
                let nodes = self.nodes(&blocks, depth, is_table);
                self.reader.clips.clear();
                nodes
            }
        }
    }

    /// How many containers all blocks of a note share: the list it is an item of, for example.
    fn shared_containers(&mut self, blocks: &[usize]) -> usize {
        let around: Vec<Part> = blocks.iter().map(|&block| self.containers.of(self.source.owner(block))).collect();
        let lines: Vec<&[usize]> = around.iter().map(|&part| self.containers.rows(part)).collect();
        let shortest = lines.iter().map(|line| line.len()).min().unwrap_or(0);
        (0..shortest).take_while(|&depth| lines.iter().all(|line| line[depth] == lines[0][depth])).count()
    }

    /// The nodes of some blocks, without their first `depth` containers.
    fn nodes(&mut self, blocks: &[usize], depth: usize, is_in_table: bool) -> Vec<Node> {
        let mut leaves = Vec::with_capacity(blocks.len());
        if is_in_table {
            self.add_leaves(blocks, &mut leaves);
        } else {
            self.add_tables_and_leaves(blocks, &mut leaves);
        }
        self.assembled(&mut leaves, depth)
    }

    /// The nodes of leaves, without their first `depth` containers. Takes the nodes out of the leaves.
    fn assembled(&mut self, leaves: &mut [Leaf], depth: usize) -> Vec<Node> {
        let mut assembly = Assembly {
            page: self.source.page,
            containers: &self.containers,
            spans: &self.reader.document.spans,
            text: &self.reader.document.text,
            numbers: &mut self.numbers,
            // Plain text has them as they are.
            joins_lists: !self.source.shows(show::PLAIN),
        };
        assembly.assembled(leaves, depth)
    }

    /// Adds the leaves of blocks, of which some are in tables.
    fn add_tables_and_leaves(&mut self, blocks: &[usize], leaves: &mut Vec<Leaf>) {
        let keys: Vec<(i32, usize)> = blocks.iter().map(|&block| (self.table_of_block(block), block)).collect();
        if keys.iter().all(|&(table, _)| table < 0) {
            return self.add_leaves(blocks, leaves);
        }
        for (table, members) in groups(&keys, |&(table, _)| table) {
            let members: Vec<usize> = members.iter().map(|&(_, block)| block).collect();
            if let Ok(table) = usize::try_from(table) {
                for number in 0..self.beside.before_table(table).len() {
                    self.add_apart(self.beside.before_table(table)[number], leaves);
                }
                self.add_table(table, &members, leaves);
                for number in 0..self.beside.after_table(table).len() {
                    self.add_apart(self.beside.after_table(table)[number], leaves);
                }
            } else {
                self.add_leaves(&members, leaves);
            }
        }
    }

    /// Row of the table that a block is shown in.
    fn table_of_block(&self, block: usize) -> i32 {
        if !self.source.shows(show::TABLES) {
            return NONE;
        }
        let table = self.captions.get(&block).copied().unwrap_or_else(|| self.source.table(block));
        // A table inside an area of code sets its lines.
        if (0..=table).contains(&self.code.area_of(block)) || self.layout.contains(&table) {
            return NONE;
        }
        // AsciiDoc and DocBook write a callout as a table of a sign and a text.
        let is_callout = table >= 0 && {
            let page = self.source.page;
            let around = page.parent[table as usize].max(0) as usize;
            let is_all = || strip(page.text_within(around)).len() == strip(page.text_within(table as usize)).len();
            let is_of_ascii_doc =
                || page.value(around, attribute::CLASS).is_some_and(|class| class.contains(ASCII_DOC));
            self.containers.callouts.kinds.contains_key(&around) && (is_of_ascii_doc() || is_all())
        };
        if is_callout {
            NONE
        } else {
            table
        }
    }

    /// Adds the leaves of blocks outside tables, or inside a cell.
    fn add_leaves(&mut self, blocks: &[usize], leaves: &mut Vec<Leaf>) {
        let source = self.source;
        let code = std::mem::take(&mut self.code);
        let is_other = |block: usize| is_no_listing(source.page, source.kind_row(block).max(0) as usize);
        let code_row = |block: usize| match code.area_of(block) {
            NONE if source.kind(block) == kind::CODE && !is_other(block) => source.kind_row(block),
            area => area,
        };
        let shown = blocks.iter().copied().filter(|&block| !code.is_frame(block));
        let mut rows = std::mem::take(&mut self.code_rows);
        rows.extend(shown.map(|block| (code_row(block), block)));
        self.code = code;
        for (code, members) in groups(&rows, |&(row, _)| row) {
            if code >= 0 {
                let members: Vec<usize> = members.iter().map(|&(_, block)| block).collect();
                members.iter().for_each(|&block| self.add_images_before(block, leaves));
                self.add_code(code, &members, leaves);
                members.iter().for_each(|&block| self.add_images_after(block, leaves));
                continue;
            }
            let mut written = 0..0;
            for &(_, block) in members {
                if !written.contains(&block) {
                    written = block..self.add_leaf(block, leaves) + 1;
                }
            }
        }
        rows.clear();
        self.code_rows = rows;
    }

    /// Adds the leaf of a block that is neither code nor in a table, and of those that continue it; returns the last.
    fn add_leaf(&mut self, block: usize, leaves: &mut Vec<Leaf>) -> usize {
        self.add_images_before(block, leaves);
        let end = self.end_of_sentence(block);
        let spans = if end > block {
            let blocks: Vec<usize> = (block..=end).collect();
            self.reader.spans_of_sentence(&blocks)
        } else {
            self.reader.spans(block)
        };
        if !spans.is_empty() {
            let leaf = self.leaf_of(block, spans);
            leaves.push(leaf);
        }
        self.add_images_after(end, leaves);
        end
    }

    /// The last block of a sentence that buttons in it cut into several blocks.
    fn end_of_sentence(&self, block: usize) -> usize {
        let source = self.source;
        let mut end = block;
        while end + 2 < source.keep.len() {
            let (button, after) = (end + 1, end + 2);
            let continues = source.owner(after) == source.owner(block)
                && source.is_kept(after)
                && !self.is_in_note[after]
                && is_button_in(source, button, source.owner(block));
            if !continues {
                break;
            }
            count(1);
            end = after;
        }
        end
    }

    /// Whether an element says by its role that it is a heading, and is not the title of a callout.
    fn is_heading_by_role(&self, row: i32) -> bool {
        let is_title = || usize::try_from(row).is_ok_and(|row| self.containers.callouts.titles.contains(&row));
        is_heading_by_role(self.source.page, row) && !is_title()
    }

    /// Whether a block is the label of an accordion, and what it opens is kept.
    fn is_label_of_kept(&self, block: usize) -> bool {
        let source = self.source;
        // The label may be an inline element within the block.
        let around = |block: usize| source.page.parent[source.rows(block).0];
        let is_label = |block: usize| is_label_of_accordion(source.page, around(block));
        let next = || (block + 1..source.keep.len()).find(|&next| source.is_kept(next));
        !self.is_in_note[block] && is_label(block) && next().is_some_and(|next| !is_label(next))
    }

    /// Whether an element is an item by its role, or by its class and those beside it.
    fn is_item_without_tag(&self, row: i32) -> bool {
        let source = self.source;
        is_item_by_role(source.page, row) || source.structures.drawn_items.has(source.page, row)
    }

    /// The leaf of a block that is neither code nor in a table.
    fn leaf_of(&mut self, block: usize, spans: Part) -> Leaf {
        let source = self.source;
        let containers = self.containers.of(source.owner(block));
        let locale = self.locales.around(source.page.parent[source.rows(block).0]);
        let node = Node::Paragraph { spans, locale };
        match source.kind(block) {
            kind::OTHER | kind::PARAGRAPH if self.is_heading_by_role(source.owner(block)) => {
                let level = level_by_role(source.page, source.owner(block));
                Leaf { containers, node: Node::Heading { level, spans, locale }, is_caption: false }
            }
            kind::FORM if heading_around_button(source.page, source.kind_row(block)).is_some() => {
                let heading = heading_around_button(source.page, source.kind_row(block)).unwrap_or(0);
                let level = level_by_tag(source.page, heading);
                Leaf { containers, node: Node::Heading { level, spans, locale }, is_caption: false }
            }
            kind::OTHER | kind::PARAGRAPH | kind::FORM if self.is_label_of_kept(block) => {
                let level = (self.level + 1).min(LOWEST_LEVEL);
                // A heading is bold anyway.
                self.reader.document.spans[spans.range()].iter_mut().for_each(|span| span.marks.flags &= !mark::STRONG);
                Leaf { containers, node: Node::Heading { level, spans, locale }, is_caption: false }
            }
            kind::HEADING if is_no_heading(source, block, self.below_title) => {
                Leaf { containers, node, is_caption: false }
            }
            kind::HEADING | kind::TITLE => {
                self.level = source.heading_level(block);
                let node = Node::Heading { level: self.level, spans, locale };
                Leaf { containers, node, is_caption: false }
            }
            // An item by its label or its class, not by its tag.
            other
                if (other == kind::LIST_ITEM && !is_member(source.page, source.kind_row(block)))
                    || (!self.is_in_note[block] && self.is_item_without_tag(source.owner(block)))
                    || self.reader.items_of_word.contains_key(&block) =>
            {
                let items = vec![Item { children: vec![node], number: 1 }];
                Leaf { containers, node: Node::List(List { items, is_ordered: false }), is_caption: false }
            }
            other => Leaf { containers, node, is_caption: other == kind::CAPTION },
        }
    }

    /// Adds the leaf of preformatted blocks in the same element.
    fn add_code(&mut self, row: i32, blocks: &[usize], leaves: &mut Vec<Leaf>) {
        let (source, document) = (self.source, &mut self.reader.document);
        let start = document.text.len();
        if self.code.area_of(blocks[0]) == row {
            append_code(source, row as usize, blocks, &mut document.text);
        } else {
            append_blocks(source, blocks, &mut document.text);
        }
        let text = Part { start, end: document.text.len() };
        // Plain text does not show it.
        let is_plain = source.shows(show::PLAIN);
        let language = document.add_text(if is_plain { "" } else { self.code.language(source.page, row as usize) });
        if text.is_empty() {
            return; // nothing but line numbers
        }
        let containers = self.containers.of(row);
        leaves.push(Leaf { containers, node: Node::Code { text, language }, is_caption: false });
    }

    /// Adds the images and formulas before a block.
    fn add_images_before(&mut self, block: usize, leaves: &mut Vec<Leaf>) {
        for number in 0..self.beside.before(block).len() {
            self.add_apart(self.beside.before(block)[number], leaves);
        }
    }

    /// Adds the images and formulas after a block.
    fn add_images_after(&mut self, block: usize, leaves: &mut Vec<Leaf>) {
        for number in 0..self.beside.after(block).len() {
            self.add_apart(self.beside.after(block)[number], leaves);
        }
    }

    /// Adds the leaf of an image or a formula that is in no block.
    fn add_apart(&mut self, row: usize, leaves: &mut Vec<Leaf>) {
        let spans = self.reader.spans_apart(row);
        if !spans.is_empty() {
            let containers = self.containers.of(row as i32);
            leaves.push(Leaf { containers, node: Node::Paragraph { spans, locale: 0 }, is_caption: false });
            self.add_dropped_caption(row, leaves);
        }
    }

    /// Adds the caption of an image that is shown, if it was dropped and is not the image's text: the image is nothing without.
    fn add_dropped_caption(&mut self, row: usize, leaves: &mut Vec<Leaf>) {
        let source = self.source;
        let alternative = alternative_of(source.page, row);
        let says_more = |&block: &usize| !source.is_hidden(block) && strip(source.text(block)) != alternative;
        let caption = if alternative.is_empty() { None } else { dropped_caption(source, row).filter(says_more) };
        if let Some(block) = caption.filter(|&block| self.shown_captions.insert(block)) {
            let (spans, containers) = (self.reader.spans(block), self.containers.of(source.owner(block)));
            leaves.push(Leaf { containers, node: Node::Paragraph { spans, locale: 0 }, is_caption: true });
        }
    }

    /// Adds a table, or only its caption if no cell is kept.
    fn add_table(&mut self, table: usize, blocks: &[usize], leaves: &mut Vec<Leaf>) {
        let (captions, cells): (Vec<usize>, Vec<usize>) =
            blocks.iter().partition(|block| self.captions.contains_key(block));
        let containers = self.containers.of(table as i32);
        let above = self.nodes_within(&captions, table);
        if cells.is_empty() {
            leaves.extend(above.into_iter().map(|node| Leaf { containers, node, is_caption: false }));
            return;
        }
        let source = self.source;
        let mut content = Content::new();
        for (cell, members) in groups(&cells, |&block| source.cell(block)) {
            let nodes = self.nodes_within(members, cell as usize);
            if !nodes.is_empty() {
                content.insert(cell as usize, nodes);
            }
        }
        if !content.is_empty() {
            let mut found = table_of(source, table, content, above);
            if source.shows(show::REPEATED_SPANS) {
                repeat_spans(&mut found);
            }
            let around = source.page.parent[table].max(0) as usize;
            let is_list = has_class(source.page, around, &[NOTES_OF_LISTING]);
            let node = if is_list { list_of_rows(found) } else { Node::Table(found) };
            leaves.push(Leaf { containers, node, is_caption: false });
        }
    }

    /// The nodes of blocks inside an element, without the containers around that.
    fn nodes_within(&mut self, blocks: &[usize], row: usize) -> Vec<Node> {
        let depth = self.containers.of(row as i32).range().len();
        let mut leaves = std::mem::take(&mut self.leaves_of_cell);
        self.add_leaves(blocks, &mut leaves);
        let nodes = self.assembled(&mut leaves, depth);
        leaves.clear();
        self.leaves_of_cell = leaves;
        nodes
    }
}

/// Whether a block is the short text of a button that is directly in an element, or in an inline element in it.
fn is_button_in(source: &Source, block: usize, element: i32) -> bool {
    let (page, button) = (source.page, source.owner(block));
    let parent = entry(page.parent, button);
    entry(page.tag, button) == BUTTON
        && (parent == element || entry(page.parent, parent) == element)
        && source.text(block).len() <= LONGEST_BUTTON
        && !source.is_hidden(block)
}

/// A table of numbers and texts as a list.
fn list_of_rows(table: Table) -> Node {
    let text = |row: Vec<Cell>| row.into_iter().last().map_or_else(Vec::new, |cell| cell.children);
    let item = |(place, row): (usize, Vec<Cell>)| Item { children: text(row), number: place as i32 + 1 };
    let items = table.rows.into_iter().enumerate().map(item).collect();
    Node::List(List { items, is_ordered: true })
}

/// Labels that pages show only while what they open is closed: rustdoc's `Expand description`.
fn labels_of_open_parts<'a>(source: &'a Source<'a>) -> impl Iterator<Item = usize> + 'a {
    let is_label = move |&block: &usize| {
        let row = usize::try_from(source.owner(block)).unwrap_or(0);
        source.page.tag[row] == SUMMARY && has_class(source.page, row, &[SHOWN_IF_CLOSED])
    };
    source.kept().filter(is_label)
}

/// Appends the texts of blocks that a model takes for code, each on lines of its own.
fn append_blocks(source: &Source, blocks: &[usize], output: &mut String) {
    for (number, &block) in blocks.iter().enumerate() {
        output.push_str(if number > 0 { "\n" } else { "" });
        output.push_str(source.text(block));
    }
}

/// Rows of images, embedded media and formulas without text that are next to a kept block.
fn rows_beside(source: &Source, reader: &SpanReader, is_in_note: &[bool]) -> Beside {
    let mut rows: Vec<usize> = reader.formulas_apart.clone();
    if source.shows(show::IMAGES) {
        let at_edges = reader.rows_at_edges();
        let formula_at = |row: usize| reader.formulas.range(..=row).next_back().map(|(&formula, _)| formula);
        let is_in_formula =
            |row: usize| formula_at(row).is_some_and(|formula| row < source.page.subtree_end[formula].max(1) as usize);
        let is_apart = |row: &&usize| !is_in_formula(**row) && !at_edges.contains(row);
        let images: Vec<usize> = shown_images(source.page).iter().filter(is_apart).copied().collect();
        rows.extend(without_twins(source.page, images));
    }
    if source.shows(show::LINKS) {
        rows.extend(embed_rows(source));
    }
    rows.sort_unstable();
    if rows.is_empty() {
        return Beside::default();
    }
    Beside::new(source, &VisibleBlocks::new(source), &rows, is_in_note)
}

/// Rows of tables that only set parts of the page side by side.
fn tables_for_layout(source: &Source) -> HashSet<i32> {
    let tables = groups(&source.blocks.table.table, |&table| table).map(|(table, _)| table).filter(|&table| table >= 0);
    let tables: HashSet<i32> = tables.collect();
    if tables.is_empty() {
        return tables;
    }
    let alone = tables_with_one_cell(source);
    let is_layout = |table: &i32| alone.contains(table) || is_for_layout(source.page, *table as usize);
    tables.into_iter().filter(is_layout).collect()
}

/// Rows of tables of which a single cell is kept, and no header: the frame of a post.
fn tables_with_one_cell(source: &Source) -> HashSet<i32> {
    let positions = &source.blocks.table;
    let mut cells: HashMap<i32, Option<i32>> = HashMap::new();
    for block in source.kept().filter(|&block| positions.table[block] >= 0) {
        let cell = Some(positions.cell[block]).filter(|&cell| cell >= 0 && source.page.tag[cell as usize] == CELL);
        let first = cells.entry(positions.table[block]).or_insert(cell);
        *first = first.filter(|_| *first == cell);
    }
    cells.into_iter().filter(|(_, cell)| cell.is_some()).map(|(table, _)| table).collect()
}

/// Kept caption -> row of its table, if that is shown as one.
fn captions_of_tables(source: &Source) -> HashMap<usize, i32> {
    let tables = &source.blocks.table.table;
    let mut captions = HashMap::new();
    let is_caption = |block: &usize| source.kind(*block) == kind::CAPTION;
    let has_tables = source.shows(show::TABLES) && source.kept().any(|block| tables[block] >= 0);
    if !has_tables || !source.kept().any(|block| is_caption(&block)) {
        return captions;
    }
    let mut is_shown = vec![false; source.page.len()];
    source.kept().filter(|&block| tables[block] >= 0).for_each(|block| is_shown[tables[block] as usize] = true);
    let page = source.page;
    let closest_caption = page.closest(|row| page.tag[row] == CAPTION);
    let closest_table = page.closest(|row| page.tag[row] == TABLE);
    for block in source.kept().filter(is_caption) {
        let table = entry(&closest_table, entry(&closest_caption, source.owner(block)));
        if table >= 0 && is_shown[table as usize] {
            captions.insert(block, table);
        }
    }
    captions
}

#[cfg(test)]
mod tests {
    use super::super::read_documents::{markdown_of, text_of};

    const PAGE: &str = "<h1>A *b*</h1><p>c <b>d</b><sup>2</sup> <a href=/x>e</a><ul><li>f<ol start=3><li>g</ol></ul>\
        <dl><dt>h<dd>i</dl><pre class=lang-c>j\n  k</pre><blockquote>l</blockquote>\
        <table><tr><th>m<th>n<tr><td>o|<td>p</table><p>q<a href=#n>[1]</a><p id=n>r s";

    #[test]
    fn a_page_as_plain_text() {
        let expected = "A *b*\n\nc d^2 e\n\n- f\n  - g\n- h\n  i\n\nj\n  k\n\nl\n\nm\tn\no|\tp\n\nq[1]\n\n[1] r s\n";
        assert_eq!(text_of(PAGE), expected);
        assert_eq!(text_of(""), "");
    }

    #[test]
    fn a_page_as_markdown() {
        let expected =
            "# A \\*b\\*\n\nc **d**<sup>2</sup> [e](/x)\n\n- f\n\n  3. g\n\n* h\n  - i\n\n```c\nj\n  k\n```\n\n> l\n\n\
            | m | n |\n| --- | --- |\n| o\\| | p |\n\nq[^1]\n\n[^1]: r s\n";
        assert_eq!(markdown_of(PAGE), expected);
        assert_eq!(markdown_of(""), "");
    }
}
