//! Page -> document of random blocks, in every form and with every option of what it shows.
#![no_main]

use dehusk_fuzz::{Fuzzed, Numbers, ADDRESS, OPTIONS};
use dehusk_native::arrays::{Arguments, Column, Values};
use dehusk_native::document_exchange::Wanted;
use libfuzzer_sys::fuzz_target;
use std::str::from_utf8;

/// Forms by their numbers, with the arrays that each takes first: text, columns, Markdown, html, XML, TEI.
const FORMS: [&[Values<'static>]; 6] = [&TEXT, &[], &[], &[], &FACTS, &FACTS];
const TEXT: [Values; 2] = [Values::U8(b"* "), Values::U8(b"\t")];
/// Address, name, method and confidence of a page, and its title.
const FACTS: [Values; 2] = [Values::U8(b"unm.9titleT<&>meta"), Values::I64(&[1, 2, 3, 5, 10, 14, 18])];
/// One past the highest bit of `document::source::show`.
const SHOWN_BITS: u32 = 13;

fuzz_target!(|data: &[u8]| {
    if data.len() < OPTIONS {
        return;
    }
    let (options, html) = data.split_at(OPTIONS);
    let Some(fuzzed) = Fuzzed::new(html) else { return };
    let mut numbers = Numbers::new(options);
    let shown = numbers.draw() & ((1 << SHOWN_BITS) - 1);
    let dropped = u32::from(options[0]) % 4;
    let keep: Vec<u8> = (0..fuzzed.size()).map(|_| u8::from(numbers.draw() % 4 >= dropped)).collect();
    let comments: Vec<u8> = keep.iter().map(|&kept| kept & u8::from(numbers.draw() % 8 == 0)).collect();
    for (form, first) in (0..).zip(FORMS) {
        let wanted = Wanted::new(form, shown, ADDRESS).expect("the address is UTF-8");
        let kept = [&keep[..], &comments, &[]].map(Values::U8);
        let document = wanted
            .document_of_page(&fuzzed.read, &fuzzed.blocks, &mut Arguments::new([first, &kept].concat()))
            .expect("every page has a document");
        match document.columns.first() {
            Some(Column::U8(text)) => assert!(from_utf8(text).is_ok()),
            _ => panic!("a document has a text"),
        }
    }
});
