//! The namespaces of elements.

#![forbid(unsafe_code)]

/// Where the meaning of an element's name is defined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Namespace {
    Html,
    Svg,
    MathMl,
}
