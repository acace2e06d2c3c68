//! Images of formulas: LaTeX in their alternative text, or in the address of the service that draws them.
#![forbid(unsafe_code)]

use crate::blocks::characters::{is_space, is_word, strip};
use crate::blocks::page_view::PageView;
use crate::blocks::tags::attribute;
use crate::html::attributes::code_of;

const ALT: u8 = code_of("alt");
const SRC: u8 = code_of("src");
const DATA_SRC: u8 = code_of("data-src");

/// Classes of images of formulas, with LaTeX as alternative text.
const CLASSES: [&str; 16] = [
    "tex",
    "latex",
    "latexcenter",
    "math",
    "ee_img",
    "math-tex",
    "ql-img-inline-formula",
    "ql-img-displayed-equation",
    "mathimg",
    "formula",
    "equation",
    // Doxygen, within a line and in one of its own.
    "formulainl",
    "formuladsp",
    // MathWorld.
    "inlineformula",
    "displayformula",
    "numberedequation",
];
/// Parts of the classes and addresses of images that a tool has made of LaTeX, with this as alternative text.
const PARTS_OF_NAMES: [&str; 4] = ["math", "tex", "equation", "formula"];
/// What is between those delimiters is LaTeX wherever it stands as alternative text: LaTeX2HTML, lwarp, wikis.
const DELIMITERS: [(&str, &str); 4] = [("$", "$"), (r"\(", r"\)"), (r"\[", r"\]"), (r"\begin{", "}")];
/// What LaTeX2HTML writes at the start of formulas.
const IN_DISPLAY: &str = r"\displaystyle ";
/// How such a class of MediaWiki begins.
const CLASS_OF_FALLBACKS: &str = "mwe-math-fallback-image-";
/// What is in LaTeX and hardly in other text.
pub const SIGNS_OF_LATEX: [char; 4] = ['\\', '^', '_', '{'];
/// Parts of addresses of services that draw formulas, what stands before the LaTeX, and whether a plus is a blank.
const SERVICES: [(&str, &str, bool); 16] = [
    ("latex.php", "latex=", true),
    ("codecogs.com/", "?", false),
    ("chart.googleapis.com", "chl=", true),
    ("chart.apis.google.com", "chl=", true),
    ("zhihu.com/equation", "tex=", true),
    ("/render/math", "math=", true),
    ("math.now.sh?inline", "inline=", true),
    ("math.now.sh", "from=", true),
    ("jianshu.com/math", "formula=", true),
    ("mathjax/tex?", "formula=", true),
    ("tex.s2cms.ru/svg/", "/svg/", false),
    ("upmath.me/svg/", "/svg/", false),
    ("upmath.me/png/", "/png/", false),
    ("mimetex.cgi", "?", false),
    ("mathtex.cgi", "?", false),
    ("texify", "?", false),
];
/// Commands of a service that say how to draw, not what.
const SETTINGS: [&str; 6] = ["\\dpi", "\\inline", "\\bg_", "\\fn_", "\\bg{", "\\large"];

/// The LaTeX of an image, if it is one of a formula.
pub fn latex_of_image(page: &PageView, row: usize) -> Option<String> {
    let alternative = page.value(row, ALT).unwrap_or("");
    let has_signs = has_signs_of_latex(alternative);
    if has_signs && (is_delimited(alternative) || page.value(row, attribute::CLASS).is_some_and(is_of_a_formula)) {
        return Some(without_style(alternative));
    }
    if has_signs
        && has_command(alternative)
        && [SRC, attribute::CLASS].iter().any(|&name| is_named(page.value(row, name)))
    {
        return Some(alternative.to_string());
    }
    let address = [SRC, DATA_SRC].iter().find_map(|&name| page.value(row, name).and_then(latex_in_address));
    address.map(|latex| if has_signs { alternative.to_string() } else { latex })
}

/// Whether a text has one of `SIGNS_OF_LATEX`. Every image is asked.
fn has_signs_of_latex(text: &str) -> bool {
    // Without branches, so that the compiler compares many bytes at once.
    text.bytes().fold(false, |found, byte| found | matches!(byte, b'\\' | b'^' | b'_' | b'{'))
}

/// Whether an alternative text is between delimiters of LaTeX.
fn is_delimited(text: &str) -> bool {
    let text = strip(text);
    DELIMITERS.iter().any(|(begin, end)| text.len() > begin.len() + 1 && text.starts_with(begin) && text.ends_with(end))
}

/// An alternative text without what LaTeX2HTML writes between the first delimiter and the formula.
fn without_style(text: &str) -> String {
    let is_at_start =
        text.find(IN_DISPLAY).is_some_and(|place| text[..place].chars().all(|sign| "$({[\\ ".contains(sign)));
    if is_at_start && !text.starts_with('{') {
        text.replacen(IN_DISPLAY, "", 1)
    } else {
        text.to_string()
    }
}

/// Whether a text has a command of LaTeX, and its signs for arguments, powers or indices.
fn has_command(text: &str) -> bool {
    let is_command =
        |(place, _): (usize, &str)| text[place + 1..].starts_with(|letter: char| letter.is_ascii_alphabetic());
    text.contains(['^', '_', '{'].as_slice()) && text.match_indices('\\').any(is_command)
}

/// Whether the class or the address of an image says that it was made of LaTeX.
fn is_named(name: Option<&str>) -> bool {
    name.is_some_and(|name| PARTS_OF_NAMES.iter().any(|part| name.contains(part)))
}

/// Letters of which each service has three in its address: `tex`, `math`, `chart`, `codecogs`, `zhihu`.
const LETTERS_OF_SERVICES: [[u8; 3]; 5] = [*b"tex", *b"ath", *b"art", *b"cog", *b"zhi"];
/// Places of an address that are looked at together.
const PLACES: usize = 16;
/// The same, with the letters behind the last place.
const STRETCH: usize = PLACES + 2;

/// Whether an address may be one of the services.
fn may_be_of_service(address: &str) -> bool {
    let bytes = address.as_bytes();
    let last = match bytes.len().checked_sub(STRETCH) {
        Some(last) => last,
        None => return bytes.windows(3).any(|three| LETTERS_OF_SERVICES.iter().any(|known| three == known)),
    };
    let is_telling = |start: usize| bytes[start..start + STRETCH].try_into().is_ok_and(has_letters_of_service);
    // The last stretch may overlap the one before it.
    (0..last).step_by(PLACES).any(is_telling) || is_telling(last)
}

/// Whether three letters of a service begin at any place of a stretch.
fn has_letters_of_service(stretch: &[u8; STRETCH]) -> bool {
    let mut found = [0; PLACES];
    // Without branches, so that the compiler compares all bytes at once.
    for place in 0..PLACES {
        for known in &LETTERS_OF_SERVICES {
            let is_known =
                (stretch[place] == known[0]) & (stretch[place + 1] == known[1]) & (stretch[place + 2] == known[2]);
            found[place] |= if is_known { 0xFF } else { 0 };
        }
    }
    u128::from_le_bytes(found) != 0
}

/// The LaTeX in the address of a service.
fn latex_in_address(address: &str) -> Option<String> {
    if !may_be_of_service(address) {
        return None;
    }
    let (_, begin, plus_is_blank) = SERVICES.iter().find(|(service, _, _)| address.contains(service))?;
    let (_, rest) = address.split_once(begin)?;
    let value = if begin.ends_with('=') { rest.split('&').next().unwrap_or("") } else { rest };
    let latex = decoded(value, *plus_is_blank).replace("&space;", " ").replace("&plus;", "+");
    let bare = without_settings(strip(&latex));
    Some(bare.to_string()).filter(|bare| !bare.is_empty())
}

/// LaTeX without what says how to draw it.
fn without_settings(latex: &str) -> &str {
    let mut rest = latex;
    while SETTINGS.iter().any(|setting| rest.starts_with(setting)) {
        let end = rest[1..].find(|sign: char| sign == '\\' || is_space(sign)).map_or(rest.len(), |place| place + 1);
        let braced = rest.find('}').filter(|&place| rest[..place].contains('{') && place < end);
        rest = strip(&rest[braced.map_or(end, |place| place + 1)..]);
    }
    rest
}

/// A part of an address without percent signs.
fn decoded(value: &str, plus_is_blank: bool) -> String {
    let bytes = value.as_bytes();
    let mut written = Vec::with_capacity(bytes.len());
    let mut place = 0;
    while place < bytes.len() {
        let digits = value.get(place + 1..place + 3).filter(|_| bytes[place] == b'%');
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                written.push(byte);
                place += 3;
            }
            None => {
                written.push(if plus_is_blank && bytes[place] == b'+' { b' ' } else { bytes[place] });
                place += 1;
            }
        }
    }
    String::from_utf8_lossy(&written).into_owned()
}

/// Whether a class attribute is that of an image of a formula.
fn is_of_a_formula(classes: &str) -> bool {
    classes
        .split(is_space)
        .any(|class| CLASSES.iter().any(|known| class.eq_ignore_ascii_case(known)) || is_fallback(class))
}

/// Whether a class is MediaWiki's for images instead of MathML.
fn is_fallback(class: &str) -> bool {
    let length = CLASS_OF_FALLBACKS.len();
    class.get(..length).is_some_and(|start| start.eq_ignore_ascii_case(CLASS_OF_FALLBACKS))
        && class.len() > length
        && class[length..].chars().all(is_word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_of_images_of_formulas() {
        for class in ["latex", "a TEX", "math-tex b", "mwe-math-fallback-image-inline x"] {
            assert!(is_of_a_formula(class), "{class}");
        }
        for class in ["", "latexed", "mwe-math-fallback-image-", "mwe-math-fallback-image-a-b"] {
            assert!(!is_of_a_formula(class), "{class}");
        }
    }

    #[test]
    fn signs_of_latex_are_found_wherever_they_are() {
        for sign in SIGNS_OF_LATEX {
            for length in [0, 1, 15, 40] {
                let blanks = " ".repeat(length);
                assert!(has_signs_of_latex(&format!("{blanks}{sign}é{blanks}")), "{sign} {length}");
            }
        }
        assert!(!has_signs_of_latex("") && !has_signs_of_latex("A photo of 2 + 2 é"));
    }

    #[test]
    fn every_service_is_looked_for() {
        assert!(SERVICES.iter().all(|(service, _, _)| may_be_of_service(service)));
        assert!(!may_be_of_service("https://a.example/photo/the-next-exchange.jpg?size=100x100"));
    }

    #[test]
    fn addresses_of_services() {
        let cases = [
            ("https://s0.wp.com/latex.php?latex=x%5E2%2B1+y&bg=ffffff", "x^2+1 y"),
            ("https://latex.codecogs.com/gif.latex?%5Cdpi%7B150%7D%20%5Cbg_white%20x%5E2+1", "x^2+1"),
            ("https://latex.codecogs.com/svg.image?\\inline&space;x&space;y", "x y"),
            ("http://latex.codecogs.com/gif.latex?x^2&plus;1", "x^2+1"),
            ("https://math.now.sh?inline=x%5E2", "x^2"),
            ("https://chart.googleapis.com/chart?cht=tx&chl=x%5E2", "x^2"),
            ("https://www.zhihu.com/equation?tex=%5Calpha", "\\alpha"),
            ("https://render.githubusercontent.com/render/math?math=x%5E2&mode=inline", "x^2"),
            ("https://i.upmath.me/svg/x%5E2", "x^2"),
            ("/cgi-bin/mathtex.cgi?x^2", "x^2"),
        ];
        for (address, latex) in cases {
            assert_eq!(latex_in_address(address).as_deref(), Some(latex), "{address}");
        }
        assert_eq!(latex_in_address("https://example.org/x.png?y=1"), None);
        assert_eq!(latex_in_address("https://s0.wp.com/latex.php?latex=%ZZ%C3"), Some("%ZZ\u{fffd}".to_string()));
    }
}
