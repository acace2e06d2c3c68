//! Addresses that are safe to follow, and to write anywhere.
#![forbid(unsafe_code)]

use super::joining::joined;
use super::splitting::{is_ignored_around, split, without_ignored};

/// Schemes that neither run script nor carry data; the empty one is a relative address.
const SAFE_SCHEMES: [&str; 6] = ["", "http", "https", "mailto", "tel", "ftp"];
/// Schemes whose addresses are broken without a host: `http:///`.
const WITH_HOST: [&str; 3] = ["http", "https", "ftp"];
/// Digits of a port.
const MOST_DIGITS: usize = 5;

/// The absolute, percent-encoded address, or nothing if following it could do harm.
pub fn safe_address(address: &str, base: &str) -> String {
    if is_absolute(address) {
        return address.to_string();
    }
    // Browsers drop tabs, newlines and leading control characters before they read the scheme.
    let clean = without_ignored(address);
    let joined = joined(base, clean.trim_matches(is_ignored_around));
    if is_safe(&joined) {
        percent_encoded(&joined)
    } else {
        String::new()
    }
}

/// Whether an address needs no further checks: most need none.
fn is_absolute(address: &str) -> bool {
    let rest = match address.strip_prefix("http").map(|rest| rest.strip_prefix('s').unwrap_or(rest)) {
        Some(rest) => rest,
        None => return false,
    };
    let rest = match rest.strip_prefix("://") {
        Some(rest) => rest,
        None => return false,
    };
    let is_in_host = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-');
    let host = rest.bytes().take_while(|&byte| is_in_host(byte)).count();
    let mut after = &rest[host..];
    if let Some(port) = after.strip_prefix(':') {
        let digits = port.bytes().take_while(u8::is_ascii_digit).count();
        if !(1..=MOST_DIGITS).contains(&digits) {
            return false;
        }
        after = &port[digits..];
    }
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"%/:=&?~#+!$,;@_.-*()".contains(&byte);
    host > 0 && (after.is_empty() || (after.starts_with(['/', '?', '#']) && after.bytes().all(is_plain)))
}

/// Whether following an address does no harm.
fn is_safe(address: &str) -> bool {
    let parts = match split(address, "") {
        Ok(parts) => parts,
        Err(_) => return false,
    };
    let is_broken =
        parts.host.contains(is_forbidden_in_host) || (WITH_HOST.contains(&&*parts.scheme) && parts.host.is_empty());
    let hides_scheme = || address.split('/').next().is_some_and(|first| first.contains(':'));
    !is_broken && SAFE_SCHEMES.contains(&&*parts.scheme) && (!parts.scheme.is_empty() || !hides_scheme())
}

/// Forbidden in hosts (https://url.spec.whatwg.org/#forbidden-host-code-point): such an address is broken.
fn is_forbidden_in_host(character: char) -> bool {
    character <= ' ' || matches!(character, '<' | '>' | '\\' | '^' | '|' | '\x7f')
}

/// An address in which everything that could break the syntax around it is percent-encoded.
fn percent_encoded(address: &str) -> String {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let mut encoded = String::with_capacity(address.len());
    for byte in address.bytes() {
        if byte.is_ascii_alphanumeric() || b"%/:=&?~#+!$,;@-._[]*()".contains(&byte) {
            encoded.push(byte as char);
        } else {
            encoded.push('%');
            encoded.push(DIGITS[usize::from(byte >> 4)] as char);
            encoded.push(DIGITS[usize::from(byte & 15)] as char);
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn harmful_addresses_lead_nowhere() {
        let harmful = [
            "javascript:x",
            " java\nscript:x",
            "data:,x",
            "http:///",
            "http://a b/",
            "http://[broken",
            "x:y",
            "\x01vbscript:x",
        ];
        for address in harmful {
            assert_eq!(safe_address(address, "https://a.example/"), "", "{address}");
        }
        assert_eq!(safe_address("./a:b", ""), "./a:b");
    }

    #[test]
    fn other_characters_are_encoded() {
        assert_eq!(safe_address("ä (b)", "https://a.example/c"), "https://a.example/%C3%A4%20(b)");
        assert_eq!(safe_address("https://a.example/x?#", ""), "https://a.example/x?#");
        assert_eq!(safe_address("/w*300/it's", "https://a.example/"), "https://a.example/w*300/it%27s");
        assert_eq!(safe_address("mailto:a@b.example", "https://a.example/"), "mailto:a@b.example");
    }
}
