//! The tags the reader knows, and what each means to the html standard.
//!
//! The first `TABLE_SIZE` names are what Python has as `dehusk.page.tags.TAGS`: their codes are those of `Page.tag`. Then
//! come names that only the standard's rules mention, and, page by page, every other name (`names::Names`).

#![forbid(unsafe_code)]
// Constants and fields here say what they are by their names.
#![allow(missing_docs)]

/// A tag: a position in `NAMES`, or beyond it a name of one page.
pub type Tag = u32;

macro_rules! tag_codes {
    ($($constant:ident $name:literal,)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Position { $($constant,)* }
        $(pub const $constant: Tag = Position::$constant as Tag;)*
        /// Every name with a fixed code, in the order of the codes.
        pub const NAMES: &[&str] = &[$($name,)*];
    };
}

tag_codes! {
    TEXT "#text",
    HTML "html", BODY "body", ARTICLE "article", SECTION "section", NAV "nav", ASIDE "aside", HEADER "header",
    FOOTER "footer", MAIN "main", ADDRESS "address", HGROUP "hgroup", SEARCH "search", DIV "div", CENTER "center",
    H1 "h1", H2 "h2", H3 "h3", H4 "h4", H5 "h5", H6 "h6",
    P "p", BLOCKQUOTE "blockquote", PRE "pre", LISTING "listing", XMP "xmp", PLAINTEXT "plaintext", FIGURE "figure",
    FIGCAPTION "figcaption", HR "hr", DETAILS "details", SUMMARY "summary", DIALOG "dialog",
    UL "ul", OL "ol", MENU "menu", DIR "dir", LI "li", DL "dl", DT "dt", DD "dd",
    TABLE "table", CAPTION "caption", COLGROUP "colgroup", COL "col", THEAD "thead", TBODY "tbody", TFOOT "tfoot",
    TR "tr", TD "td", TH "th",
    FORM "form", FIELDSET "fieldset", LEGEND "legend", BUTTON "button", SELECT "select", OPTGROUP "optgroup",
    OPTION "option", DATALIST "datalist", TEXTAREA "textarea",
    A "a", ABBR "abbr", ACRONYM "acronym", B "b", BDI "bdi", BDO "bdo", BIG "big", BLINK "blink", CITE "cite",
    CODE "code", DATA "data", DEL "del", DFN "dfn", EM "em", FONT "font", I "i", IMG "img", INPUT "input", INS "ins",
    KBD "kbd", LABEL "label", MAP "map", MARK "mark", MARQUEE "marquee", MATH "math", METER "meter", NOBR "nobr",
    OUTPUT "output", PICTURE "picture", PROGRESS "progress", Q "q", RB "rb", RP "rp", RT "rt", RTC "rtc", RUBY "ruby",
    S "s", SAMP "samp", SLOT "slot", SMALL "small", SPAN "span", STRIKE "strike", STRONG "strong", SUB "sub", SUP "sup",
    SVG "svg", TIME "time", TT "tt", U "u", VAR "var", WBR "wbr", BR "br",
    AREA "area", AUDIO "audio", CANVAS "canvas", EMBED "embed", FRAME "frame", FRAMESET "frameset", IFRAME "iframe",
    NOEMBED "noembed", NOFRAMES "noframes", NOSCRIPT "noscript", OBJECT "object", PARAM "param", SOURCE "source",
    TRACK "track", VIDEO "video",
    HEAD "head", TITLE "title", BASE "base", LINK "link", META "meta", SCRIPT "script", STYLE "style",
    TEMPLATE "template",
    // Outside Python's table from here on.
    APPLET "applet", BASEFONT "basefont", BGSOUND "bgsound", KEYGEN "keygen", IMAGE "image",
    FOREIGN_OBJECT "foreignobject", DESC "desc", ANNOTATION_XML "annotation-xml",
    MI "mi", MO "mo", MN "mn", MS "ms", MTEXT "mtext", MGLYPH "mglyph", MALIGNMARK "malignmark",
}

/// Names that Python's table has too.
pub const TABLE_SIZE: usize = TEMPLATE as usize + 1;

/// Stands for a name that no element of the page has: the name of a stray end tag.
pub const NO_TAG: Tag = Tag::MAX;

/// Stands for a comment among the nodes: it has no row, but keeps the texts before and after it apart.
pub const COMMENT: Tag = Tag::MAX - 1;

/// What the standard says about a tag; each set is a bit of `traits_of`.
pub type Traits = u16;

/// Ends searches in the stack of open elements: <https://html.spec.whatwg.org/multipage/parsing.html#special>.
pub const SPECIAL: Traits = 1;
/// Reopened in every block until it is closed.
pub const FORMATTING: Traits = 1 << 1;
/// Bounds every kind of scope.
pub const SCOPE: Traits = 1 << 2;
/// Its end tag may be implied.
pub const IMPLIED_END: Traits = 1 << 3;
/// Its end tag may be implied, when all that can be are ("thoroughly").
pub const IMPLIED_END_THOROUGHLY: Traits = 1 << 4;
/// Its start tag closes an open `<p>` and does nothing else.
pub const CLOSES_PARAGRAPH: Traits = 1 << 5;
/// Its end tag closes it, whatever is open inside.
pub const ENDS_BLOCK: Traits = 1 << 6;
/// Belongs in the head, wherever it is.
pub const IN_HEAD: Traits = 1 << 7;
/// Ends foreign content (SVG, MathML).
pub const ENDS_FOREIGN: Traits = 1 << 8;
/// Formatting elements that pile up: `<a>` and `<nobr>` close the one before.
pub const PILES_UP: Traits = 1 << 9;
/// Parts of a table that are only found in one.
pub const TABLE_PART: Traits = 1 << 10;
/// Its end tag in the body does more than to close elements, or less.
pub const ENDS_SPECIALLY: Traits = 1 << 11;

const SPECIAL_TAGS: &[Tag] = &[
    ADDRESS, APPLET, AREA, ARTICLE, ASIDE, BASE, BASEFONT, BGSOUND, BLOCKQUOTE, BODY, BR, BUTTON, CAPTION, CENTER, COL,
    COLGROUP, DD, DETAILS, DIR, DIV, DL, DT, EMBED, FIELDSET, FIGCAPTION, FIGURE, FOOTER, FORM, FRAME, FRAMESET, H1,
    H2, H3, H4, H5, H6, HEAD, HEADER, HGROUP, HR, HTML, IFRAME, IMG, INPUT, KEYGEN, LI, LINK, LISTING, MAIN, MARQUEE,
    MENU, META, NAV, NOEMBED, NOFRAMES, NOSCRIPT, OBJECT, OL, P, PARAM, PLAINTEXT, PRE, SCRIPT, SEARCH, SECTION,
    SELECT, SOURCE, STYLE, SUMMARY, TABLE, TBODY, TD, TEMPLATE, TEXTAREA, TFOOT, TH, THEAD, TITLE, TR, TRACK, UL, WBR,
    XMP,
];
const PILING_TAGS: &[Tag] = &[B, BIG, CODE, EM, FONT, I, S, SMALL, STRIKE, STRONG, TT, U];
const OTHER_FORMATTING_TAGS: &[Tag] = &[A, NOBR];
const SCOPE_TAGS: &[Tag] = &[APPLET, CAPTION, HTML, TABLE, TD, TH, MARQUEE, OBJECT, SELECT, TEMPLATE];
const IMPLIED_END_TAGS: &[Tag] = &[DD, DT, LI, OPTGROUP, OPTION, P, RB, RP, RT, RTC];
const TABLE_PART_TAGS: &[Tag] = &[CAPTION, COLGROUP, TBODY, TD, TFOOT, TH, THEAD, TR];
const BLOCK_TAGS: &[Tag] = &[
    ADDRESS, ARTICLE, ASIDE, BLOCKQUOTE, CENTER, DETAILS, DIALOG, DIR, DIV, DL, FIELDSET, FIGCAPTION, FIGURE, FOOTER,
    HEADER, HGROUP, MAIN, MENU, NAV, OL, SEARCH, SECTION, SUMMARY, UL,
];
const ENDS_SPECIALLY_TAGS: &[Tag] = &[APPLET, BODY, BR, FORM, HTML, MARQUEE, OBJECT, TEMPLATE];
const IN_HEAD_TAGS: &[Tag] = &[BASE, BASEFONT, BGSOUND, LINK, META, NOFRAMES, SCRIPT, STYLE, TEMPLATE, TITLE];
const ENDS_FOREIGN_TAGS: &[Tag] = &[
    B, BIG, BLOCKQUOTE, BODY, BR, CENTER, CODE, DD, DIV, DL, DT, EM, EMBED, H1, H2, H3, H4, H5, H6, HEAD, HR, I, IMG,
    LI, LISTING, MENU, META, NOBR, OL, P, PRE, RUBY, S, SMALL, SPAN, STRONG, STRIKE, SUB, SUP, TABLE, TT, U, UL, VAR,
];

const fn marked(mut traits: [Traits; NAMES.len()], tags: &[Tag], mark: Traits) -> [Traits; NAMES.len()] {
    let mut index = 0;
    while index < tags.len() {
        traits[tags[index] as usize] |= mark;
        index += 1;
    }
    traits
}

static TRAITS: [Traits; NAMES.len()] = {
    let traits = [0; NAMES.len()];
    let traits = marked(traits, SPECIAL_TAGS, SPECIAL);
    let traits = marked(traits, PILING_TAGS, FORMATTING | PILES_UP);
    let traits = marked(traits, OTHER_FORMATTING_TAGS, FORMATTING);
    let traits = marked(traits, SCOPE_TAGS, SCOPE);
    let traits = marked(traits, IMPLIED_END_TAGS, IMPLIED_END | IMPLIED_END_THOROUGHLY);
    let traits = marked(traits, TABLE_PART_TAGS, IMPLIED_END_THOROUGHLY | TABLE_PART);
    let traits = marked(traits, BLOCK_TAGS, CLOSES_PARAGRAPH | ENDS_BLOCK);
    let traits = marked(traits, &[P], CLOSES_PARAGRAPH);
    let traits = marked(traits, &[BUTTON, LISTING, PRE, SELECT], ENDS_BLOCK);
    let traits = marked(traits, ENDS_SPECIALLY_TAGS, ENDS_SPECIALLY);
    let traits = marked(traits, IN_HEAD_TAGS, IN_HEAD);
    marked(traits, ENDS_FOREIGN_TAGS, ENDS_FOREIGN)
};

/// What the standard says about a tag; nothing about those it does not name.
#[inline]
pub fn traits_of(tag: Tag) -> Traits {
    TRAITS.get(tag as usize).copied().unwrap_or(0)
}

/// Whether a tag has any of some traits.
#[inline]
pub fn is(tag: Tag, traits: Traits) -> bool {
    traits_of(tag) & traits != 0
}

/// `<h1>` to `<h6>`.
pub fn is_heading(tag: Tag) -> bool {
    (H1..=H6).contains(&tag)
}
