//! The header of a TEI document: what is known of the page.
#![forbid(unsafe_code)]

use super::markup::Markup;
use super::page_facts::PageFacts;

const NO_TITLE: &str = "[no title]";
/// Fields whose values are keywords, and the schemes that their values belong to.
const KEYWORDS: [(&str, &str); 3] = [("categories", "#categories"), ("tags", "#tags"), ("page_type", "#page-type")];

/// Writes the header of a page, given what its `<title>` says.
pub fn write_header(markup: &mut Markup, facts: &PageFacts, title: &str) {
    let known = [title, facts.url].into_iter().find(|text| !text.is_empty());
    let title = facts.value("title").or(known).unwrap_or(NO_TITLE);
    markup.add("<teiHeader>\n<fileDesc>");
    write_file(markup, facts, title);
    markup.add("</fileDesc>\n<encodingDesc><appInfo>");
    markup.begin("application", &[("version", env!("CARGO_PKG_VERSION")), ("ident", "dehusk")]);
    markup.add("<label>dehusk</label></application></appInfo></encodingDesc>\n<profileDesc>");
    write_profile(markup, facts);
    markup.add("</profileDesc>\n</teiHeader>");
}

/// Titles, authors, publication and source.
fn write_file(markup: &mut Markup, facts: &PageFacts, title: &str) {
    markup.add("<titleStmt>");
    markup.element("title", &[("type", "main")], title);
    if let Some(subtitle) = facts.value("subtitle") {
        markup.element("title", &[("type", "sub")], subtitle);
    }
    facts.values("authors").for_each(|author| markup.element("author", &[], author));
    markup.add("</titleStmt>\n<publicationStmt>");
    write_publication(markup, facts);
    markup.add("</publicationStmt>\n<sourceDesc><bibl>");
    markup.element("title", &[], title);
    let url = facts.value("url").unwrap_or(facts.url).replace(' ', "%20");
    if !url.is_empty() {
        markup.empty("ptr", &[("type", "url"), ("target", &url)]);
    }
    if let Some(image) = facts.value("image") {
        markup.empty("ptr", &[("type", "image"), ("target", image)]);
    }
    markup.add("</bibl></sourceDesc>");
}

/// Who published it and when; without a publisher only when, in a paragraph.
fn write_publication(markup: &mut Markup, facts: &PageFacts) {
    let Some(site) = facts.value("site_name") else {
        markup.add("<p>");
        write_dates(markup, facts);
        return markup.add("</p>");
    };
    markup.element("publisher", &[], site);
    if let Some(licence) = facts.value("licence") {
        let is_address = licence.starts_with("http://") || licence.starts_with("https://");
        let target = if is_address { licence.replace(' ', "%20") } else { String::new() };
        markup.add("<availability>");
        markup.element("licence", &[("target", &target)], licence);
        markup.add("</availability>");
    }
    write_dates(markup, facts);
}

/// When it was published and modified.
fn write_dates(markup: &mut Markup, facts: &PageFacts) {
    for name in ["published", "modified"] {
        if let Some(date) = facts.value(name) {
            let when = if is_date(date) { date } else { "" };
            markup.element("date", &[("type", name), ("when", when)], date);
        }
    }
}

/// Abstract, language and keywords, each on a line of its own.
fn write_profile(markup: &mut Markup, facts: &PageFacts) {
    let begin = markup.length();
    if let Some(description) = facts.value("description") {
        markup.add("<abstract>");
        markup.element("p", &[], description);
        markup.add("</abstract>");
    }
    if let Some(language) = facts.value("language") {
        markup.add(if markup.length() > begin { "\n<langUsage>" } else { "<langUsage>" });
        markup.element("language", &[("ident", language)], language);
        markup.add("</langUsage>");
    }
    if KEYWORDS.iter().any(|(field, _)| facts.value(field).is_some()) {
        markup.add(if markup.length() > begin { "\n<textClass>" } else { "<textClass>" });
        KEYWORDS.iter().for_each(|(field, scheme)| write_keywords(markup, facts, field, scheme));
        markup.add("</textClass>");
    }
}

/// The values of a field, if there are any.
fn write_keywords(markup: &mut Markup, facts: &PageFacts, field: &'static str, scheme: &str) {
    if facts.value(field).is_some() {
        markup.begin("keywords", &[("scheme", scheme)]);
        facts.values(field).for_each(|value| markup.element("term", &[], value));
        markup.end("keywords");
    }
}

/// Whether a date is written as TEI wants it in an attribute: a year, a month, a day, or a time with its zone.
fn is_date(date: &str) -> bool {
    let shape: String = date.chars().map(|sign| if sign.is_ascii_digit() { '0' } else { sign }).collect();
    match shape.split_once('T') {
        None => matches!(&*shape, "0000" | "0000-00" | "0000-00-00"),
        Some((day, time)) => day == "0000-00-00" && is_time(time),
    }
}

/// Whether something has the shape of a time of the day, with or without a zone.
fn is_time(shape: &str) -> bool {
    let zone = ["Z", "+00:00", "-00:00"].iter().find_map(|zone| shape.strip_suffix(zone));
    let time = zone.unwrap_or(shape);
    let is_fraction = |rest: &str| !rest.is_empty() && rest.bytes().all(|digit| digit == b'0');
    matches!(time, "00:00" | "00:00:00") || time.strip_prefix("00:00:00.").is_some_and(is_fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_as_attributes_have_them() {
        for date in
            ["2024", "2024-05", "2024-05-06", "2024-05-06T07:08", "2024-05-06T07:08:09.1Z", "2024-05-06T07:08+02:00"]
        {
            assert!(is_date(date), "{date}");
        }
        for date in [
            "",
            "24",
            "2024-5",
            "2024-05-06T",
            "2024-05-06T07",
            "2024-05-06T07:08.5",
            "2024-05-06T07:08:09.Z",
            "May 2024",
        ] {
            assert!(!is_date(date), "{date}");
        }
    }
}
