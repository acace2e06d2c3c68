//! What an image says of itself: whether it is a picture, a sign amid the text, or nothing to see at all.
#![forbid(unsafe_code)]

use super::code_parts::has_class;
use super::embeds::without_query;
use crate::blocks::characters::strip;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::attribute;
use crate::html::attributes::code_of;

const WIDTH: u8 = code_of("width");
const HEIGHT: u8 = code_of("height");
const STYLE: u8 = code_of("style");
const ALT: u8 = code_of("alt");
/// Pixels of the side of a tracker or spacer, at most.
const INVISIBLE: f64 = 2.0;
/// Pixels of the sides of icons, at most: the largest that browsers show in their own bars.
const ICON: f64 = 32.0;
/// Pixels of the unit in which the classes of Tailwind count.
const UNIT_OF_TAILWIND: f64 = 4.0;
/// Pixels of the sides of round portraits, at most.
const PORTRAIT_SIDE: f64 = 65.0;
/// Classes of round images: Tailwind, Bootstrap.
const ROUND: [&str; 3] = ["rounded-full", "rounded-circle", "img-circle"];
/// Width and height that only say what shape an image has.
const SHAPES: [(f64, f64); 4] = [(16.0, 9.0), (4.0, 3.0), (3.0, 2.0), (2.0, 1.0)];
/// Words in the class or id of images that show who wrote or what to press.
const NAMES: [&str; 8] = ["avatar", "gravatar", "icon", "icons", "spinner", "tracking", "userpic", "spacer"];
/// Those of them that show who wrote.
const PORTRAITS: [&str; 3] = ["avatar", "gravatar", "userpic"];
/// Parts of the addresses of trackers and portraits.
#[rustfmt::skip]
const PARTS_OF_ADDRESSES: [&str; 18] = [
    "printfriendly.com/", "zemanta.com/", "/images/buttons/", "-icons/",
    "gravatar.com/avatar", "avatars.githubusercontent.com", "/avatars/", "facebook.com/tr?", "doubleclick.net",
    "scorecardresearch.com", "pixel.wp.com", "stats.wp.com", "google-analytics.com", "feedburner.com/~", "/_/stat?",
    "feeds.wordpress.com/", "/logos/", "/sponsors/",
];
/// How the names of the files of drawings end.
const DRAWING: &str = ".svg";
/// How the alternative text of the portrait of a user ends.
const PORTRAIT: &str = "profile picture";
/// Words in the names of the files of signs.
const SIGNS: [&str; 9] = ["logo", "logos", "icon", "icons", "arrow", "bullet", "button", "btn", "sprite"];
/// Classes of images that stand for a character.
const CHARACTERS: [&str; 4] = ["emoji", "wp-smiley", "twemoji", "emojione"];

/// Whether a name, split into words, has one of some words.
pub fn has_word(name: &str, words: &[&str]) -> bool {
    let is_apart = |character: char| !character.is_ascii_alphanumeric();
    name.split(is_apart).any(|word| words.iter().any(|known| word.eq_ignore_ascii_case(known)))
}

/// Whether the class or id of an element has one of some words.
pub fn is_named(page: &PageView, row: usize, words: &[&str]) -> bool {
    let names = [attribute::CLASS, attribute::ID];
    names.iter().any(|&name| page.value(row, name).map_or(false, |value| has_word(value, words)))
}

/// Whether an image is no picture: a tracker, a spacer, an icon or the portrait of a user.
pub fn is_no_picture(page: &PageView, row: usize, address: &str) -> bool {
    is_small(page, row)
        || says_user(page, row)
        || (is_smaller_than(page, row, PORTRAIT_SIDE) && has_class(page, row, &ROUND))
        || is_unnamed_sign(page, row, address)
        || is_named(page, row, &NAMES)
        || page.value(row, attribute::CLASS).map_or(false, is_class_of_icons)
        || PARTS_OF_ADDRESSES.iter().any(|part| address.contains(part))
}

/// Whether the alternative text of an image is that of the portrait of a user.
fn says_user(page: &PageView, row: usize) -> bool {
    page.value(row, ALT).map_or(false, |alt| has_word(alt, &["avatar"]) || alt.ends_with(PORTRAIT))
}

/// Whether an image is named as the portrait of a user.
pub fn is_of_user(page: &PageView, row: usize) -> bool {
    says_user(page, row) || is_named(page, row, &PORTRAITS)
}

/// Whether some class ends as React writes those of icons: `badgeIcon`.
fn is_class_of_icons(classes: &str) -> bool {
    classes.split_ascii_whitespace().any(|class| class.ends_with("Icon"))
}

/// Whether the name of a file says that it is a sign, and no alternative text says more.
fn is_unnamed_sign(page: &PageView, row: usize, address: &str) -> bool {
    let path = without_query(address);
    let name = path.rsplit('/').next().unwrap_or("");
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let alternative = page.value(row, ALT).map_or("", strip);
    // `icon2.png` is one of several. The drawing of a logo is a sign whatever it is called.
    let is_sign = |word: &str| {
        let word = word.trim_end_matches(|character: char| character.is_ascii_digit());
        SIGNS.iter().any(|known| word.eq_ignore_ascii_case(known))
    };
    let is_drawn = name.len() - stem.len() == DRAWING.len() && name[stem.len()..].eq_ignore_ascii_case(DRAWING);
    (is_drawn || alternative.is_empty() || alternative == stem)
        && stem.split(|character: char| !character.is_ascii_alphanumeric()).any(is_sign)
}

/// Whether an image stands for the character that is its alternative text.
pub fn is_character(page: &PageView, row: usize) -> bool {
    let classes = page.value(row, attribute::CLASS).unwrap_or("");
    classes.split_ascii_whitespace().any(|class| CHARACTERS.contains(&class))
        && page.value(row, ALT).map_or(false, |alt| !strip(alt).is_empty())
}

/// Whether the size that an image declares is that of a tracker or an icon.
fn is_small(page: &PageView, row: usize) -> bool {
    match declared_size(page, row) {
        (Some(width), Some(height)) if SHAPES.contains(&(width, height)) => false,
        (Some(width), Some(height)) => width.min(height) <= INVISIBLE || width.max(height) <= ICON,
        (Some(side), None) | (None, Some(side)) => side <= ICON,
        (None, None) => false,
    }
}

/// Whether an image declares that both its sides are shorter than some pixels.
pub fn is_smaller_than(page: &PageView, row: usize, side: f64) -> bool {
    match declared_size(page, row) {
        (Some(width), Some(height)) if SHAPES.contains(&(width, height)) => false,
        (None, None) => false,
        (width, height) => width.unwrap_or(0.0).max(height.unwrap_or(0.0)) < side,
    }
}

/// The width and height that an image declares.
fn declared_size(page: &PageView, row: usize) -> (Option<f64>, Option<f64>) {
    let side = |name: u8, property: &str| {
        // Next.js writes zeros where a style gives the image the width of its column.
        let is_said = |&side: &f64| side > 0.0 || !page.value(row, STYLE).map_or(false, fills);
        let written = page.value(row, name).and_then(pixels).filter(is_said);
        written
            .or_else(|| styled_pixels(page.value(row, STYLE)?, property))
            .or_else(|| pixels_of_class(page.value(row, attribute::CLASS)?, &property[..1]))
    };
    (side(WIDTH, "width"), side(HEIGHT, "height"))
}

/// The pixels that a class of Tailwind gives a side, by its first letter: `w-9` is nine quarters of 16 pixels.
fn pixels_of_class(classes: &str, letter: &str) -> Option<f64> {
    let mut classes = classes.split_ascii_whitespace();
    let units = classes.find_map(|class| class.strip_prefix(letter)?.strip_prefix('-')?.parse::<u8>().ok())?;
    Some(f64::from(units) * UNIT_OF_TAILWIND)
}

/// A number of pixels, with its unit or without.
fn pixels(value: &str) -> Option<f64> {
    let value = strip(value);
    value.strip_suffix("px").unwrap_or(value).parse().ok().filter(|number: &f64| number.is_finite())
}

/// Whether a style makes an image as wide as what it is in.
fn fills(style: &str) -> bool {
    let mut declarations = style.split(';').filter_map(|declaration| declaration.split_once(':'));
    declarations.any(|(name, value)| strip(name) == "width" && strip(value) == "100%")
}

/// The pixels that a style gives a property.
fn styled_pixels(style: &str, property: &str) -> Option<f64> {
    let mut declarations = style.split(';').filter_map(|declaration| declaration.split_once(':'));
    let (_, value) = declarations.find(|(name, _)| strip(name).eq_ignore_ascii_case(property))?;
    strip(value).strip_suffix("px").and_then(pixels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_names() {
        assert!(has_word("author-avatar small", &["avatar"]) && has_word("Icon", &["icon"]));
        assert!(!has_word("iconic avatars", &["avatar", "icon"]) && !has_word("", &["icon"]));
    }

    #[test]
    fn pixels_of_attributes_and_styles() {
        assert_eq!(
            (pixels("1"), pixels(" 20px "), pixels("100%"), pixels("auto")),
            (Some(1.0), Some(20.0), None, None)
        );
        assert_eq!(styled_pixels("max-width: 9px; Width: 16px", "width"), Some(16.0));
        assert_eq!(styled_pixels("width: 1em; height", "width"), None);
    }
}
