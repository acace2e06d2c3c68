//! Foreign content: SVG and MathML.

#![forbid(unsafe_code)]

use super::builder::{Builder, Outcome};
use super::namespaces::Namespace;
use super::open_elements::OpenElement;
use super::start_tag::StartTag;
use crate::html::attributes::{COLOR, ENCODING, FACE, SIZE};
use crate::html::bytes::is_space;
use crate::html::tags::*;

/// Names of SVG that have capitals, in the order of their lower case.
const SVG_NAMES: &[&str] = &[
    "altGlyph",
    "altGlyphDef",
    "altGlyphItem",
    "animateColor",
    "animateMotion",
    "animateTransform",
    "clipPath",
    "feBlend",
    "feColorMatrix",
    "feComponentTransfer",
    "feComposite",
    "feConvolveMatrix",
    "feDiffuseLighting",
    "feDisplacementMap",
    "feDistantLight",
    "feDropShadow",
    "feFlood",
    "feFuncA",
    "feFuncB",
    "feFuncG",
    "feFuncR",
    "feGaussianBlur",
    "feImage",
    "feMerge",
    "feMergeNode",
    "feMorphology",
    "feOffset",
    "fePointLight",
    "feSpecularLighting",
    "feSpotLight",
    "feTile",
    "feTurbulence",
    "foreignObject",
    "glyphRef",
    "linearGradient",
    "radialGradient",
    "textPath",
];

impl OpenElement {
    /// "MathML text integration point".
    fn is_math_text(&self) -> bool {
        self.namespace == Namespace::MathMl && matches!(self.tag, MI | MO | MN | MS | MTEXT)
    }

    /// Whether foreign content ends here when an html element breaks out of it.
    fn stops_break_out(&self) -> bool {
        self.namespace == Namespace::Html || self.holds_html || self.is_math_text()
    }
}

impl Builder<'_> {
    /// Whether text is foreign: not in elements that hold html or the text of formulas.
    #[inline]
    pub fn is_foreign_text(&self) -> bool {
        matches!(self.open.current(), Some(element) if !element.stops_break_out())
    }

    /// Whether a start tag is read by the rules of foreign content.
    #[inline]
    pub fn is_foreign_start(&self, start: &StartTag) -> bool {
        let current = match self.open.current() {
            Some(current) if current.namespace != Namespace::Html => current,
            _ => return false,
        };
        let holds_html = current.holds_html
            || current.is_math_text() && !matches!(start.tag, MGLYPH | MALIGNMARK)
            || current.namespace == Namespace::MathMl && current.tag == ANNOTATION_XML && start.tag == SVG;
        !holds_html
    }

    pub fn foreign_text(&mut self, text: &str, has_nul: bool) {
        if text.bytes().any(|byte| byte != 0 && !is_space(byte)) {
            self.frameset_ok = false;
        }
        if !has_nul {
            return self.insert_text(text);
        }
        for (index, part) in text.split('\0').enumerate() {
            if index > 0 {
                self.insert_text("\u{FFFD}");
            }
            self.insert_text(part);
        }
    }

    pub fn foreign_start_tag(&mut self, start: StartTag) {
        if self.breaks_out(&start) {
            self.break_out();
            return self.html_start_tag(start);
        }
        let namespace = self.open.current().map_or(Namespace::Svg, |element| element.namespace);
        self.insert_foreign(start, namespace);
    }

    /// Whether a start tag can only be that of an html element.
    fn breaks_out(&self, start: &StartTag) -> bool {
        let is_old_font = || {
            let attributes = self.document.attributes.within(start.attributes);
            attributes.iter().any(|attribute| matches!(attribute.code, COLOR | FACE | SIZE))
        };
        if self.reads_as_ordinary(start.tag) {
            return false;
        }
        is(start.tag, ENDS_FOREIGN) || start.tag == FONT && is_old_font()
    }

    /// Close foreign elements up to one that holds html.
    fn break_out(&mut self) {
        while matches!(self.open.current(), Some(element) if !element.stops_break_out()) {
            self.pop();
        }
    }

    /// Insert an element of SVG or MathML.
    pub fn insert_foreign(&mut self, start: StartTag, namespace: Namespace) {
        let name = if namespace == Namespace::Svg { self.svg_name(start.tag) } else { start.tag };
        let node = self.insert_closed(name, start.attributes);
        if !start.self_closing && !self.open.is_full() {
            let holds_html = self.holds_html(&start, namespace);
            self.push(OpenElement { node, tag: start.tag, namespace, holds_html });
        }
    }

    /// The name as SVG writes it.
    fn svg_name(&mut self, tag: Tag) -> Tag {
        if (tag as usize) < TABLE_SIZE {
            return tag;
        }
        let name = self.document.names.name(tag);
        let lowercase = |adjusted: &'static str| adjusted.bytes().map(|byte| byte.to_ascii_lowercase());
        match SVG_NAMES.binary_search_by(|adjusted| lowercase(adjusted).cmp(name.bytes())) {
            Ok(index) => self.document.names.code_of_adjusted(SVG_NAMES[index]),
            Err(_) => tag,
        }
    }

    /// "HTML integration point".
    fn holds_html(&self, start: &StartTag, namespace: Namespace) -> bool {
        match (namespace, start.tag) {
            (Namespace::Svg, FOREIGN_OBJECT | DESC | TITLE) => true,
            (Namespace::MathMl, ANNOTATION_XML) => {
                let encoding = self.document.attributes.value_of(start.attributes, ENCODING).unwrap_or(b"");
                [&b"text/html"[..], b"application/xhtml+xml"].iter().any(|html| encoding.eq_ignore_ascii_case(html))
            }
            _ => false,
        }
    }

    /// An end tag in foreign content; `Again` if it is one for the rules of html.
    pub fn foreign_end_tag(&mut self, tag: Tag) -> Outcome {
        if matches!(tag, BR | P) {
            self.break_out();
            return Outcome::Again;
        }
        let closes = |element: &OpenElement| element.namespace == Namespace::Html || element.tag == tag;
        match self.open.innermost(closes) {
            Some(index) if self.open.as_slice()[index].namespace == Namespace::Html => Outcome::Again,
            Some(index) => {
                self.truncate_open(index);
                Outcome::Done
            }
            None => Outcome::Done,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::SVG_NAMES;

    #[test]
    fn names_of_svg_are_sorted_by_lower_case() {
        let lowercase: Vec<String> = SVG_NAMES.iter().map(|name| name.to_ascii_lowercase()).collect();
        assert!(lowercase.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
