//! Pictures of galleries that screen readers pass over: Slick, Flickity and others mark all slides but one so, though a
//! reader sees them one after the other.
#![forbid(unsafe_code)]

use super::code_parts::has_class;
use super::lead_images::{is_gallery, REACH_OF_GALLERY};
use super::steps::count;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::number_of;
use crate::html::attributes::{code_of, ARIA_HIDDEN, HIDDEN, STYLE};
use crate::html::python_text::style_hides;

const IMAGE: i32 = number_of("img");
const ALT: u8 = code_of("alt");
const NO_SCRIPT: i32 = number_of("noscript");
/// Words of an alternative text that says what an image shows.
const FEWEST_WORDS: usize = 3;
/// Elements around an image that may hide it.
const REACH: usize = 40;
/// Classes of the copies of slides at both ends, for turning without an end: Slick, Swiper, Owl Carousel, FlexSlider, Splide,
/// Glide, bxSlider.
const COPIES: [&str; 7] = [
    "slick-cloned",
    "swiper-slide-duplicate",
    "cloned",
    "clone",
    "splide__slide--clone",
    "glide__slide--clone",
    "bx-clone",
];
/// Elements between a picture and the slide that it is on.
const REACH_OF_SLIDE: usize = 5;

/// Rows of such images, if there are any hidden ones.
pub fn silent_images(page: &PageView) -> Vec<usize> {
    if page.attributes_named(ARIA_HIDDEN).next().is_none() {
        return Vec::new();
    }
    page.rows_of(IMAGE).filter(|&row| is_silent_slide(page, row) || is_silent_picture(page, row)).collect()
}

/// Whether an image is hidden by nothing but its own mark for screen readers, though its alternative text says what it shows.
fn is_silent_picture(page: &PageView, row: usize) -> bool {
    let parent = page.parent[row].max(0) as usize;
    let says_something = || page.value(row, ALT).is_some_and(|text| text.split_whitespace().count() >= FEWEST_WORDS);
    page.hidden[row] != 0 && page.hidden[parent] == 0 && is_silent(page, row) && says_something()
}

/// Whether an image is one of a gallery that screen readers pass over.
pub fn is_silent_slide(page: &PageView, row: usize) -> bool {
    page.tag[row] == IMAGE && page.hidden[row] != 0 && is_silent(page, row) && is_in_gallery(page, row)
}

/// Whether nothing hides an image but that it is marked for screen readers.
pub fn is_silent(page: &PageView, row: usize) -> bool {
    let mut is_marked = false;
    for around in std::iter::once(row).chain(page.ancestors(row)).take(REACH) {
        count(1);
        if page.hidden[around] == 0 {
            return is_marked;
        }
        is_marked = page.value(around, ARIA_HIDDEN).is_some();
        let is_hidden = page.attribute(around, HIDDEN).is_some()
            || page.value(around, STYLE).is_some_and(|style| style_hides(style.as_bytes()))
            || page.tag[around] == NO_SCRIPT
            || has_class(page, around, &COPIES);
        if is_hidden {
            return false;
        }
    }
    is_marked
}

/// Whether an image is on the copy of a slide.
pub fn is_on_copy(page: &PageView, row: usize) -> bool {
    page.ancestors(row).take(REACH_OF_SLIDE).any(|row| has_class(page, row, &COPIES))
}

/// Whether an image is in something that is named as a gallery.
fn is_in_gallery(page: &PageView, row: usize) -> bool {
    page.ancestors(row).take(REACH_OF_GALLERY).any(|row| is_gallery(page, row))
}
