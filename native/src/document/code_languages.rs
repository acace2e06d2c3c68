//! Names of programming languages, as headers of code and classes of highlighters write them.
#![forbid(unsafe_code)]

/// Names that are written in fences as they are.
#[rustfmt::skip]
const NAMES: [&str; 123] = [
    "abap", "ada", "apache", "apl", "applescript", "arduino", "asm", "assembly", "astro", "awk", "bash", "basic", "bat", "batch",
    "bibtex", "c", "clojure", "cmake", "cmd", "cobol", "coffeescript", "console", "cpp", "crystal", "csharp", "css", "csv",
    "cuda", "cython", "d", "dart", "delphi", "diff", "django", "docker", "dockerfile", "dot", "elisp", "elixir", "elm",
    "emacs-lisp", "env", "erlang", "fish", "fortran", "fsharp", "gherkin", "git", "glsl", "go", "gradle", "graphql", "groovy",
    "haml", "handlebars", "haskell", "haxe", "hcl", "hlsl", "html", "http", "ini", "ipython", "ipython3", "java", "javascript",
    "jinja", "js", "json", "json5", "jsonc", "jsx", "julia", "kotlin", "latex", "less", "liquid", "lisp", "log", "lua", "makefile",
    "markdown", "markup", "matlab", "md", "mdx", "mermaid", "nginx", "nim", "nix", "objc", "objective-c", "ocaml", "pascal", "perl",
    "php", "plaintext", "postgresql", "powershell", "prolog", "protobuf", "ps1", "pug", "python", "python3", "py", "r", "racket",
    "rb", "ruby", "rust", "sass", "scala", "scheme", "scss", "sh", "shell", "solidity", "sql", "svelte", "swift", "tcl",
    "terraform",
];
/// Further such names.
#[rustfmt::skip]
const MORE_NAMES: [&str; 22] = [
    "text", "toml", "ts", "tsx", "twig", "typescript", "vb", "vbnet", "verilog", "vhdl", "vim", "viml", "vue", "wasm", "wgsl",
    "xml", "xslt", "yaml", "yml", "zig", "zsh", "rs",
];
/// Names as readers know them, and as fences have them.
const SPOKEN: [(&str, &str); 14] = [
    ("c++", "cpp"),
    ("c#", "csharp"),
    ("f#", "fsharp"),
    ("objective c", "objectivec"),
    ("plain text", "text"),
    ("visual basic", "vb"),
    ("vb.net", "vbnet"),
    ("common lisp", "lisp"),
    ("emacs lisp", "elisp"),
    ("shell session", "console"),
    ("shellscript", "shell"),
    ("golang", "go"),
    ("protocol buffers", "protobuf"),
    ("asp.net", "aspnet"),
];

/// Endings of the names of files, and the languages that are in them. Others are names of languages themselves.
#[rustfmt::skip]
const ENDINGS: [(&str, &str); 34] = [
    ("bash", "bash"), ("cc", "cpp"), ("cfg", "ini"), ("cjs", "javascript"), ("clj", "clojure"), ("conf", "ini"), ("cs", "csharp"),
    ("cxx", "cpp"), ("el", "elisp"), ("erl", "erlang"), ("ex", "elixir"), ("exs", "elixir"), ("f90", "fortran"), ("fs", "fsharp"),
    ("h", "c"), ("hpp", "cpp"), ("hs", "haskell"), ("htm", "html"), ("jl", "julia"), ("js", "javascript"), ("kt", "kotlin"),
    ("m", "objectivec"), ("md", "markdown"), ("mjs", "javascript"), ("ml", "ocaml"), ("pl", "perl"), ("proto", "protobuf"),
    ("py", "python"), ("pyi", "python"), ("rb", "ruby"), ("rs", "rust"), ("tf", "terraform"), ("ts", "typescript"), ("yml", "yaml"),
];

/// The language of a file, by its name: `src/cache.py`, `Makefile`.
pub fn language_of_file(name: &str) -> Option<&'static str> {
    let name = name.rsplit(['/', '\\'].as_slice()).next()?;
    let ending = name.rsplit_once('.').map_or(name, |(_, ending)| ending);
    let known = ENDINGS.iter().find(|(known, _)| ending.eq_ignore_ascii_case(known)).map(|&(_, language)| language);
    known.or_else(|| known_language(ending))
}

/// The name that a fence gives a language, in whatever case it is written.
pub fn known_language(name: &str) -> Option<&'static str> {
    let as_written = NAMES.iter().chain(&MORE_NAMES).find(|known| name.eq_ignore_ascii_case(known)).copied();
    as_written.or_else(|| SPOKEN.iter().find(|(spoken, _)| name.eq_ignore_ascii_case(spoken)).map(|&(_, known)| known))
}

/// Whether a text is the name of a language.
pub fn is_known(name: &str) -> bool {
    known_language(name).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_of_files() {
        let cases =
            [("src/cache.py", "python"), ("a.test.TS", "typescript"), ("Makefile", "makefile"), ("x.sql", "sql")];
        for (name, language) in cases {
            assert_eq!(language_of_file(name), Some(language), "{name}");
        }
        assert_eq!((language_of_file("notes.xyz"), language_of_file("LICENSE")), (None, None));
    }

    #[test]
    fn names_in_any_case() {
        assert_eq!(known_language("JavaScript"), Some("javascript"));
        assert_eq!(known_language("C++"), Some("cpp"));
        assert_eq!(known_language("Plain Text"), Some("text"));
        assert!(!is_known("") && !is_known("Example") && !is_known("javascripts"));
    }
}
