//! The name of the programming language of an area of code.
#![forbid(unsafe_code)]

use super::code_languages::{is_known, known_language};
use super::code_parts::{core_of, DIAGRAM};
use crate::blocks::characters::{is_space, is_word, strip};
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{attribute, by_tag, look_up, number_of, set, TAGS};
use crate::html::attributes::code_of;

const CODE: i32 = number_of("code");
/// Attributes that name a language.
#[rustfmt::skip]
const ATTRIBUTES: [u8; 7] = [
    code_of("data-lang"), code_of("data-language"), code_of("data-enlighter-language"), code_of("data-mode-id"),
    code_of("language"), code_of("syntax"), code_of("data-syntax"),
];
/// Attribute of Confluence's code, written like a class: `brush: bash; gutter: false`.
const PARAMETERS: u8 = code_of("data-syntaxhighlighter-params");

/// Class of the listings of W3Schools, and what follows the name of the language in the one beside it: `pythonHigh`.
const OF_W3SCHOOLS: &str = "w3-code";
const AFTER_LANGUAGE: &str = "High";
/// Characters; anything longer is no name of a programming language.
const LONGEST_LANGUAGE: usize = 40;
/// What stands before the name in a class; the first that leads to a name decides.
const PREFIXES: [&str; 11] = [
    "language-",
    "lang-",
    "lang:",
    "brush:",
    "mw-highlight-lang-",
    "highlight-source-",
    "highlight-",
    "src-",
    "code-lang-",
    "hl-",
    "type-",
];
/// Names that say that there is none.
#[rustfmt::skip]
const NO_LANGUAGES: [&str; 20] = [
    "default", "none", "auto", "undefined", "unknown", "nohighlight", "no-highlight", "null", "notranslate", "source",
    // Parts of a listing, whose classes begin as those of languages do: `highlight-line`.
    "line", "lines", "row", "wrap", "wrapper", "container", "content", "block",
    // What a notebook prints.
    "myst-ansi",
    // The class of the element that shows the name, as of TypeScript's twoslash.
    "id",
];
/// Names that highlighters of notebooks give a language, and its own.
const DIALECTS: [(&str, &str); 2] = [("ipython3", "python"), ("ipython", "python")];
/// Classes of highlighters that name the language in a class beside their own.
const HIGHLIGHTERS: [&str; 9] =
    ["hljs", "sourcecode", "syntaxhighlighter", "prettyprint", "src", "code", "codecolorer", "highlight", "makeup"];
/// Elements inside an area, at most, that may name its language: the first of any kind, then those with code.
const MOST_INSIDE: usize = 12;
/// Rows from an area to elements of any kind.
const REACH_INSIDE: usize = 8;
/// Elements around an area that may name its language.
const REACH_AROUND: usize = 4;
/// Bytes of text that an element around an area may have besides: more, and it is no wrapper.
const BESIDE: usize = 160;

/// Elements that wrap nothing: what they say holds for more than an area in them.
#[rustfmt::skip]
const NO_WRAPPERS: [u32; TAGS.len() + 1] = by_tag([
    ("html", 1), ("body", 1), ("main", 1), ("article", 1), ("li", 1), ("td", 1), ("th", 1), ("blockquote", 1), ("dd", 1),
]);

/// The language that class names like `language-python` and attributes give: inside an area, then around it.
pub fn code_language<'a>(page: &PageView<'a>, area: usize) -> &'a str {
    let core = core_of(page, area);
    let is_code = |row: usize| page.tag[row] == CODE || page.is_in(row, set::PREFORMATTED) || row == core;
    let may_name = |&row: &usize| is_code(row) || (row <= area + REACH_INSIDE && !page.is_text(row));
    let below = (area + 1..page.subtree_end[area] as usize).filter(may_name).take(MOST_INSIDE);
    let inside = std::iter::once(area).chain(below);
    let named = |row: usize| Some(language_of(page, row)).filter(|name| is_language(name));
    let name = inside.chain(wrappers(page, area)).find_map(named).unwrap_or("");
    let dialect = DIALECTS.iter().find(|(dialect, _)| name.eq_ignore_ascii_case(dialect));
    dialect.map_or_else(|| in_small_letters(name), |&(_, language)| language)
}

/// A name as fences have it if a tool writes it as readers know it: the exports of Notion have `language-Python`.
fn in_small_letters(name: &str) -> &str {
    let has_capitals = name.bytes().any(|byte| byte.is_ascii_uppercase());
    if has_capitals {
        known_language(name).unwrap_or(name)
    } else {
        name
    }
}

/// Rows of the elements around an area that have little text besides, closest first.
pub fn wrappers<'a>(page: &'a PageView, area: usize) -> impl Iterator<Item = usize> + 'a {
    let length = page.text_within(area).len();
    let is_wrapper = move |&row: &usize| {
        look_up(&NO_WRAPPERS, page.tag[row]) == 0 && strip(page.text_within(row)).len() <= length + BESIDE
    };
    page.ancestors(area).take(REACH_AROUND).take_while(is_wrapper)
}

/// What an element gives as the language of its text.
fn language_of<'a>(page: &PageView<'a>, row: usize) -> &'a str {
    let given = |name: u8| page.value(row, name).map(strip).filter(|value| !value.is_empty());
    let classes = given(attribute::CLASS);
    let by_attribute = || ATTRIBUTES.iter().find_map(|&name| given(name));
    let by_parameters = || given(PARAMETERS).and_then(language_in_class);
    // `<pre class="rust">`, `<code class="ts">`: of other elements, a class such as `text` says nothing.
    let is_code = page.tag[row] == CODE || page.is_in(row, set::PREFORMATTED);
    let by_first_class =
        || classes?.split(is_space).next().filter(|class| (is_code && is_known(class)) || *class == DIAGRAM);
    let by_name_of_w3schools = || {
        let named = classes.filter(|classes| classes.starts_with(OF_W3SCHOOLS))?.split(is_space);
        named.filter_map(|class| class.strip_suffix(AFTER_LANGUAGE)).find(|name| is_known(name))
    };
    // GitHub and PyPI write `<pre lang="python">`; elsewhere it is the language of the words.
    let by_words = || given(attribute::LANG).filter(|name| page.is_in(row, set::PREFORMATTED) && is_known(name));
    let named = classes.and_then(language_in_class).or_else(by_attribute);
    let found = named.or_else(by_parameters).or_else(by_first_class).or_else(by_words);
    found.or_else(by_name_of_w3schools).unwrap_or("")
}

/// Whether a text can be the name of a language.
fn is_language(name: &str) -> bool {
    name.starts_with(|first| is_word(first) || first == '.')
        && name.chars().all(is_in_name)
        && name.chars().count() <= LONGEST_LANGUAGE
        && !NO_LANGUAGES.iter().any(|other| name.eq_ignore_ascii_case(other))
}

/// Whether a character occurs in names of languages: `c++`, `c#`, `objective-c`.
fn is_in_name(character: char) -> bool {
    is_word(character) || matches!(character, '+' | '#' | '.' | '-')
}

/// The name after a prefix, where the prefix follows white space or begins the class, or the one beside a highlighter's.
fn language_in_class(classes: &str) -> Option<&str> {
    let after_space = classes.match_indices(is_space).map(|(place, space)| place + space.len());
    let after_prefix = std::iter::once(0).chain(after_space).find_map(|place| {
        PREFIXES.iter().find_map(|prefix| {
            let rest = classes[place..].strip_prefix(prefix)?;
            let rest = if prefix.ends_with(':') { rest.trim_start_matches(is_space) } else { rest };
            let name = &rest[..rest.find(|character| !is_in_name(character)).unwrap_or(rest.len())];
            // Any class may begin with these.
            let may_be_part = matches!(*prefix, "src-" | "hl-" | "type-") || name.starts_with("line-");
            let is_sure = !may_be_part || is_known(name);
            Some(name).filter(|name| is_language(name) && is_sure)
        })
    });
    after_prefix.or_else(|| language_beside(classes))
}

/// The language among the classes of a highlighter: `hljs python`, `sourceCode haskell`.
fn language_beside(classes: &str) -> Option<&str> {
    let is_highlighter = |class: &str| HIGHLIGHTERS.iter().any(|known| class.eq_ignore_ascii_case(known));
    if !classes.split(is_space).any(is_highlighter) {
        return None;
    }
    classes.split(is_space).find(|class| !is_highlighter(class) && is_known(class))
}

/// The language that the text of a header names, as fences name it.
pub fn language_in_header(text: &str) -> Option<&'static str> {
    known_language(strip(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_in_classes() {
        let cases = [
            ("language-python", Some("python")),
            ("x lang-c++ y", Some("c++")),
            ("brush: js; gutter: false", Some("js")),
            ("lang:php decode:true", Some("php")),
            ("highlight-source-c#", Some("c#")),
            ("highlight-source-", Some("source-")),
            ("highlight-text highlight-default", Some("text")),
            ("highlight-default notranslate", None),
            ("mw-highlight mw-highlight-lang-lua", Some("lua")),
            ("src src-emacs-lisp", Some("emacs-lisp")),
            ("src-image", None),
            ("hljs python", Some("python")),
            ("sourceCode haskell", Some("haskell")),
            ("syntaxhighlighter nogutter css", Some("css")),
            ("highlight tab-size", None),
            ("highlight-line grid", None),
            ("highlight-line-content", None),
            ("highlight highlight--with-header", None),
            ("python", None),
            ("slang-c", None),
            ("lang-", None),
            ("lang- lang-go", Some("go")),
            ("", None),
        ];
        for (classes, language) in cases {
            assert_eq!(language_in_class(classes), language, "{classes}");
        }
    }
}
