//! The parts of an address.
#![forbid(unsafe_code)]

use std::borrow::Cow;
use std::net::Ipv6Addr;

/// Schemes whose last path segment may have parameters after a semicolon.
const WITH_PARAMETERS: [&str; 16] = [
    "", "ftp", "hdl", "prospero", "http", "imap", "https", "shttp", "rtsp", "rtsps", "rtspu", "sip", "sips", "mms",
    "sftp", "tel",
];
/// Characters beyond ASCII that are, or contain, `/`, `?`, `#`, `@` or `:` in the form in which hosts are looked up (NFKC).
const LIKE_DELIMITERS: &str = "⁇⁈⁉℀℁℅℆⩴︓︖﹕﹖﹟﹫＃／：？＠";

/// An address that cannot be taken apart: brackets around what is no IPv6 address, or signs like a delimiter in a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broken;

/// The parts of an address, without what separates them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts<'a> {
    /// In lower case; empty for none.
    pub scheme: Cow<'a, str>,
    /// User, host and port.
    pub host: Cow<'a, str>,
    /// With the slash it begins with.
    pub path: Cow<'a, str>,
    /// After the last segment's semicolon.
    pub parameters: Cow<'a, str>,
    /// After the question mark.
    pub query: Cow<'a, str>,
    /// After the hash.
    pub fragment: Cow<'a, str>,
}

/// Whether a character is a control character or a blank, which browsers ignore around addresses.
pub fn is_ignored_around(character: char) -> bool {
    character <= ' '
}

/// Whether a character is one that browsers ignore anywhere in an address.
pub fn is_ignored(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r')
}

/// An address without characters that are ignored anywhere.
pub fn without_ignored(address: &str) -> Cow<'_, str> {
    if address.contains(is_ignored) {
        return Cow::Owned(address.replace(is_ignored, ""));
    }
    Cow::Borrowed(address)
}

/// The parts of an address, parameters left in the path; `scheme` is that of addresses without one.
pub fn split<'a>(address: &'a str, scheme: &'a str) -> Result<Parts<'a>, Broken> {
    match without_ignored(address.trim_start_matches(is_ignored_around)) {
        Cow::Borrowed(address) => split_clean(address, scheme),
        Cow::Owned(address) => split_clean(&address, scheme).map(Parts::into_owned),
    }
}

/// The parts of an address, parameters apart.
pub fn split_with_parameters<'a>(address: &'a str, scheme: &'a str) -> Result<Parts<'a>, Broken> {
    let mut parts = split(address, scheme)?;
    if WITH_PARAMETERS.contains(&&*parts.scheme) && parts.path.contains(';') {
        let last_segment = parts.path.rfind('/').unwrap_or(0);
        if let Some(place) = parts.path[last_segment..].find(';').map(|place| last_segment + place) {
            parts.parameters = Cow::Owned(parts.path[place + 1..].to_string());
            parts.path = Cow::Owned(parts.path[..place].to_string());
        }
    }
    Ok(parts)
}

/// The parts of an address without ignored characters.
fn split_clean<'a>(address: &'a str, scheme: &'a str) -> Result<Parts<'a>, Broken> {
    let mut parts = Parts { scheme: Cow::Borrowed(scheme), ..Parts::default() };
    let mut rest = address;
    if let Some((before, after)) = address.split_once(':').filter(|(before, _)| is_scheme(before)) {
        parts.scheme = if before.bytes().any(|byte| byte.is_ascii_uppercase()) {
            Cow::Owned(before.to_ascii_lowercase())
        } else {
            Cow::Borrowed(before)
        };
        rest = after;
    }
    if let Some(after) = rest.strip_prefix("//") {
        let (host, after) = after.split_at(after.find(['/', '?', '#']).unwrap_or(after.len()));
        check_host(host)?;
        parts.host = Cow::Borrowed(host);
        rest = after;
    }
    if let Some((before, fragment)) = rest.split_once('#') {
        parts.fragment = Cow::Borrowed(fragment);
        rest = before;
    }
    if let Some((before, query)) = rest.split_once('?') {
        parts.query = Cow::Borrowed(query);
        rest = before;
    }
    parts.path = Cow::Borrowed(rest);
    Ok(parts)
}

/// Whether a text before a colon is a scheme.
fn is_scheme(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
}

/// Refuses hosts with brackets around what is no IPv6 address, or with signs that stand for a delimiter.
fn check_host(host: &str) -> Result<(), Broken> {
    let bracketed = match (host.contains('['), host.contains(']')) {
        (false, false) => true,
        (true, true) => {
            let after = host.split_once('[').map_or("", |(_, after)| after);
            is_bracketed_host(after.split_once(']').map_or(after, |(inside, _)| inside))
        }
        _ => false,
    };
    if bracketed && (host.is_ascii() || !host.contains(|character| LIKE_DELIMITERS.contains(character))) {
        return Ok(());
    }
    Err(Broken)
}

/// Whether a text may stand in brackets: an IPv6 address, with or without a zone, or one of a later version.
fn is_bracketed_host(text: &str) -> bool {
    if let Some(later) = text.strip_prefix('v') {
        let is_version = |version: &str| !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_hexdigit());
        return later.split_once('.').is_some_and(|(version, rest)| is_version(version) && !rest.is_empty());
    }
    let (address, zone) = text.split_once('%').unwrap_or((text, "none"));
    !zone.is_empty() && !zone.contains('%') && address.parse::<Ipv6Addr>().is_ok()
}

impl Parts<'_> {
    /// The same, not borrowed.
    pub fn into_owned<'b>(self) -> Parts<'b> {
        let owned = |part: Cow<str>| Cow::Owned(part.into_owned());
        Parts {
            scheme: owned(self.scheme),
            host: owned(self.host),
            path: owned(self.path),
            parameters: owned(self.parameters),
            query: owned(self.query),
            fragment: owned(self.fragment),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_an_address() {
        let parts = split_with_parameters("HTTP://u@h:1/a;b/c;d?e#f?g", "").unwrap();
        let found = [&parts.scheme, &parts.host, &parts.path, &parts.parameters, &parts.query, &parts.fragment];
        assert_eq!(found, ["http", "u@h:1", "/a;b/c", "d", "e", "f?g"]);
        assert_eq!(split(" \x01a:b\n/c", "x").unwrap().scheme, "a");
        assert_eq!(split("1a:b", "x").unwrap().scheme, "x");
    }

    #[test]
    fn brackets_are_for_addresses() {
        for host in ["[::1]", "[fe80::1%eth0]:80", "[v1.x]", "a@[::ffff:1.2.3.4]"] {
            assert!(split(&format!("//{host}/"), "").is_ok(), "{host}");
        }
        for host in ["[", "a]", "[a]", "[1.2.3.4]", "[::1%]", "[v.x]", "a／b"] {
            assert_eq!(split(&format!("//{host}/"), ""), Err(Broken), "{host}");
        }
    }
}
