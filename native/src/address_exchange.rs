//! Addresses that cross the interface.
#![forbid(unsafe_code)]

use crate::addresses::base_address::base_address;
use crate::addresses::safety::safe_address;
use crate::arrays::{Arguments, Column};
use crate::blocks::page_view::StringList;
use crate::failure::Failure;
use crate::outcome::Outcome;

/// Addresses as seen from a base, absolute and safe; empty for those that are not. Columns: UTF-8, and where each ends in bytes.
///
/// Arrays: the base, the addresses (UTF-8), and where each ends in bytes.
pub fn resolve_addresses(arguments: &mut Arguments) -> Result<Outcome, Failure> {
    let base = arguments.text("base")?;
    let addresses = given_addresses(arguments)?;
    let resolved = (0..addresses.len()).map(|index| safe_address(addresses.get(index), base));
    Ok(Outcome { columns: listed(resolved), ..Outcome::default() })
}

/// The same for addresses on a page: seen from its base, and after its own address, which is seen from nowhere.
///
/// Arrays: its address, the others (UTF-8), and where each of them ends in bytes.
pub fn addresses_on_page(page: &Outcome, arguments: &mut Arguments) -> Result<Vec<Column>, Failure> {
    let own = arguments.text("address")?;
    let base = base_address(&page.read_page()?.view(), own);
    let addresses = given_addresses(arguments)?;
    let resolved = (0..addresses.len()).map(|index| safe_address(addresses.get(index), &base));
    Ok(listed(std::iter::once(safe_address(own, "")).chain(resolved)))
}

/// The next two arrays.
fn given_addresses<'a>(arguments: &mut Arguments<'a>) -> Result<StringList<'a>, Failure> {
    Ok(StringList { text: arguments.text("addresses")?, end: arguments.i64s("address_end")? })
}

/// Addresses as columns.
fn listed(addresses: impl Iterator<Item = String>) -> Vec<Column> {
    let (mut text, mut end) = (String::new(), Vec::new());
    for address in addresses {
        text.push_str(&address);
        end.push(text.len() as i64);
    }
    vec![Column::U8(text.into_bytes()), Column::I64(end)]
}
