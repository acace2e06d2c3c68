//! Lines that say that there is no such page (`Page not found`, `Error 404 | Tea House`), that robots are kept away
//! (`Checking your browser`), or that there is nothing on the page (`There are no upcoming events`).
#![forbid(unsafe_code)]

use super::announcing_lines::{telling_words, Beginnings};
use super::situations::FEWEST_CHARACTERS;
use crate::blocks::characters::strip;
use crate::blocks::kinds::kind;
use crate::blocks::page_blocks::Blocks;

/// Characters of such a line.
const LONGEST_LINE: i32 = 80;
/// Characters of a `<title>` that says so; the site may be named after it.
const LONGEST_TITLE: i32 = 160;
/// Letters and blanks of a line that are read: more than the longest name has.
const TELLING: usize = 64;
/// Headings to examine: the message comes first, below a few headings of menus.
const MOST_HEADINGS: usize = 12;
/// Characters that may be kept above the line: a heading such as `Oops, something went wrong`.
const MOST_ABOVE: i64 = 100;
/// Most characters that are kept of such a page, its suggestions included, as in `dehusk.deciding.shells`. A page with
/// more text has content, whatever its heading says.
pub const MOST_KEPT: i64 = 1_200;

/// What such lines say, without numbers and punctuation.
#[rustfmt::skip]
const NAMES: [&str; 85] = [
    "making sure you re not a bot", "verify you are human", "verifying you are human", "checking your browser",
    "robot check", "human verification", "bot verification",
    "page not found", "file not found", "document not found", "content not found", "url not found",
    "page does not exist", "page doesn t exist", "this page does not exist", "this page doesn t exist",
    "the page does not exist", "page cannot be found", "page can t be found", "page could not be found",
    "the page cannot be found", "the page can t be found", "the page could not be found", "this page cannot be found",
    "this page can t be found", "this page could not be found", "that page can t be found", "page no longer exists",
    "this page no longer exists", "this page isn t available", "page not available", "page unavailable",
    "we can t find that page", "we can t find this page", "we couldn t find that page", "we couldn t find this page",
    "the page you are looking for doesn t exist", "the page you are looking for does not exist",
    "the page you requested could not be found", "the page you requested was not found",
    "the requested page could not be found", "the requested page was not found",
    "seite nicht gefunden", "seite wurde nicht gefunden", "die seite wurde nicht gefunden",
    "diese seite existiert nicht", "page introuvable", "page non trouvée", "cette page n existe pas",
    "página no encontrada", "no se encontró la página", "esta página no existe", "página não encontrada",
    "pagina non trovata", "pagina niet gevonden", "stránka nenalezena", "stránka nebyla nalezena",
    "stránka neexistuje", "stránka sa nenašla", "nie znaleziono strony", "strona nie istnieje",
    "strona nie została znaleziona", "страница не найдена", "такой страницы не существует", "сторінку не знайдено",
    "страницата не е намерена", "sidan hittades inte", "sidan kunde inte hittas", "siden blev ikke fundet",
    "siden ble ikke funnet", "sivua ei löytynyt", "az oldal nem található", "pagina nu a fost găsită",
    "stranica nije pronađena", "sayfa bulunamadı", "η σελίδα δεν βρέθηκε", "页面不存在", "找不到页面", "頁面不存在",
    "找不到網頁", "ページが見つかりません", "페이지를 찾을 수 없습니다", "không tìm thấy trang", "الصفحة غير موجودة",
    "הדף לא נמצא",
];
/// Words that say so only with one of the `CODES`.
#[rustfmt::skip]
const NAMES_OF_CODES: [&str; 16] = [
    "not found", "error", "http error", "http status", "forbidden", "gone", "unauthorized", "error not found",
    "error page", "internal server error", "service unavailable", "bad gateway", "fehler", "erreur", "errore", "ошибка",
];
/// How all these begin.
static FIRST_LETTERS: Beginnings = Beginnings::of(&NAMES).and(&NAMES_OF_CODES);
/// What servers answer if there is no page to show.
const CODES: [&str; 8] = ["401", "403", "404", "410", "500", "502", "503", "504"];
/// The code that readers know: it may stand alone. `500` may count customers.
const KNOWN_CODE: &str = "404";

/// Most characters that are kept of a page with nothing on it.
const MOST_BESIDE_NOTHING: i64 = 600;
/// Characters of a line that says so.
const LONGEST_NOTHING: i32 = 120;
/// Letters and blanks of such a line that are read.
const ALL_TELLING: usize = 130;
/// Share of link text of such a line.
const MOST_LINKED: f32 = 0.5;
/// How lines begin that say that there is nothing, without numbers and punctuation.
#[rustfmt::skip]
const BEGINNINGS: [&str; 32] = [
    "there are no ", "there is no ", "there were no ", "there are currently no ", "there is nothing ", "no results",
    "no matching ", "no upcoming ",
    "nothing found", "nothing was found", "nothing to show", "nothing to display", "sorry no ", "sorry there are no ",
    "sorry nothing ", "sorry but nothing ", "it seems we can t find ", "es wurden keine ", "leider keine ",
    "aucun résultat", "il n y a aucun", "no se han encontrado ", "no se encontraron ", "nessun risultato",
    "nenhum resultado", "não há ", "geen resultaten", "brak wyników", "ничего не найдено", "sonuç bulunamadı",
    "没有找到", "暂无",
];
/// How other such lines begin, and words that one of them has further on.
const BEGINNINGS_OF_PAIRS: [&str; 6] = ["no ", "keine ", "aucun", "nessun", "geen ", "nenhum"];
const ENDS_OF_PAIRS: [&str; 7] = [" found", " available", " gefunden", " trouvé", " trovat", " gevonden", " encontrad"];
/// What there may be none of on a page with content.
#[rustfmt::skip]
const BESIDE_CONTENT: [&str; 12] = [
    "comment", "review", "rating", "tag", "question", "repl", "kommentar", "bewertung", "commentaire", "avis",
    "comentario", "评论",
];

/// The block with the first shown line that says that there is nothing on the page, if hardly anything is kept of it.
pub fn nothing_line(blocks: &Blocks, is_kept: impl Fn(usize) -> bool) -> Option<usize> {
    let segments = &blocks.segments;
    let kept = || (0..segments.len()).filter(|&index| is_kept(index)).map(|index| i64::from(segments.length[index]));
    let is_line = |&index: &usize| {
        segments.hidden[index] == 0
            && segments.length[index] <= LONGEST_NOTHING
            && !matches!(blocks.kinds.kind[index], kind::TITLE | kind::FORM)
            && segments.link_share(index) < MOST_LINKED
            && says_that_there_is_nothing(segments.texts.get(index))
    };
    if kept().sum::<i64>() > MOST_BESIDE_NOTHING || kept().any(|length| length >= FEWEST_CHARACTERS) {
        return None;
    }
    (0..segments.len()).find(is_line)
}

/// Whether a line says that there is nothing of what the page is for.
fn says_that_there_is_nothing(line: &str) -> bool {
    let words = telling_words(line, ALL_TELLING);
    let begins_as = |names: &[&str]| names.iter().any(|name| words.starts_with(name));
    let has_one_of = |names: &[&str]| names.iter().any(|name| words.contains(name));
    (begins_as(&BEGINNINGS) || (begins_as(&BEGINNINGS_OF_PAIRS) && has_one_of(&ENDS_OF_PAIRS)))
        && !has_one_of(&BESIDE_CONTENT)
}

/// The block with the line that says that there is no such page: a shown one if there is one, otherwise the title.
pub fn error_line(blocks: &Blocks, is_kept: impl Fn(usize) -> bool) -> Option<usize> {
    let (segments, kinds) = (&blocks.segments, &blocks.kinds.kind);
    let says_so = |&index: &usize| says_that_nothing_is_here(segments.texts.get(index));
    let is_short = |&index: &usize| segments.hidden[index] == 0 && segments.length[index] <= LONGEST_LINE;
    let is_heading = |&index: &usize| kinds[index] == kind::HEADING;
    let first = (0..segments.len()).filter(is_heading).filter(is_short).take(MOST_HEADINGS).find(says_so);
    let line = first.or_else(|| {
        let is_title = |&index: &usize| kinds[index] == kind::TITLE && segments.length[index] <= LONGEST_TITLE;
        let title = (0..segments.len()).find(is_title).filter(says_so)?;
        let shown = |&index: &usize| index != title && is_kept(index);
        Some((0..segments.len()).filter(shown).filter(is_short).find(says_so).unwrap_or(title))
    })?;
    let is_above = |&index: &usize| kinds[index] != kind::TITLE && is_kept(index);
    let above: i64 = (0..line).filter(is_above).map(|index| i64::from(segments.length[index])).sum();
    let kept: i64 =
        (0..segments.len()).filter(|&index| is_kept(index)).map(|index| i64::from(segments.length[index])).sum();
    (above <= MOST_ABOVE && kept <= MOST_KEPT).then_some(line)
}

/// Whether a line, or a part of it beside the name of the site, says that there is no such page.
pub fn says_that_nothing_is_here(line: &str) -> bool {
    let is_end = |character: char| matches!(character, '|' | '–' | '—' | '·' | '»' | '«' | ':' | '!' | '.' | '\n');
    let has_code = || CODES.iter().any(|code| has_number(line, code));
    let says_so = |part: &str| {
        if strip(part) == KNOWN_CODE {
            return true;
        }
        let words = if FIRST_LETTERS.may_begin(part) { telling_words(part, TELLING) } else { return false };
        NAMES.contains(&words.as_str()) || (NAMES_OF_CODES.contains(&words.as_str()) && has_code())
    };
    // A search for one byte is fast, and few parts have a hyphen.
    let has_hyphen = |part: &str| part.as_bytes().contains(&b'-');
    line.split(is_end).any(|part| if has_hyphen(part) { part.split(" - ").any(says_so) } else { says_so(part) })
}

/// Whether a number stands in a line, not as part of a longer one.
fn has_number(line: &str, number: &str) -> bool {
    let is_digit = |character: Option<char>| character.is_some_and(|character| character.is_ascii_digit());
    line.match_indices(number)
        .any(|(at, _)| !is_digit(line[..at].chars().next_back()) && !is_digit(line[at + number.len()..].chars().next()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_say_so() {
        for line in [
            "PAGE NOT FOUND",
            "Page not found – Tea House",
            "tea.example – Page not found",
            "Oops! That page can’t be found.",
            "404",
            "404 Not Found",
            "Error 404: the kettle",
            "Fehler 404",
            "Stránka nenalezena | Tea",
            "Tea House - Страница не найдена",
            "ページが見つかりません",
        ] {
            assert!(says_that_nothing_is_here(line), "{}", line);
        }
    }

    #[test]
    fn lines_that_do_not() {
        for line in
            ["", "Not found", "Error", "500", "4042", "Forbidden", "How to write a page not found page", "Peugeot 404"]
        {
            assert!(!says_that_nothing_is_here(line), "{}", line);
        }
    }

    #[test]
    fn lines_that_say_that_there_is_nothing() {
        for line in [
            "There are no upcoming events.",
            "No results for “kettle”",
            "No kettles were found, please check your filters.",
            "Sorry, but nothing matched your search.",
            "Keine Artikel gefunden",
            "暂无数据",
        ] {
            assert!(says_that_there_is_nothing(line), "{}", line);
        }
        for line in
            ["There are no reviews yet.", "No comments found", "No kettle is like ours", "Found: no kettles", ""]
        {
            assert!(!says_that_there_is_nothing(line), "{}", line);
        }
    }

    #[test]
    fn names_are_as_lines_are_read() {
        for name in NAMES.iter().chain(&NAMES_OF_CODES) {
            assert_eq!(telling_words(name, TELLING), *name);
            assert!(
                name.chars().count() < TELLING && FIRST_LETTERS.may_begin(&format!("1. {}", name.to_uppercase())),
                "{}",
                name
            );
        }
    }
}
