//! The attributes a Page keeps. Python's `dehusk.page.tags.ATTRIBUTES` is this table.

#![forbid(unsafe_code)]
// Constants and fields here say what they are by their names.
#![allow(missing_docs)]

use super::bytes::ENDS_ATTRIBUTE_NAME;
use super::names::NameTable;

/// An attribute: a position in `ATTRIBUTES`.
pub type AttributeCode = u8;

/// Names that stand for all others which end in `src` or `srcset`: scripts that load images later have their own.
const OTHER_SOURCE_NAME: &str = "*src";
const OTHER_SOURCES_NAME: &str = "*srcset";

/// The kept attributes. First those that change how an element looks (its presentation style, in Yi, Liu and Li 2003; ids do
/// not count); `x-show` and the like bind whether an element is shown to a script. Event handlers and everything else are
/// left behind.
#[rustfmt::skip]
pub const ATTRIBUTES: &[&str] = &[
    "class", "style", "align", "valign", "bgcolor", "background", "color", "face", "size", "width", "height", "border",
    "cellpadding", "cellspacing", "nowrap", "noshade", "hspace", "vspace", "clear", "compact", "frame", "rules",
    "text", "link", "alink", "vlink", "leftmargin", "topmargin", "id", "hidden", "href", "src", "srcset", "data-src",
    "data-srcset", "data-original", "data-lazy-src",
    "data-lazy-srcset", "data-lazy", "data-orig-file", "data-large-file", "data-actualsrc", "data-hi-res-src",
    "data-echo", "data-image", "poster", "videoid", "playlabel", "data-instgrm-permalink", "data-callout",
    "data-callout-type", "data-type", "data-footnote-ref", "data-footnote-backref",
    "alt", "title", "lang", "dir", "datetime", "rel", "itemprop",
    "itemtype", "itemscope", "itemid", "property", "typeof", "vocab", "name", "content", "http-equiv", "charset",
    "type", "value", "role", "colspan", "rowspan", "scope", "headers", "start", "reversed", "cite", "hreflang",
    "media", "open", "placeholder", "for", "encoding", "display", "alttext", "data-lang", "data-language", "x-show",
    "ng-show", "ng-hide", "[hidden]", "data-amp-bind-hidden", "aria-activedescendant", "aria-atomic",
    "aria-autocomplete", "aria-braillelabel", "aria-brailleroledescription", "aria-busy", "aria-checked",
    "aria-colcount", "aria-colindex", "aria-colindextext", "aria-colspan", "aria-controls", "aria-current",
    "aria-describedby", "aria-description", "aria-details", "aria-disabled", "aria-dropeffect", "aria-errormessage",
    "aria-expanded", "aria-flowto", "aria-grabbed", "aria-haspopup", "aria-hidden", "aria-invalid",
    "aria-keyshortcuts", "aria-label", "aria-labelledby", "aria-level", "aria-live", "aria-modal", "aria-multiline",
    "aria-multiselectable", "aria-orientation", "aria-owns", "aria-placeholder", "aria-posinset", "aria-pressed",
    "aria-readonly", "aria-relevant", "aria-required", "aria-roledescription", "aria-rowcount", "aria-rowindex",
    "aria-rowindextext", "aria-rowspan", "aria-selected", "aria-setsize", "aria-sort", "aria-valuemax",
    "aria-valuemin", "aria-valuenow", "aria-valuetext", "checked", "data-math", "data-tex", "data-latex", "data-formula", "data-mathml",
    "data-math-style", "data-attrs", "data-task", "data-enlighter-language", "mathvariant", "linethickness", "close",
    "separators", "notation", "accent", "accentunder", "data-mml-node", "data-c", "data-mjx-variant", "data-mode-id",
    "data-node-type", "data-syntaxhighlighter-params", "language", "syntax", "data-syntax",
    "data-cfsrc", "data-pagespeed-lazy-src", "data-delayed-url", "data-lazyload",
    "nitro-lazy-src", "nitro-lazy-srcset", "data-orig-src", "data-src-large", "data-src-medium", "data-wpfc-original-src",
    "data-delay-src", "data-image-src", "data-flickity-lazyload", "data-splide-lazy", "data-ezsrc", "data-opt-src", "lazy-src",
    "load-src", "data-url", "data-default-src", "data-src-delay", "data-lazyload-src", "data-lazysrc", "ix-src", "data-pin-media",
    "data-lazy-img", "real_src", "zoomfile", "data-breeze", "data-sf-src", "data-nectar-img-src", "data-lzl-src", "data-old-hires",
    "data-src-pc", "data-embed", "data-videoid", "data-video-id", "data-youtube-id", "data-tweetid", "data-href",
    "data-cookieblock-src", "data-src-cmplz", "suppressedsrc", "data-plyr-embed-id",
    "data", "data-expr", "data-katex", "data-equation", OTHER_SOURCE_NAME, OTHER_SOURCES_NAME,
];

/// Slots for some 200 names, of which a third are short.
const SLOTS: usize = 512;
static TABLE: NameTable<SLOTS> = NameTable::new(ATTRIBUTES, 0xA3A0_3FE4_DE4F_1C43);

/// The code of an attribute. Stops the compiler if none has that name.
pub const fn code_of(name: &str) -> AttributeCode {
    let mut code = 0;
    while !same(ATTRIBUTES[code].as_bytes(), name.as_bytes()) {
        code += 1;
    }
    code as AttributeCode
}

/// Whether two names are equal; `==` is not for constants.
pub const fn same(left: &[u8], right: &[u8]) -> bool {
    if left.len() != right.len() {
        return false;
    }
    let mut index = 0;
    while index < left.len() {
        if left[index] != right[index] {
            return false;
        }
        index += 1;
    }
    true
}

pub const CLASS: AttributeCode = code_of("class");
pub const ID: AttributeCode = code_of("id");
pub const STYLE: AttributeCode = code_of("style");
pub const COLOR: AttributeCode = code_of("color");
pub const FACE: AttributeCode = code_of("face");
pub const SIZE: AttributeCode = code_of("size");
pub const HIDDEN: AttributeCode = code_of("hidden");
pub const TYPE: AttributeCode = code_of("type");
pub const ENCODING: AttributeCode = code_of("encoding");
pub const ARIA_HIDDEN: AttributeCode = code_of("aria-hidden");

/// Any other attribute whose name ends in `src`, and in `srcset`.
pub const OTHER_SOURCE: AttributeCode = code_of(OTHER_SOURCE_NAME);
pub const OTHER_SOURCES: AttributeCode = code_of(OTHER_SOURCES_NAME);

/// Where the name of an attribute ends that starts at a place, and its code if it is kept.
#[inline(always)]
pub fn read_attribute_name(source: &[u8], start: usize) -> (usize, Option<AttributeCode>) {
    let (end, code) = TABLE.read(source, start, ENDS_ATTRIBUTE_NAME);
    match code {
        None if source[..end].ends_with(b"src") => (end, Some(OTHER_SOURCE)),
        None if source[..end].ends_with(b"srcset") => (end, Some(OTHER_SOURCES)),
        code => (end, code),
    }
}
