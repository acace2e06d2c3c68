//! Blocks -> dense features: 139 numbers a block, each about as large as 1.
//!
//! Counts go through a logarithm, shares stay as they are. Families of features follow each other; their order and that
//! within them is the order in which the network was trained.
#![forbid(unsafe_code)]

use super::feature_numbers::{bounded, flag, log, share, Logarithms};
use super::measurements::Measurements;
use super::page_features::{page_features, Centre, Positions, Repetitions, PAGE_FEATURES, VOTES};
use super::part_features::{PartFeatures, OF_PART};
use super::surroundings::PARTS;
use super::text_counts::word_kind;
use crate::blocks::character_properties::kind as character_kind;
use crate::blocks::kinds::kind;
use crate::blocks::tags::{by_tag, look_up, TAGS};

/// Features of a block.
pub const FEATURES: usize = 139;

/// Where families of features begin, after those of text: titles; kinds; elements around; positions; repetitions; parts of
/// the page; places in them, which differ from block to block; the centre of the text; what else is known of it; the page.
const TITLES: usize = 22;
const KINDS: usize = TITLES + 6;
const AROUND: usize = KINDS + kind::NUMBER + 4;
const POSITIONS: usize = AROUND + ENCLOSING_TAGS + 2;
const REPETITIONS: usize = POSITIONS + 8;
const OF_PARTS: usize = REPETITIONS + 6;
const PLACES: usize = OF_PARTS + OF_PART * PARTS;
const CENTRE: usize = PLACES + PARTS;
const CENTRE_REST: usize = CENTRE + VOTES;
const OF_PAGE: usize = FEATURES - PAGE_FEATURES;

/// The feature that says that a block is a heading.
pub const HEADING: usize = KINDS + kind::HEADING as usize;

/// Groups of columns that neighbours often have in common: kinds and elements around; parts of the page; and the page.
pub const IN_COMMON: [&[(usize, usize)]; 3] =
    [&[(KINDS, POSITIONS)], &[(OF_PARTS, PLACES), (CENTRE, CENTRE_REST)], &[(OF_PAGE, FEATURES)]];

/// Of each group, whether a row may differ in it from the row before.
pub type Changes = [bool; IN_COMMON.len()];

/// Elements whose being somewhere above a block is a feature, a bit each.
#[rustfmt::skip]
const ENCLOSING: [u32; TAGS.len() + 1] = by_tag([
    ("article", 1), ("main", 1 << 1), ("section", 1 << 2), ("nav", 1 << 3), ("footer", 1 << 4), ("aside", 1 << 5),
    ("header", 1 << 6), ("form", 1 << 7), ("table", 1 << 8), ("ul", 1 << 9), ("ol", 1 << 10), ("dl", 1 << 11),
    ("li", 1 << 12), ("blockquote", 1 << 13), ("figure", 1 << 14), ("address", 1 << 15), ("button", 1 << 16),
    ("p", 1 << 17), ("td", 1 << 18), ("a", 1 << 19),
]);
const ENCLOSING_TAGS: usize = 20;

/// Dense features of blocks, written one block after the other.
pub trait DenseRows {
    /// Writes the row of a block, whatever was in it. Of groups that are the same as in the block before, nothing may be written.
    fn write(&mut self, block: usize, row: &mut [f32]) -> Changes;
}

/// The features of the blocks of a page, finite, from -4 to 4.
pub struct DenseFeatures<'a> {
    measured: &'a Measurements<'a>,
    enclosing: Vec<u32>,
    /// Of the block before.
    around: Option<Around>,
    positions: Positions<'a>,
    repetitions: Repetitions<'a>,
    parts: PartFeatures<'a>,
    centre: Centre<'a>,
    of_page: [f32; PAGE_FEATURES],
    logarithms: Logarithms,
}

impl<'a> DenseFeatures<'a> {
    /// Before the first block. Looks number the blocks that look alike.
    pub fn new(measured: &'a Measurements<'a>, looks: &'a [u32], same_text: &'a [u32]) -> Self {
        DenseFeatures {
            measured,
            enclosing: enclosing_tags(measured),
            around: None,
            positions: Positions::new(measured),
            repetitions: Repetitions::new(measured, looks, same_text),
            parts: PartFeatures::new(measured),
            centre: Centre::new(measured),
            of_page: page_features(measured),
            logarithms: Logarithms::new(),
        }
    }
}

impl DenseRows for DenseFeatures<'_> {
    fn write(&mut self, index: usize, row: &mut [f32]) -> Changes {
        let (measured, is_first, logarithms) = (self.measured, self.around.is_none(), &self.logarithms);
        let around = Some(Around::new(measured, index, &self.enclosing));
        let changes = [self.around != around, self.parts.go_to(index, logarithms), is_first];
        self.around = around;
        put(&mut row[..TITLES], &text_features(measured, index, logarithms));
        put(&mut row[TITLES..KINDS], &title_features(measured, index));
        if let (true, Some(around)) = (changes[0], around) {
            put(&mut row[KINDS..AROUND], &around.kind_features());
            put(&mut row[AROUND..POSITIONS], &around.enclosing_features());
        }
        put(&mut row[POSITIONS..REPETITIONS], &self.positions.features(index, logarithms));
        put(&mut row[REPETITIONS..OF_PARTS], &self.repetitions.features(index, logarithms));
        if changes[1] {
            put(&mut row[OF_PARTS..PLACES], &self.parts.features);
            put(&mut row[CENTRE..CENTRE_REST], &self.centre.votes(index));
        }
        put(&mut row[PLACES..CENTRE], &self.parts.places(index));
        put(&mut row[CENTRE_REST..OF_PAGE], &self.centre.features(index, logarithms));
        if is_first {
            put(&mut row[OF_PAGE..], &self.of_page);
        }
        changes
    }
}

/// Writes the features of a family.
#[inline(always)]
fn put<const N: usize>(row: &mut [f32], family: &[f32; N]) {
    for (own, value) in row[..N].iter_mut().zip(family) {
        *own = bounded(*value);
    }
}

/// What the text of a block is made of.
#[inline]
fn text_features(measured: &Measurements, index: usize, logarithms: &Logarithms) -> [f32; 22] {
    let texts = &measured.texts.blocks[index];
    let [letters, digits, upper, punctuation, commas, stops, signs, separators] = texts.kinds.map(|count| count as f32);
    let (characters, words) = (texts.characters as f32, texts.words as f32);
    let link_share = measured.link_share[index];
    let logarithm_of = |count: u32| logarithms.of(count as usize);
    [
        logarithm_of(texts.characters),
        logarithm_of(texts.words),
        flag(measured.long[index] > 0),
        logarithm_of(texts.kinds[character_kind::STOP]),
        logarithm_of(texts.kinds[character_kind::COMMA]),
        link_share,
        log(words * (1.0 - link_share)),
        share(letters, characters),
        share(digits, characters),
        share(upper, letters),
        share(upper, words),
        share(4.0 * punctuation, characters),
        share(4.0 * signs, characters),
        share(separators, words),
        share(4.0 * commas, words),
        share(4.0 * stops, words),
        share(letters, 10.0 * words.max(1.0)),
        share(2.0 * texts.word_kinds[word_kind::FUNCTION] as f32, words),
        flag(texts.ends_sentence),
        flag(texts.starts_upper),
        logarithm_of(measured.links[index]),
        flag(measured.segments.hidden[index] != 0),
    ]
}

/// Words shared with the title, the first heading and the descriptions: as shares of the block's words, and of theirs.
#[inline]
fn title_features(measured: &Measurements, index: usize) -> [f32; 6] {
    let texts = &measured.texts.blocks[index];
    let mut features = [0.0; 6];
    for (number, pair) in features.chunks_exact_mut(2).enumerate() {
        let found = texts.word_kinds[word_kind::IN_TITLE + number];
        if found == 0 {
            continue;
        }
        let sought = measured.texts.sought[number].max(1);
        pair[0] = share(found as f32, texts.words as f32);
        pair[1] = share(found.min(sought) as f32, sought as f32);
    }
    features
}

/// What a block is to a reader, which elements it is in, and how deep.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Around {
    kind: u8,
    level: i32,
    enclosing: u32,
    depth: i32,
    owner_depth: i32,
}

impl Around {
    /// What is around a block.
    fn new(measured: &Measurements, index: usize, enclosing: &[u32]) -> Self {
        let (page, segments) = (measured.page, measured.segments);
        let first = segments.first_row[index] as usize;
        Around {
            kind: measured.kinds.kind[index],
            level: measured.kinds.level[index],
            enclosing: enclosing[first],
            depth: page.depth[first],
            owner_depth: page.depth[segments.owner[index].max(0) as usize],
        }
    }

    /// What the block is.
    fn kind_features(&self) -> [f32; kind::NUMBER + 4] {
        let mut features = [0.0; kind::NUMBER + 4];
        features[usize::from(self.kind)] = 1.0;
        match self.kind {
            kind::HEADING if self.level <= 3 => features[kind::NUMBER + self.level as usize - 1] = 1.0,
            kind::LIST_ITEM => features[kind::NUMBER + 3] = share(self.level as f32, 4.0),
            _ => (),
        }
        features
    }

    /// Which elements it is in, and how deep.
    fn enclosing_features(&self) -> [f32; ENCLOSING_TAGS + 2] {
        let mut features = [0.0; ENCLOSING_TAGS + 2];
        for (number, feature) in features.iter_mut().take(ENCLOSING_TAGS).enumerate() {
            *feature = flag(self.enclosing >> number & 1 == 1);
        }
        features[ENCLOSING_TAGS] = share(self.owner_depth as f32, 16.0);
        features[ENCLOSING_TAGS + 1] = share((self.depth - self.owner_depth) as f32, 4.0);
        features
    }
}

/// One entry per row of the page: the bits of its tag and of those around it.
fn enclosing_tags(measured: &Measurements) -> Vec<u32> {
    let page = measured.page;
    let mut enclosing = vec![0; page.len()];
    for (row, (&tag, &parent)) in page.tag.iter().zip(page.parent).enumerate() {
        let around = enclosing.get(parent as usize).copied().unwrap_or(0);
        enclosing[row] = around | look_up(&ENCLOSING, tag);
    }
    enclosing
}
