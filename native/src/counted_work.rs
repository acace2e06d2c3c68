//! Work counted by the compiler: blocks of code that run, and memory that is moved. Only in the build of `native/counted.toml`,
//! which tests and benchmarks use to see how work grows. The count is the same each time, but for the order of hash tables.
#![allow(unsafe_code)]

use std::sync::atomic::{AtomicU64, Ordering};

static WORK: AtomicU64 = AtomicU64::new(0);

/// The compiler calls this at every block of code, except in functions whose names begin like this one's.
#[no_mangle]
pub extern "C" fn __sanitizer_cov_trace_pc() {
    WORK.store(WORK.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
}

/// Work done since the library was loaded.
#[no_mangle]
pub extern "C" fn dehusk_counted_work() -> u64 {
    WORK.load(Ordering::Relaxed)
}

/// What the linker calls in place of the functions of the C library that move, fill and compare memory.
#[cfg(target_os = "linux")]
#[allow(missing_docs, clippy::missing_safety_doc)]
pub mod wrapped {
    use super::{Ordering, WORK};
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

    fn count_bytes(length: usize) {
        let work = WORK.load(Ordering::Relaxed);
        WORK.store(work.wrapping_add((length / BYTES_OF_A_BLOCK) as u64), Ordering::Relaxed);
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
