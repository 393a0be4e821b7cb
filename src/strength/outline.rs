//! What the tokens of a source say about its shape: which bracket belongs to which, which `<` opens a list of types,
//! where statements begin and end, what stands in a loop. A reading by eye, not a parser: where it errs, a mutant does
//! not compile and is set aside.

use super::lexer::{Dialect, Kind, Token, tokens};

/// A source with its shape.
pub(crate) struct Outline<'s> {
    pub(crate) source: &'s str,
    pub(crate) dialect: Dialect,
    pub(crate) tokens: Vec<Token<'s>>,
    /// For each bracket the index of its partner.
    pub(crate) partner: Vec<Option<usize>>,
    /// For each token the index of the innermost bracket around it.
    pub(crate) around: Vec<Option<usize>>,
    /// Angle brackets around types.
    pub(crate) is_of_types: Vec<bool>,
    /// Lines of which nothing is changed, by number from 1.
    silent_lines: Vec<bool>,
}

/// What stands on such lines is no part of the algorithm: how text is read fast, how deep recursion may go, which
/// other files are used, how much room is set aside in advance.
const SILENT: [&str; 11] = [
    "sync_with_stdio",
    "tie",
    "setrecursionlimit",
    "reserve",
    "with_capacity",
    "__name__",
    "import",
    "using",
    "include",
    "stack_size",
    "setprecision",
];

/// Names after which a `-`, `*`, `&` or `!` stands before its only operand.
const BEFORE_OPERAND: [&str; 16] = [
    "return", "case", "else", "in", "if", "and", "or", "not", "lambda", "match", "while", "elif", "yield",
    "print", "is", "mut",
];

/// A list of types has no more tokens.
const MAX_TYPE_TOKENS: usize = 60;

impl<'s> Outline<'s> {
    pub(crate) fn new(source: &'s str, dialect: Dialect) -> Self {
        let tokens = tokens(source, dialect);
        let lines = source.lines().count() + 2;
        let mut outline = Self {
            source,
            dialect,
            partner: vec![None; tokens.len()],
            around: vec![None; tokens.len()],
            is_of_types: vec![false; tokens.len()],
            silent_lines: vec![false; lines],
            tokens,
        };
        outline.match_brackets();
        if dialect != Dialect::Python {
            outline.find_types();
        }
        for token in &outline.tokens {
            let is_use = dialect == Dialect::Rust && token.text == "use";
            if is_use || SILENT.contains(&token.text) {
                outline.silent_lines[token.line] = true;
            }
        }
        outline
    }

    fn match_brackets(&mut self) {
        let mut open: Vec<usize> = Vec::new();
        for index in 0..self.tokens.len() {
            let text = self.tokens[index].text;
            if self.tokens[index].kind == Kind::Sign && [")", "]", "}"].contains(&text) {
                if let Some(partner) = open.pop() {
                    self.partner[index] = Some(partner);
                    self.partner[partner] = Some(index);
                }
                self.around[index] = open.last().copied();
                continue;
            }
            self.around[index] = open.last().copied();
            if self.tokens[index].kind == Kind::Sign && ["(", "[", "{"].contains(&text) {
                open.push(index);
            }
        }
    }

    fn find_types(&mut self) {
        for index in 1..self.tokens.len() {
            if self.is(index, "<")
                && let Some(end) = self.end_of_types(index)
            {
                for at in index..=end {
                    if self.is(at, "<") || self.is(at, ">") || self.is(at, ">>") {
                        self.is_of_types[at] = true;
                    }
                }
            }
        }
    }

    /// The `>` that closes the list of types which may begin at `open`.
    fn end_of_types(&self, open: usize) -> Option<usize> {
        let before = &self.tokens[open - 1];
        let is_declared = ["template", "impl", "for", "fn"].contains(&before.text);
        let has_blank = before.end() < self.tokens[open].start;
        if has_blank && !is_declared || before.kind != Kind::Name && before.text != "::" {
            return None;
        }
        let mut depth = 0_usize;
        for at in open..self.tokens.len().min(open + MAX_TYPE_TOKENS) {
            match self.tokens[at].text {
                "<" => depth += 1,
                ">" => depth = depth.checked_sub(1)?,
                ">>" => depth = depth.checked_sub(2)?,
                "{" | "}" | "&&" | "||" | "+" | "-" | "/" | "%" | "==" | "!=" | "<=" | ">=" | "++" | "?" => {
                    return None;
                }
                ";" if self.around[at].is_none_or(|around| around < open) => return None,
                ")" | "]" if self.partner[at].is_some_and(|partner| partner < open) => return None,
                _ => {}
            }
            if depth == 0 {
                return Some(at);
            }
        }
        None
    }

    pub(crate) fn text(&self, index: usize) -> &'s str {
        self.tokens.get(index).map_or("", |token| token.text)
    }

    /// Whether the token is this sign or name, and no text literal.
    pub(crate) fn is(&self, index: usize, text: &str) -> bool {
        self.tokens.get(index).is_some_and(|token| token.text == text && token.kind != Kind::Text)
    }

    pub(crate) fn is_any(&self, index: usize, texts: &[&str]) -> bool {
        texts.iter().any(|text| self.is(index, text))
    }

    pub(crate) fn kind(&self, index: usize) -> Option<Kind> {
        self.tokens.get(index).map(|token| token.kind)
    }

    /// The text of the tokens from `first` to `last`, both included, as it is written.
    pub(crate) fn slice(&self, first: usize, last: usize) -> &'s str {
        &self.source[self.tokens[first].start..self.tokens[last].end()]
    }

    pub(crate) fn is_silent(&self, line: usize) -> bool {
        self.silent_lines.get(line).copied().unwrap_or(false)
    }

    /// Whether a sign at `index` has an operand on its left.
    pub(crate) fn is_binary(&self, index: usize) -> bool {
        let Some(before) = index.checked_sub(1) else { return false };
        let token = &self.tokens[before];
        match token.kind {
            Kind::Name => !BEFORE_OPERAND.contains(&token.text),
            Kind::Number | Kind::Text => true,
            Kind::Sign => [")", "]"].contains(&token.text) && !self.is_cast(before),
        }
    }

    /// Whether a `)` closes a cast in C++, as in `(int)`.
    fn is_cast(&self, close: usize) -> bool {
        let Some(open) = self.partner[close] else { return false };
        self.dialect == Dialect::Cpp
            && close == open + 2
            && ["int", "long", "double", "size_t", "char", "short"].contains(&self.text(open + 1))
    }

    /// The places of the separators `sign` directly inside of the brackets that open at `open`.
    pub(crate) fn separators(&self, open: usize, sign: &str) -> Vec<usize> {
        let Some(close) = self.partner[open] else { return Vec::new() };
        let mut depth_of_types = 0_usize;
        let mut found = Vec::new();
        for at in open + 1..close {
            if self.is_of_types[at] {
                match self.text(at) {
                    "<" => depth_of_types += 1,
                    ">" => depth_of_types = depth_of_types.saturating_sub(1),
                    _ => depth_of_types = depth_of_types.saturating_sub(2),
                }
            }
            if self.around[at] == Some(open) && depth_of_types == 0 && self.is(at, sign) {
                found.push(at);
            }
        }
        found
    }

    /// First and last token of each simple statement: up to its `;`, in Python a logical line without its comment.
    pub(crate) fn statements(&self) -> Vec<(usize, usize)> {
        match self.dialect {
            Dialect::Python => self.logical_lines(),
            Dialect::Cpp | Dialect::Rust => self.ended_by_semicolons(),
        }
    }

    fn ended_by_semicolons(&self) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        for first in 0..self.tokens.len() {
            let in_block = self.around[first].is_some_and(|around| self.is(around, "{"));
            let begins = first > 0
                && (self.is_any(first - 1, &[";", "{", "}", "else"]) || self.is_head_end(first - 1));
            if !in_block || !begins {
                continue;
            }
            let last = (first..self.tokens.len())
                .find(|&at| self.around[at] == self.around[first] && self.is_any(at, &[";", "{", "}"]));
            if let Some(last) = last.filter(|&last| self.is(last, ";") && last > first) {
                found.push((first, last));
            }
        }
        found
    }

    /// Whether a `)` ends the head of a loop or a branch, so that a statement follows.
    fn is_head_end(&self, close: usize) -> bool {
        self.dialect == Dialect::Cpp
            && self.is(close, ")")
            && self.partner[close]
                .and_then(|open| open.checked_sub(1))
                .is_some_and(|word| self.is_any(word, &["for", "while", "if"]))
    }

    fn logical_lines(&self) -> Vec<(usize, usize)> {
        let mut found: Vec<(usize, usize)> = Vec::new();
        for (index, token) in self.tokens.iter().enumerate() {
            let continues = index > 0
                && (self.around[index].is_some()
                    || [")", "]", "}"].contains(&token.text)
                    || self.tokens[index - 1].line == token.line
                    || self.source[self.tokens[index - 1].end()..token.start].contains("\\\n"));
            match found.last_mut() {
                Some(last) if continues => last.1 = index,
                _ => found.push((index, index)),
            }
        }
        found
    }

    /// Columns before the first token of a line.
    pub(crate) fn indent(&self, index: usize) -> usize {
        let start = self.tokens[index].start;
        start - self.source[..start].rfind('\n').map_or(0, |at| at + 1)
    }

    /// Whether the token stands in the body of a loop.
    pub(crate) fn is_in_loop(&self, index: usize) -> bool {
        if self.dialect == Dialect::Python {
            let mut indent = self.indent(index);
            let lines = self.logical_lines();
            for (first, _) in lines.into_iter().rev().filter(|(first, _)| *first < index) {
                let outer = self.indent(first);
                if outer < indent {
                    if self.is_any(first, &["for", "while"]) {
                        return true;
                    }
                    indent = outer;
                }
            }
            return false;
        }
        let mut around = self.around[index];
        while let Some(open) = around {
            if self.is(open, "{") && self.is_loop_body(open) {
                return true;
            }
            around = self.around[open];
        }
        false
    }

    fn is_loop_body(&self, open: usize) -> bool {
        if self.dialect == Dialect::Cpp {
            let head = open.checked_sub(1).filter(|close| self.is(*close, ")"));
            let word = head.and_then(|close| self.partner[close]).and_then(|head| head.checked_sub(1));
            return word.is_some_and(|word| self.is_any(word, &["for", "while"]));
        }
        let start = (0..open).rev().find(|&at| {
            self.around[at] == self.around[open] && self.is_any(at, &[";", "{", "}"])
                || Some(at) == self.around[open]
        });
        let first = start.map_or(0, |at| at + 1);
        self.is_any(first, &["for", "while", "loop"])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_types_are_told_from_comparisons() {
        let source = "vector<vector<int>> a(n<m); if (a<b && c>d) f(min<int>(x, y), i<j); template <class T>";
        let outline = Outline::new(source, Dialect::Cpp);
        let of_types: Vec<usize> = (0..outline.tokens.len())
            .filter(|&at| outline.is_of_types[at])
            .map(|at| outline.tokens[at].start)
            .collect();
        let expected: Vec<usize> = [6, 13, 17]
            .into_iter()
            .chain([source.find("<int>(").unwrap(), source.find(">(x").unwrap()])
            .chain([source.find("<class").unwrap(), source.len() - 1])
            .collect();
        assert_eq!(of_types, expected);
    }

    #[test]
    fn statements_are_found_in_each_language() {
        let shown = |source: &str, dialect| -> Vec<String> {
            let outline = Outline::new(source, dialect);
            let statements = outline.statements();
            statements.into_iter().map(|(first, last)| outline.slice(first, last).to_owned()).collect()
        };
        let cpp = "int f() { int a = 0; for (int i = 0; i < n; ++i) a += i; if (a) { a = 1; } return a; }";
        assert_eq!(
            shown(cpp, Dialect::Cpp),
            ["int a = 0;", "for (int i = 0; i < n; ++i) a += i;", "a += i;", "a = 1;", "return a;"]
        );
        let python = "def f(a):\n    b = [1,\n         2]\n    if b:\n        return 1\n";
        assert_eq!(
            shown(python, Dialect::Python),
            ["def f(a):", "b = [1,\n         2]", "if b:", "return 1"]
        );
    }

    #[test]
    fn loops_are_known_around_a_place() {
        for (dialect, source) in [
            (Dialect::Cpp, "void f() { int out = 0; for (;;) { if (x) { int in = 0; } } }"),
            (Dialect::Rust, "fn f() { let out = 0; for x in y { if x { let in_ = 0; } } }"),
            (Dialect::Python, "def f():\n    out = 0\n    for x in y:\n        if x:\n            in_ = 0\n"),
        ] {
            let outline = Outline::new(source, dialect);
            let place = |name: &str| {
                outline.tokens.iter().position(|token| token.text.starts_with(name) && token.text != "int")
            };
            assert!(!outline.is_in_loop(place("out").unwrap()), "{dialect:?}");
            let inside = outline.tokens.iter().rposition(|token| token.text == "0").unwrap() - 2;
            assert!(outline.is_in_loop(inside), "{dialect:?}");
        }
    }
}
