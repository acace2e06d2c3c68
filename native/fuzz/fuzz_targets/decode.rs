//! Bytes -> text: whatever label they have, and however wrong it is, nothing fails, and no text is more than its bytes can mean.
#![no_main]

use dehusk_native::encodings::{decode, Content};
use libfuzzer_sys::fuzz_target;

/// Labels that a header may have; the first byte of an input chooses one.
const LABELS: &str =
    "utf-8 iso-8859-1 windows-1251 koi8-r iso-8859-2 shift_jis euc-jp iso-2022-jp gbk gb18030 big5 euc-kr \
                      iso-2022-kr hz-gb-2312 utf-7 utf-16le ibm037 ibm500 windows-874 x-user-defined";
/// Bytes of UTF-8 that one byte of a page may become, at most.
const WIDEST: usize = 3;

fuzz_target!(|data: &[u8]| {
    let Some((&choice, page)) = data.split_first() else { return };
    let labels: Vec<&str> = LABELS.split_whitespace().collect();
    let content_type =
        labels.get(usize::from(choice)).map_or(String::new(), |label| format!("text/html; charset={label}"));
    let decoded = decode(page, &content_type).expect("there is memory");
    match decoded.content {
        Content::Part(part) => assert!(std::str::from_utf8(&page[part]).is_ok()),
        Content::Made(text) => assert!(text.len() <= WIDEST * page.len() && decoded.damaged <= text.chars().count()),
    }
});
