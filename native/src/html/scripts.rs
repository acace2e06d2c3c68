//! Scripts whose text a page keeps: JSON-LD and formulas.
#![forbid(unsafe_code)]

use super::python_text::strip;

const JSON_LD: &[u8] = b"application/ld+json";
/// Start of the `type` of a script that holds a formula.
const MATH_SCRIPT: &[u8] = b"math/tex";

/// Whether a script of this `type` may be kept.
pub fn is_kept(script_type: &[u8]) -> bool {
    is_formula(script_type) || is_json_ld(script_type)
}

/// Whether a script of this `type` holds a formula.
pub fn is_formula(script_type: &[u8]) -> bool {
    script_type.get(..MATH_SCRIPT.len()).is_some_and(|start| start.eq_ignore_ascii_case(MATH_SCRIPT))
}

/// Whether a script of this `type` should hold JSON-LD.
pub fn is_json_ld(script_type: &[u8]) -> bool {
    strip(script_type).eq_ignore_ascii_case(JSON_LD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_in_any_case() {
        for kept in ["application/ld+json", " Application/LD+JSON\n", "math/tex", "Math/TeX; mode=display"] {
            assert!(is_kept(kept.as_bytes()), "{kept}");
        }
        for other in ["", "text/javascript", "application/ld+json; x", " math/tex", "math/te"] {
            assert!(!is_kept(other.as_bytes()), "{other}");
        }
    }
}
