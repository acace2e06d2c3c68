//! What XML and TEI say of a page besides its content.
#![forbid(unsafe_code)]

/// A value of the metadata.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fact<'a> {
    /// A field of `dehusk.Metadata`: `title`, `authors`.
    pub field: &'a str,
    /// One of its values.
    pub value: &'a str,
    /// Where it was found.
    pub source: &'a str,
}

/// What is known of a page. Texts are empty where nothing is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageFacts<'a> {
    /// Its address.
    pub url: &'a str,
    /// Its name among other pages.
    pub name: &'a str,
    /// The method that chose the content.
    pub method: &'a str,
    /// How sure that is, as it is written.
    pub confidence: &'a str,
    /// The metadata, in the order of the fields.
    pub metadata: Vec<Fact<'a>>,
}

/// Texts of a value of the metadata.
const TEXTS_OF_FACT: usize = 3;

impl<'a> PageFacts<'a> {
    /// The facts that texts say: address, name, method, confidence, and field, value and source of all metadata.
    pub fn of(texts: &[&'a str]) -> Option<Self> {
        let [url, name, method, confidence, facts @ ..] = texts else { return None };
        let fact = |texts: &[&'a str]| Fact { field: texts[0], value: texts[1], source: texts[2] };
        let metadata = facts.chunks_exact(TEXTS_OF_FACT).map(fact).collect();
        Some(PageFacts { url, name, method, confidence, metadata })
    }

    /// The values of a field.
    pub fn values(&self, field: &'static str) -> impl Iterator<Item = &'a str> + '_ {
        self.metadata.iter().filter(move |fact| fact.field == field).map(|fact| fact.value)
    }

    /// The value of a field that has at most one.
    pub fn value(&self, field: &'static str) -> Option<&'a str> {
        self.values(field).next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_texts_in_order() {
        let texts = ["u", "n", "m", "", "title", "T", "html", "tags", "a", "meta", "tags", "b", "meta"];
        let facts = PageFacts::of(&texts).unwrap();
        assert_eq!((facts.url, facts.confidence, facts.value("title")), ("u", "", Some("T")));
        assert_eq!((facts.values("tags").collect::<Vec<_>>(), facts.value("licence")), (vec!["a", "b"], None));
        assert_eq!(PageFacts::of(&texts[..3]), None);
    }
}
