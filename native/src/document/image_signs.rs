//! What an image says of itself: whether it is a picture, a sign amid the text, or nothing to see at all.
#![forbid(unsafe_code)]

use super::code_parts::{has_class, has_part_of_class};
use super::embeds::without_query;
use super::image_addresses::is_address_of_picture;
use super::images::link_around;
use crate::blocks::characters::{property_of, strip};
use crate::blocks::page_view::PageView;
use crate::blocks::tags::attribute;
use crate::html::attributes::code_of;

const WIDTH: u8 = code_of("width");
const HEIGHT: u8 = code_of("height");
const STYLE: u8 = code_of("style");
const ALT: u8 = code_of("alt");
const SRC: u8 = code_of("src");
const REL: u8 = code_of("rel");
/// Pixels of the side of a tracker or spacer, at most.
const INVISIBLE: f64 = 2.0;
/// Pixels of the sides of icons, at most: the largest that browsers show in their own bars.
const ICON: f64 = 32.0;
/// Pixels of the height of a line that is drawn as an image, at most, and how many times as wide it is.
const LINE: f64 = 12.0;
const TIMES_AS_WIDE: f64 = 8.0;
/// Pixels of the height of buttons that are drawn as images, at most: those that sites exchanged have 88 by 31.
const BUTTON: f64 = 31.0;
/// Pixels of the sides of an initial that is drawn as an image, at most.
const INITIAL: f64 = 100.0;
/// Pixels of the unit in which the classes of Tailwind count.
const UNIT_OF_TAILWIND: f64 = 4.0;
/// What themes write before each of these classes: Hextra, others.
const PREFIXES_OF_TAILWIND: [&str; 3] = ["hx:", "tw:", "tw-"];
/// Pixels of the sides of round portraits, at most.
const PORTRAIT_SIDE: f64 = 65.0;
/// Classes of round images: Tailwind, Bootstrap.
const ROUND: [&str; 3] = ["rounded-full", "rounded-circle", "img-circle"];
/// Width and height that only say what shape an image has.
const SHAPES: [(f64, f64); 4] = [(16.0, 9.0), (4.0, 3.0), (3.0, 2.0), (2.0, 1.0)];
/// Width and height of advertisements, by the standards of their trade: banners and columns, and boxes, which pictures may
/// have, too.
#[rustfmt::skip]
const BANNERS: [(f64, f64); 11] = [
    (728.0, 90.0), (970.0, 90.0), (970.0, 250.0), (468.0, 60.0), (234.0, 60.0), (160.0, 600.0), (120.0, 600.0), (300.0, 600.0),
    (320.0, 50.0), (320.0, 100.0), (300.0, 50.0),
];
const BOXES: [(f64, f64); 3] = [(300.0, 250.0), (336.0, 280.0), (125.0, 125.0)];
/// Elements between an image and the card of another page.
const REACH_OF_BOOKMARK: usize = 3;
/// Alternative texts of advertisements.
#[rustfmt::skip]
const ADVERTISEMENTS: [&str; 10] = [
    "advertisement", "advert", "ad", "ads", "advertising", "anzeige", "werbung", "publicidad", "publicité", "pubblicità",
];
/// Words in the class or id of images that show who wrote or what to press.
const NAMES: [&str; 9] = ["avatar", "gravatar", "icon", "icons", "favicon", "spinner", "tracking", "userpic", "spacer"];
/// Those of them that show who wrote.
const PORTRAITS: [&str; 3] = ["avatar", "gravatar", "userpic"];
/// Parts of the classes of portraits of who wrote.
const PARTS_OF_PORTRAITS: [&str; 4] = ["author", "byline", "headshot", "mugshot"];
/// Class of the blurred copy that Medium shows until an image is loaded.
const BLURRED: [&str; 1] = ["progressiveMedia-thumbnail"];
/// Parts of the addresses of trackers, portraits and advertisements.
#[rustfmt::skip]
const PARTS_OF_ADDRESSES: [&str; 36] = [
    // Badges above the descriptions of programs.
    "img.shields.io/", "/badge.svg", "badge.fury.io/", "badgen.net/", "/badges/", "codecov.io/gh/", "/badge/",
    "/s2/favicons", "twimg.com/profile_images/",
    "printfriendly.com/", "zemanta.com/", "/images/buttons/", "-icons/",
    "gravatar.com/avatar", "avatars.githubusercontent.com", "/avatars/", "facebook.com/tr?", "doubleclick.net",
    "scorecardresearch.com", "pixel.wp.com", "stats.wp.com", "google-analytics.com", "feedburner.com/~", "/_/stat?",
    "feeds.wordpress.com/", "/logos/", "/sponsors/", "//ads.", "/ads/", "/adverts/", "/advertising/", "/adserver",
    "//adserver.", "/banners/", "atdmt.com/", "/adimages/",
];
/// How the names of the files of drawings end.
pub const DRAWING: &str = ".svg";
/// How MediaWiki calls the pictures that it makes of drawings, and pixels of the sides of those that are signs of templates.
const PICTURE_OF_DRAWING: &str = ".svg.png";
const SIGN_OF_TEMPLATE: f64 = 50.0;
/// How the names of the files of the signs of sites end, which cards show beside the name of another site.
const SIGN_OF_SITE: &str = ".ico";
/// How the alternative text of the portrait of a user ends.
const PORTRAIT: &str = "profile picture";
/// Names of the files of signs beside callouts.
const CALLOUTS: [&str; 7] = ["note", "tip", "warning", "caution", "important", "info", "hint"];
/// Alternative texts of the buttons beside listings.
const COPIES: [&str; 5] = ["copy", "copy code", "copy to clipboard", "复制代码", "复制"];
/// Words in the names of the files of signs.
#[rustfmt::skip]
const SIGNS: [&str; 14] = [
    "logo", "logos", "icon", "icons", "arrow", "bullet", "button", "btn", "sprite", "nav", "divider", "separator", "spacer",
    "favicon",
];
/// Classes of images that stand for a character.
#[rustfmt::skip]
const CHARACTERS: [&str; 9] = [
    "emoji", "wp-smiley", "twemoji", "emojione", "Emoji", "smilies", "smilie", "mceSmilie", "bbc_emoticon",
];
/// Parts of the addresses of such images.
const FOLDERS_OF_CHARACTERS: [&str; 6] = ["/smilies/", "/smileys/", "/smiles/", "/emoticons/", "/emoji/", "/emojis/"];
/// Characters of one that is no word, as forums write them: `:shock:`.
const LONGEST_CHARACTER: usize = 16;

/// Whether a name, split into words, has one of some words.
pub fn has_word(name: &str, words: &[&str]) -> bool {
    let is_apart = |character: char| !character.is_ascii_alphanumeric();
    name.split(is_apart).any(|word| words.iter().any(|known| word.eq_ignore_ascii_case(known)))
}

/// Whether the class or id of an element has one of some words.
pub fn is_named(page: &PageView, row: usize, words: &[&str]) -> bool {
    let names = [attribute::CLASS, attribute::ID];
    names.iter().any(|&name| page.value(row, name).is_some_and(|value| has_word(value, words)))
}

/// Whether an image is no picture: a tracker, a spacer, an icon or the portrait of a user.
pub fn is_no_picture(page: &PageView, row: usize, address: &str) -> bool {
    is_small(page, row)
        || says_user(page, row)
        || (is_smaller_than(page, row, PORTRAIT_SIDE) && has_class(page, row, &ROUND))
        || is_unnamed_sign(page, row, address)
        || without_query(address).ends_with(SIGN_OF_SITE)
        || (address.ends_with(PICTURE_OF_DRAWING) && is_smaller_than(page, row, SIGN_OF_TEMPLATE + 1.0))
        || is_button(page, row)
        || says_copy(page, row)
        || names_callout(address)
        || is_advertisement(page, row)
        || is_of_bookmark(page, row)
        || is_asked_for_small(address)
        || FOLDERS_OF_CHARACTERS.iter().any(|folder| address.contains(folder))
        || has_part_of_class(page, row, &PARTS_OF_PORTRAITS)
        || has_class(page, row, &BLURRED)
        || is_named(page, row, &NAMES)
        || page.value(row, attribute::CLASS).is_some_and(is_class_of_icons)
        || PARTS_OF_ADDRESSES.iter().any(|part| address.contains(part))
}

/// Whether the alternative text of an image is that of the portrait of a user.
fn says_user(page: &PageView, row: usize) -> bool {
    page.value(row, ALT).is_some_and(|alt| has_word(alt, &["avatar"]) || alt.ends_with(PORTRAIT))
}

/// Whether the name of a file is that of a kind of callouts: what DocBook and LibreOffice draw beside these.
fn names_callout(address: &str) -> bool {
    let name = without_query(address).rsplit('/').next().unwrap_or("");
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    CALLOUTS.contains(&stem)
}

/// Whether the alternative text of an image is that of the button which copies a listing.
fn says_copy(page: &PageView, row: usize) -> bool {
    let alternative = page.value(row, ALT).map_or("", strip);
    COPIES.iter().any(|words| alternative.eq_ignore_ascii_case(words))
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
    let is_dot = || stem.len() == 1 && name.ends_with(".gif") && declared_size(page, row) == (None, None);
    (is_drawn || alternative.is_empty() || alternative == stem)
        && (stem.split(|character: char| !character.is_ascii_alphanumeric()).any(is_sign)
            || (alternative.is_empty() && is_dot()))
}

/// Whether an address asks a server for an image of the size of a sign: `?w=50&h=50`, `?size=40`.
fn is_asked_for_small(address: &str) -> bool {
    let query = address.split_once('?').map_or("", |(_, query)| query);
    let side = |names: [&str; 2]| {
        let mut values = query.split('&').filter_map(|part| part.split_once('='));
        values.find(|(name, _)| names.contains(name)).and_then(|(_, value)| value.parse::<f64>().ok())
    };
    match (side(["w", "width"]), side(["h", "height"])) {
        (Some(width), Some(height)) => width.max(height) <= PORTRAIT_SIDE,
        _ => side(["size", "sz"]).is_some_and(|size| size <= PORTRAIT_SIDE),
    }
}

/// Whether an image is a link, and so low that it is a word to press.
fn is_button(page: &PageView, row: usize) -> bool {
    let is_low = |(width, height): (Option<f64>, Option<f64>)| match (width, height) {
        (Some(width), Some(height)) => height <= BUTTON && width >= 2.0 * height,
        _ => false,
    };
    is_low(declared_size(page, row)) && link_around(page, row).is_some()
}

/// Whether an image is on the card of another page: Ghost, Notion.
fn is_of_bookmark(page: &PageView, row: usize) -> bool {
    page.ancestors(row).take(REACH_OF_BOOKMARK).any(|row| has_part_of_class(page, row, &["bookmark"]))
}

/// Whether an image says that it is an advertisement, or is a link of the size of one.
fn is_advertisement(page: &PageView, row: usize) -> bool {
    let alternative = page.value(row, ALT).map_or("", strip);
    if ADVERTISEMENTS.iter().any(|word| alternative.eq_ignore_ascii_case(word)) {
        return true;
    }
    let (width, height) = match declared_size(page, row) {
        (Some(width), Some(height)) => (width, height),
        _ => return false,
    };
    let is_banner = BANNERS.contains(&(width, height));
    (is_banner || BOXES.contains(&(width, height)))
        && link_around(page, row).is_some_and(|link| {
            let address = page.value(link, attribute::HREF).unwrap_or("");
            let is_paid = page.value(link, REL).is_some_and(|rel| has_word(rel, &["sponsored", "nofollow"]));
            (address.starts_with("http") || address.starts_with("//"))
                && !is_address_of_picture(address)
                && (is_banner || is_paid)
        })
}

/// Whether an image stands for the character that is its alternative text.
pub fn is_character(page: &PageView, row: usize) -> bool {
    let alternative = page.value(row, ALT).map_or("", strip);
    if alternative.is_empty() || alternative.len() > LONGEST_CHARACTER {
        return has_class_of_characters(page, row) && !alternative.is_empty();
    }
    let is_sign = |character: char| !property_of(character).is_alphanumeric;
    let is_in_folder =
        || page.value(row, SRC).is_some_and(|address| FOLDERS_OF_CHARACTERS.iter().any(|part| address.contains(part)));
    // Words name a picture: `emoticon-smile`.
    let is_smiley = || alternative.starts_with(is_sign) || (alternative.len() < 4 && alternative.chars().any(is_sign));
    let is_picture_of_sign =
        || !alternative.is_ascii() && alternative.chars().all(is_sign) && is_smaller_than(page, row, ICON + 1.0);
    has_class_of_characters(page, row)
        || is_initial(page, row)
        || is_picture_of_sign()
        || (is_smiley() && is_in_folder())
}

/// Whether the class of an image is that of characters.
fn has_class_of_characters(page: &PageView, row: usize) -> bool {
    let classes = page.value(row, attribute::CLASS).unwrap_or("");
    classes.split_ascii_whitespace().any(|class| CHARACTERS.contains(&class))
}

/// Whether an image is the first letter of a text, drawn: small, and with the letter as its alternative text.
pub fn is_initial(page: &PageView, row: usize) -> bool {
    let mut characters = page.value(row, ALT).map_or("", strip).chars();
    let is_letter = characters.next().is_some_and(char::is_uppercase) && characters.next().is_none();
    is_letter && is_smaller_than(page, row, INITIAL)
}

/// Whether the size that an image declares is that of a tracker or an icon.
fn is_small(page: &PageView, row: usize) -> bool {
    match declared_size(page, row) {
        (Some(width), Some(height)) if SHAPES.contains(&(width, height)) => false,
        (Some(width), Some(height)) => {
            let (short, long) = (width.min(height), width.max(height));
            short <= INVISIBLE || long <= ICON || (short <= LINE && long >= TIMES_AS_WIDE * short)
        }
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
        let is_said = |&side: &f64| side > 0.0 || !page.value(row, STYLE).is_some_and(fills);
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
    let own = |class: &'_ str| PREFIXES_OF_TAILWIND.iter().find_map(|prefix| class.strip_prefix(prefix)).map(str::len);
    let units = classes.find_map(|class| {
        let class = &class[class.len() - own(class).unwrap_or(class.len())..];
        class.strip_prefix(letter)?.strip_prefix('-')?.parse::<u8>().ok()
    })?;
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
