//! Calls of the interface as Python makes them.
#![allow(unsafe_code)]

use super::*;
use std::ffi::CStr;

#[test]
fn the_version_is_a_c_string() {
    // SAFETY: the function returns a static string that ends with a zero byte.
    let version = unsafe { CStr::from_ptr(dehusk_version()) };
    assert_eq!(version.to_str(), Ok(env!("CARGO_PKG_VERSION")));
}

#[test]
fn arrays_cross_and_failures_are_told() {
    let numbers = [1.5f32, 2.5];
    let array = lent(&numbers, F32);
    let unknown = Array { kind: 9, ..lent(&numbers, F32) };
    // SAFETY: the arrays outlive the calls; the outcome is freed once, at the end.
    unsafe {
        assert!(matches!(values_of(&array), Ok(Values::F32(values)) if values == numbers));
        assert!(values_of(&unknown).is_err());
        let Summary { outcome, status, .. } = dehusk_network_new(&unknown, 1);
        assert_eq!(status, REFUSED);
        let message = dehusk_outcome_message(outcome);
        assert_eq!(slice::<u8>(&message).unwrap(), b"no type has the number 9");
        assert_eq!(dehusk_outcome_column(outcome, 0).length, 0);
        assert!(dehusk_outcome_network(outcome).is_null());
        dehusk_outcome_free(outcome as *mut Outcome);
    }
}

#[test]
fn what_is_no_page_is_refused() {
    // SAFETY: the outcomes are freed once, after the calls that borrow them.
    unsafe {
        let html = b"<p>one";
        let page = dehusk_page_read(html.as_ptr(), html.len(), 0, 9, 9, 9, std::ptr::null(), 0);
        let blocks = dehusk_page_blocks(page.outcome);
        assert_eq!((page.status, blocks.status), (DONE, DONE));
        assert_eq!(slice::<u8>(&blocks.column).unwrap(), b"one\0");
        let other = dehusk_page_blocks(blocks.outcome);
        assert_eq!(other.status, REFUSED);
        let broken = dehusk_page_read(b"<p>\xff".as_ptr(), 4, 1, 9, 9, 9, std::ptr::null(), 0);
        assert_eq!(slice::<u8>(&dehusk_outcome_message(broken.outcome)).unwrap(), b"html is not UTF-8");
        for Summary { outcome, .. } in [page, blocks, other, broken] {
            dehusk_outcome_free(outcome as *mut Outcome);
        }
    }
}
