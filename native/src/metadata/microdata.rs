//! The schema.org items of a page (`itemscope`, `itemprop`).
#![forbid(unsafe_code)]

use super::elements::Elements;
use super::text_lists::TextList;
use super::visible_text::visible_text;
use crate::blocks::characters::is_space;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::attribute;

/// Items, and elements with properties, that are read. Lists of a shop's articles have hundreds.
const MOST_NODES: usize = 5000;
/// Names of one element that are read.
const MOST_NAMES: usize = 4;
/// Properties whose value is an address; the value of all others is the text, even of a link.
const OF_ADDRESSES: [&str; 8] =
    ["url", "contentUrl", "image", "thumbnailUrl", "primaryImageOfPage", "mainEntityOfPage", "license", "item"];
/// Other properties that `dehusk.metadata.schema_org` reads.
#[rustfmt::skip]
const OF_TEXTS: [&str; 23] = [
    "itemListElement", "position", "title", "headline", "name", "alternativeHeadline", "author", "creator",
    "datePublished", "dateCreated", "uploadDate", "datePosted", "dateModified", "inLanguage", "publisher",
    "sourceOrganization", "articleSection", "category", "recipeCategory", "genre", "keywords", "description",
    "abstract",
];
/// Attributes that hold an address, the first one with a value counts.
const HOLDING_ADDRESS: [u8; 4] = [attribute::CONTENT, attribute::HREF, attribute::SRC, attribute::DATA_SRC];
/// Attributes that hold another value.
const HOLDING_TEXT: [u8; 2] = [attribute::CONTENT, attribute::DATETIME];

/// The items of a page, and the properties of these.
#[derive(Debug, Default)]
pub struct Microdata {
    /// The `itemtype` of each item.
    pub types: TextList,
    /// Name and value of each property; the value is empty if it is an item.
    pub properties: TextList,
    /// One entry per property: the item it is of; -1 for none.
    pub owner: Vec<i32>,
    /// One entry per property: the item that is its value; -1 for none.
    pub item: Vec<i32>,
}

/// Find the items of a page.
pub fn microdata(page: &PageView, elements: &Elements) -> Microdata {
    let mut found = Microdata::default();
    let scopes = &elements.scopes[..elements.scopes.len().min(MOST_NODES)];
    for &row in scopes {
        found.types.push(page.value(row, attribute::ITEMTYPE).unwrap_or(""));
    }
    // Items around the current row, each with one past its last row.
    let (mut around, mut next): (Vec<(i32, usize)>, usize) = (Vec::new(), 0);
    for &row in elements.properties.iter().take(MOST_NODES) {
        while let Some(&scope) = elements.scopes.get(next).filter(|&&scope| scope < row) {
            leave(&mut around, scope);
            around.push((if next < MOST_NODES { next as i32 } else { -1 }, page.subtree_end[scope] as usize));
            next += 1;
        }
        leave(&mut around, row);
        let owner = around.last().map_or(-1, |&(item, _)| item);
        let item = scopes.binary_search(&row).map_or(-1, |number| number as i32);
        found.add(page, row, owner, item);
    }
    found
}

impl Microdata {
    /// Add the properties that an element is.
    fn add(&mut self, page: &PageView, row: usize, owner: i32, item: i32) {
        let names = page.value(row, attribute::ITEMPROP).unwrap_or("").split(is_space);
        for name in names.filter(|name| !name.is_empty()).take(MOST_NAMES) {
            let is_address = OF_ADDRESSES.contains(&name);
            if !is_address && !OF_TEXTS.contains(&name) {
                continue;
            }
            let value = if item >= 0 { String::new() } else { value_of(page, row, is_address) };
            if item >= 0 || !value.is_empty() {
                self.properties.push_pair(name, &value);
                self.owner.push(owner);
                self.item.push(item);
            }
        }
    }
}

/// The value of a property.
fn value_of(page: &PageView, row: usize, is_address: bool) -> String {
    let holding: &[u8] = if is_address { &HOLDING_ADDRESS } else { &HOLDING_TEXT };
    let mut values = holding.iter().filter_map(|&name| page.value(row, name));
    let held = values.find(|value| !value.is_empty());
    held.map_or_else(|| visible_text(page, row, "", usize::MAX), str::to_string)
}

/// Take off the items that end before a row.
fn leave(around: &mut Vec<(i32, usize)>, row: usize) {
    while around.last().is_some_and(|&(_, end)| end <= row) {
        around.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Limits;
    use crate::html::read;

    fn found(html: &str) -> Microdata {
        let page = read(html, &Limits::default());
        microdata(&page.view(), &Elements::of(&page.view()))
    }

    #[test]
    fn properties_and_their_items() {
        let found = found(
            "<div itemscope itemtype=A><p itemprop=name>a</p><div itemprop=author itemscope itemtype=B>\
             <p itemprop='name other url' content=x>b</p></div><p itemprop=url>c</p></div><p itemprop=keywords>d",
        );
        assert_eq!(found.types.texts(), ["A", "B"]);
        assert_eq!(
            found.properties.texts(),
            ["name", "a", "author", "", "name", "x", "url", "x", "url", "c", "keywords", "d"]
        );
        assert_eq!(found.owner, [0, 0, 1, 1, 0, -1]);
        assert_eq!(found.item, [-1, 1, -1, -1, -1, -1]);
    }

    #[test]
    fn what_holds_a_value() {
        let found = found(
            "<a itemprop=url href=/a>b</a><a itemprop=name href=/a>b</a><img itemprop=image src='' data-src=/c>\
             <time itemprop=datePublished datetime=2024>d</time><p itemprop=name>",
        );
        assert_eq!(found.properties.texts(), ["url", "/a", "name", "b", "image", "/c", "datePublished", "2024"]);
    }

    #[test]
    fn an_item_ends_with_its_element() {
        let found = found("<p itemscope></p><p itemscope><b itemscope></b><i itemprop=name>a</i></p>");
        assert_eq!((found.types.texts().len(), &found.owner[..]), (3, &[1][..]));
    }
}
