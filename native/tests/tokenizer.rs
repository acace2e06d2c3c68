//! The tokenizer cases of html5lib-tests.

#![forbid(unsafe_code)]

mod support;

use dehusk_native::html::kept_attributes::KeptAttributes;
use dehusk_native::html::names::tag_name;
use dehusk_native::html::tokenizer::{Characters, Content, Token, Tokenizer};
use std::fs;
use support::json::Json;
use support::{conformance_files, stem};

/// Files that do not apply: (file, reason).
const FILES_LEFT_OUT: &[(&str, &str)] = &[("xmlViolation", "expects names and comments coerced to what XML allows")];

/// The state that a case starts in.
fn content(state: &str) -> Content {
    match state {
        "PLAINTEXT state" => Content::PlainText,
        "RCDATA state" => Content::EscapableRawText,
        "RAWTEXT state" => Content::RawText,
        "Script data state" => Content::Script,
        "CDATA section state" => Content::Cdata,
        _ => Content::Data,
    }
}

fn name(tokenizer: &Tokenizer, span: &std::ops::Range<usize>) -> String {
    let mut name = String::new();
    tag_name(tokenizer.written(span), &mut name);
    name
}

fn attributes(tokenizer: &Tokenizer, start: usize) -> Json {
    let mut members: Vec<(String, Json)> = Vec::new();
    for attribute in &tokenizer.attributes_from(start) {
        let name = name(tokenizer, &attribute.name);
        let mut value = String::new();
        tokenizer.add_value(attribute, &mut value);
        if members.iter().all(|(seen, _)| *seen != name) {
            members.push((name, Json::String(value)));
        }
    }
    members.sort_by(|left, right| left.0.cmp(&right.0));
    Json::Object(members)
}

fn doctype(tokenizer: &Tokenizer) -> Json {
    let doctype = tokenizer.doctype();
    let identifier = |span: &Option<std::ops::Range<usize>>| {
        span.as_ref().map_or(Json::Null, |span| Json::String(tokenizer.comment_characters(span)))
    };
    Json::Array(vec![
        Json::String("DOCTYPE".to_string()),
        doctype.name.as_ref().map_or(Json::Null, |span| Json::String(name(tokenizer, span))),
        identifier(&doctype.public_identifier),
        identifier(&doctype.system_identifier),
        Json::Bool(!doctype.force_quirks),
    ])
}

/// The tokens of an input, in the form of the cases. Neighbouring texts are one.
fn tokens(input: &str, state: &str, last_start_tag: &str) -> Vec<Json> {
    let mut tokenizer = Tokenizer::new(input);
    tokenizer.switch_to(content(state), last_start_tag.as_bytes());
    let mut tokens: Vec<Json> = Vec::new();
    let mut text = String::new();
    loop {
        let token = tokenizer.next(&mut KeptAttributes::for_page(0), || false);
        if let Token::Text { span, kind } = &token {
            match tokenizer.text_characters(span, *kind) {
                Characters::InSource(span) => text.push_str(tokenizer.written(&span)),
                Characters::Decoded { text: decoded, .. } => text.push_str(decoded),
            }
            continue;
        }
        if !text.is_empty() {
            tokens.push(Json::Array(vec![
                Json::String("Character".to_string()),
                Json::String(std::mem::take(&mut text)),
            ]));
        }
        let mut parts = match &token {
            Token::StartTag { name: span, .. } => {
                vec![
                    Json::String("StartTag".to_string()),
                    Json::String(name(&tokenizer, span)),
                    attributes(&tokenizer, span.end),
                ]
            }
            Token::EndTag { name: span, .. } => {
                vec![Json::String("EndTag".to_string()), Json::String(name(&tokenizer, span))]
            }
            Token::Comment(span) => {
                vec![Json::String("Comment".to_string()), Json::String(tokenizer.comment_characters(span))]
            }
            Token::Doctype => {
                tokens.push(doctype(&tokenizer));
                continue;
            }
            _ => return tokens,
        };
        if let Token::StartTag { self_closing: true, .. } = token {
            parts.push(Json::Bool(true));
        }
        tokens.push(Json::Array(parts));
    }
}

/// The expected tokens, attributes by name.
fn expected(case: &Json) -> Vec<Json> {
    let sorted = |part: &Json| match part {
        Json::Object(members) => {
            let mut members = members.clone();
            members.sort_by(|left, right| left.0.cmp(&right.0));
            Json::Object(members)
        }
        other => other.clone(),
    };
    let output = case.get("output").unwrap().items();
    output.iter().map(|token| Json::Array(token.items().iter().map(sorted).collect())).collect()
}

fn states(case: &Json) -> Vec<String> {
    match case.get("initialStates") {
        Some(states) => states.items().iter().filter_map(Json::as_str).map(str::to_string).collect(),
        None => vec!["Data state".to_string()],
    }
}

#[test]
fn tokens_are_those_of_the_standard() {
    let (mut passed, mut excepted, mut failed) = (0, 0, 0);
    for path in conformance_files("tokenizer", "test") {
        let file = Json::parse(&fs::read_to_string(&path).unwrap());
        let is_left_out = FILES_LEFT_OUT.iter().any(|(name, _)| *name == stem(&path));
        let cases = file.get("tests").or_else(|| file.get("xmlViolationTests")).unwrap();
        for case in cases.items() {
            let case =
                if case.get("doubleEscaped") == Some(&Json::Bool(true)) { case.unescaped() } else { case.clone() };
            for state in states(&case) {
                if is_left_out || case.has_lone_surrogate() {
                    excepted += 1;
                    continue;
                }
                let input = case.get("input").and_then(Json::as_str).unwrap();
                let last_start_tag = case.get("lastStartTag").and_then(Json::as_str).unwrap_or("");
                let found = tokens(input, &state, last_start_tag);
                if found == expected(&case) {
                    passed += 1;
                } else {
                    failed += 1;
                    println!("{} {state} {input:?}\nexpected {:?}\nfound {found:?}\n", stem(&path), expected(&case));
                }
            }
        }
    }
    println!("tokenizer: {passed} passed, {excepted} excepted, {failed} failed");
    assert_eq!(failed, 0);
}
