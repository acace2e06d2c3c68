//! Doctypes, and which of them mean quirks mode: there a table does not close a paragraph.

#![forbid(unsafe_code)]

use super::builder::{Builder, Mode};
use crate::html::tokenizer::{Doctype, Tokenizer};

/// Starts of public identifiers, in lower case.
const QUIRKY_PREFIXES: &[&str] = &[
    "+//silmaril//dtd html pro v0r11 19970101//",
    "-//as//dtd html 3.0 aswedit + extensions//",
    "-//advasoft ltd//dtd html 3.0 aswedit + extensions//",
    "-//ietf//dtd html 2.0 level 1//",
    "-//ietf//dtd html 2.0 level 2//",
    "-//ietf//dtd html 2.0 strict level 1//",
    "-//ietf//dtd html 2.0 strict level 2//",
    "-//ietf//dtd html 2.0 strict//",
    "-//ietf//dtd html 2.0//",
    "-//ietf//dtd html 2.1e//",
    "-//ietf//dtd html 3.0//",
    "-//ietf//dtd html 3.2 final//",
    "-//ietf//dtd html 3.2//",
    "-//ietf//dtd html 3//",
    "-//ietf//dtd html level 0//",
    "-//ietf//dtd html level 1//",
    "-//ietf//dtd html level 2//",
    "-//ietf//dtd html level 3//",
    "-//ietf//dtd html strict level 0//",
    "-//ietf//dtd html strict level 1//",
    "-//ietf//dtd html strict level 2//",
    "-//ietf//dtd html strict level 3//",
    "-//ietf//dtd html strict//",
    "-//ietf//dtd html//",
    "-//metrius//dtd metrius presentational//",
    "-//microsoft//dtd internet explorer 2.0 html strict//",
    "-//microsoft//dtd internet explorer 2.0 html//",
    "-//microsoft//dtd internet explorer 2.0 tables//",
    "-//microsoft//dtd internet explorer 3.0 html strict//",
    "-//microsoft//dtd internet explorer 3.0 html//",
    "-//microsoft//dtd internet explorer 3.0 tables//",
    "-//netscape comm. corp.//dtd html//",
    "-//netscape comm. corp.//dtd strict html//",
    "-//o'reilly and associates//dtd html 2.0//",
    "-//o'reilly and associates//dtd html extended 1.0//",
    "-//o'reilly and associates//dtd html extended relaxed 1.0//",
    "-//sq//dtd html 2.0 hotmetal + extensions//",
    "-//softquad software//dtd hotmetal pro 6.0::19990601::extensions to html 4.0//",
    "-//softquad//dtd hotmetal pro 4.0::19971010::extensions to html 4.0//",
    "-//spyglass//dtd html 2.0 extended//",
    "-//sun microsystems corp.//dtd hotjava html//",
    "-//sun microsystems corp.//dtd hotjava strict html//",
    "-//w3c//dtd html 3 1995-03-24//",
    "-//w3c//dtd html 3.2 draft//",
    "-//w3c//dtd html 3.2 final//",
    "-//w3c//dtd html 3.2//",
    "-//w3c//dtd html 3.2s draft//",
    "-//w3c//dtd html 4.0 frameset//",
    "-//w3c//dtd html 4.0 transitional//",
    "-//w3c//dtd html experimental 19960712//",
    "-//w3c//dtd html experimental 970421//",
    "-//w3c//dtd w3 html//",
    "-//w3o//dtd w3 html 3.0//",
    "-//webtechs//dtd mozilla html 2.0//",
    "-//webtechs//dtd mozilla html//",
];

/// Starts of public identifiers that mean quirks mode where there is no system identifier.
const QUIRKY_WITHOUT_SYSTEM: &[&str] = &["-//w3c//dtd html 4.01 frameset//", "-//w3c//dtd html 4.01 transitional//"];

/// Whole public identifiers.
const QUIRKY_PUBLIC: &[&str] = &["-//w3o//dtd w3 html strict 3.0//en//", "-/w3c/dtd html 4.0 transitional/en", "html"];

const QUIRKY_SYSTEM: &str = "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd";

impl Builder<'_> {
    /// A doctype means something only at the start of a page.
    pub fn doctype(&mut self, tokenizer: &Tokenizer) {
        if self.mode == Mode::Initial {
            self.is_quirky = is_quirky(tokenizer.doctype(), tokenizer);
            self.mode = Mode::BeforeHtml;
        }
    }
}

fn is_quirky(doctype: &Doctype, tokenizer: &Tokenizer) -> bool {
    let lowercase = |span| tokenizer.written(span).to_ascii_lowercase();
    let name = doctype.name.as_ref().map(lowercase);
    if doctype.force_quirks || name.as_deref() != Some("html") {
        return true;
    }
    let public = doctype.public_identifier.as_ref().map(lowercase);
    let system = doctype.system_identifier.as_ref().map(lowercase);
    if system.as_deref() == Some(QUIRKY_SYSTEM) {
        return true;
    }
    public.is_some_and(|public| {
        let starts_with_one_of = |prefixes: &[&str]| prefixes.iter().any(|prefix| public.starts_with(prefix));
        QUIRKY_PUBLIC.contains(&public.as_str())
            || starts_with_one_of(QUIRKY_PREFIXES)
            || system.is_none() && starts_with_one_of(QUIRKY_WITHOUT_SYSTEM)
    })
}
