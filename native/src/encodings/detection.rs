//! What bytes say about the encoding that they are in, and about one that they are said to be in.
#![forbid(unsafe_code)]

use super::charsets::{Charset, Text};
use super::commonness::{commonness, Commonness, EAST_ASIAN};
use super::encoding_signs::{is_simplified_chinese, is_western};
use crate::failure::Failure;
use crate::html::bytes::{ascii_length, count_beyond_ascii, count_characters, find};
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    Encoding, EUC_KR, GB18030, IBM866, ISO_8859_5, ISO_8859_6, ISO_8859_7, ISO_8859_8, ISO_8859_8_I, KOI8_R, KOI8_U,
    WINDOWS_1251, WINDOWS_1252, WINDOWS_1253, WINDOWS_1255, WINDOWS_1256, WINDOWS_874, X_MAC_CYRILLIC,
};
use std::cell::OnceCell;

/// Bytes in which lines are looked for that are not ASCII.
const WINDOW: usize = 2_000_000;
/// Bytes of these lines that are shown to the detector. It costs 50 ns a byte; on our gold pages its answer for 32 kB of such
/// lines is that for the whole page, and wrong on Chinese pages for 16 kB.
const SAMPLE: usize = 32_768;

/// Encodings of one byte a character for other scripts than the Latin one.
const SCRIPTS: [(Script, &[&Encoding]); 5] = [
    (Script::Cyrillic, &[WINDOWS_1251, KOI8_U, KOI8_R, ISO_8859_5, IBM866, X_MAC_CYRILLIC]),
    (Script::Greek, &[WINDOWS_1253, ISO_8859_7]),
    (Script::Hebrew, &[WINDOWS_1255, ISO_8859_8, ISO_8859_8_I]),
    (Script::Arabic, &[WINDOWS_1256, ISO_8859_6]),
    (Script::Thai, &[WINDOWS_874]),
];

/// A label that damages more than one in this many of the characters beyond ASCII is wrong...
const CHARACTERS_A_DAMAGED: usize = 4;
/// ... unless it is so few, and no more than half, as after a broken byte or two on a page of a few words.
const FEW_DAMAGED: usize = 2;
/// The same for encodings that browsers do not read. English after a chance `~{` is full of blanks, which are errors in HZ; a
/// real page has a broken byte or two.
const CHARACTERS_A_DAMAGED_OF_SEVEN_BITS: usize = 50;
/// Damage to one character in so many makes another encoding right that damages none.
const CHARACTERS_A_DOUBTFUL: usize = 20;

/// Fewest characters that tell a wrong label.
const FEWEST: usize = 20;
/// Share of the characters of a text that are common if it is read right, at least.
pub const MOSTLY_COMMON: f64 = 0.9;
/// The same if no detector bears it out.
const NEARLY_ALL_COMMON: f64 = 0.97;
/// How much larger the share is than in a wrong encoding.
const MORE_COMMON: f64 = 0.1;
/// Of the characters that are common in another encoding, so many are Hangul in Korean text.
const OF_OTHERS_HANGUL: f64 = 0.95;
/// Share of common characters under which text is not of East Asia. In GBK, traditional Chinese has 65 %.
const HARDLY_COMMON: f64 = 0.5;
/// Of so many characters one may be broken.
const CHARACTERS_A_BROKEN: usize = 50;
/// Fewest letters that tell two of these scripts from each other.
const FEWEST_OF_SCRIPTS: usize = 100;
/// Letters beside each other, in words of other scripts than the Latin one. Those beyond ASCII mostly stand alone in it.
const LETTERS_BESIDE: usize = 3;

/// The bytes of a page, with what is found out about them.
pub struct Bytes<'page> {
    bytes: &'page [u8],
    guess: OnceCell<Charset>,
}

impl<'page> Bytes<'page> {
    /// Nothing is found out yet.
    pub fn of(bytes: &'page [u8]) -> Self {
        Bytes { bytes, guess: OnceCell::new() }
    }

    /// The encoding that the bytes look like.
    pub fn guess(&self) -> Charset {
        *self.guess.get_or_init(|| guess(self.bytes))
    }

    /// The encoding to read the bytes in if a label names one: that, or the one that they are in beyond doubt. None if they are not
    /// in the one that is named.
    pub fn judge(&self, claimed: Charset) -> Result<Option<Charset>, Failure> {
        let text = claimed.decode(self.bytes)?;
        let characters = beyond_ascii(&text.utf8);
        if (claimed.has_seven_bits() && characters == 0) || !is_bearable(claimed, text.damaged, characters) {
            return Ok(None);
        }
        if self.are_surely(claimed, &text) || claimed.is_as_good_as(self.guess()) {
            return Ok(Some(claimed));
        }
        let is_wrong = self.is_refuted(claimed, &text, characters)?;
        Ok(Some(if is_wrong { self.guess() } else { claimed }))
    }

    /// Whether there is no need to ask the detector.
    fn are_surely(&self, claimed: Charset, text: &Text) -> bool {
        let Charset::Standard(encoding) = claimed else { return true };
        if claimed.has_seven_bits() || !(encoding.is_single_byte() || commonness(b"", claimed).is_some()) {
            return true;
        }
        text.damaged == 0
            && (encoding == WINDOWS_1252 && is_western(self.bytes)
                || claimed.is_as_good_as(Charset::Standard(GB18030)) && is_simplified_chinese(self.bytes))
    }

    /// Whether the bytes are in the encoding that they look like, and not in the one that is claimed.
    fn is_refuted(&self, claimed: Charset, text: &Text, characters: usize) -> Result<bool, Failure> {
        match (commonness(self.bytes, claimed), commonness(self.bytes, self.guess())) {
            (claimed, Some(guessed)) => Ok(is_likelier(self.guess(), guessed, claimed)),
            (Some(claimed), None) => {
                let is_unlikely = claimed.characters() >= FEW_CHARACTERS && claimed.share() < HARDLY_COMMON;
                Ok(is_unlikely && self.guess().decode(self.bytes)?.damaged == 0)
            }
            (None, None) => {
                // A byte without meaning is enough for the detector to rule out what is claimed.
                let is_unharmed = text.damaged == 0 || script(claimed) == Script::Latin;
                let is_other_script = is_unharmed && characters >= FEWEST && self.is_other_script(claimed);
                let is_damaged = text.damaged > FEW_DAMAGED && text.damaged * CHARACTERS_A_DOUBTFUL > characters;
                Ok((is_other_script || is_damaged) && self.guess().decode(self.bytes)?.damaged == 0)
            }
        }
    }

    /// Whether the bytes look like words of a script that the claimed encoding does not have, or of Cyrillic in another encoding.
    fn is_other_script(&self, claimed: Charset) -> bool {
        let letters = count_beyond_ascii(self.bytes);
        let Runs { count, in_words } = Runs::of(self.bytes);
        match (script(claimed), script(self.guess())) {
            (Script::Latin, Script::Latin) => false,
            (_, Script::Latin) => 3 * in_words > 2 * count,
            (Script::Latin, _) | (Script::Cyrillic, Script::Cyrillic) => letters >= LETTERS_BESIDE * count,
            (claimed, guessed) => claimed != guessed && letters >= FEWEST_OF_SCRIPTS.max(LETTERS_BESIDE * count),
        }
    }
}

/// Fewest characters that tell text of East Asia from other text.
const FEW_CHARACTERS: usize = 5;

/// Whether East Asian text is in an encoding, and not in the one that is claimed.
fn is_likelier(guess: Charset, guessed: Commonness, claimed: Option<Commonness>) -> bool {
    if guessed.characters() < FEWEST || guessed.broken * CHARACTERS_A_BROKEN > guessed.characters() {
        return false;
    }
    let (share, of_claimed) = (guessed.share(), claimed.map_or(0.0, Commonness::share));
    let is_korean = guess == Charset::Standard(EUC_KR) && share >= OF_OTHERS_HANGUL * of_claimed;
    share >= HARDLY_COMMON && (share >= of_claimed + MORE_COMMON || is_korean)
}

/// Whether text can be in an encoding that makes so much of it unreadable.
fn is_bearable(charset: Charset, damaged: usize, characters: usize) -> bool {
    match charset {
        Charset::Standard(_) => {
            damaged <= FEW_DAMAGED.min(characters / 2) || damaged * CHARACTERS_A_DAMAGED <= characters
        }
        _ => damaged * CHARACTERS_A_DAMAGED_OF_SEVEN_BITS <= characters,
    }
}

/// How many characters are not ASCII.
pub fn beyond_ascii(text: &str) -> usize {
    count_characters(text.as_bytes()) - (text.len() - count_beyond_ascii(text.as_bytes()))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    Latin,
    Cyrillic,
    Greek,
    Hebrew,
    Arabic,
    Thai,
}

/// The script of an encoding of one byte a character.
fn script(charset: Charset) -> Script {
    let Charset::Standard(encoding) = charset else { return Script::Latin };
    let found = SCRIPTS.iter().find(|(_, encodings)| encodings.contains(&encoding));
    found.map_or(Script::Latin, |(script, _)| *script)
}

/// Stretches of bytes beyond ASCII.
#[derive(Default)]
struct Runs {
    count: usize,
    /// Those beside a letter of ASCII: most of them where text is in Latin letters.
    in_words: usize,
}

impl Runs {
    fn of(bytes: &[u8]) -> Runs {
        let mut runs = Runs::default();
        let mut at = ascii_length(bytes);
        while at < bytes.len() {
            let end = at + bytes[at..].iter().take_while(|byte| !byte.is_ascii()).count();
            let is_letter =
                |place: Option<usize>| place.and_then(|p| bytes.get(p)).is_some_and(u8::is_ascii_alphabetic);
            runs.count += 1;
            runs.in_words += usize::from(is_letter(at.checked_sub(1)) || is_letter(Some(end)));
            at = end + ascii_length(&bytes[end..]);
        }
        runs
    }
}

/// The encoding that bytes look like.
fn guess(bytes: &[u8]) -> Charset {
    if is_simplified_chinese(bytes) {
        return Charset::Standard(GB18030); // as the detector says, too, but that takes as long as to read ten pages
    }
    if is_western(bytes) {
        // Detectors take for anything what English uses of windows-1252: quotation marks, dashes, the sign of the pound.
        return Charset::Standard(WINDOWS_1252);
    }
    let detected = detect(bytes);
    let is_doubtful = commonness(bytes, detected).is_none_or(|found| found.share() < MOSTLY_COMMON);
    is_doubtful.then(|| broken_east_asian(bytes)).flatten().unwrap_or(detected)
}

/// What the detector says.
fn detect(bytes: &[u8]) -> Charset {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(&sample(bytes), true);
    Charset::Standard(detector.guess(None, Utf8Detection::Deny))
}

/// The first lines that are not ASCII.
fn sample(bytes: &[u8]) -> Vec<u8> {
    let window = &bytes[..bytes.len().min(WINDOW)];
    let mut shown = Vec::new();
    let mut at = 0;
    while at < window.len() && shown.len() < SAMPLE {
        let end = (find(window, at, b'\n') + 1).min(window.len());
        if !window[at..end].is_ascii() {
            shown.extend_from_slice(&window[at..end]);
        }
        at = end;
    }
    shown.truncate(SAMPLE);
    shown
}

/// The East Asian encoding of text with a few broken bytes: one is enough for the detector to rule it out.
fn broken_east_asian(bytes: &[u8]) -> Option<Charset> {
    let is_likely = |charset: &Charset| {
        let found = commonness(bytes, *charset).unwrap_or_default();
        found.characters() >= FEWEST
            && found.broken * CHARACTERS_A_BROKEN <= found.characters()
            && found.share() >= NEARLY_ALL_COMMON
    };
    EAST_ASIAN.into_iter().map(Charset::Standard).find(is_likely)
}
