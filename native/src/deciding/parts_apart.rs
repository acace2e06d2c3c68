//! Parts of a text that a page sets apart: callouts, quotations, posts and cards of other pages, lists of tasks and those that
//! a sentence announces, and what folds. They stay or go with the text around them.
#![forbid(unsafe_code)]

use std::cell::OnceCell;

use crate::blocks::characters::{is_space, strip};

use super::kept_together::announces_others;
use super::rows_inside::RowsInside;
use crate::blocks::page_blocks::Blocks;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{attribute, number_of, set};
use crate::document::class_signs::{CARDS, TURNS};
use crate::document::code_parts::has_class;
use crate::document::steps::count;
use crate::document::structures::Structures;

const PARAGRAPH: i32 = number_of("p");
const ITEM: i32 = number_of("li");
const QUOTE: i32 = number_of("blockquote");
const DETAILS: i32 = number_of("details");
const HEADER: i32 = number_of("header");
/// Elements around what folds that may be the header of an article.
const REACH_OF_HEADER: usize = 3;

const IMAGE: i32 = number_of("img");
const LINK: i32 = number_of("a");
const TABLE: i32 = number_of("table");
const FIGURE: i32 = number_of("figure");
const BUTTON: i32 = number_of("button");
const CAPTION_OF_FIGURE: i32 = number_of("figcaption");
/// How the captions of figures with numbers begin.
#[rustfmt::skip]
const LABELS: [&str; 15] = [
    "Figure", "Fig.", "FIGURE", "FIG.", "Table", "TABLE", "Listing", "Algorithm", "Abbildung", "Abb.", "Tabelle", "Рис.", "图", "圖",
    "図",
];
const CAPTION: i32 = number_of("caption");
const HEADER_CELL: i32 = number_of("th");
/// Elements between a table and the figure around it, at most.
const MOST_AROUND: usize = 4;
/// Rows of a table among which its caption begins.
const ROWS_OF_CAPTION: usize = 3;
/// Rows of a table among which the first of its headers is.
const ROWS_OF_HEADERS: usize = 24;
const INPUT: i32 = number_of("input");
const CHOICE: i32 = number_of("select");
const TEXT_FIELD: i32 = number_of("textarea");
/// Bytes of text for each link, at least: in the summaries of Haskell's documentation there are half as many, all of them said
/// again below.
const BYTES_A_LINK: usize = 80;
/// Rows and bytes of a quotation, at most.
const ROWS_OF_QUOTATION: usize = 80;
const SHORTEST_QUOTATION: usize = 40;
const LONGEST_QUOTATION: usize = 2000;
/// Part of the classes of lists of tasks.
const TASKS: &str = "task-list";
/// Bytes of a sentence that announces a list.
const SHORTEST_SENTENCE: usize = 16;
const LONGEST_SENTENCE: usize = 1000;
/// Bytes of each item of a list of names, on average, with the blanks between them.
const LONGEST_NAME: usize = 40;
/// Rows between a list and such a sentence: what is in the sentence, and blanks.
const REACH_OF_SENTENCE: usize = 12;
/// Classes of the quotations that become posts of other sites once a script has run.
const POSTS: [&str; 6] =
    ["twitter-tweet", "twitter-video", "instagram-media", "tiktok-embed", "reddit-embed-bq", "bluesky-embed"];

/// What is looked for in elements, found when first asked for.
#[derive(Default)]
struct Inside {
    links: OnceCell<RowsInside>,
    images: OnceCell<RowsInside>,
    items: OnceCell<RowsInside>,
    fields: OnceCell<RowsInside>,
}

impl Inside {
    fn links(&self, page: &PageView) -> &RowsInside {
        self.links.get_or_init(|| RowsInside::of_tag(page, LINK))
    }

    fn images(&self, page: &PageView) -> &RowsInside {
        self.images.get_or_init(|| RowsInside::of_tag(page, IMAGE))
    }

    fn items(&self, page: &PageView) -> &RowsInside {
        self.items.get_or_init(|| RowsInside::of_tag(page, ITEM))
    }

    fn fields(&self, page: &PageView) -> &RowsInside {
        self.fields.get_or_init(|| RowsInside::that(page, |row| is_field(page, row)))
    }
}

/// One entry per block: row of the outermost such part that it is in, or -1; empty if there are none.
pub fn parts_apart(page: &PageView, structures: &Structures, blocks: &Blocks) -> Vec<i32> {
    let inside = Inside::default();
    let quotations = page.rows_of(QUOTE).filter(|&row| is_quotation(page, &inside, row));
    let lists = page.rows_in(set::LIST).filter(|&row| is_of_tasks(page, row) || is_announced(page, &inside, row));
    let folded = page.rows_of(DETAILS).filter(|&row| is_to_read(page, &inside, row));
    let callouts = &structures.callouts;
    let is_by_class = |row: &usize| page.attribute(*row, attribute::CLASS).is_some() && !callouts.boxes.contains(row);
    let with_class = callouts.kinds.keys().copied().filter(is_by_class);
    let cards = structures.possible_cards.iter().copied().filter(|&row| has_class(page, row, &CARDS));
    let quotes = structures.pull_quotes.rows.iter().copied();
    let figures = page.rows_of(CAPTION_OF_FIGURE).filter(|&row| is_numbered(page, row));
    let tables = tables_to_read(page).into_iter();
    let boxes = folded.chain(with_class).chain(cards).chain(quotes);
    let rows = quotations.chain(lists).chain(boxes).chain(tables).chain(figures).collect();
    outermost_around(page, blocks, rows)
}

/// One entry per block: row of what somebody says to a language model that it is in, or -1; empty if there are none.
pub fn turns_of_conversation(page: &PageView, structures: &Structures, blocks: &Blocks) -> Vec<i32> {
    let turns = structures.possible_turns.iter().copied().filter(|&row| has_class(page, row, &TURNS));
    outermost_around(page, blocks, turns.collect())
}

/// One entry per block: the outermost of some rows that it is in, or -1; empty if there are none of these.
fn outermost_around(page: &PageView, blocks: &Blocks, mut rows: Vec<usize>) -> Vec<i32> {
    if rows.is_empty() {
        return Vec::new();
    }
    rows.sort_unstable();
    let mut end = 0;
    // What is in another one, or the same, is not outermost.
    rows.retain(|&row| {
        row >= end && {
            end = page.subtree_end[row] as usize;
            true
        }
    });
    let around = |row: usize| {
        let part = rows[..rows.partition_point(|&part| part <= row)].last()?;
        (row < page.subtree_end[*part] as usize).then_some(*part as i32)
    };
    blocks.segments.first_row.iter().map(|&row| around(row as usize).unwrap_or(-1)).collect()
}

/// Whether a caption has a number, by which the text speaks of its figure: `Figure 2: ...`.
fn is_numbered(page: &PageView, caption: usize) -> bool {
    let text = strip(page.text_within(caption));
    let rest = LABELS.iter().find_map(|label| text.strip_prefix(label)).unwrap_or("");
    rest.trim_start_matches(is_space).starts_with(|digit: char| digit.is_ascii_digit())
}

/// Tables that have headers and a caption, or the figures around them: those are read, and hardly words. Those with what a
/// reader operates are none, since shops order goods with tables.
fn tables_to_read(page: &PageView) -> Vec<usize> {
    let captioned = page.rows_of(TABLE).filter_map(|row| Some((row, figure_around(page, row)?)));
    let mut found: Vec<(usize, usize)> = captioned.collect();
    if !found.is_empty() {
        let operated = RowsInside::that(page, |row| page.tag[row] == BUTTON || is_field(page, row));
        found.retain(|&(row, _)| !operated.any_within(page.rows_within(row)));
    }
    found.into_iter().map(|(_, part)| part).collect()
}

/// The figure around a table that has headers, or the table itself if it has a caption.
fn figure_around(page: &PageView, table: usize) -> Option<usize> {
    let inside = table + 1..page.subtree_end[table] as usize;
    let has_caption = inside.clone().take(ROWS_OF_CAPTION).any(|row| page.tag[row] == CAPTION);
    let figure = page.ancestors(table).take(MOST_AROUND).find(|&row| page.tag[row] == FIGURE);
    let part = figure.or(Some(table).filter(|_| has_caption))?;
    inside.take(ROWS_OF_HEADERS).any(|row| page.tag[row] == HEADER_CELL).then_some(part)
}

/// Whether a part is whole if some of it is kept. Of a quotation, the name or a button to unfold it may be dropped.
pub fn stays_whole(page: &PageView, structures: &Structures, row: usize) -> bool {
    page.tag[row] != QUOTE || is_post(page, row) || structures.callouts.kinds.contains_key(&row)
}

/// Whether a `<blockquote>` is a quotation and does not only place or indent a part of the page.
fn is_quotation(page: &PageView, inside: &Inside, row: usize) -> bool {
    let end = page.subtree_end[row] as usize;
    is_post(page, row)
        || (end - row <= ROWS_OF_QUOTATION
            && (SHORTEST_QUOTATION..LONGEST_QUOTATION).contains(&page.text_within(row).len())
            && (row..end).all(|row| is_of_quotation(page, row))
            && has_few_links(page, inside, row))
}

/// Whether a list is named as one of tasks, which nothing but a text has: GitHub, Docusaurus, Confluence.
fn is_of_tasks(page: &PageView, list: usize) -> bool {
    page.value(list, attribute::CLASS).is_some_and(|classes| classes.contains(TASKS))
}

/// Whether a list stands right below a sentence that ends in a colon, and is no list of other articles.
fn is_announced(page: &PageView, inside: &Inside, list: usize) -> bool {
    let is_blank = |row: usize| page.is_text(row) && strip(page.text_within(row)).is_empty();
    let parent = page.parent[list];
    let mut before = list as i32 - 1;
    for _ in 0..REACH_OF_SENTENCE {
        count(1);
        if before <= parent {
            return false;
        }
        let row = before as usize;
        before = match page.parent[row] {
            above if above != parent => above,
            _ if is_blank(row) => before - 1,
            _ => break,
        };
    }
    let before = before.max(0) as usize;
    if page.parent[before] != parent || page.tag[before] != PARAGRAPH {
        return false;
    }
    let sentence = strip(page.text_within(before));
    (SHORTEST_SENTENCE..LONGEST_SENTENCE).contains(&sentence.len())
        && (sentence.ends_with(':') || sentence.ends_with('：'))
        && !announces_others(sentence)
        && names_things(page, inside, list)
}

/// Whether the items of a list are as short as names, not as the titles of other articles, without pictures, and its first link leads to no
/// place of the same page, as those of a table of contents do.
fn names_things(page: &PageView, inside: &Inside, list: usize) -> bool {
    let rows = page.rows_within(list);
    if inside.images(page).any_within(rows.clone()) {
        return false;
    }
    let link = inside.links(page).within(rows.clone()).first();
    let address = link.and_then(|&link| page.value(link, attribute::HREF)).unwrap_or("");
    let items = inside.items(page).within(rows).len();
    page.text_within(list).len() <= items * LONGEST_NAME && !address.contains('#')
}

/// Whether a `<details>` folds a text, and neither a list of links, as menus and tables of contents do, nor a form, as what
/// shops share pages and filter products with.
fn is_to_read(page: &PageView, inside: &Inside, row: usize) -> bool {
    // Beside the title of a page: which browsers know what it describes, or who wrote it.
    if page.ancestors(row).take(REACH_OF_HEADER).any(|outer| page.tag[outer] == HEADER) {
        return false;
    }
    has_few_links(page, inside, row) && !inside.fields(page).any_within(page.rows_within(row))
}

/// Whether an element has much text for each of its links.
fn has_few_links(page: &PageView, inside: &Inside, row: usize) -> bool {
    let links = inside.links(page).within(page.rows_within(row)).len();
    links * BYTES_A_LINK <= page.text_within(row).len()
}

/// Whether an element may be in a quotation.
fn is_of_quotation(page: &PageView, row: usize) -> bool {
    !page.is_in(row, set::HEADING) && !page.is_in(row, set::TABLE) && !is_field(page, row)
}

/// Whether an element is a field to fill in. A box to tick may be that of a task.
fn is_field(page: &PageView, row: usize) -> bool {
    match page.tag[row] {
        INPUT => !page.value(row, attribute::TYPE).is_some_and(|kind| kind.eq_ignore_ascii_case("checkbox")),
        tag => tag == CHOICE || tag == TEXT_FIELD,
    }
}

/// Whether a quotation is a post of another site.
fn is_post(page: &PageView, row: usize) -> bool {
    let classes = page.value(row, attribute::CLASS).unwrap_or("");
    classes.split_ascii_whitespace().any(|class| POSTS.contains(&class))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::page_blocks::find_blocks;
    use crate::columns::Limits;
    use crate::html::read;

    fn parts(html: &str) -> Vec<bool> {
        let page = read(html, &Limits::default());
        let blocks = find_blocks(&page.view()).unwrap();
        parts_apart(&page.view(), &Structures::of(&page), &blocks).iter().map(|&row| row >= 0).collect()
    }

    #[test]
    fn callouts_and_posts_are_set_apart() {
        assert_eq!(parts("<p>a</p><div class='admonition tip'><p>b</p><p>c</p></div>"), [false, true, true]);
        assert_eq!(parts("<blockquote class=twitter-tweet><p>a</p></blockquote><p>b"), [true, false]);
        assert!(parts("<p>a</p><div class=tip>b</div>").is_empty());
        assert_eq!(parts("<p>a</p><aside class='onebox x'><h3>b</h3></aside>"), [false, true]);
        assert_eq!(parts("<p>a</p><details><summary>b</summary>c</details>"), [false, true, true]);
        assert_eq!(parts("<figure><p>a</p><figcaption>Fig. 2: b</figcaption></figure>"), [false, true]);
        assert!(parts("<figure><p>a</p><figcaption>Figures b</figcaption></figure>").is_empty());
        assert_eq!(parts("<p>a</p><figure><p>b</p><table><tr><th>c</table></figure>"), [false, true, true]);
        assert_eq!(parts("<p>a</p><table><caption>b</caption><tr><th>c</table>"), [false, true, true]);
        assert!(parts("<p>a</p><table><caption>b</caption><tr><th>c<td><button>d</button></table>").is_empty());
        assert!(parts("<p>a</p><table><tr><th>c</table>").is_empty());
        assert!(parts("<p>a</p><details><summary>b</summary><a href=/c>c</a></details>").is_empty());
    }

    #[test]
    fn announced_lists_and_quotations_are_set_apart() {
        let list = "<p>These programs helped us:</p> <ul><li><a href=/a>Bell</a></li><li><a href=/b>Bowl</a></li></ul>";
        assert_eq!(parts(list), [false, true, true]);
        assert!(parts(&list.replace(':', ".")).is_empty());
        assert!(parts(&list.replace("These programs helped us", "You may also like")).is_empty());
        assert!(parts(&list.replace("href=/a", "href=#a")).is_empty(), "a table of contents");
        assert!(parts(&list.replace("Bell", "<img src=/a.jpg>Bell")).is_empty(), "a list of teasers");
        let long = "How to find a bell that rings for longer than you can listen to it in a single evening";
        assert!(parts(&list.replace("Bell", long)).is_empty(), "titles of articles");
        let quotation = "<p>a</p><blockquote><p>We light the stove at five, and not a minute later.</p></blockquote>";
        assert_eq!(parts(quotation), [false, true]);
        assert!(parts(&quotation.replace("We light", "<h2>We</h2> light")).is_empty(), "indented text");
    }

    #[test]
    fn lists_of_tasks_are_set_apart() {
        assert_eq!(parts("<p>a</p><ul class=contains-task-list><li>b<li>c</ul>"), [false, true, true]);
        assert!(parts("<p>a</p><ul class=list><li>b<li>c</ul>").is_empty());
    }

    #[test]
    fn folded_forms_are_no_texts() {
        let sharing = "<details><summary>Share</summary><input type=text><label>Link</label></details>";
        assert!(parts(&format!("<p>a</p>{}", sharing)).is_empty());
        let tasks = "<details><summary>Steps</summary><input type=checkbox> Steep the leaves</details>";
        assert_eq!(parts(&format!("<p>a</p>{}", tasks)), [false, true, true]);
    }
}
