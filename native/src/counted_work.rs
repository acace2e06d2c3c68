//! Work counted by the compiler: how often each block of code runs, and memory that is moved. Only in the build of
//! `native/counted.toml`, which tests and benchmarks use to see how work grows. The count is the same each time, but for the
//! order of hash tables.
#![allow(unsafe_code)]

use std::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering};

static WORK: AtomicU64 = AtomicU64::new(0);
/// More blocks than the library has, and a power of two.
const MAX_BLOCKS: usize = 1 << 18;
static COUNTS: [AtomicU64; MAX_BLOCKS] = [const { AtomicU64::new(0) }; MAX_BLOCKS];
/// The block that runs.
static CURRENT: AtomicUsize = AtomicUsize::new(0);
/// The block before it.
static BEFORE: AtomicUsize = AtomicUsize::new(0);
static BLOCKS: AtomicUsize = AtomicUsize::new(0);
static PLACES: AtomicPtr<Place> = AtomicPtr::new(std::ptr::null_mut());

/// Where a block is, and whether it is the first one of a function.
#[repr(C)]
pub struct Place {
    address: usize,
    begins_function: usize,
}

#[inline(always)]
fn count(block: usize, work: u64) {
    let counted = &COUNTS[block % MAX_BLOCKS];
    counted.store(counted.load(Ordering::Relaxed).wrapping_add(work), Ordering::Relaxed);
    WORK.store(WORK.load(Ordering::Relaxed).wrapping_add(work), Ordering::Relaxed);
}

/// The compiler calls this at every block of code, except in functions whose names begin like this one's.
///
/// # Safety
/// The block points to its number.
#[no_mangle]
pub unsafe extern "C" fn __sanitizer_cov_trace_pc_guard(block: *const u32) {
    let number = *block as usize;
    BEFORE.store(CURRENT.load(Ordering::Relaxed), Ordering::Relaxed);
    CURRENT.store(number, Ordering::Relaxed);
    count(number, 1);
}

/// The compiler calls this when the library is loaded, once or more often: here blocks get their numbers.
///
/// # Safety
/// What is between the pointers are the numbers of all blocks, 0 so far.
#[no_mangle]
pub unsafe extern "C" fn __sanitizer_cov_trace_pc_guard_init(first: *mut u32, end: *const u32) {
    let blocks = end.offset_from(first) as usize;
    BLOCKS.store(blocks, Ordering::Relaxed);
    for number in 0..blocks {
        *first.add(number) = number as u32;
    }
}

/// The compiler calls this when the library is loaded, with the places of all blocks.
#[no_mangle]
pub extern "C" fn __sanitizer_cov_pcs_init(first: *mut Place, _end: *const Place) {
    PLACES.store(first, Ordering::Relaxed);
}

/// Work done since the library was loaded.
#[no_mangle]
pub extern "C" fn dehusk_counted_work() -> u64 {
    WORK.load(Ordering::Relaxed)
}

/// How many blocks of code the library has.
#[no_mangle]
pub extern "C" fn dehusk_counted_blocks() -> usize {
    BLOCKS.load(Ordering::Relaxed).min(MAX_BLOCKS)
}

/// The work of each block since the library was loaded.
#[no_mangle]
pub extern "C" fn dehusk_work_of_blocks() -> *const u64 {
    COUNTS.as_ptr().cast() // C declarations are made of all functions, and C has no such type
}

/// The place of each block.
#[no_mangle]
pub extern "C" fn dehusk_places_of_blocks() -> *const Place {
    PLACES.load(Ordering::Relaxed)
}

/// What the linker calls in place of the functions of the C library that move, fill and compare memory.
#[cfg(target_os = "linux")]
#[allow(missing_docs, clippy::missing_safety_doc)]
pub mod wrapped {
    use super::{count, Ordering, BEFORE};
    use std::ffi::{c_int, c_void};

    /// Bytes that count as one block of code.
    const BYTES_OF_A_BLOCK: usize = 8;

    extern "C" {
        fn __real_memcpy(to: *mut c_void, from: *const c_void, length: usize) -> *mut c_void;
        fn __real_memmove(to: *mut c_void, from: *const c_void, length: usize) -> *mut c_void;
        fn __real_memset(to: *mut c_void, byte: c_int, length: usize) -> *mut c_void;
        fn __real_memcmp(first: *const c_void, second: *const c_void, length: usize) -> c_int;
        fn __real_bcmp(first: *const c_void, second: *const c_void, length: usize) -> c_int;
    }

    /// Counts as work of the block that calls one of these functions, each of which is a block itself.
    #[inline(always)]
    fn count_bytes(length: usize) {
        count(BEFORE.load(Ordering::Relaxed), (length / BYTES_OF_A_BLOCK) as u64);
    }

    #[no_mangle]
    pub unsafe extern "C" fn __wrap_memcpy(to: *mut c_void, from: *const c_void, length: usize) -> *mut c_void {
        count_bytes(length);
        __real_memcpy(to, from, length)
    }

    #[no_mangle]
    pub unsafe extern "C" fn __wrap_memmove(to: *mut c_void, from: *const c_void, length: usize) -> *mut c_void {
        count_bytes(length);
        __real_memmove(to, from, length)
    }

    #[no_mangle]
    pub unsafe extern "C" fn __wrap_memset(to: *mut c_void, byte: c_int, length: usize) -> *mut c_void {
        count_bytes(length);
        __real_memset(to, byte, length)
    }

    #[no_mangle]
    pub unsafe extern "C" fn __wrap_memcmp(first: *const c_void, second: *const c_void, length: usize) -> c_int {
        count_bytes(length);
        __real_memcmp(first, second, length)
    }

    #[no_mangle]
    pub unsafe extern "C" fn __wrap_bcmp(first: *const c_void, second: *const c_void, length: usize) -> c_int {
        count_bytes(length);
        __real_bcmp(first, second, length)
    }
}
