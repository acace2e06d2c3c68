//! What the fuzz targets share: a page that was read from the input, and scores that depend on it.
#![forbid(unsafe_code)]

use dehusk_native::columns::Limits;
use dehusk_native::decoding_exchange::Source;
use dehusk_native::outcome::Outcome;
use dehusk_native::page_exchange::{blocks_of_page, read_page};

/// The address of every page: relative links are resolved.
pub const ADDRESS: &[u8] = b"https://a.example/section/page.html";
/// The page types that a network tells apart.
pub const TYPES: usize = 8;
/// Bytes at the beginning of an input that choose options; the rest is the page.
pub const OPTIONS: usize = 4;

/// A page and its blocks.
pub struct Fuzzed {
    /// The page.
    pub read: Outcome,
    /// Its blocks.
    pub blocks: Outcome,
}

impl Fuzzed {
    /// Reads bytes as a page; None if they have to be decoded in another way first.
    pub fn new(html: &[u8]) -> Option<Self> {
        let text = String::from_utf8_lossy(html);
        let source = Source { bytes: text.as_bytes(), is_decoded: true };
        let read = read_page(&source, None, &Limits::default()).expect("text is read");
        let blocks = blocks_of_page(read.page.as_ref()?).expect("there is memory");
        Some(Fuzzed { read, blocks })
    }

    /// The number of blocks.
    pub fn size(&self) -> usize {
        self.blocks.found_blocks().map_or(0, |blocks| blocks.segments.len())
    }
}

/// Numbers that look random and depend on a seed alone.
pub struct Numbers(u64);

impl Numbers {
    /// Those of the bytes that choose options.
    pub fn new(seed: &[u8]) -> Self {
        Numbers(
            seed.iter()
                .fold(0x9E37_79B9_7F4A_7C15, |state, &byte| (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)),
        )
    }

    /// The next one, of 32 bits.
    pub fn draw(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 32) as u32
    }

    /// The next one, from -4 to 4: log-odds.
    pub fn log_odds(&mut self) -> f32 {
        (f64::from(self.draw()) / f64::from(u32::MAX) * 8.0 - 4.0) as f32
    }
}
