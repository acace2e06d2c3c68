//! The picture of an article in the header of its title, and the pictures of galleries, which stand beside no kept text.
//!
//! Both are looked for only among images that nothing else keeps. The picture of an article is the first image that stands
//! alone in a small part of the page with the title, kept or not, or one that the page names as its picture, by its address
//! or by the title as its alternative text; it leads to no other page. A gallery is an element named as one, with several
//! images and hardly any text, or the slides that are like that of the page's own picture: shops name them as they like.
#![forbid(unsafe_code)]

use super::code_parts::{has_class, has_part_of_class};
use super::embeds::without_query;
use super::footnotes::unquoted;
use super::headings::comparable;
use super::image_addresses::image_addresses;
use super::image_signs::{has_word, is_named, is_smaller_than};
use super::images::link_around;
use super::silent_images::is_silent;
use super::source::Source;
use super::standing::{
    is_barred, is_barred_beyond_sharing, is_drawn_by_site, is_named_as_drawing, Standing, ROWS_ABOVE_TITLE, SHARING,
    SMALLEST_CAPTIONED,
};
use super::steps::count;
use crate::blocks::kinds::kind;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{attribute, by_tag, look_up, number_of, TAGS};
use crate::features::numbering::Hashing;
use crate::html::attributes::code_of;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

const IMAGE: i32 = number_of("img");
const ALT: u8 = code_of("alt");
const BODY: i32 = number_of("body");
const ASIDE: i32 = number_of("aside");
const BUTTON: i32 = number_of("button");
const LINK: i32 = number_of("a");
const META: i32 = number_of("meta");
const TITLE: i32 = number_of("h1");
const FIGURE: i32 = number_of("figure");
const CAPTION: i32 = number_of("figcaption");
/// Parts of the classes of the small copies below a gallery.
const PARTS_OF_SMALL_COPIES: [&str; 2] = ["thumb", "Thumb"];
/// Elements beyond which nothing is looked for: the whole page, and what stands beside the content.
#[rustfmt::skip]
const ENDS: [u32; TAGS.len() + 1] = by_tag([("body", 1), ("html", 1), ("aside", 1)]);
/// Elements between the picture of an article, or a gallery, and the closest kept text.
const REACH: usize = 12;
/// Elements between an image and what its name says.
const REACH_OF_NAMES: usize = 4;
/// Rows of a figure with one image.
const ROWS_OF_FIGURE: usize = 60;
/// Elements between a picture and its gallery: NextGEN and Elementor have five.
pub const REACH_OF_GALLERY: usize = 7;
/// Characters of the header of an article: its title, what it says in short, who wrote it and when.
const LONGEST_HEADER: u32 = 600;
/// Characters of a name and a date beside a portrait.
const LONGEST_NAME: u32 = 40;
/// Rows among which the page names its picture.
const ROWS_OF_HEAD: usize = 1000;
/// Pictures of the smallest gallery.
const FEWEST_PICTURES: u32 = 3;
/// Roles of images that show nothing, by ARIA.
const ROLES_OF_DECORATION: [&str; 2] = ["presentation", "none"];
/// What pages call their picture for those who link to them.
const NAMES_OF_PICTURES: [&str; 2] = ["og:image", "twitter:image"];
/// Children of a row of slides that are read.
const MOST_SLIDES: usize = 40;
/// Bytes of the classes of a slide that are read.
const LONGEST_CLASSES: usize = 400;
/// Images in the frame of a picture: it, and the same in another size.
const COPIES: u32 = 2;
/// Letters and digits of a title that an alternative text repeats on purpose.
const SHORTEST_TITLE: usize = 12;
/// Pixels of the sides of a picture in a gallery: what is smaller is pressed to play a video, or to see a picture in large.
const SMALLEST_SLIDE: f64 = 75.0;
/// Dropped characters for each picture of a gallery, at most: teasers have more.
const LONGEST_LABEL: u32 = 32;
/// Characters of the name of a file that tell it from others: `1.jpg` does not.
const SHORTEST_NAME: usize = 5;
/// Words and parts of the classes of an article's picture: WordPress, Elementor, Ghost, HubSpot.
const WORDS_OF_LEADS: [&str; 2] = ["featured", "hero"];
#[rustfmt::skip]
const PARTS_OF_LEADS: [&str; 20] = [
    "wp-post-image", "post-thumbnail", "article-image", "article_image", "articleImage", "article__media", "article__image",
    "feature-image", "feature_image", "featureimage", "post-image", "entry-image", "lead-image", "lead-media", "main-image",
    "cover-image", "story-image", "heroimage", "heroImage", "featuredImage",
];
/// Words in the names of the header of a whole site, and of what stands beside the content of all its pages.
const OF_SITES: [&str; 5] = ["masthead", "topbar", "widget", "instagram", "custom-header"];
/// Parts of the names of what tells of an author.
const AUTHORS: [&str; 3] = ["author", "Author", "byline"];
/// Ends of the words in the names of galleries: WordPress, NextGEN, Elementor, Envira, Divi, Squarespace, news.
const GALLERIES: [&str; 4] = ["gallery", "galleryoverview", "slideshow", "photoset"];
/// Classes of the track that a script moves the slides of a gallery on: Slick, Swiper, Flickity, Owl Carousel, Splide,
/// Glide, FlexSlider, Bootstrap, Keen Slider, Tiny Slider.
#[rustfmt::skip]
const TRACKS: [&str; 11] = [
    "slick-track", "slick-slider", "swiper-wrapper", "flickity-slider", "owl-stage", "owl-carousel", "splide__list",
    "glide__slides", "flexslider", "carousel-inner", "keen-slider",
];
/// How the addresses of pictures end.
const PICTURES: [&str; 6] = ["jpg", "jpeg", "png", "webp", "gif", "avif"];
/// Words in the addresses of pages that show one picture of a gallery.
const PAGES_OF_PICTURES: [&str; 7] = ["gallery", "photo", "photos", "slideshow", "attachment", "image", "picture"];

/// The picture of an article and those of galleries.
pub struct LeadImages {
    /// Row of the title of the content: the last `<h1>` before the first kept text, or that text if it is a heading.
    title: Option<usize>,
    /// Name of the file that the page gives as its picture; empty if none.
    own_picture: String,
    /// Whether some image was kept, so that a picture above it is none of the article.
    pub has_image: bool,
    /// Letters and digits of the title; empty if there are few.
    title_letters: String,
    /// The gallery that begins with this picture.
    gallery_of_lead: Option<usize>,
    /// The slide that shows this picture, among others like it.
    slide_of_lead: Option<usize>,
    /// By row, what was found out about elements so far: many images ask for the same ones.
    is_named_as_lead: HashMap<usize, bool, Hashing>,
    is_header: HashMap<usize, bool, Hashing>,
    is_gallery: HashMap<usize, bool, Hashing>,
    is_shared: HashMap<usize, bool, Hashing>,
    is_shown_without_button: Option<bool>,
    is_closed: HashMap<usize, bool, Hashing>,
    leads_elsewhere: HashMap<usize, bool, Hashing>,
    /// Files of the pictures of galleries.
    shown: HashSet<String, Hashing>,
    /// By row: images before it; empty until a gallery is found.
    images_before: Vec<u32>,
}

impl LeadImages {
    /// Of a page, given where its text is kept.
    pub fn new(source: &Source, standing: &Standing) -> Self {
        let (page, first) = (source.page, standing.kept_rows.0);
        let block = source.kept().find(|&block| source.rows(block).0 == first);
        let heading = block.filter(|&block| source.kind(block) == kind::HEADING).map(|_| first);
        let is_title = |row: &usize| page.tag[*row] == TITLE && page.hidden[*row] == 0 && standing.shown[*row] > 0;
        let title = page.rows_of(TITLE).take_while(|&row| row <= first).filter(is_title).last().or(heading);
        LeadImages {
            title,
            own_picture: own_picture(page),
            has_image: false,
            title_letters: title.map_or(String::new(), |row| comparable(page.text_within(row))),
            gallery_of_lead: None,
            slide_of_lead: None,
            is_named_as_lead: HashMap::default(),
            is_header: HashMap::default(),
            is_gallery: HashMap::default(),
            is_shared: HashMap::default(),
            is_shown_without_button: None,
            is_closed: HashMap::default(),
            leads_elsewhere: HashMap::default(),
            shown: HashSet::default(),
            images_before: Vec::new(),
        }
    }

    /// Whether an image is the picture of the article.
    pub fn is_lead(&mut self, page: &PageView, standing: &Standing, row: usize) -> bool {
        if self.has_image
            || (row > standing.lead_end && !self.is_own_picture(page, row))
            || page.tag[row] != IMAGE
            || is_smaller_than(page, row, SMALLEST_CAPTIONED)
            || self.leads_elsewhere(page, row)
            || self.is_drawing(page, row)
            || has_small_copy(page, row)
            || self.is_to_choose_by(page, standing, row)
            || is_decoration(page, row)
        {
            return false;
        }
        let is_named = self.is_named_as_lead(page, row);
        let is_captioned = !is_named && is_captioned_figure(page, row);
        let (mut is_beside_title, mut has_words) = (false, false);
        for around in page.ancestors(row).take(REACH) {
            if self.is_closed(page, around) && !self.is_frame(page, standing, row, around) {
                // Where nothing divides a page, its own picture stands below the title, or is all that it shows.
                let is_below_title = self.title.map_or(standing.kept[around] == 0, |title| title < row);
                return page.tag[around] == BODY && is_below_title && self.is_own_picture(page, row);
            }
            is_beside_title = is_beside_title || (!has_words && self.is_header(page, standing, around));
            // A portrait has a name beside it, and perhaps a date.
            has_words = has_words || (1..=LONGEST_NAME).contains(&standing.shown[around]);
            if standing.kept[around] > 0 {
                let is_below_title = is_captioned && (row > standing.kept_rows.0 || standing.is_mostly_kept(around));
                return is_named || is_beside_title || is_below_title;
            }
        }
        false
    }

    /// Notes the gallery that begins with the picture that the page names as its own, which is kept: a product, or a post of
    /// pictures.
    pub fn note_gallery_of_lead(&mut self, page: &PageView, standing: &Standing, row: usize) {
        if self.has_image || page.tag[row] != IMAGE || !(self.is_own_picture(page, row) || self.says_title(page, row)) {
            return;
        }
        let around = page.ancestors(row).take(REACH_OF_GALLERY);
        self.gallery_of_lead = around.filter(|&row| is_gallery(page, row)).last();
        self.slide_of_lead = self.slide_among_others(page, standing, row);
        self.is_new(page, row);
    }

    /// The element with a picture that stands beside others with pictures, and with hardly any text.
    fn slide_among_others(&mut self, page: &PageView, standing: &Standing, row: usize) -> Option<usize> {
        let mut slide = row;
        for track in page.ancestors(row).take(REACH_OF_GALLERY) {
            let images = self.images_in(page, track);
            if standing.shown[track] > images.saturating_mul(LONGEST_LABEL) || self.is_closed(page, track) {
                return None;
            }
            if images > self.images_in(page, slide) {
                return Some(slide);
            }
            slide = track;
        }
        None
    }

    /// Whether an image is, by a class around it, one of several small copies to choose a picture by. Alone, themes call the
    /// picture of an article a thumbnail, too.
    fn is_to_choose_by(&mut self, page: &PageView, standing: &Standing, row: usize) -> bool {
        let slide = match self.slide_among_others(page, standing, row) {
            Some(slide) => slide,
            None => return false,
        };
        let track = page.parent[slide].max(0) as usize;
        let mut around = page.ancestors(row).take(REACH_OF_NAMES).take_while(|&around| around >= track);
        around.any(|row| has_part_of_class(page, row, &PARTS_OF_SMALL_COPIES))
            && self.slides_like(page, slide) >= FEWEST_PICTURES
    }

    /// How many children of the parent of a slide are like it, and have pictures.
    fn slides_like(&mut self, page: &PageView, slide: usize) -> u32 {
        let parent = page.parent[slide].max(0) as usize;
        let end = page.subtree_end[parent] as usize;
        let next = |&row: &usize| Some((page.subtree_end[row] as usize).max(row + 1)).filter(|&row| row < end);
        let children = std::iter::successors(Some(parent + 1), next).take(MOST_SLIDES);
        let mut slides = 0;
        for child in children {
            slides += u32::from(is_like(page, child, slide) && self.images_in(page, child) > 0);
        }
        slides
    }

    /// Whether an image is on a slide beside that of the lead picture.
    fn is_beside_slide(&self, page: &PageView, row: usize) -> bool {
        let slide = match self.slide_of_lead {
            Some(slide) => slide,
            None => return false,
        };
        let is_sibling = |&other: &usize| page.parent[other] == page.parent[slide];
        if page.tag[row] != IMAGE {
            return false;
        }
        let own = std::iter::once(row).chain(page.ancestors(row)).take(REACH_OF_GALLERY + 1).find(is_sibling);
        own.is_some_and(|own| own == slide || is_like(page, own, slide))
    }

    /// Whether an element is a small part of the page with the title and one image.
    fn is_header(&mut self, page: &PageView, standing: &Standing, row: usize) -> bool {
        if let Some(&is_header) = self.is_header.get(&row) {
            return is_header;
        }
        let is_header = self.has_title_and_image(page, standing, row);
        self.is_header.insert(row, is_header);
        is_header
    }

    /// The same, without what was found out before.
    fn has_title_and_image(&self, page: &PageView, standing: &Standing, row: usize) -> bool {
        let end = page.subtree_end[row] as usize;
        let is_near = |title: &usize| (row..end.min(row + ROWS_ABOVE_TITLE)).contains(title);
        let title = match self.title.filter(is_near) {
            Some(title) if standing.shown[row] <= LONGEST_HEADER => title,
            _ => return false,
        };
        let rows = row..end.min(title + ROWS_ABOVE_TITLE);
        count(rows.len());
        rows.filter(|&row| page.tag[row] == IMAGE && page.hidden[row] == 0).count() <= 1
    }

    /// Whether the class of an image or of an element around it says that it is the picture of an article, or the page does.
    fn is_named_as_lead(&mut self, page: &PageView, row: usize) -> bool {
        self.is_own_picture(page, row)
            || self.says_title(page, row)
            || std::iter::once(row)
                .chain(page.ancestors(row))
                .take(REACH_OF_NAMES)
                .any(|row| *self.is_named_as_lead.entry(row).or_insert_with(|| is_named_as_lead(page, row)))
    }

    /// Whether the page names the file of an image as its picture.
    fn is_own_picture(&self, page: &PageView, row: usize) -> bool {
        let is_own = |address: &str| name_of_file(&behind_proxy(address)) == self.own_picture;
        !self.own_picture.is_empty() && image_addresses(page, row).iter().any(|address| is_own(address))
    }

    /// Whether the alternative text of an image begins as the title.
    fn says_title(&self, page: &PageView, row: usize) -> bool {
        let says_it = |alt: &str| {
            count(alt.len());
            let alt = comparable(alt);
            let is_most = |alt: &str| 2 * alt.len() >= self.title_letters.len() && self.title_letters.starts_with(alt);
            alt.len() >= SHORTEST_TITLE && (alt.starts_with(&self.title_letters) || is_most(&alt))
        };
        self.title_letters.len() >= SHORTEST_TITLE && page.value(row, ALT).is_some_and(says_it)
    }

    /// Whether an image is a drawing, by its name: pages show their own picture as a banner, too.
    fn is_drawing(&self, page: &PageView, row: usize) -> bool {
        is_named_as_drawing(page, row) && (is_drawn_by_site(page, row) || !self.is_own_picture(page, row))
    }

    /// Whether an image is a link to another page than one that shows it in large.
    fn leads_elsewhere(&mut self, page: &PageView, row: usize) -> bool {
        link_around(page, row)
            .is_some_and(|link| *self.leads_elsewhere.entry(link).or_insert_with(|| leads_elsewhere(page, link)))
    }

    /// Whether an image is in a gallery that belongs to the content.
    pub fn is_in_gallery(&mut self, page: &PageView, standing: &Standing, row: usize) -> bool {
        if self.is_beside_slide(page, row) {
            return !self.leads_elsewhere(page, row) && self.is_new(page, row);
        }
        let is_gallery =
            |found: &mut Self, row: usize| *found.is_gallery.entry(row).or_insert_with(|| is_gallery(page, row));
        let gallery = match page.ancestors(row).take(REACH_OF_GALLERY).filter(|&row| is_gallery(self, row)).last() {
            Some(gallery) if !self.leads_elsewhere(page, row) && !is_smaller_than(page, row, SMALLEST_SLIDE) => gallery,
            _ => return false,
        };
        // Slides with headlines are links to other pages.
        let mut links = page.ancestors(row).take_while(|&row| row > gallery).filter(|&row| page.tag[row] == LINK);
        if links.any(|link| *self.leads_elsewhere.entry(link).or_insert_with(|| leads_elsewhere(page, link))) {
            return false;
        }
        let images = self.images_in(page, gallery);
        let dropped = standing.shown[gallery] - standing.kept[gallery];
        if images < FEWEST_PICTURES || dropped > images.saturating_mul(LONGEST_LABEL) {
            return false;
        }
        if self.gallery_of_lead == Some(gallery) {
            return self.is_new(page, row);
        }
        for around in page.ancestors(row).take(REACH + REACH_OF_GALLERY) {
            if self.is_closed(page, around) {
                return false;
            }
            if standing.kept[around] > 0 {
                // Slides of anything are pictures of the text if they are amid it.
                let is_amid = || standing.is_between(row) && standing.is_mostly_kept(around);
                return (is_named_as_gallery(page, gallery) || is_amid()) && self.is_new(page, row);
            }
        }
        false
    }

    /// Whether no picture of a gallery had the same file, in any size: thumbnails below a slideshow have.
    fn is_new(&mut self, page: &PageView, row: usize) -> bool {
        let addresses = image_addresses(page, row);
        let path = addresses.first().map_or("", |address| without_query(address));
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        path.is_empty() || self.shown.insert(format!("{}/{}", folder, name_of_file(path)))
    }

    /// How many images an element has.
    fn images_in(&mut self, page: &PageView, row: usize) -> u32 {
        if self.images_before.is_empty() {
            let mut images = 0;
            self.images_before.push(images);
            for row in 0..page.len() {
                images += u32::from(page.tag[row] == IMAGE && (page.hidden[row] == 0 || is_silent(page, row)));
                self.images_before.push(images);
            }
        }
        self.images_before[page.subtree_end[row] as usize] - self.images_before[row]
    }

    /// Whether an element that bars what is in it shows nothing but the page's own picture, or says no more of it than that it
    /// can be shared or shown in large.
    fn is_frame(&mut self, page: &PageView, standing: &Standing, row: usize, around: usize) -> bool {
        if !self.is_own_picture(page, row) {
            return false;
        }
        match page.tag[around] {
            ASIDE => row <= standing.lead_end && self.images_in(page, around) <= COPIES && !is_barred(page, around),
            BUTTON => standing.shown[around] == 0 && !self.is_shown_without_button(page),
            _ => *self
                .is_shared
                .entry(around)
                .or_insert_with(|| is_named(page, around, &SHARING) && !is_barred_beyond_sharing(page, around)),
        }
    }

    /// Whether the page's own picture stands elsewhere, so that the one in a button is a small copy to choose it by.
    fn is_shown_without_button(&mut self, page: &PageView) -> bool {
        if let Some(is_shown) = self.is_shown_without_button {
            return is_shown;
        }
        let is_in_button = |row: usize| page.ancestors(row).take(REACH_OF_NAMES).any(|row| page.tag[row] == BUTTON);
        let is_shown = |&row: &usize| page.hidden[row] == 0 && !is_in_button(row) && self.is_own_picture(page, row);
        let is_shown = page.rows_of(IMAGE).any(|row| is_shown(&row));
        self.is_shown_without_button = Some(is_shown);
        is_shown
    }

    /// Whether an element bars what is in it from the content.
    fn is_closed(&mut self, page: &PageView, row: usize) -> bool {
        *self.is_closed.entry(row).or_insert_with(|| {
            let names = [attribute::CLASS, attribute::ID].into_iter().filter_map(|name| page.value(row, name));
            let is_of_site = |name: &str| {
                name.split_ascii_whitespace().any(|word| OF_SITES.contains(&word))
                    || AUTHORS.iter().any(|part| name.contains(part))
            };
            look_up(&ENDS, page.tag[row]) != 0 || is_barred(page, row) || names.into_iter().any(is_of_site)
        })
    }
}

/// Whether two elements are of the same kind: by their tags, and by a class if they have any.
fn is_like(page: &PageView, one: usize, other: usize) -> bool {
    let written = |row: usize| page.value(row, attribute::CLASS).filter(|classes| classes.len() <= LONGEST_CLASSES);
    let classes = |row: usize| written(row).unwrap_or("").split_ascii_whitespace();
    let is_shared = |class: &str| classes(other).any(|known| known == class);
    count(1);
    page.tag[one] == page.tag[other]
        && (classes(one).next().is_none() && classes(other).next().is_none() || classes(one).any(is_shared))
}

/// Whether an element is named as a gallery, or moves slides.
pub fn is_gallery(page: &PageView, row: usize) -> bool {
    is_named_as_gallery(page, row) || has_class(page, row, &TRACKS)
}

/// Whether an element is named as a gallery.
fn is_named_as_gallery(page: &PageView, row: usize) -> bool {
    let ends_with = |word: &[u8], end: &str| {
        let start = word.len().checked_sub(end.len());
        start.is_some_and(|start| word[start..].eq_ignore_ascii_case(end.as_bytes()))
    };
    let ends_so = |word: &[u8]| GALLERIES.iter().any(|end| ends_with(word, end));
    let is_named = |name: u8| {
        let value = page.value(row, name).unwrap_or("");
        count(value.len());
        value.as_bytes().split(|byte| !byte.is_ascii_alphanumeric()).any(ends_so)
    };
    is_named(attribute::CLASS) || is_named(attribute::ID)
}

/// Whether the class of an element is that of the picture of an article.
fn is_named_as_lead(page: &PageView, row: usize) -> bool {
    let classes = page.value(row, attribute::CLASS).unwrap_or("");
    count(classes.len());
    has_word(classes, &WORDS_OF_LEADS) || PARTS_OF_LEADS.iter().any(|part| classes.contains(part))
}

/// Whether a link leads to another page than one that shows a picture.
fn leads_elsewhere(page: &PageView, link: usize) -> bool {
    let address = page.value(link, attribute::HREF).unwrap_or("");
    count(address.len());
    let path = without_query(address);
    let is_picture =
        path.rsplit_once('.').is_some_and(|(_, end)| PICTURES.iter().any(|known| end.eq_ignore_ascii_case(known)));
    !path.is_empty() && !path.starts_with("javascript:") && !is_picture && !has_word(address, &PAGES_OF_PICTURES)
}

/// Name of the file that a page gives as its picture; empty if there is none.
fn own_picture(page: &PageView) -> String {
    let row_of = |wanted: &str| {
        let is_wanted =
            |row: usize, name: u8| page.value(row, name).is_some_and(|value| value.eq_ignore_ascii_case(wanted));
        let mut rows = page.rows_of(META).take_while(|&row| row < ROWS_OF_HEAD);
        rows.find(|&row| is_wanted(row, attribute::PROPERTY) || is_wanted(row, attribute::NAME))
    };
    NAMES_OF_PICTURES.iter().find_map(|name| row_of(name)).and_then(|row| page.value(row, attribute::CONTENT)).map_or(
        String::new(),
        |address| {
            let address = behind_proxy(address);
            let name = name_of_file(&address);
            if name.len() < SHORTEST_NAME {
                String::new()
            } else {
                name.to_owned()
            }
        },
    )
}

/// The address that a service scales images from: `/_next/image?url=%2Fa.jpg&w=640`.
pub fn behind_proxy(address: &str) -> Cow<'_, str> {
    let query = address.split_once('?').map_or("", |(_, query)| query);
    match query.split('&').find_map(|part| part.strip_prefix("url=")) {
        Some(own) => unquoted(own),
        None => Cow::Borrowed(address),
    }
}

/// Whether an image is in a figure with a caption.
fn is_captioned_figure(page: &PageView, row: usize) -> bool {
    let figure = page.ancestors(row).take(REACH_OF_NAMES).find(|&row| page.tag[row] == FIGURE);
    figure.is_some_and(|figure| {
        let end = (page.subtree_end[figure] as usize).min(figure + ROWS_OF_FIGURE);
        count(end - figure);
        page.tag[figure..end].contains(&CAPTION)
    })
}

/// The name of a file without its ending, what Spanish newspapers write behind `@`, and the size that WordPress writes at
/// its end.
pub fn name_of_file(address: &str) -> &str {
    let path = without_query(address);
    let mut names = path.rsplit('/');
    let name = names.next().unwrap_or("");
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    if is_size_of_ebay(stem) {
        return names.next().unwrap_or("");
    }
    let stem = stem.split('@').next().unwrap_or("");
    match stem.rsplit_once('-') {
        Some((before, end)) if size_of(end).is_some() || end == "scaled" => before,
        _ => stem,
    }
}

/// Whether the name of a file is only a size, as on eBay: `s-l1600`. Its folder is the picture.
fn is_size_of_ebay(stem: &str) -> bool {
    stem.strip_prefix("s-l").is_some_and(|size| size.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Width and height as names of files say them: `150x84`.
fn size_of(written: &str) -> Option<(u32, u32)> {
    let (width, height) = written.split_once('x')?;
    Some((width.parse().ok()?, height.parse().ok()?))
}

/// Whether an image says by its role, and by having no alternative text, that it shows nothing.
fn is_decoration(page: &PageView, row: usize) -> bool {
    let has_text = page.value(row, ALT).is_some_and(|alt| !alt.trim().is_empty());
    !has_text && page.value(row, attribute::ROLE).is_some_and(|role| ROLES_OF_DECORATION.contains(&role))
}

/// Whether the best address of an image is, by the name of its file, that of a small copy: WordPress, Etsy (`il_75x75.1.jpg`).
fn has_small_copy(page: &PageView, row: usize) -> bool {
    let addresses = image_addresses(page, row);
    let path = without_query(addresses.first().copied().unwrap_or(""));
    let name = path.rsplit('/').next().unwrap_or("");
    let size = name.split(['-', '_', '.'].as_slice()).rev().find_map(size_of);
    size.is_some_and(|(width, height)| f64::from(width.max(height)) < SMALLEST_CAPTIONED)
}

#[cfg(test)]
mod tests {
    use super::{behind_proxy, name_of_file};

    #[test]
    fn names_of_files_have_no_size() {
        assert_eq!(name_of_file("https://a.example/x/mill-1024x576.jpg?v=1"), "mill");
        assert_eq!(name_of_file("/x/mill-scaled.jpg"), "mill");
        assert_eq!(name_of_file("mill-box.png"), "mill-box");
        assert_eq!(name_of_file("/images/g/x7AAOSw/s-l500.jpg"), "x7AAOSw");
        assert_eq!(name_of_file("/x/mill-758x531@daily.jpg"), "mill");
        assert_eq!(name_of_file(""), "");
        assert_eq!(name_of_file(&behind_proxy("/_next/image?url=%2Fx%2Fmill.jpg&w=640&q=75")), "mill");
    }
}
