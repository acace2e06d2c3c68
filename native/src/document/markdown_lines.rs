//! Lines of Markdown, each after the markers of the items and quotes it stands in.
#![forbid(unsafe_code)]

use super::steps::count;

/// What begins the lines of a container.
enum Prefix {
    /// `> `.
    Quote,
    /// A marker on the first line, and as many blanks on the others.
    Item { marker: String, width: usize, is_due: bool },
}

/// Lines being written.
#[derive(Default)]
pub struct Lines {
    output: String,
    has_lines: bool,
    prefixes: Vec<Prefix>,
}

impl Lines {
    /// No lines, with room for so many bytes.
    pub fn with_capacity(bytes: usize) -> Self {
        Lines { output: String::with_capacity(bytes), ..Lines::default() }
    }

    /// Whether there is a line.
    pub fn has_lines(&self) -> bool {
        self.has_lines
    }

    /// The lines; each ends with a newline.
    pub fn finished(mut self) -> String {
        if self.has_lines {
            self.output.push('\n');
        }
        self.output
    }

    /// Begins a quote.
    pub fn open_quote(&mut self) {
        self.prefixes.push(Prefix::Quote);
    }

    /// Begins an item.
    pub fn open_item(&mut self, marker: String) {
        let width = marker.len();
        self.prefixes.push(Prefix::Item { marker, width, is_due: true });
    }

    /// Begins something whose lines are indented.
    pub fn open_indented(&mut self, width: usize) {
        self.prefixes.push(Prefix::Item { marker: String::new(), width, is_due: false });
    }

    /// Ends a quote or an item.
    pub fn close(&mut self) {
        self.prefixes.pop();
    }

    /// Adds a line. One without text has no blanks: only the signs of quotes, and what stands before those.
    pub fn add(&mut self, line: &str) {
        if self.has_lines {
            self.output.push('\n');
        }
        self.has_lines = true;
        count(line.len() + self.prefixes.len());
        let last_quote = self.prefixes.iter().rposition(|prefix| matches!(prefix, Prefix::Quote));
        let shown = if line.is_empty() { last_quote.map_or(0, |place| place + 1) } else { self.prefixes.len() };
        for prefix in &self.prefixes[..shown] {
            match prefix {
                Prefix::Quote => self.output.push_str("> "),
                Prefix::Item { marker, is_due: true, .. } => self.output.push_str(marker),
                Prefix::Item { width, .. } => self.output.extend(std::iter::repeat_n(' ', *width)),
            }
        }
        if line.is_empty() && shown > 0 {
            self.output.pop(); // the blank after the sign
        }
        self.output.push_str(line);
        for prefix in &mut self.prefixes {
            if let Prefix::Item { is_due, .. } = prefix {
                *is_due = false;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_come_once_and_empty_lines_are_empty() {
        let mut lines = Lines::default();
        lines.add("a");
        lines.open_item("10. ".to_string());
        lines.add("b");
        lines.add("");
        lines.open_quote();
        lines.open_item("- ".to_string());
        lines.add("c");
        lines.add("");
        lines.add("d");
        lines.close();
        lines.close();
        lines.close();
        assert_eq!(lines.finished(), "a\n10. b\n\n    > - c\n    >\n    >   d\n");
        assert_eq!(Lines::default().finished(), "");
    }
}
