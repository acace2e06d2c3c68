//! Whether something without text, an image or a video, stands within the kept content.
//!
//! The closest element around it that shows any text tells: most of its text must be kept, and nothing in between may be
//! named as an advertisement, a menu or the like. Before the first and after the last kept block, where logos and teasers
//! are, that element must be the part of the page that holds nearly all of the content, or be inside it.
#![forbid(unsafe_code)]

use super::class_words::words;
use super::code_parts::{has_class, has_part_of_class};
use super::embeds::without_query;
use super::image_addresses::image_addresses;
use super::image_signs::{has_word, is_named, is_smaller_than};
use super::source::Source;
use super::steps::count;
use crate::blocks::kinds::kind;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{attribute, by_tag, look_up, number_of, TAGS};
use crate::html::attributes::code_of;

const ARTICLE: i32 = number_of("article");
const MAIN: i32 = number_of("main");
const HEADER: i32 = number_of("header");
const IMAGE: i32 = number_of("img");
const QUOTE: i32 = number_of("blockquote");
const LINK: i32 = number_of("a");
const OPENS: u8 = code_of("aria-haspopup");
/// Elements that divide a page, one of which holds the content.
#[rustfmt::skip]
const PARTS: [u32; TAGS.len() + 1] = by_tag([
    ("article", 1), ("section", 1), ("main", 1), ("div", 1), ("center", 1), ("td", 1), ("li", 1), ("blockquote", 1),
    ("form", 1),
]);
/// Elements without content of their own.
#[rustfmt::skip]
const BARRED: [u32; TAGS.len() + 1] = by_tag([("nav", 1), ("footer", 1), ("button", 1), ("dialog", 1), ("template", 1)]);
/// Elements that are in teasers, lists of names and controls, not in captions.
#[rustfmt::skip]
const NEVER_CAPTIONED: [u32; TAGS.len() + 1] = by_tag([
    ("h1", 1), ("h2", 1), ("h3", 1), ("h4", 1), ("h5", 1), ("h6", 1), ("form", 1), ("input", 1), ("button", 1), ("select", 1),
    ("time", 1), ("iframe", 1), ("video", 1), ("table", 1),
]);
/// Words in the names of elements whose images are not content.
#[rustfmt::skip]
const BARRED_NAMES: [&str; 39] = [
    "ad", "ads", "advert", "adverts", "advertisement", "sponsor", "sponsored", "promo",
    "sidebar", "related", "recommended", "newsletter", "subscribe", "logo", "logos", "avatar", "author", "byline", "menu",
    "nav", "navbar", "navigation", "breadcrumb", "breadcrumbs", "cookie", "popup", "comments", "profile", "icon", "icons",
    "partners", "tracking", "bookmark", "star", "stars", "rating", "ratings", "signature", "footer",
];
/// Words in the names of elements for sharing the page.
pub const SHARING: [&str; 3] = ["share", "sharing", "social"];
/// Words in the names of elements with a sign, which may have a number or a word as its label.
const SIGNS: [&str; 5] = ["icon", "icons", "avatar", "logo", "logos"];
/// Words in the names of boxes for something else, whose words may be kept by mistake, and characters of such a box.
const BOXES: [&str; 4] = ["newsletter", "subscribe", "signup", "sponsored"];
const LONGEST_BOX: u32 = 300;
/// Classes of what WordPress puts around each picture of a gallery, and GitLab around every picture.
const AROUND_PICTURES: [&str; 2] = ["gallery-icon", "no-attachment-icon"];
/// Parts of the classes around the pictures of a product: WooCommerce, Shopify, Flatsome.
const GALLERIES_OF_PRODUCTS: [&str; 4] =
    ["woocommerce-product-gallery", "product__media", "product-single__photo", "product-single__media"];
/// What the classes around the pictures of a product say, with the word for it: `single-product-slider`, `productGallery`; and
/// what they say of other products, and of the copies to choose a picture by.
const PRODUCT: &str = "product";
const WORDS_OF_GALLERIES: [&str; 7] = ["gallery", "slider", "images", "carousel", "slideshow", "photos", "pictures"];
#[rustfmt::skip]
const OF_OTHERS: [&str; 14] = [
    "card", "item", "related", "recommended", "similar", "upsell", "list", "grid", "category", "nav", "thumbs", "thumbnails",
    "recent", "featured",
];
/// Classes of the header of a whole site: WordPress.
const HEADERS_OF_SITES: [&str; 1] = ["wp-block-template-part"];
/// Elements between a picture of a product and its gallery.
const REACH_OF_GALLERY: usize = 6;
/// Part of the kept text that the main part of the page holds: a title or a note may stand outside.
const MOST_OF_TEXT: f64 = 0.8;
/// Part of the text around an image that must be kept.
const HALF: f64 = 0.5;
/// The same where no paragraph and no heading is dropped.
const QUARTER: f64 = 0.25;

/// Characters of text beside an image that say nothing of where it stands, if they are dropped.
const LONGEST_LABEL: u32 = 32;
/// Characters of the caption of an image, which pages write up to three times: as title, caption and credit.
const LONGEST_CAPTION: u32 = 450;
/// Pixels of the sides of an image with a caption.
pub const SMALLEST_CAPTIONED: f64 = 160.0;
/// Rows between the start of a part and the title in it.
pub const ROWS_ABOVE_TITLE: usize = 200;
/// Words in the names of the files of what a theme draws above titles.
const DRAWINGS: [&str; 6] = ["masthead", "banner", "bg", "background", "logo", "wx"];
/// Words of such a name with its ending, at most: a longer one says what an article is about.
const MOST_WORDS_OF_DRAWING: usize = 5;
/// The folders of what a theme draws: WordPress, Next.js.
const THEMES: [&str; 2] = ["/themes/", "/_next/static/media/"];
/// Rows of an image and its caption.
const MOST_ROWS: usize = 80;
/// Elements with such texts around an image, at most.
const MOST_STEPS: usize = 4;

/// What is around a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Around {
    /// Not looked for yet.
    Unknown,
    /// The closest element that shows text, -1 for none, and whether nothing before it bars what is in it.
    Text { row: i32, is_allowed: bool },
}

/// Where text is kept on a page.
pub struct Standing {
    /// By row: characters shown inside it.
    pub shown: Vec<u32>,
    /// By row: how many of them are kept.
    pub kept: Vec<u32>,
    /// By row: how many of them are in paragraphs and headings that are not.
    dropped_prose: Vec<u32>,
    /// By row: what was found around it so far. Few rows are asked for, and reading the names of all takes long.
    around: Vec<Around>,
    /// The element with nearly all of the kept text; none if only the body has so much.
    main: Option<usize>,
    /// First row of the first kept block, and of the last.
    pub kept_rows: (usize, usize),
    /// First row of the third kept block: the picture of an article stands before it.
    pub lead_end: usize,
}

impl Standing {
    /// Of the labelled blocks of a page.
    pub fn new(source: &Source) -> Self {
        let page = source.page;
        count(page.len());
        let [shown, kept, dropped_prose] = characters_within(source);
        let rows = source.kept().filter(|&block| !source.is_hidden(block)).map(|block| source.rows(block).0);
        let kept_rows = rows.fold((usize::MAX, 0), |(first, last), row| (first.min(row), last.max(row)));
        let lead_end = source.kept().filter(|&block| !source.is_hidden(block)).nth(2);
        let lead_end = lead_end.map_or(usize::MAX, |block| source.rows(block).0);
        let around = vec![Around::Unknown; page.len()];
        Standing { main: main_part(page, &shown, &kept), shown, kept, dropped_prose, around, kept_rows, lead_end }
    }

    /// Whether nothing around a row says that its content is none.
    pub fn is_allowed(&mut self, page: &PageView, row: usize) -> bool {
        self.around(page, row).1
    }

    /// The closest element around a row that shows text, and whether nothing before it bars what is in it. Visits each
    /// element once.
    fn around(&mut self, page: &PageView, row: usize) -> (i32, bool) {
        let (mut path, mut above) = (Vec::new(), row as i32);
        let mut found = (-1, true);
        while let Ok(row) = usize::try_from(above) {
            if let Around::Text { row, is_allowed } = self.around[row] {
                found = (row, is_allowed);
                break;
            }
            path.push(row);
            above = page.parent[row];
        }
        count(path.len() + 1);
        for &row in path.iter().rev() {
            if page.tag[row] != 0 && self.shown[row] > 0 {
                let is_closed = match self.shown[row] {
                    0..=LONGEST_LABEL => is_sign_with_label(page, row),
                    length => length <= LONGEST_BOX && is_named(page, row, &BOXES),
                };
                found = (row as i32, !is_closed);
            } else if page.tag[row] != 0 && found.1 {
                found.1 = !is_barred(page, row);
            }
            self.around[row] = Around::Text { row: found.0, is_allowed: found.1 };
        }
        found
    }

    /// Whether a row stands within the kept content.
    pub fn is_within(&mut self, page: &PageView, row: usize) -> bool {
        let (around, is_allowed) = self.around(page, row);
        match usize::try_from(around) {
            Ok(around) => (is_allowed && self.is_amid_kept(page, row, around)) || self.is_of_product(page, row, around),
            Err(_) => false,
        }
    }

    /// Whether a row is between kept blocks.
    pub fn is_between(&self, row: usize) -> bool {
        self.kept_rows.0 < row && row < self.kept_rows.1
    }

    /// Whether at least half of the text that an element shows is kept.
    pub fn is_mostly_kept(&self, row: usize) -> bool {
        f64::from(self.kept[row]) >= HALF * f64::from(self.shown[row])
    }

    /// Whether most of the text around a row is kept, given the closest element that shows any.
    fn is_amid_kept(&self, page: &PageView, row: usize, closest: usize) -> bool {
        let around = self.beyond_labels(page, closest);
        // Of a product, the name may be kept, but not how it is rated.
        let least = if self.dropped_prose[around] == 0 { QUARTER } else { HALF };
        let is_mostly_kept = f64::from(self.kept[around]) >= least * f64::from(self.shown[around]);
        let is_between = self.is_between(row);
        is_mostly_kept && (is_between || self.is_in_main(page, around) || self.is_above_title(page, row, around))
    }

    /// Whether a large image stands alone above the first kept block, in the same small part of the page: themes show the
    /// picture of an article above its title.
    fn is_above_title(&self, page: &PageView, row: usize, around: usize) -> bool {
        let (first, end) = (self.kept_rows.0, page.subtree_end[around] as usize);
        let is_in_part = look_up(&PARTS, page.tag[around]) != 0 && row < first && first < end;
        if !is_in_part || page.tag[row] != IMAGE || first - around > ROWS_ABOVE_TITLE {
            return false;
        }
        count(first - around);
        let is_alone = page.tag[around..first].iter().filter(|&&tag| tag == IMAGE).count() == 1;
        let is_of_theme = |row: usize| page.tag[row] == LINK || look_up(&BARRED, page.tag[row]) != 0;
        is_alone
            && !is_smaller_than(page, row, SMALLEST_CAPTIONED)
            && !is_named_as_drawing(page, row)
            && !page.ancestors(row).take_while(|&row| row > around).any(is_of_theme)
    }

    /// Whether an image is in the gallery of the product that a page is about: it stands beside the name, before all text.
    fn is_of_product(&self, page: &PageView, row: usize, around: usize) -> bool {
        let is_named = |classes: &str| {
            classes.contains("roduct")
                && (GALLERIES_OF_PRODUCTS.iter().any(|name| classes.contains(name))
                    || classes.split_ascii_whitespace().any(names_gallery_of_product))
        };
        let is_gallery = |row: usize| page.value(row, attribute::CLASS).is_some_and(is_named);
        self.kept[around] > 0 && page.ancestors(row).take(REACH_OF_GALLERY).any(is_gallery)
    }

    /// Whether a figure stands between kept blocks, in an element with one of them: below the title of an article, among
    /// names and dates.
    pub fn is_amid(&self, row: usize, around: usize) -> bool {
        self.is_between(row) && self.kept[around] > 0
    }

    /// The closest element around something that shows more than a few dropped words: a badge, a button, the size of a file,
    /// or a caption. Starts from the closest that shows any; nothing that bars its content is passed.
    fn beyond_labels(&self, page: &PageView, closest: usize) -> usize {
        let mut around = closest;
        for _ in 0..MOST_STEPS {
            let is_short = self.shown[around] <= LONGEST_LABEL && self.dropped_prose[around] == 0;
            let is_label = self.kept[around] == 0
                && (is_short
                    || has_part_of_class(page, around, &["caption", "figure"])
                    || self.is_captioned(page, around));
            match usize::try_from(page.parent[around]) {
                // What is around something that shows text shows it, too.
                Ok(parent) if is_label && !is_barred(page, around) && !is_barred(page, parent) => around = parent,
                _ => break,
            }
        }
        around
    }

    /// Whether an element between kept blocks, or in the main part, shows one image and a few words that lead nowhere: its caption.
    fn is_captioned(&self, page: &PageView, row: usize) -> bool {
        let end = page.subtree_end[row] as usize;
        // A paragraph of one or two words is something else.
        if self.shown[row] <= LONGEST_LABEL
            || self.shown[row] > LONGEST_CAPTION
            || end - row > MOST_ROWS
            || !((self.kept_rows.0..self.kept_rows.1).contains(&row) || self.is_in_main(page, row))
        {
            return false;
        }
        count(end - row);
        let rows = || (row..end).filter(|&inner| page.tag[inner] != 0 && page.hidden[inner] == 0);
        let says_something = |inner: usize| {
            page.tag[inner] == LINK && leads_away(page, inner) && !page.text_within(inner).trim().is_empty()
        };
        let is_other = |inner: usize| look_up(&NEVER_CAPTIONED, page.tag[inner]) != 0 || says_something(inner);
        let mut images = rows().filter(|&inner| page.tag[inner] == IMAGE);
        // A small one is the portrait of an author, beside a few words on them.
        let is_large = images.next().is_some_and(|image| !is_smaller_than(page, image, SMALLEST_CAPTIONED));
        is_large && images.next().is_none() && !rows().any(is_other)
    }

    /// Whether an element is the main part, inside it, or the article around it.
    fn is_in_main(&self, page: &PageView, row: usize) -> bool {
        let holds = |outer: usize, inner: usize| outer <= inner && (inner as i32) < page.subtree_end[outer];
        let is_article = matches!(page.tag[row], ARTICLE | MAIN);
        self.main.is_some_and(|main| holds(main, row) || (is_article && holds(row, main)))
    }
}

/// By row: characters of the visible blocks that begin inside it, of the kept ones, and of dropped paragraphs and headings.
fn characters_within(source: &Source) -> [Vec<u32>; 3] {
    let page = source.page;
    let mut within = [vec![0; page.len()], vec![0; page.len()], vec![0; page.len()]];
    for block in (0..source.keep.len()).filter(|&block| !source.is_hidden(block)) {
        // A dropped caption says nothing about where its figure stands.
        let is_caption = !source.is_kept(block) && source.kind(block) == kind::CAPTION;
        let length = if is_caption { 0 } else { source.blocks.segments.length[block].max(0) as u32 };
        let is_dropped_prose = !source.is_kept(block) && matches!(source.kind(block), kind::PARAGRAPH | kind::HEADING);
        let row = source.rows(block).0;
        for (counts, is_counted) in within.iter_mut().zip([true, source.is_kept(block), is_dropped_prose]) {
            counts[row] = if is_counted { length } else { 0 };
        }
    }
    for row in (0..page.len()).rev() {
        // Where nothing is shown, nothing is kept and nothing was dropped.
        if within[0][row] > 0 && page.parent[row] >= 0 {
            let parent = page.parent[row] as usize;
            within.iter_mut().for_each(|counts| counts[parent] += counts[row]);
        }
    }
    within
}

/// Whether the name of an image's file is that of a drawing of the theme: a masthead, a background.
pub fn is_named_as_drawing(page: &PageView, row: usize) -> bool {
    let (is_drawing, name) = drawing_and_name(page, row);
    is_drawing || (has_word(name, &DRAWINGS) && words_of_name(name) <= MOST_WORDS_OF_DRAWING)
}

/// Whether an image is a drawing of the whole site: by its format, its folder, or as its sign.
pub fn is_drawn_by_site(page: &PageView, row: usize) -> bool {
    let (is_drawing, name) = drawing_and_name(page, row);
    is_drawing || has_word(name, &["logo"])
}

/// Whether an image is a drawing by its format, or by the folder of a theme; and the name of its file.
fn drawing_and_name<'a>(page: &PageView<'a>, row: usize) -> (bool, &'a str) {
    let address = image_addresses(page, row).first().copied().unwrap_or("");
    let name = without_query(address.rsplit('/').next().unwrap_or(""));
    let is_of_theme = THEMES.iter().any(|folder| address.contains(folder));
    (is_of_theme || [".gif", ".svg"].iter().any(|end| name.ends_with(end)), name)
}

/// How many words the name of a file has.
fn words_of_name(name: &str) -> usize {
    name.split(|character: char| !character.is_ascii_alphabetic()).filter(|word| word.len() > 1).count()
}

/// Row of the deepest part of the page with nearly all of the kept text.
fn main_part(page: &PageView, shown: &[u32], kept: &[u32]) -> Option<usize> {
    let total = f64::from(*kept.first()?);
    let is_main = |row: &usize| {
        let is_part = page.tag[*row] as usize >= TAGS.len() || look_up(&PARTS, page.tag[*row]) != 0;
        is_part && kept[*row] > 0 && f64::from(kept[*row]) >= MOST_OF_TEXT * total
    };
    // Such elements are within each other, so the last one is the deepest.
    let main = (0..page.len()).rfind(is_main)?;
    // A long quotation is not all of the article that quotes it.
    let around = usize::try_from(page.parent[main]).ok().filter(|&around| {
        let is_kept = f64::from(kept[around]) >= MOST_OF_TEXT * f64::from(shown[around]);
        page.tag[main] == QUOTE && kept[around] > kept[main] && is_kept
    });
    around.or(Some(main))
}

/// Whether a link leads to another page: those of credits that a script unfolds do not.
fn leads_away(page: &PageView, link: usize) -> bool {
    let address = page.value(link, attribute::HREF).unwrap_or("");
    !address.starts_with('#') && !address.starts_with("javascript:")
}

/// Whether a class names the pictures of a product.
fn names_gallery_of_product(class: &str) -> bool {
    let has = |wanted: &[&str]| words(class).any(|word| wanted.iter().any(|one| word.eq_ignore_ascii_case(one)));
    has(&[PRODUCT]) && has(&WORDS_OF_GALLERIES) && !has(&OF_OTHERS)
}

/// Whether an element holds no content, by its tag or its name.
pub fn is_barred(page: &PageView, row: usize) -> bool {
    is_barred_beyond_sharing(page, row) || (is_named(page, row, &SHARING) && !has_class(page, row, &AROUND_PICTURES))
}

/// The same, but for what is named after sharing.
pub fn is_barred_beyond_sharing(page: &PageView, row: usize) -> bool {
    (look_up(&BARRED, page.tag[row]) != 0 && !opens_dialog(page, row))
        || (is_named(page, row, &BARRED_NAMES) && !has_class(page, row, &AROUND_PICTURES))
        || (page.tag[row] == HEADER && has_class(page, row, &HEADERS_OF_SITES))
}

/// Whether a button without text opens a dialog: it shows the picture in it in large.
fn opens_dialog(page: &PageView, row: usize) -> bool {
    page.value(row, OPENS) == Some("dialog") && page.text_within(row).trim().is_empty()
}

/// Whether an element with few words is named as a sign: a step of a process, a feature, a person.
fn is_sign_with_label(page: &PageView, row: usize) -> bool {
    is_named(page, row, &SIGNS) && !has_class(page, row, &AROUND_PICTURES)
}
