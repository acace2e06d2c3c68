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
const OBJECT: i32 = number_of("object");
const IMAGE: i32 = number_of("img");
const HREF: u8 = code_of("href");
const CITE: u8 = code_of("cite");
const SRC: u8 = code_of("src");
const VIDEO_NUMBER: u8 = code_of("videoid");
const PERMALINK: u8 = code_of("data-instgrm-permalink");
const ADDRESS_OF_POST: u8 = code_of("data-href");
const DATA_SRC: u8 = code_of("data-src");
const NUMBER_OF_POST: u8 = code_of("data-tweetid");
/// Attributes with the address of what is embedded; scripts load some of it later, and some once a visitor agrees: Cookiebot,
/// Complianz, iubenda.
const ADDRESSES: [u8; 8] = [
    DATA_SRC,
    code_of("data-lazy-src"),
    code_of("data-original"),
    code_of("data-cookieblock-src"),
    code_of("data-src-cmplz"),
    code_of("suppressedsrc"),
    SRC,
    code_of("data"),
];
const NUMBER_OF_YOUTUBE: u8 = code_of("data-youtube-id");
const NUMBER_OF_PLYR: u8 = code_of("data-plyr-embed-id");
/// Attributes with the number of a video, of elements that a script replaces.
const NUMBERS: [u8; 6] = [
    VIDEO_NUMBER,
    code_of("data-videoid"),
    code_of("data-video-id"),
    NUMBER_OF_YOUTUBE,
    code_of("data-embed"),
    NUMBER_OF_PLYR,
];
/// Attributes that tell of something embedded, whatever its element is; so do numbers of videos.
const TELLING: [u8; 3] = [NUMBER_OF_POST, ADDRESS_OF_POST, DATA_SRC];
/// Characters of the number of a video of YouTube.
const LENGTH_OF_NUMBER: usize = 11;
/// Parts of the addresses of YouTube's pictures of videos, before their numbers.
const PICTURES_OF_VIDEOS: [&str; 4] =
    ["ytimg.com/vi/", "ytimg.com/vi_webp/", "img.youtube.com/vi/", "img.youtube.com/vi_webp/"];
/// Frames of AMP.
const FRAME_OF_AMP: &str = "amp-iframe";
/// Elements that embed something.
const EMBEDDING: [i32; 7] = [FRAME, VIDEO, AUDIO, EMBED, SCRIPT, QUOTE, OBJECT];
/// First classes of elements with a link to a post that a script shows in their place.
const CLASSES_OF_POSTS: [(&str, &str); 4] = [
    ("fb-post", "Facebook post"),
    ("fb-video", "Facebook video"),
    ("codepen", "CodePen"),
    ("tumblr-post", "Tumblr post"),
];
/// The same of quotations, with a part of the address of the post.
const QUOTED_POSTS: [(&str, &str, &str); 8] = [
    ("twitter-tweet", "/status/", "Post on X"),
    ("twitter-video", "/status/", "Post on X"),
    ("bluesky-embed", "/post/", "Post on Bluesky"),
    ("mastodon-embed", "/@", "Post on Mastodon"),
    ("text-post-media", "/post/", "Post on Threads"),
    ("reddit-card", "/comments/", "Reddit post"),
    ("reddit-embed-bq", "/comments/", "Reddit post"),
    ("imgur-embed-pub", "imgur.com/", "Imgur post"),
];
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
    ("maps.google.com", "/maps", "Map", Page::Same),
    ("drive.google.com", "/file/", "Google document", Page::Replaced("/preview", "/view")),
    ("slideshare.net", "/slideshow/embed_code/", "Slides", Page::Same),
    ("speakerdeck.com", "/player/", "Slides", Page::Same),
    ("scribd.com", "/embeds/", "Document", Page::Same),
    ("issuu.com", "/", "Document", Page::Same),
    ("rumble.com", "/embed/", "Rumble video", Page::Same),
    ("streamable.com", "/", "Streamable video", Page::Same),
    ("players.brightcove.net", "/", "Video", Page::Same),
    ("cdn.jwplayer.com", "/players/", "Video", Page::Same),
    ("player.youku.com", "/embed/", "Youku video", Page::After("/embed/", "https://v.youku.com/v_show/id_")),
    ("v.qq.com", "/", "Tencent video", Page::Same),
    ("rutube.ru", "/play/embed/", "Rutube video", Page::Replaced("/play/embed/", "/video/")),
    ("vk.com", "/video_ext.php", "VK video", Page::Same),
    ("ok.ru", "/videoembed/", "OK video", Page::Replaced("/videoembed/", "/video/")),
    ("embed.nicovideo.jp", "/watch/", "Niconico video", Page::After("/watch/", "https://www.nicovideo.jp/watch/")),
    ("odysee.com", "/$/embed/", "Odysee video", Page::Replaced("/$/embed/", "/")),
    ("mixcloud.com", "/widget/", "Mixcloud audio", Page::Same),
    ("podcasters.spotify.com", "/pod/show/", "Podcast", Page::Replaced("/embed/", "/")),
    ("anchor.fm", "/", "Podcast", Page::Replaced("/embed/", "/")),
    ("player.simplecast.com", "/", "Podcast", Page::Same),
    ("embed.acast.com", "/", "Podcast", Page::Same),
    ("playlist.megaphone.fm", "/", "Podcast", Page::Same),
    ("embed.bsky.app", "/embed/", "Post on Bluesky", Page::Same),
    ("replit.com", "/@", "Replit", Page::Without("?")),
    ("observablehq.com", "/embed/", "Observable notebook", Page::Replaced("/embed/", "/")),
    ("figma.com", "/embed", "Figma file", Page::Query("url=", "")),
    ("e.infogram.com", "/", "Chart", Page::After("/", "https://infogram.com/")),
    ("public.flourish.studio", "/", "Chart", Page::Same),
    ("public.tableau.com", "/views/", "Chart", Page::Same),
    ("ourworldindata.org", "/grapher/", "Chart", Page::Same),
    ("cdn.knightlab.com", "/libs/timeline", "Timeline", Page::Same),
];

/// Rows of what is embedded, in order.
pub fn embed_rows(source: &Source) -> Vec<usize> {
    let page = source.page;
    let named = EMBEDDING.iter().flat_map(|&tag| page.rows_of(tag));
    let told = NUMBERS.iter().chain(&TELLING).flat_map(|&name| page.attributes_named(name));
    let told = told.map(|index| page.row_of_attribute(index));
    let told = told.filter(|&row| !matches!(page.tag[row], IMAGE | SOURCE));
    let posts = page.attributes_named(attribute::CLASS).filter(|&index| title_of_post(page.value_of(index)).is_some());
    let posts = posts.map(|index| page.row_of_attribute(index));
    let frame_of_amp = (0..page.other_tags.len()).find(|&place| page.other_tags.get(place) == FRAME_OF_AMP);
    let frames_of_amp = frame_of_amp.into_iter().flat_map(|place| page.rows_of((TAGS.len() + place) as i32));
    let is_shown = |row: &usize| {
        let parent = page.parent[*row].max(0) as usize;
        // Some pages load frames by a script, and write them for browsers that have none; or they have plug-ins.
        let is_for_others = matches!(page.tag[parent], NO_SCRIPT | OBJECT);
        let around = if is_for_others { page.parent[parent].max(0) as usize } else { parent };
        page.hidden[around] == 0
    };
    let says_itself = |row: &usize| page.tag[*row] as usize >= TAGS.len() || EMBEDDING[..4].contains(&page.tag[*row]);
    let is_empty = |row: &usize| says_itself(row) || !source.keeps_text_in(*row);
    let is_embedded = |row: &usize| is_shown(row) && embed_at(page, *row).is_some() && is_empty(row);
    let mut rows: Vec<usize> = named.chain(told).chain(posts).chain(frames_of_amp).filter(is_embedded).collect();
    rows.sort_unstable();
    rows.dedup();
    rows
}

/// What is embedded at a row, if anything.
pub fn embed_at(page: &PageView, row: usize) -> Option<Embed> {
    match page.tag[row] {
        FRAME | EMBED | OBJECT => frame(page, row),
        VIDEO => Some(media(page, row, "Video")?),
        AUDIO => Some(media(page, row, "Audio")?),
        SCRIPT => served(page.value(row, SRC)?).filter(|embed| embed.title == "Gist"),
        QUOTE => post(page, row),
        _ if is_frame_of_amp(page, row) => frame(page, row),
        _ => stand_in(page, row),
    }
}

/// Whether an element is a frame of AMP.
fn is_frame_of_amp(page: &PageView, row: usize) -> bool {
    page.tag[row] as usize >= TAGS.len() && page.tag_name(page.tag[row]) == FRAME_OF_AMP
}

/// What an element stands for that a script replaces: a video by its number, a player by its address, a post by its link.
fn stand_in(page: &PageView, row: usize) -> Option<Embed> {
    if let Some(title) = page.value(row, attribute::CLASS).and_then(title_of_post) {
        let end = (page.subtree_end[row] as usize).min(row + MOST_ROWS);
        let mut links = (row..end).filter(|&inner| page.tag[inner] == LINK);
        let address = page.value(row, ADDRESS_OF_POST).or_else(|| links.find_map(|link| page.value(link, HREF)))?;
        return Some(Embed { title: title.to_string(), address: address.to_string() });
    }
    if let Some(number) = page.value(row, NUMBER_OF_POST) {
        return Some(Embed {
            title: "Post on X".to_string(),
            address: format!("https://twitter.com/i/status/{number}"),
        });
    }
    let numbered =
        NUMBERS.iter().find_map(|&name| page.value(row, name)).and_then(|number| numbered(page, row, number));
    numbered.or_else(|| page.value(row, DATA_SRC).map(strip).and_then(served)).map(|embed| titled(page, row, embed))
}

/// The video of a number, if its element names the service, or if it is the only one with such numbers.
fn numbered(page: &PageView, row: usize, number: &str) -> Option<Embed> {
    let number = strip(number);
    let is_of = |service: &str| {
        page.tag_name(page.tag[row]).contains(service)
            || page.value(row, attribute::CLASS).is_some_and(|classes| classes.to_ascii_lowercase().contains(service))
    };
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let is_digits = number.bytes().all(|byte| byte.is_ascii_digit());
    let embed =
        |title: &str, start: &str| Some(Embed { title: title.to_string(), address: format!("{start}{number}") });
    if number.is_empty() || !number.bytes().all(is_part) {
        return served(number);
    }
    if is_digits {
        return if is_of("vimeo") { embed("Vimeo video", "https://vimeo.com/") } else { None };
    }
    let is_of_youtube = number.len() == LENGTH_OF_NUMBER || page.attribute(row, VIDEO_NUMBER).is_some();
    let is_told = page.tag[row] as usize >= TAGS.len() || is_of("youtube") || is_of("yt-") || is_of("plyr");
    if is_of_youtube
        && (is_told || page.attribute(row, NUMBER_OF_YOUTUBE).or_else(|| page.attribute(row, NUMBER_OF_PLYR)).is_some())
    {
        return embed("YouTube video", "https://www.youtube.com/watch?v=");
    }
    None
}

/// What the first class of an element says of the post that it stands for.
fn title_of_post(classes: &str) -> Option<&'static str> {
    let ends = |rest: &str| rest.is_empty() || rest.starts_with(' ');
    let is_first = |(class, _): &&(&str, &str)| classes.strip_prefix(class).is_some_and(ends);
    CLASSES_OF_POSTS.iter().find(is_first).map(|&(_, title)| title)
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
    let (_, part, title) = QUOTED_POSTS.iter().find(|(class, ..)| is_of(class))?;
    let end = (page.subtree_end[row] as usize).min(row + MOST_ROWS);
    let links = (row..end).rev().filter(|&inner| page.tag[inner] == LINK).filter_map(|inner| page.value(inner, HREF));
    let address = links.into_iter().find(|address| address.contains(part))?;
    Some(embed(title, without_query(address)))
}

/// The address of the video that a picture stands for: one that a script replaces by a player.
pub fn video_of_picture(address: &str) -> Option<String> {
    let place = PICTURES_OF_VIDEOS.iter().find_map(|part| Some(address.find(part)? + part.len()))?;
    let number = address[place..].split('/').next().filter(|number| number.len() == LENGTH_OF_NUMBER)?;
    Some(format!("https://www.youtube.com/watch?v={number}"))
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
    let is_at = |end: &str| host.strip_suffix(end).is_some_and(|start| start.is_empty() || start.ends_with('.'));
    // Servers of Mastodon are anybody's.
    if let Some(post) = without_query(path).strip_suffix("/embed").filter(|post| post.starts_with("/@")) {
        return Some(Embed { title: "Post on Mastodon".to_string(), address: format!("https://{host}{post}") });
    }
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
    fn pictures_of_videos() {
        for address in
            ["https://i.ytimg.com/vi/w7LWPK5vHnM/hqdefault.jpg", "//img.youtube.com/vi_webp/w7LWPK5vHnM/0.webp"]
        {
            assert_eq!(video_of_picture(address).as_deref(), Some("https://www.youtube.com/watch?v=w7LWPK5vHnM"));
        }
        for address in ["https://a.example/vi/w7LWPK5vHnM/0.jpg", "https://i.ytimg.com/vi/x/0.jpg", ""] {
            assert_eq!(video_of_picture(address), None);
        }
    }

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
            ("https://social.example/@me/12/embed", "https://social.example/@me/12"),
            ("https://e.infogram.com/abc?src=embed", "https://infogram.com/abc"),
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
