//! Addresses that cross the interface.
#![forbid(unsafe_code)]

use crate::addresses::safety::safe_address;
use crate::blocks::page_view::StringList;
use crate::exchange::{Arguments, Column, Failure, Outcome};

/// Addresses as seen from a base, absolute and safe; empty for those that are not. Columns: UTF-8, and where each ends in bytes.
///
/// Arrays: the base, the addresses (UTF-8), and where each ends in bytes.
pub fn resolve_addresses(arguments: &mut Arguments) -> Result<Outcome, Failure> {
    let base = arguments.text("base")?;
    let addresses = StringList { text: arguments.text("addresses")?, end: arguments.i64s("address_end")? };
    let (mut text, mut end) = (String::new(), Vec::with_capacity(addresses.len()));
    for index in 0..addresses.len() {
        text.push_str(&safe_address(addresses.get(index), base));
        end.push(text.len() as i64);
    }
    Ok(Outcome { columns: vec![Column::U8(text.into_bytes()), Column::I64(end)], ..Outcome::default() })
}
