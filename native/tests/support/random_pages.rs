//! Random pages of the markup that trees are hard to build from.

#![forbid(unsafe_code)]

/// A generator of random numbers: xorshift, seeded, so that every run tries the same pages.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below a limit.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % limit
    }

    pub fn choose<'list>(&mut self, list: &[&'list str]) -> &'list str {
        list[self.below(list.len())]
    }
}

/// Tags with rules of their own, and some without.
const TAGS: &[&str] = &[
    "html",
    "head",
    "body",
    "p",
    "div",
    "b",
    "i",
    "a",
    "nobr",
    "font",
    "table",
    "tbody",
    "tr",
    "td",
    "th",
    "caption",
    "colgroup",
    "col",
    "select",
    "option",
    "optgroup",
    "ul",
    "li",
    "dl",
    "dt",
    "dd",
    "h1",
    "h2",
    "form",
    "input",
    "button",
    "template",
    "svg",
    "math",
    "foreignObject",
    "title",
    "mi",
    "annotation-xml",
    "script",
    "style",
    "textarea",
    "pre",
    "br",
    "hr",
    "img",
    "image",
    "object",
    "applet",
    "frameset",
    "frame",
    "noframes",
    "noscript",
    "iframe",
    "plaintext",
    "ruby",
    "rt",
    "rp",
    "x-y",
    "span",
    "desc",
    "mglyph",
    "hr",
    "main",
    "address",
    "wbr",
    "xmp",
    "link",
    "meta",
    "base",
];

const TEXTS: &[&str] =
    &["text", " ", "\n", "\r\n", "\0", "&amp;", "&lt", "&#0;", "&notit;", "é", "\u{3000}", "<", "</", "]]>", "-->"];

const ATTRIBUTES: &[&str] = &[
    " class=a",
    " id='b'",
    " hidden",
    " style=\"display:none\"",
    " type=hidden",
    " aria-hidden=true",
    " href=x&copy=1",
    "/",
    " color=red",
    " encoding=text/html",
    " class",
    " data-x=1",
    " =",
    " \"",
];

const OTHERS: &[&str] =
    &["<!--", "-->", "<!doctype html>", "<![CDATA[", "<?x>", "</>", "</ x>", "<!x>", "<!---->", "<b"];

/// Markup of so many parts.
pub fn page(random: &mut Random, parts: usize) -> String {
    let mut page = String::new();
    for _ in 0..parts {
        match random.below(12) {
            0..=5 => {
                page.push('<');
                page.push_str(random.choose(TAGS));
                for _ in 0..random.below(3) {
                    page.push_str(random.choose(ATTRIBUTES));
                }
                page.push('>');
            }
            6..=8 => page.push_str(&format!("</{}>", random.choose(TAGS))),
            9 | 10 => page.push_str(random.choose(TEXTS)),
            _ => page.push_str(random.choose(OTHERS)),
        }
    }
    page
}
