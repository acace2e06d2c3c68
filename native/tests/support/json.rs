//! A reader of JSON, just enough for the tokenizer cases.

#![forbid(unsafe_code)]

/// A value of JSON. Strings with lone surrogates, which Rust has not, are `LoneSurrogate`.
#[derive(Debug, Clone, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Number(f64),
    String(String),
    LoneSurrogate,
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    pub fn parse(text: &str) -> Json {
        let mut reader = Reader { text: text.as_bytes(), at: 0 };
        reader.value()
    }

    pub fn get(&self, name: &str) -> Option<&Json> {
        match self {
            Json::Object(members) => members.iter().find(|(found, _)| found == name).map(|(_, value)| value),
            _ => None,
        }
    }

    pub fn as_str(&self) -> Option<&str> {
        match self {
            Json::String(text) => Some(text),
            _ => None,
        }
    }

    pub fn items(&self) -> &[Json] {
        match self {
            Json::Array(items) => items,
            _ => &[],
        }
    }

    /// Whether any string in the value has lone surrogates.
    pub fn has_lone_surrogate(&self) -> bool {
        match self {
            Json::LoneSurrogate => true,
            Json::Array(items) => items.iter().any(Json::has_lone_surrogate),
            Json::Object(members) => members.iter().any(|(_, value)| value.has_lone_surrogate()),
            _ => false,
        }
    }

    /// The value with `\uXXXX` in its strings read once more.
    pub fn unescaped(&self) -> Json {
        match self {
            Json::String(text) => string_of(&unescape_units(text)),
            Json::Array(items) => Json::Array(items.iter().map(Json::unescaped).collect()),
            Json::Object(members) => Json::Object(members.iter().map(|(k, v)| (k.clone(), v.unescaped())).collect()),
            other => other.clone(),
        }
    }
}

fn string_of(units: &[u16]) -> Json {
    String::from_utf16(units).map_or(Json::LoneSurrogate, Json::String)
}

fn unescape_units(text: &str) -> Vec<u16> {
    let mut units = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("\\u") {
        units.extend(rest[..at].encode_utf16());
        units.push(u16::from_str_radix(&rest[at + 2..at + 6], 16).unwrap());
        rest = &rest[at + 6..];
    }
    units.extend(rest.encode_utf16());
    units
}

struct Reader<'text> {
    text: &'text [u8],
    at: usize,
}

impl Reader<'_> {
    fn peek(&mut self) -> u8 {
        while self.text[self.at].is_ascii_whitespace() {
            self.at += 1;
        }
        self.text[self.at]
    }

    fn accept(&mut self, byte: u8) -> bool {
        let found = self.peek() == byte;
        self.at += usize::from(found);
        found
    }

    fn value(&mut self) -> Json {
        match self.peek() {
            b'{' => self.object(),
            b'[' => self.array(),
            b'"' => self.string(),
            b't' => self.word("true", Json::Bool(true)),
            b'f' => self.word("false", Json::Bool(false)),
            b'n' => self.word("null", Json::Null),
            _ => self.number(),
        }
    }

    fn word(&mut self, word: &str, value: Json) -> Json {
        assert!(self.text[self.at..].starts_with(word.as_bytes()));
        self.at += word.len();
        value
    }

    fn number(&mut self) -> Json {
        let start = self.at;
        while matches!(self.text.get(self.at), Some(b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E')) {
            self.at += 1;
        }
        let written = std::str::from_utf8(&self.text[start..self.at]).unwrap();
        Json::Number(written.parse().unwrap())
    }

    fn array(&mut self) -> Json {
        let mut items = Vec::new();
        self.accept(b'[');
        while !self.accept(b']') {
            items.push(self.value());
            self.accept(b',');
        }
        Json::Array(items)
    }

    fn object(&mut self) -> Json {
        let mut members = Vec::new();
        self.accept(b'{');
        while !self.accept(b'}') {
            self.peek();
            let name = match self.string() {
                Json::String(name) => name,
                _ => String::new(),
            };
            assert!(self.accept(b':'));
            members.push((name, self.value()));
            self.accept(b',');
        }
        Json::Object(members)
    }

    fn string(&mut self) -> Json {
        self.at += 1;
        let mut units = Vec::new();
        loop {
            let start = self.at;
            while !matches!(self.text[self.at], b'"' | b'\\') {
                self.at += 1;
            }
            units.extend(std::str::from_utf8(&self.text[start..self.at]).unwrap().encode_utf16());
            if self.text[self.at] == b'"' {
                self.at += 1;
                return string_of(&units);
            }
            units.push(self.escape());
        }
    }

    fn escape(&mut self) -> u16 {
        let letter = self.text[self.at + 1];
        self.at += 2;
        match letter {
            b'u' => {
                let digits = std::str::from_utf8(&self.text[self.at..self.at + 4]).unwrap();
                self.at += 4;
                u16::from_str_radix(digits, 16).unwrap()
            }
            b'n' => 10,
            b't' => 9,
            b'r' => 13,
            b'b' => 8,
            b'f' => 12,
            other => u16::from(other),
        }
    }
}
