//! The C interface, which Python calls through cffi. Its declarations are generated from this file.
#![allow(unsafe_code)]

use std::os::raw::c_char;

/// Number of this interface. Change it here and in `dehusk.native.library` whenever a function or a type below changes:
/// a library that was not built again is then refused, instead of called with the wrong arguments.
const INTERFACE: u32 = 1;

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

#[cfg(test)]
mod tests {
    use super::dehusk_version;
    use std::ffi::CStr;

    #[test]
    fn the_version_is_a_c_string() {
        // SAFETY: the function returns a static string that ends with a zero byte.
        let version = unsafe { CStr::from_ptr(dehusk_version()) };
        assert_eq!(version.to_str(), Ok(env!("CARGO_PKG_VERSION")));
    }
}
