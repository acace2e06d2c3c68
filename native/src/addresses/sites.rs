//! The site that an address belongs to.
#![forbid(unsafe_code)]

use super::splitting::split;

/// The last two labels of the host in lower case: enough to compare sites. Empty for an address without a host, or a broken
/// one.
pub fn site_of(address: &str) -> String {
    let host = split(address, "").map_or_else(|_| String::new(), |parts| lower_case(host_name(&parts.host)));
    let start = host.rmatch_indices('.').nth(1).map_or(0, |(dot, _)| dot + 1);
    host[start..].to_string()
}

/// The host without user, port and the brackets of an IPv6 address.
fn host_name(host: &str) -> &str {
    let host = host.rsplit('@').next().unwrap_or("");
    match host.split_once('[') {
        Some((_, bracketed)) => bracketed.split(']').next().unwrap_or(""),
        None => host.split(':').next().unwrap_or(""),
    }
}

/// A host in lower case, but for the zone of an IPv6 address.
fn lower_case(host: &str) -> String {
    let (name, zone) = host.split_at(host.find('%').unwrap_or(host.len()));
    name.to_lowercase() + zone
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_of_addresses() {
        for (address, site) in [
            ("https://www.News.example/a.b/c", "news.example"),
            ("http://me:secret@a.b.c.example:8080/", "c.example"),
            ("//localhost", "localhost"),
            ("http://[FE80::1%Eth.0.1]:80/", "0.1"),
            ("http://[FE80::1]:80/", "fe80::1"),
            ("/news/a.b.c", ""),
            ("mailto:a@b.example", ""),
            ("http://[broken/", ""),
            ("", ""),
        ] {
            assert_eq!(site_of(address), site, "{address}");
        }
    }
}
