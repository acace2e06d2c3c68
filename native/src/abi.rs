//! The C interface, which Python calls through cffi. Its declarations are generated from this file.
//!
//! Arrays are lent for one call. What a call returns is one `Outcome`, with its summary: Python asks it for its columns,
//! lends it to other calls (a page, its blocks, a network), and frees it when nothing refers to its memory any more.
#![allow(unsafe_code)]

use crate::address_exchange::resolve_addresses;
use crate::arrays::{Arguments, Values};
use crate::calculation_exchange::calculate;
use crate::cleaning_exchange::{Cleaner, Known};
use crate::columns::Limits;
use crate::deciding::probabilities::Calibration;
use crate::deciding_exchange::{decide_page, Judge, Wishes};
use crate::decoding_exchange::Source;
use crate::derived_exchange::derived_from_page;
use crate::document_exchange::Wanted;
use crate::failure::{refused, Failure};
use crate::html::count_tags;
use crate::metadata::stored_values::may_store_unshown_text;
use crate::network::{Network, NetworkReading};
use crate::outcome::{guarded, Outcome};
use crate::page_exchange::{blocks_of_page, inputs_of_page, page_of_columns, read_page};
use crate::site_exchange::measure_page;
use crate::stopping::{number_thread, stop_thread};
use std::ffi::c_void;
use std::os::raw::c_char;

/// Number of this interface. Change it here and in `dehusk.native.library` whenever a function or a type below changes:
/// a library that was not built again is then refused, instead of called with the wrong arguments.
const INTERFACE: u32 = 24;

/// An array: where it begins, how many entries it has, and the number of their type.
#[repr(C)]
pub struct Array {
    data: *const c_void,
    length: usize,
    kind: u32,
}

/// A result, and what Python asks of every one: each question of its own would be a call.
#[repr(C)]
pub struct Summary {
    /// The result. It has to be freed, unless it is a part of another.
    outcome: *const Outcome,
    /// 0 if the call went well, or the number of what went wrong.
    status: u32,
    /// How many parts it has.
    parts: u32,
    /// The first column, as from `dehusk_outcome_column`.
    column: Array,
    /// Single numbers; the function that makes the result says what they are.
    first: f64,
    second: f64,
    third: f64,
    fourth: f64,
}

// The numbers of the types; `dehusk.native.calls` has the same.
const U8: u32 = 0;
const U16: u32 = 1;
const I32: u32 = 2;
const I64: u32 = 3;
const F32: u32 = 4;
const F64: u32 = 5;

// What became of a call; `dehusk.native.calls` has the same.
const DONE: u32 = 0;
const REFUSED: u32 = 1;
const PANICKED: u32 = 2;
const OUT_OF_MEMORY: u32 = 3;
const STOPPED: u32 = 4;

/// The number of this interface.
#[no_mangle]
pub extern "C" fn dehusk_interface() -> u32 {
    INTERFACE
}

/// The version of dehusk that the library belongs to, as a C string.
#[no_mangle]
pub extern "C" fn dehusk_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// Number this thread, so that its calls can be stopped; 0 for no longer.
#[no_mangle]
pub extern "C" fn dehusk_number_thread(number: u64) {
    number_thread(number);
}

/// Stop what the thread of a number does, or is about to do: its calls return soon, with a failure.
#[no_mangle]
pub extern "C" fn dehusk_stop_thread(number: u64) {
    stop_thread(number);
}

/// Make a network of its layers and weights; `dehusk_outcome_network` has it.
///
/// # Safety
/// `arrays` points to `count` arrays that are not written to during the call.
#[no_mangle]
pub unsafe extern "C" fn dehusk_network_new(arrays: *const Array, count: usize) -> Summary {
    returned(|| {
        let network = Network::new(&mut arguments(arrays, count)?)?;
        Ok(Outcome { network: Some(network), ..Outcome::default() })
    })
}

/// Score the blocks of a page. Columns: log-odds of content, log-odds of a comment, probabilities of page types.
///
/// # Safety
/// As of `dehusk_network_new`; `network` comes from `dehusk_outcome_network`, and its outcome was not freed.
#[no_mangle]
pub unsafe extern "C" fn dehusk_network_read(
    network: *const Network,
    policy: usize,
    arrays: *const Array,
    count: usize,
) -> Summary {
    returned(|| Ok(columns_of((*network).read(&mut arguments(arrays, count)?, policy)?)))
}

/// Score the blocks of a page, measuring them on the way. Columns: those of `dehusk_network_read`.
///
/// # Safety
/// As of `dehusk_network_read`; `page` and `blocks` were returned by `dehusk_page_read` and `dehusk_page_blocks`, and not
/// freed. The same holds for the functions below.
#[no_mangle]
pub unsafe extern "C" fn dehusk_network_judge(
    network: *const Network,
    policy: usize,
    page: *const Outcome,
    blocks: *const Outcome,
) -> Summary {
    returned(|| {
        let (page, blocks) = ((*page).read_page()?.view(), (*blocks).found_blocks()?);
        Ok(columns_of((*network).read_page(&page, blocks, policy)?))
    })
}

/// Score the blocks of a page, and find what its site counts of them; `site_exchange` lists the columns.
///
/// # Safety
/// As of `dehusk_network_judge`.
#[no_mangle]
pub unsafe extern "C" fn dehusk_page_measure(
    network: *const Network,
    page: *const Outcome,
    blocks: *const Outcome,
) -> Summary {
    returned(|| measure_page(&*network, (*page).read_page()?, (*blocks).found_blocks()?))
}

/// What the network found, as an outcome.
fn columns_of(reading: NetworkReading) -> Outcome {
    Outcome { columns: reading.into_columns(), ..Outcome::default() }
}

/// How many tags a page can have: the `<` in it.
///
/// # Safety
/// `data` points to `length` bytes that are not written to during the call.
#[no_mangle]
pub unsafe extern "C" fn dehusk_count_tags(data: *const u8, length: usize) -> usize {
    count_tags(bytes(data, length))
}

/// Read html into a page; `page_exchange` lists its columns. `decoded` is 1 if it is UTF-8, and 0 if that is to be found out;
/// `arrays` are null, or an article to insert.
///
/// # Safety
/// As of `dehusk_count_tags` and `dehusk_network_new`.
#[no_mangle]
pub unsafe extern "C" fn dehusk_page_read(
    html: *const u8,
    length: usize,
    decoded: u32,
    nodes: usize,
    attributes: usize,
    depth: i32,
    arrays: *const Array,
    count: usize,
) -> Summary {
    returned(|| {
        let article = if arrays.is_null() { None } else { Some(arguments(arrays, count)?) };
        read_page(&source(html, length, decoded), article, &Limits { nodes, attributes, depth })
    })
}

/// Make a page of its columns again.
///
/// # Safety
/// As of `dehusk_network_new`.
#[no_mangle]
pub unsafe extern "C" fn dehusk_page_new(arrays: *const Array, count: usize) -> Summary {
    returned(|| page_of_columns(&mut arguments(arrays, count)?))
}

/// Whether a script of the page may store text that the page does not show, by `metadata::stored_values`: 1 or 0.
///
/// # Safety
/// See `dehusk_network_judge`.
#[no_mangle]
pub unsafe extern "C" fn dehusk_page_stores_text(page: *const Outcome) -> u32 {
    (*page).page.as_ref().map_or(0, |page| u32::from(may_store_unshown_text(page)))
}

/// Judge a page: read it with a network, unless that is null and the arrays have a reading. A threshold that is no number
/// stands for the best one.
///
/// # Safety
/// As of `dehusk_network_read` and `dehusk_network_judge`; `types` was returned by `dehusk_calculate`, and not freed.
#[no_mangle]
pub unsafe extern "C" fn dehusk_page_judge(
    network: *const Network,
    types: *const Outcome,
    page: *const Outcome,
    blocks: *const Outcome,
    scale: f64,
    offset: f64,
    threshold: f64,
    arrays: *const Array,
    count: usize,
) -> Summary {
    returned(|| {
        let judge = Judge {
            network: network.as_ref(),
            types: (*types).type_weights()?,
            calibration: Calibration { scale, offset },
            threshold: Some(threshold).filter(|threshold| !threshold.is_nan()),
        };
        judge.judge_page((*page).read_page()?, (*blocks).found_blocks()?, &mut arguments(arrays, count)?)
    })
}

/// Decide what to keep of a page.
///
/// # Safety
/// As of `dehusk_network_new` and `dehusk_network_judge`.
#[no_mangle]
pub unsafe extern "C" fn dehusk_page_decide(
    page: *const Outcome,
    blocks: *const Outcome,
    threshold: f64,
    step: f64,
    forum: f64,
    comments: u32,
    arrays: *const Array,
    count: usize,
) -> Summary {
    returned(|| {
        let wishes = Wishes { threshold, step, forum, wants_comments: comments != 0 };
        let (page, blocks, arguments) = (&*page, (*blocks).found_blocks()?, &mut arguments(arrays, count)?);
        let structures = page.structures()?;
        decide_page(page.read_page()?, &structures, blocks, &wishes, arguments)
    })
}

/// Read a page, find its blocks, judge them with a network, and decide what to keep; `cleaning_exchange` lists the parts of
/// the page that is returned.
///
/// # Safety
/// As of `dehusk_page_read` and `dehusk_page_judge`; the network is not null, and `address` is lent as `html` is.
#[no_mangle]
pub unsafe extern "C" fn dehusk_page_clean(
    html: *const u8,
    length: usize,
    decoded: u32,
    address: *const u8,
    address_length: usize,
    network: *const Network,
    types: *const Outcome,
    arrays: *const Array,
    count: usize,
) -> Summary {
    returned(|| {
        let (types, address) = ((*types).type_weights()?, bytes(address, address_length));
        let cleaner = Cleaner::new(&*network, types, address, &mut arguments(arrays, count)?)?;
        cleaner.clean(&source(html, length, decoded))
    })
}

/// The same for a page that was read. What is returned has the parts, and not the page. `blocks` and `measured` are null, or
/// what `dehusk_page_blocks` and `dehusk_page_measure` returned.
///
/// # Safety
/// As of `dehusk_page_clean` and `dehusk_network_judge`.
#[no_mangle]
pub unsafe extern "C" fn dehusk_page_clean_read(
    page: *const Outcome,
    blocks: *const Outcome,
    measured: *const Outcome,
    address: *const u8,
    address_length: usize,
    network: *const Network,
    types: *const Outcome,
    arrays: *const Array,
    count: usize,
) -> Summary {
    returned(|| {
        let (types, address) = ((*types).type_weights()?, bytes(address, address_length));
        let cleaner = Cleaner::new(&*network, types, address, &mut arguments(arrays, count)?)?;
        let known = Known { blocks: blocks.as_ref(), measured: measured.as_ref() };
        Ok(Outcome { parts: cleaner.parts(&*page, known)?, ..Outcome::default() })
    })
}

/// Something else about pages and scores, by its number in `calculation_exchange`, which lists what it takes and gives.
///
/// # Safety
/// As of `dehusk_network_new`; `first` and `second` are null or were returned by functions of this interface, and not freed.
#[no_mangle]
pub unsafe extern "C" fn dehusk_calculate(
    what: u32,
    first: *const Outcome,
    second: *const Outcome,
    arrays: *const Array,
    count: usize,
) -> Summary {
    returned(|| calculate(what, [first.as_ref(), second.as_ref()], &mut arguments(arrays, count)?))
}

/// Find the blocks of a page.
///
/// # Safety
/// See `dehusk_network_judge`.
#[no_mangle]
pub unsafe extern "C" fn dehusk_page_blocks(page: *const Outcome) -> Summary {
    returned(|| blocks_of_page((*page).read_page()?))
}

/// Measure the blocks of a page for the network.
///
/// # Safety
/// See `dehusk_network_judge`.
#[no_mangle]
pub unsafe extern "C" fn dehusk_page_inputs(page: *const Outcome, blocks: *const Outcome) -> Summary {
    returned(|| inputs_of_page((*page).read_page()?, (*blocks).found_blocks()?))
}

/// Make a document of the kept blocks of a page; `document_exchange` lists the forms, the arrays and the columns. `blocks`
/// are those of the page, or what `dehusk_page_clean` returned: then what is kept is known.
///
/// # Safety
/// As of `dehusk_network_new` and `dehusk_network_judge`; `address` points to so many bytes.
#[no_mangle]
pub unsafe extern "C" fn dehusk_page_document(
    page: *const Outcome,
    blocks: *const Outcome,
    form: u32,
    shown: u32,
    address: *const u8,
    address_length: usize,
    arrays: *const Array,
    count: usize,
) -> Summary {
    returned(|| {
        let wanted = Wanted::new(form, shown, bytes(address, address_length))?;
        wanted.document_of_page(&*page, &*blocks, &mut arguments(arrays, count)?)
    })
}

/// Derive something from a page; `derived_exchange` lists what, and the columns.
///
/// # Safety
/// See `dehusk_network_judge`.
#[no_mangle]
pub unsafe extern "C" fn dehusk_page_derive(page: *const Outcome, what: u32) -> Summary {
    returned(|| derived_from_page((*page).read_page()?, what))
}

/// Resolve addresses: make them absolute, and safe.
///
/// # Safety
/// As of `dehusk_network_new`.
#[no_mangle]
pub unsafe extern "C" fn dehusk_addresses(arrays: *const Array, count: usize) -> Summary {
    returned(|| resolve_addresses(&mut arguments(arrays, count)?))
}

/// What went wrong, as UTF-8.
///
/// # Safety
/// `outcome` was returned by a function of this interface, and not freed. The same holds for all functions below.
#[no_mangle]
pub unsafe extern "C" fn dehusk_outcome_message(outcome: *const Outcome) -> Array {
    match &(*outcome).failure {
        Some(Failure::Refused(words)) | Some(Failure::Panicked(words)) => lent(words.as_bytes(), U8),
        _ => lent::<u8>(&[], U8),
    }
}

/// A column by its number; an empty array beyond the last.
///
/// # Safety
/// See `dehusk_outcome_message`.
#[no_mangle]
pub unsafe extern "C" fn dehusk_outcome_column(outcome: *const Outcome, number: usize) -> Array {
    let outcome = &*outcome;
    match outcome.column(number) {
        Some(Values::U8(values)) => lent(values, U8),
        Some(Values::U16(values)) => lent(values, U16),
        Some(Values::I32(values)) => lent(values, I32),
        Some(Values::I64(values)) => lent(values, I64),
        Some(Values::F32(values)) => lent(values, F32),
        Some(Values::F64(values)) => lent(values, F64),
        None => lent::<u8>(&[], U8),
    }
}

/// The network that was made, or null. It lives as long as the outcome.
///
/// # Safety
/// See `dehusk_outcome_message`.
#[no_mangle]
pub unsafe extern "C" fn dehusk_outcome_network(outcome: *const Outcome) -> *const Network {
    let outcome = &*outcome;
    outcome.network.as_ref().map_or(std::ptr::null(), |network| network)
}

/// A part of an outcome, by its number, or the whole if there are not so many. It lives as long as the outcome, and is not freed apart.
///
/// # Safety
/// See `dehusk_outcome_message`.
#[no_mangle]
pub unsafe extern "C" fn dehusk_outcome_part(outcome: *const Outcome, number: usize) -> Summary {
    let outcome = &*outcome;
    summary(outcome.parts.get(number).unwrap_or(outcome))
}

/// Free an outcome, and all memory that its arrays refer to.
///
/// # Safety
/// See `dehusk_outcome_message`; once.
#[no_mangle]
pub unsafe extern "C" fn dehusk_outcome_free(outcome: *mut Outcome) {
    drop(Box::from_raw(outcome));
}

fn returned(work: impl FnOnce() -> Result<Outcome, Failure>) -> Summary {
    // SAFETY: the outcome was made here.
    unsafe { summary(Box::into_raw(Box::new(guarded(work)))) }
}

/// A result with what became of the call.
///
/// SAFETY: `outcome` was returned by a function of this interface, and not freed.
unsafe fn summary(outcome: *const Outcome) -> Summary {
    let column = dehusk_outcome_column(outcome, 0);
    let Outcome { failure, parts, numbers, .. } = &*outcome;
    let status = match failure {
        None => DONE,
        Some(Failure::Refused(_)) => REFUSED,
        Some(Failure::Panicked(_)) => PANICKED,
        Some(Failure::OutOfMemory) => OUT_OF_MEMORY,
        Some(Failure::Stopped) => STOPPED,
    };
    let [first, second, third, fourth] = *numbers;
    Summary { outcome, status, parts: parts.len() as u32, column, first, second, third, fourth }
}

fn lent<T>(values: &[T], kind: u32) -> Array {
    Array { data: values.as_ptr().cast(), length: values.len(), kind }
}

/// SAFETY: as of `dehusk_count_tags`.
unsafe fn bytes<'a>(data: *const u8, length: usize) -> &'a [u8] {
    if length == 0 {
        return &[];
    }
    std::slice::from_raw_parts(data, length)
}

/// SAFETY: as of `dehusk_count_tags`.
unsafe fn source<'a>(data: *const u8, length: usize, decoded: u32) -> Source<'a> {
    Source { bytes: bytes(data, length), is_decoded: decoded != 0 }
}

/// SAFETY: as of `dehusk_network_new`.
unsafe fn arguments<'a>(arrays: *const Array, count: usize) -> Result<Arguments<'a>, Failure> {
    let arrays = std::slice::from_raw_parts(arrays, count);
    let values: Result<Vec<_>, _> = arrays.iter().map(|array| values_of(array)).collect();
    values.map(Arguments::new)
}

/// SAFETY: the array is not written to during the call.
unsafe fn values_of<'a>(array: &Array) -> Result<Values<'a>, Failure> {
    match array.kind {
        U8 => slice(array).map(Values::U8),
        U16 => slice(array).map(Values::U16),
        I32 => slice(array).map(Values::I32),
        I64 => slice(array).map(Values::I64),
        F32 => slice(array).map(Values::F32),
        F64 => slice(array).map(Values::F64),
        other => Err(refused(format!("no type has the number {}", other))),
    }
}

/// SAFETY: as of `values_of`, and the entries are of this type.
unsafe fn slice<'a, T>(array: &Array) -> Result<&'a [T], Failure> {
    if array.length == 0 {
        return Ok(&[]);
    }
    if array.data as usize % std::mem::align_of::<T>() != 0 {
        return Err(refused("an array is not aligned".to_string()));
    }
    Ok(std::slice::from_raw_parts(array.data.cast(), array.length))
}

#[cfg(test)]
mod tests;
