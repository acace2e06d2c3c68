//! The best address of an image, among those that pages keep for screens, scripts and browsers without script.
//!
//! The widest of `srcset` and of the sources of a `<picture>` counts, or the densest if none has a width; then what
//! scripts load later; then `src`. Addresses that stand for an image until it is loaded are passed over. If nothing is left, a
//! link around the image to a picture counts.
#![forbid(unsafe_code)]

use super::background_images::background_of;
use super::embeds::without_query;
use super::image_signs::has_word;
use super::images::link_around;
use crate::blocks::characters::strip;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::number_of;
use crate::html::attributes::{code_of, OTHER_SOURCE, OTHER_SOURCES};
use std::borrow::Cow;

const PICTURE: i32 = number_of("picture");
const SOURCE: i32 = number_of("source");
const SRC: u8 = code_of("src");
const MEDIA: u8 = code_of("media");
const HREF: u8 = code_of("href");

/// Attributes with several addresses of an image.
#[rustfmt::skip]
const LISTS: [u8; 5] = [
    code_of("srcset"), code_of("data-srcset"), code_of("data-lazy-srcset"), code_of("nitro-lazy-srcset"), OTHER_SOURCES,
];
/// Attributes with the address of an image that a script loads later, in the order of their frequency.
const LATER: [u8; 35] = [
    code_of("data-src"),
    code_of("data-lazy-src"),
    code_of("data-original"),
    code_of("data-lazy"),
    code_of("data-actualsrc"),
    code_of("data-hi-res-src"),
    code_of("data-echo"),
    code_of("data-cfsrc"),
    code_of("data-pagespeed-lazy-src"),
    code_of("data-delayed-url"),
    code_of("data-lazyload"),
    code_of("nitro-lazy-src"),
    code_of("data-orig-src"),
    code_of("data-wpfc-original-src"),
    code_of("data-delay-src"),
    code_of("data-image-src"),
    code_of("data-flickity-lazyload"),
    code_of("data-splide-lazy"),
    code_of("data-ezsrc"),
    code_of("data-opt-src"),
    code_of("lazy-src"),
    code_of("load-src"),
    code_of("data-src-delay"),
    code_of("data-lazyload-src"),
    code_of("data-lazysrc"),
    code_of("data-lazy-img"),
    code_of("ix-src"),
    code_of("real_src"),
    code_of("zoomfile"),
    code_of("data-breeze"),
    code_of("data-sf-src"),
    code_of("data-nectar-img-src"),
    code_of("data-lzl-src"),
    code_of("data-src-pc"),
    OTHER_SOURCE,
];
/// How the names of the files of pictures end.
const PICTURES: [&str; 5] = ["jpg", "jpeg", "png", "webp", "avif"];
/// Attributes with the file that an image was made from, or with larger copies.
const ORIGINALS: [u8; 9] = [
    code_of("data-image"),
    code_of("data-large-file"),
    code_of("data-orig-file"),
    code_of("data-src-large"),
    code_of("data-src-medium"),
    code_of("data-default-src"),
    code_of("data-old-hires"),
    code_of("data-pin-media"),
    code_of("data-url"),
];
/// What Shopify writes for the size of an image: without it, the address is that of the file itself.
const SIZES_OF_SHOPIFY: [&str; 2] = ["_{width}x{height}", "_{width}x"];
/// What others write for the size, and what a script would fill in.
const SIZES: [(&str, &str); 3] = [("{.width}", ""), ("{width}", "1200"), ("{height}", "")];
/// By attribute: whether it is one of `LATER`. Most images have none.
static IS_LATER: [bool; 256] = {
    let mut is_later = [false; 256];
    let mut place = 0;
    while place < LATER.len() {
        is_later[LATER[place] as usize] = true;
        place += 1;
    }
    is_later
};
/// Pixels of the width of an image that an address may ask for.
const MOST_PIXELS: f64 = 10_000.0;
/// Rows before an image among which the sources of its `<picture>` are: real ones have up to ten, with texts between.
const MOST_ROWS: usize = 32;
/// Media for which a source is smaller or darker than the image.
const OTHER_MEDIA: [&str; 3] = ["max-width", "dark", "print"];
/// Names of files that stand for an image until it is loaded, or where there is none, without their suffix.
#[rustfmt::skip]
const PLACEHOLDERS: [&str; 23] = [
    "blank", "clear", "dot", "empty", "grey", "gray", "lazy", "loader", "loading", "pixel", "space", "spacer", "trans",
    "transparent", "missing-image", "missing_image", "no-image", "no_image", "noimage", "no-photo", "no_photo", "nophoto",
    "image-not-found",
];
/// What scripts write where they have no address.
const NO_ADDRESSES: [&str; 3] = ["undefined", "null", "none"];
/// Parts of such names.
const PARTS_OF_PLACEHOLDERS: [&str; 4] = ["placeholder", "lazyload", "1x1", "lazy-load"];

/// An entry of a `srcset`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Candidate<'a> {
    written: &'a str,
    /// Pixels; 0 if it does not say.
    width: f64,
    /// Pixels of the image for each of the screen.
    density: f64,
    /// Pixels of the width that the address asks a server for; 0 if it does not.
    asked: f64,
}

impl Candidate<'_> {
    /// Whether it is the better of two; the first one stays otherwise.
    fn is_better_than(&self, other: &Candidate) -> bool {
        (self.width, self.density, self.asked) > (other.width, other.density, other.asked)
    }
}

/// The addresses of an image as they are written, best first; the first that is safe to load counts.
pub fn image_addresses<'a>(page: &PageView<'a>, row: usize) -> Vec<&'a str> {
    if let Some(background) = background_of(page, row) {
        return vec![background];
    }
    let own = best(LISTS.iter().filter_map(|&name| page.value(row, name)));
    let of_picture = best_of_picture(page, row);
    let of_lists = match (own, of_picture) {
        (Some(own), Some(other)) if other.is_better_than(&own) => Some(other),
        (own, other) => own.or(other),
    };
    let value = |&name: &u8| page.value(row, name).map(strip).map(in_settings);
    // Without a width, the address of the image itself may be that of the whole picture.
    let asks_for_more = |candidate: &Candidate| {
        let own = value(&SRC).map_or(0.0, width_asked_for);
        own > 0.0 && candidate.asked > own
    };
    // Reddit lists only copies that are smaller than the image itself.
    let asks_for_less = |candidate: &Candidate| {
        let own = if candidate.asked > 0.0 { value(&SRC).map_or(0.0, width_asked_for) } else { 0.0 };
        own > candidate.asked.max(candidate.width)
    };
    let is_chosen = |candidate: &Candidate| {
        let is_larger = candidate.width > 0.0 || candidate.density > 1.0 || asks_for_more(candidate);
        is_larger && !asks_for_less(candidate)
    };
    let mut found: Vec<&str> = of_lists.filter(is_chosen).map(|candidate| candidate.written).into_iter().collect();
    if page.attributes(row).any(|index| IS_LATER[usize::from(page.attribute_name[index])]) {
        found.extend(LATER.iter().filter_map(value));
    }
    found.extend(value(&SRC).filter(|address| !is_placeholder(address)));
    found.extend(ORIGINALS.iter().filter_map(value));
    found.extend([own, of_picture].into_iter().flatten().map(|candidate| candidate.written));
    found.retain(|address| is_address(address) && !is_page(address));
    // Of an address with the name of its size, nobody knows which sizes there are.
    found.sort_by_key(|address| address.contains('{') && !SIZES_OF_SHOPIFY.iter().any(|size| address.contains(size)));
    if found.iter().all(|address| address.starts_with("data:")) {
        found.extend(shown_in_large(page, row));
    }
    found
}

/// The address in settings that are JSON: MSN.
fn in_settings(value: &str) -> &str {
    if !value.starts_with('{') {
        return value;
    }
    let named = ["\"src\":\"", "\"default\":\""].iter().find_map(|name| value.split_once(name));
    named.and_then(|(_, after)| after.split('"').next()).unwrap_or("")
}

/// An address with a size where a script would fill one in.
pub fn filled(address: &str) -> Cow<'_, str> {
    let address = without_blur(address);
    if !address.contains('{') {
        return Cow::Borrowed(address);
    }
    let without = SIZES_OF_SHOPIFY.iter().fold(address.to_owned(), |address, size| address.replace(size, ""));
    Cow::Owned(SIZES.iter().fold(without, |address, (name, size)| address.replace(name, size)))
}

/// The address of the file itself instead of the small blurred copy that Wix shows until a script has loaded more.
fn without_blur(address: &str) -> &str {
    let copy = address.split_once("/v1/").filter(|(file, _)| file.contains("wixstatic.com/media/"));
    copy.filter(|(_, size)| size.contains("blur_")).map_or(address, |(file, _)| file)
}

/// Whether an image has an address that can be loaded.
pub fn has_address(page: &PageView, row: usize) -> bool {
    let is_file = |address: &str| !address.starts_with("data:");
    let is_own = |address: &&str| is_address(address) && !is_placeholder(address) && !is_page(address);
    // Most have it where it belongs, and reading lists takes longer.
    page.value(row, SRC).map(strip).filter(is_own).is_some_and(is_file)
        || image_addresses(page, row).into_iter().any(is_file)
}

/// The picture that the link around an image leads to: a script loads the image, and the link shows it in large.
fn shown_in_large<'a>(page: &PageView<'a>, row: usize) -> Option<&'a str> {
    let link = link_around(page, row)?;
    let address = page.value(link, HREF).map(strip)?;
    is_address_of_picture(address).then_some(address)
}

/// Whether the name of the file at an address is that of a picture.
pub fn is_address_of_picture(address: &str) -> bool {
    let end = without_query(address).rsplit_once('.').map_or("", |(_, end)| end);
    PICTURES.iter().any(|known| end.eq_ignore_ascii_case(known))
}

/// The best candidate of the sources before an image in the same `<picture>`.
fn best_of_picture<'a>(page: &PageView<'a>, row: usize) -> Option<Candidate<'a>> {
    let parent = page.parent[row];
    if parent < 0 || page.tag[parent as usize] != PICTURE {
        return None;
    }
    let before = (parent as usize + 1).max(row.saturating_sub(MOST_ROWS))..row;
    let is_for_screens = |&source: &usize| {
        let media = page.value(source, MEDIA).unwrap_or("");
        page.tag[source] == SOURCE && !OTHER_MEDIA.iter().any(|other| media.contains(other))
    };
    let lists = before.filter(is_for_screens).flat_map(|source| LISTS.map(|name| page.value(source, name)));
    best(lists.flatten())
}

/// The best candidate of some lists.
fn best<'a>(lists: impl Iterator<Item = &'a str>) -> Option<Candidate<'a>> {
    let mut best: Option<Candidate> = None;
    for candidate in lists.flat_map(candidates) {
        if best.is_none_or(|found| candidate.is_better_than(&found)) {
            best = Some(candidate);
        }
    }
    best
}

/// The entries of a `srcset`. Addresses may contain commas, but no white space and none at their end.
fn candidates(list: &str) -> impl Iterator<Item = Candidate<'_>> {
    let mut rest = list;
    std::iter::from_fn(move || loop {
        rest = rest.trim_start_matches(|character: char| character == ',' || character.is_ascii_whitespace());
        if rest.is_empty() {
            return None;
        }
        let end = rest.find(|character: char| character.is_ascii_whitespace()).unwrap_or(rest.len());
        let (written, after) = rest.split_at(end);
        let bare = written.trim_end_matches(',');
        if bare.len() < written.len() {
            rest = after;
            return Some(Candidate { written: bare, width: 0.0, density: 1.0, asked: width_asked_for(bare) });
        }
        let comma = after.find(',').unwrap_or(after.len());
        rest = &after[comma..];
        if let Some((width, density)) = described(&after[..comma]) {
            return Some(Candidate { written, width, density, asked: width_asked_for(written) });
        }
    })
}

/// The width that an address asks a server for: `?width=620&dpr=2`; 0 for none.
fn width_asked_for(address: &str) -> f64 {
    let query = address.split_once('?').map_or("", |(_, query)| query);
    let value = |names: &[&str]| {
        let mut named = query.split('&').filter_map(|part| part.split_once('='));
        named.find(|(name, _)| names.contains(name)).and_then(|(_, value)| value.parse::<f64>().ok())
    };
    let is_sensible = |width: &f64| (1.0..=MOST_PIXELS).contains(width);
    let width = value(&["width", "w"]).filter(is_sensible).unwrap_or(0.0);
    width * value(&["dpr"]).filter(|density| (1.0..=4.0).contains(density)).unwrap_or(1.0)
}

/// Width and density after an address; none if something else stands there, as after a blank within an address.
fn described(descriptors: &str) -> Option<(f64, f64)> {
    let (mut width, mut density) = (0.0, 1.0);
    for descriptor in descriptors.split_ascii_whitespace() {
        let (number, unit) = descriptor.split_at(descriptor.len() - descriptor.chars().next_back()?.len_utf8());
        let number = number.parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0)?;
        match unit {
            "w" => width = number,
            "x" => density = number,
            "h" => (),
            _ => return None,
        }
    }
    Some((width, density))
}

/// Whether an address is that of a page: copies of sites have them in the place of images that they lack.
fn is_page(address: &str) -> bool {
    let path = without_query(address);
    path.ends_with(".html") || path.ends_with(".htm")
}

/// Whether a value may be the address of an image: what scripts and editors leave there by mistake (`undefined`, a telephone
/// number) may not.
fn is_address(value: &str) -> bool {
    let is_path = || value.contains(['/', '.', '?'].as_slice());
    let is_name = || !value.contains([' ', '#'].as_slice()) && value.contains(char::is_alphanumeric);
    !NO_ADDRESSES.contains(&value) && (is_path() || is_name())
}

/// Whether an address stands for an image until that is loaded.
fn is_placeholder(address: &str) -> bool {
    let path = without_query(address);
    let name = path.rsplit('/').next().unwrap_or("").to_ascii_lowercase();
    let stem = name.rsplit_once('.').map_or(&*name, |(stem, _)| stem);
    // Of animations and drawings of few colours, one word is enough: `index-transparent_w-4.gif`.
    let is_named = || name.ends_with(".gif") && has_word(stem, &PLACEHOLDERS);
    PLACEHOLDERS.contains(&stem) || PARTS_OF_PLACEHOLDERS.iter().any(|part| stem.contains(part)) || is_named()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best_in(list: &str) -> &str {
        best([list].into_iter()).map_or("", |candidate| candidate.written)
    }

    #[test]
    fn the_widest_or_densest_counts() {
        let cases = [
            ("a.jpg 480w, b.jpg 1200w, c.jpg 800w", "b.jpg"),
            ("a.jpg 1x, b.jpg 2x", "b.jpg"),
            ("a.jpg, b.jpg 1.5x", "b.jpg"),
            ("/w_424,c_limit/a.jpg 424w, /w_1456,c_limit/a.jpg 1456w", "/w_1456,c_limit/a.jpg"),
            ("a.jpg 1x,b.jpg 2x", "b.jpg"),
            ("a.jpg", "a.jpg"),
            ("a b.jpg 480w, c.jpg 300w", "c.jpg"),
            ("a.jpg infw, b.jpg NaNx, c.jpg -1w", ""),
            (" , ,", ""),
            ("", ""),
            ("a.jpg 3é", ""),
            ("a.jpg?width=445&dpr=1, a.jpg?width=620&dpr=2, a.jpg?width=700", "a.jpg?width=620&dpr=2"),
        ];
        for (list, expected) in cases {
            assert_eq!(best_in(list), expected, "{list}");
        }
    }

    #[test]
    fn addresses_in_settings() {
        assert_eq!(
            in_settings(r#"{"default":{"load":"default","w":"73","src":"//a.example/b.img?h=4"},"x":1}"#),
            "//a.example/b.img?h=4"
        );
        assert_eq!(in_settings(r#"{"default":"/a.png"}"#), "/a.png");
        assert_eq!((in_settings("{}"), in_settings("/a.png")), ("", "/a.png"));
    }

    #[test]
    fn sizes_are_filled_in() {
        let cases = [
            ("//cdn.shopify.com/a_{width}x.jpg?v=1", "//cdn.shopify.com/a.jpg?v=1"),
            ("/a_{width}x{height}.jpg", "/a.jpg"),
            ("/{width}/a.jpg", "/1200/a.jpg"),
            ("/a.coreimg{.width}.jpeg/1/a.jpeg", "/a.coreimg.jpeg/1/a.jpeg"),
            ("/a.jpg", "/a.jpg"),
            (
                "https://static.wixstatic.com/media/a~mv2.jpg/v1/fill/w_147,h_98,blur_2/a.jpg",
                "https://static.wixstatic.com/media/a~mv2.jpg",
            ),
        ];
        for (address, expected) in cases {
            assert_eq!(filled(address), expected);
        }
    }

    #[test]
    fn placeholders_by_their_names() {
        for address in [
            "/i/blank.gif",
            "x/spacer.png?v=1",
            "grey-placeholder.png",
            "/1x1.gif",
            "lazy.svg#a",
            "/index-transparent_w-4.gif",
        ] {
            assert!(is_placeholder(address), "{address}");
        }
        for address in ["/loading-dock.jpg", "/blank/a.jpg", "", "photo", "/transparent-frog.png"] {
            assert!(!is_placeholder(address), "{address}");
        }
    }
}
