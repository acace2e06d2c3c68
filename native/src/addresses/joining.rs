//! Relative addresses made absolute.
#![forbid(unsafe_code)]

use super::splitting::{split_with_parameters, Broken, Parts};

/// Schemes with relative addresses.
const WITH_RELATIVE: [&str; 20] = [
    "", "ftp", "http", "gopher", "nntp", "imap", "wais", "file", "https", "shttp", "mms", "prospero", "rtsp", "rtsps",
    "rtspu", "sftp", "svn", "svn+ssh", "ws", "wss",
];
/// Schemes with a host.
const WITH_HOST: [&str; 26] = [
    "", "ftp", "http", "gopher", "nntp", "telnet", "imap", "wais", "file", "mms", "https", "shttp", "snews",
    "prospero", "rtsp", "rtsps", "rtspu", "rsync", "svn", "svn+ssh", "sftp", "nfs", "git", "git+ssh", "ws", "wss",
];

/// An address as seen from a base. If one of them is broken, it stays as it is.
pub fn joined(base: &str, address: &str) -> String {
    try_join(base, address).unwrap_or_else(|Broken| address.to_string())
}

/// An address as seen from a base.
fn try_join(base: &str, address: &str) -> Result<String, Broken> {
    if base.is_empty() || address.is_empty() {
        return Ok((if base.is_empty() { address } else { base }).to_string());
    }
    let from = split_with_parameters(base, "")?;
    let scheme = from.scheme.clone();
    let mut parts = split_with_parameters(address, &scheme)?;
    if parts.scheme != from.scheme || !WITH_RELATIVE.contains(&&*parts.scheme) {
        return Ok(address.to_string());
    }
    if WITH_HOST.contains(&&*parts.scheme) {
        if !parts.host.is_empty() {
            return Ok(put_together(&parts));
        }
        parts.host = from.host.clone();
    }
    if parts.path.is_empty() && parts.parameters.is_empty() {
        parts.path = from.path.clone();
        parts.parameters = from.parameters.clone();
        if parts.query.is_empty() {
            parts.query = from.query.clone();
        }
    } else {
        parts.path = joined_path(&from.path, &parts.path).into();
    }
    Ok(put_together(&parts))
}

/// A path as seen from another, without `.` and `..`.
fn joined_path(base: &str, path: &str) -> String {
    let mut segments: Vec<&str> = Vec::new();
    if path.starts_with('/') {
        segments.extend(path.split('/'));
    } else {
        segments.extend(base.split('/'));
        // The last one is not a directory.
        if segments.last().is_some_and(|last| !last.is_empty()) {
            segments.pop();
        }
        segments.extend(path.split('/'));
        let last = segments.len() - 1;
        let mut place = 0;
        segments.retain(|segment| {
            place += 1;
            !segment.is_empty() || place == 1 || place == last + 1
        });
    }
    let ends_in_directory = matches!(segments.last(), Some(&"." | &".."));
    let mut resolved: Vec<&str> = Vec::with_capacity(segments.len());
    for segment in segments {
        match segment {
            ".." => drop(resolved.pop()),
            "." => (),
            other => resolved.push(other),
        }
    }
    if ends_in_directory {
        resolved.push("");
    }
    let path = resolved.join("/");
    if path.is_empty() {
        "/".to_string()
    } else {
        path
    }
}

/// An address of its parts.
fn put_together(parts: &Parts) -> String {
    let mut path = parts.path.to_string();
    if !parts.parameters.is_empty() {
        path = format!("{path};{}", parts.parameters);
    }
    let may_have_host = !parts.scheme.is_empty() && WITH_HOST.contains(&&*parts.scheme) && !path.starts_with("//");
    let mut address = String::with_capacity(path.len() + parts.host.len() + parts.query.len() + 16);
    if !parts.scheme.is_empty() {
        address.push_str(&parts.scheme);
        address.push(':');
    }
    if !parts.host.is_empty() || may_have_host {
        address.push_str("//");
        address.push_str(&parts.host);
        if !path.is_empty() && !path.starts_with('/') {
            address.push('/');
        }
    }
    address.push_str(&path);
    for (sign, part) in [('?', &parts.query), ('#', &parts.fragment)] {
        if !part.is_empty() {
            address.push(sign);
            address.push_str(part);
        }
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_addresses() {
        let base = "http://a/b/c/d;p?q";
        // The examples of RFC 3986.
        let cases = [
            ("g:h", "g:h"),
            ("g", "http://a/b/c/g"),
            ("./g", "http://a/b/c/g"),
            ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g"),
            ("?y", "http://a/b/c/d;p?y"),
            ("g?y", "http://a/b/c/g?y"),
            ("#s", "http://a/b/c/d;p?q#s"),
            ("g#s", "http://a/b/c/g#s"),
            (";x", "http://a/b/c/;x"),
            ("g;x?y#s", "http://a/b/c/g;x?y#s"),
            ("", "http://a/b/c/d;p?q"),
            (".", "http://a/b/c/"),
            ("..", "http://a/b/"),
            ("../..", "http://a/"),
            ("../../../g", "http://a/g"),
            ("/../g", "http://a/g"),
            ("g..", "http://a/b/c/g.."),
            ("./g/.", "http://a/b/c/g/"),
            ("g/../h", "http://a/b/c/h"),
            ("g?y/../x", "http://a/b/c/g?y/../x"),
        ];
        for (address, expected) in cases {
            assert_eq!(joined(base, address), expected, "{address}");
        }
    }
}
