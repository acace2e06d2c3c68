//! Videos, sounds, posts and other things that a page embeds: links with a title.
//!
//! Addresses of players become those of the page that a reader would open. Frames of unknown services count if they have
//! a title.
#![forbid(unsafe_code)]

use super::footnotes::unquoted;
use super::image_signs::{has_word, is_named};
use super::source::Source;
use super::texts::{folded, without_controls};
use crate::blocks::characters::strip;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{attribute, number_of, TAGS};
use crate::html::attributes::code_of;

const FRAME: i32 = number_of("iframe");
const VIDEO: i32 = number_of("video");
const AUDIO: i32 = number_of("audio");
const EMBED: i32 = number_of("embed");
const SCRIPT: i32 = number_of("script");
const QUOTE: i32 = number_of("blockquote");
const SOURCE: i32 = number_of("source");
const LINK: i32 = number_of("a");
const NO_SCRIPT: i32 = number_of("noscript");
const HREF: u8 = code_of("href");
const CITE: u8 = code_of("cite");
const SRC: u8 = code_of("src");
const VIDEO_NUMBER: u8 = code_of("videoid");
const PERMALINK: u8 = code_of("data-instgrm-permalink");
/// Attributes with the address of what is embedded; scripts load some of it later.
const ADDRESSES: [u8; 4] = [code_of("data-src"), code_of("data-lazy-src"), code_of("data-original"), SRC];
/// Elements that embed something.
const EMBEDDING: [i32; 6] = [FRAME, VIDEO, AUDIO, EMBED, SCRIPT, QUOTE];
/// Attributes that say what is embedded.
const TITLES: [u8; 3] = [code_of("title"), code_of("playlabel"), code_of("aria-label")];
/// Rows of an element among which its sources or links are.
const MOST_ROWS: usize = 64;
/// Characters of a title: longer ones are no titles.
const LONGEST_TITLE: usize = 200;
/// Words that say that a frame shows an advertisement, or nothing at all.
const ADVERTISING: [&str; 9] =
    ["ad", "ads", "advert", "advertisement", "advertising", "banner", "recaptcha", "captcha", "sponsored"];

/// What is embedded.
#[derive(Debug, PartialEq, Eq)]
pub struct Embed {
    /// What it says it is, or the name of its service.
    pub title: String,
    /// Where a reader finds it.
    pub address: String,
}

/// How the address of a player becomes that of its page.
enum Page {
    /// It is the page.
    Same,
    /// The part of the path after this one goes after an address.
    After(&'static str, &'static str),
    /// The path up to this part.
    Without(&'static str),
    /// The path with one part in place of another.
    Replaced(&'static str, &'static str),
    /// The value in the query goes after an address.
    Query(&'static str, &'static str),
}

/// (end of the host, start of the path, title, address of the page).
#[rustfmt::skip]
const SERVICES: &[(&str, &str, &str, Page)] = &[
    ("youtube.com", "/embed/videoseries", "YouTube playlist", Page::Query("list=", "https://www.youtube.com/playlist?list=")),
    ("youtube.com", "/embed/", "YouTube video", Page::After("/embed/", "https://www.youtube.com/watch?v=")),
    ("youtube.com", "/v/", "YouTube video", Page::After("/v/", "https://www.youtube.com/watch?v=")),
    ("youtube-nocookie.com", "/embed/", "YouTube video", Page::After("/embed/", "https://www.youtube.com/watch?v=")),
    ("player.vimeo.com", "/video/", "Vimeo video", Page::After("/video/", "https://vimeo.com/")),
    ("dailymotion.com", "/embed/video/", "Dailymotion video", Page::After("/embed/video/", "https://www.dailymotion.com/video/")),
    ("platform.twitter.com", "/embed/", "Post on X", Page::Query("id=", "https://twitter.com/i/status/")),
    ("platform.x.com", "/embed/", "Post on X", Page::Query("id=", "https://twitter.com/i/status/")),
    ("instagram.com", "/p/", "Instagram post", Page::Without("embed")),
    ("instagram.com", "/reel/", "Instagram reel", Page::Without("embed")),
    ("facebook.com", "/plugins/video", "Facebook video", Page::Query("href=", "")),
    ("facebook.com", "/plugins/post", "Facebook post", Page::Query("href=", "")),
    ("w.soundcloud.com", "/player", "SoundCloud audio", Page::Query("url=", "")),
    ("open.spotify.com", "/embed", "Spotify audio", Page::Replaced("/embed/", "/")),
    ("embed.podcasts.apple.com", "/", "Apple podcast", Page::Same),
    ("embed.music.apple.com", "/", "Apple music", Page::Same),
    ("bandcamp.com", "/EmbeddedPlayer", "Bandcamp audio", Page::Same),
    ("codepen.io", "/", "CodePen", Page::Replaced("/embed/", "/pen/")),
    ("jsfiddle.net", "/", "JSFiddle", Page::Replaced("/embedded/", "/")),
    ("codesandbox.io", "/embed/", "CodeSandbox", Page::Replaced("/embed/", "/s/")),
    ("stackblitz.com", "/", "StackBlitz", Page::Same),
    ("gist.github.com", "/", "Gist", Page::Without(".js")),
    ("embed.ted.com", "/", "TED talk", Page::After("/talks/", "https://www.ted.com/talks/")),
    ("loom.com", "/embed/", "Loom video", Page::Replaced("/embed/", "/share/")),
    ("fast.wistia.net", "/embed/", "Wistia video", Page::Same),
    ("fast.wistia.com", "/embed/", "Wistia video", Page::Same),
    ("player.bilibili.com", "/", "Bilibili video", Page::Same),
    ("player.twitch.tv", "/", "Twitch video", Page::Same),
    ("tiktok.com", "/embed", "TikTok video", Page::Same),
    ("embed.reddit.com", "/", "Reddit post", Page::Same),
    ("datawrapper.dwcdn.net", "/", "Chart", Page::Same),
    ("flo.uri.sh", "/", "Chart", Page::Same),
    ("google.com", "/maps/embed", "Map", Page::Same),
    ("openstreetmap.org", "/export/embed", "Map", Page::Same),
    ("docs.google.com", "/", "Google document", Page::Same),
    ("archive.org", "/embed/", "Internet Archive", Page::Replaced("/embed/", "/details/")),
    ("giphy.com", "/embed/", "Giphy", Page::Replaced("/embed/", "/gifs/")),
];

/// Rows of what is embedded, in order.
pub fn embed_rows(source: &Source) -> Vec<usize> {
    let page = source.page;
    let named = EMBEDDING.iter().flat_map(|&tag| page.rows_of(tag));
    let numbered = page.attributes_named(VIDEO_NUMBER).map(|index| page.row_of_attribute(index));
    let numbered = numbered.filter(|&row| page.tag[row] as usize >= TAGS.len());
    let is_shown = |row: &usize| {
        let parent = page.parent[*row].max(0) as usize;
        // Some pages load frames by a script, and write them for browsers that have none.
        let around = if page.tag[parent] == NO_SCRIPT { page.parent[parent].max(0) as usize } else { parent };
        page.hidden[around] == 0
    };
    let is_empty = |row: &usize| page.tag[*row] != QUOTE || !source.keeps_text_in(*row);
    let is_embedded = |row: &usize| is_shown(row) && embed_at(page, *row).is_some() && is_empty(row);
    let mut rows: Vec<usize> = named.chain(numbered).filter(is_embedded).collect();
    rows.sort_unstable();
    rows.dedup();
    rows
}

/// What is embedded at a row, if anything.
pub fn embed_at(page: &PageView, row: usize) -> Option<Embed> {
    match page.tag[row] {
        FRAME | EMBED => frame(page, row),
        VIDEO => Some(media(page, row, "Video")?),
        AUDIO => Some(media(page, row, "Audio")?),
        SCRIPT => served(page.value(row, SRC)?).filter(|embed| embed.title == "Gist"),
        QUOTE => post(page, row),
        _ => {
            let number = page.value(row, VIDEO_NUMBER)?;
            let is_vimeo = page.tag_name(page.tag[row]).contains("vimeo");
            let start = if is_vimeo { "https://vimeo.com/" } else { "https://www.youtube.com/watch?v=" };
            let title = if is_vimeo { "Vimeo video" } else { "YouTube video" };
            Some(titled(page, row, Embed { title: title.to_string(), address: format!("{start}{number}") }))
        }
    }
}

/// A frame of a known service, or one with a title.
fn frame(page: &PageView, row: usize) -> Option<Embed> {
    let addresses = || ADDRESSES.iter().filter_map(|&name| page.value(row, name)).map(strip);
    if let Some(embed) = addresses().find_map(served) {
        return Some(titled(page, row, embed));
    }
    let address = addresses().find(|address| address.starts_with("http") || address.starts_with("//"))?.to_string();
    let embed = titled(page, row, Embed { title: String::new(), address });
    let advertises = has_word(&embed.title, &ADVERTISING) || is_named(page, row, &ADVERTISING);
    (page.tag[row] == FRAME && !embed.title.is_empty() && !advertises).then_some(embed)
}

/// A video or a sound with a file of its own.
fn media(page: &PageView, row: usize, title: &str) -> Option<Embed> {
    let end = (page.subtree_end[row] as usize).min(row + MOST_ROWS);
    let sources = (row + 1..end).filter(|&inner| page.tag[inner] == SOURCE);
    let mut addresses = std::iter::once(row).chain(sources).flat_map(|row| ADDRESSES.map(|name| page.value(row, name)));
    let is_file =
        |address: &&str| !address.is_empty() && !address.starts_with("blob:") && !address.starts_with("data:");
    let address = addresses.find_map(|address| address.map(strip).filter(is_file))?.to_string();
    Some(titled(page, row, Embed { title: title.to_string(), address }))
}

/// A post of another site in a quotation that a script replaces.
fn post(page: &PageView, row: usize) -> Option<Embed> {
    let classes = page.value(row, attribute::CLASS)?;
    let is_of = |class: &str| classes.split_ascii_whitespace().any(|one| one == class);
    let embed = |title: &str, address: &str| Embed { title: title.to_string(), address: address.to_string() };
    if is_of("instagram-media") {
        return page.value(row, PERMALINK).map(|address| embed("Instagram post", without_query(address)));
    }
    if is_of("tiktok-embed") {
        return page.value(row, CITE).map(|address| embed("TikTok video", address));
    }
    if !is_of("twitter-tweet") && !is_of("twitter-video") {
        return None;
    }
    let end = (page.subtree_end[row] as usize).min(row + MOST_ROWS);
    let links = (row..end).rev().filter(|&inner| page.tag[inner] == LINK).filter_map(|inner| page.value(inner, HREF));
    let address = links.into_iter().find(|address| address.contains("/status/"))?;
    Some(embed("Post on X", without_query(address)))
}

/// An address without its query.
pub fn without_query(address: &str) -> &str {
    address.split(['?', '#']).next().unwrap_or("")
}

/// What an address of a known service embeds.
fn served(address: &str) -> Option<Embed> {
    let rest = address.strip_prefix("https:").or_else(|| address.strip_prefix("http:")).unwrap_or(address);
    let rest = rest.strip_prefix("//")?;
    let (host, path) = rest.split_at(rest.find('/')?);
    let is_at = |end: &str| host.strip_suffix(end).map_or(false, |start| start.is_empty() || start.ends_with('.'));
    let (_, _, title, page) = SERVICES.iter().find(|(end, start, ..)| is_at(end) && path.starts_with(start))?;
    let address = match *page {
        Page::Same => format!("https://{host}{path}"),
        Page::After(part, start) => {
            let number = without_query(path.split_once(part)?.1).trim_end_matches('/');
            format!("{start}{number}")
        }
        Page::Without(part) => format!("https://{host}{}", without_query(path).split(part).next().unwrap_or("")),
        Page::Replaced(part, other) => {
            format!("https://{host}{}", without_query(path).replacen("preview/", "", 1).replacen(part, other, 1))
        }
        Page::Query(name, start) => {
            let query = path.split_once('?')?.1;
            let value = query.split('&').find_map(|pair| pair.strip_prefix(name))?;
            format!("{start}{}", unquoted(value))
        }
    };
    Some(Embed { title: title.to_string(), address })
}

/// What is embedded, with the title that its element has, if any.
fn titled(page: &PageView, row: usize, embed: Embed) -> Embed {
    let titles = TITLES.iter().filter_map(|&name| page.value(row, name));
    let mut readable = titles.map(|title| folded(&without_controls(title)));
    let title = readable.find(|title| !title.is_empty() && title.chars().count() <= LONGEST_TITLE);
    Embed { title: title.unwrap_or(embed.title), ..embed }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_become_pages() {
        let cases = [
            ("https://www.youtube.com/embed/abc?rel=0", "https://www.youtube.com/watch?v=abc"),
            ("//www.youtube-nocookie.com/embed/abc", "https://www.youtube.com/watch?v=abc"),
            ("https://www.youtube.com/embed/videoseries?list=PL1&x=2", "https://www.youtube.com/playlist?list=PL1"),
            ("https://player.vimeo.com/video/12?h=3", "https://vimeo.com/12"),
            ("https://open.spotify.com/embed/track/7?x", "https://open.spotify.com/track/7"),
            ("https://codepen.io/me/embed/preview/xy?a=b", "https://codepen.io/me/pen/xy"),
            ("https://www.instagram.com/p/AB/embed/", "https://www.instagram.com/p/AB/"),
            ("https://platform.twitter.com/embed/Tweet.html?dnt=1&id=99", "https://twitter.com/i/status/99"),
            ("https://w.soundcloud.com/player/?url=https%3A//a.example/b&x", "https://a.example/b"),
            ("https://gist.github.com/me/12.js", "https://gist.github.com/me/12"),
        ];
        for (address, expected) in cases {
            assert_eq!(served(address).map(|embed| embed.address).as_deref(), Some(expected), "{address}");
        }
        for other in
            ["https://ads.example/embed/x", "youtube.com/embed/x", "//notyoutube.com/embed/x", "", "//youtube.com"]
        {
            assert_eq!(served(other), None, "{other}");
        }
    }
}
