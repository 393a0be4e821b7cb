//! Source text of C++, Python and Rust as tokens: enough to change a program in one place and nowhere else. Comments,
//! preprocessor lines and attributes give no tokens, and the inside of a text literal is never looked into. Reads any
//! text without failing; what it can't make sense of becomes single signs.

/// A language whose programs are mutated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Dialect {
    Cpp,
    Python,
    Rust,
}

impl Dialect {
    /// By the id in the table of languages.
    pub(crate) fn of(language: &str) -> Option<Self> {
        match language {
            "cpp" => Some(Self::Cpp),
            "python" => Some(Self::Python),
            "rust" => Some(Self::Rust),
            _ => None,
        }
    }
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A keyword or a name.
    Name,
    /// A number, with its suffix.
    Number,
    /// A text or character literal, or a lifetime.
    Text,
    /// An operator or a bracket.
    Sign,
}

/// A piece of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token<'s> {
    pub(crate) kind: Kind,
    pub(crate) text: &'s str,
    /// Byte offset of its first byte.
    pub(crate) start: usize,
    /// From 1.
    pub(crate) line: usize,
}

impl Token<'_> {
    /// Byte offset behind its last byte.
    pub(crate) fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// Signs of several characters, longest first.
const SIGNS: [&str; 38] = [
    "<<=", ">>=", "...", "..=", "<=>", "**=", "//=", "->", "=>", "::", "<=", ">=", "==", "!=", "&&", "||",
    "<<", ">>", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--", "..", "**", "//", ":=", "##",
    "<-", "?.", "??", ".*", "@=",
];

struct Lexer<'s> {
    source: &'s str,
    dialect: Dialect,
    at: usize,
    line: usize,
    tokens: Vec<Token<'s>>,
}

/// The tokens of `source`, in order.
pub(crate) fn tokens(source: &str, dialect: Dialect) -> Vec<Token<'_>> {
    let mut lexer = Lexer { source, dialect, at: 0, line: 1, tokens: Vec::new() };
    while lexer.at < source.len() {
        lexer.step();
    }
    lexer.tokens
}

impl<'s> Lexer<'s> {
    fn rest(&self) -> &'s str {
        &self.source[self.at..]
    }

    /// Takes `len` bytes, as a token if `kind` is given.
    fn take(&mut self, len: usize, kind: Option<Kind>) {
        let text = &self.source[self.at..self.at + len];
        if let Some(kind) = kind {
            self.tokens.push(Token { kind, text, start: self.at, line: self.line });
        }
        self.line += text.bytes().filter(|byte| *byte == b'\n').count();
        self.at += len;
    }

    fn step(&mut self) {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return };
        if first.is_whitespace() {
            return self.take(first.len_utf8(), None);
        }
        if let Some(len) = self.silent() {
            return self.take(len, None);
        }
        if let Some(len) = self.literal() {
            return self.take(len, Some(Kind::Text));
        }
        if first.is_ascii_digit() {
            return self.take(self.number(), Some(Kind::Number));
        }
        if first.is_alphabetic() || first == '_' {
            let len = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            return self.take(len, Some(Kind::Name));
        }
        let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign) && self.has_sign(sign));
        self.take(sign.map_or(first.len_utf8(), |sign| sign.len()), Some(Kind::Sign));
    }

    /// Signs that the language does not have must not swallow two of its own.
    fn has_sign(&self, sign: &str) -> bool {
        match sign {
            "//" | "//=" | "**" | "**=" | ":=" | "@=" => self.dialect == Dialect::Python,
            "++" | "--" | "<=>" | "##" | ".*" => self.dialect == Dialect::Cpp,
            "..=" | ".." | "=>" => self.dialect == Dialect::Rust,
            "<-" | "?." | "??" => false,
            "&&" | "||" | "::" => self.dialect != Dialect::Python,
            _ => true,
        }
    }

    /// The length of what is no token: a comment, a preprocessor line, an attribute.
    fn silent(&self) -> Option<usize> {
        let rest = self.rest();
        let line_end = || rest.find('\n').unwrap_or(rest.len());
        match self.dialect {
            Dialect::Python => (rest.starts_with('#') || rest.starts_with("\\\n")).then(|| line_end().max(1)),
            Dialect::Cpp | Dialect::Rust if rest.starts_with("//") => Some(line_end()),
            Dialect::Cpp if rest.starts_with("/*") => Some(rest.find("*/").map_or(rest.len(), |end| end + 2)),
            Dialect::Rust if rest.starts_with("/*") => Some(nested_comment(rest)),
            Dialect::Cpp if rest.starts_with('#') => Some(preprocessor_line(rest)),
            Dialect::Rust if rest.starts_with("#[") || rest.starts_with("#![") => {
                Some(rest.find(']').map_or(rest.len(), |end| end + 1))
            }
            _ => None,
        }
    }

    /// The length of a text or character literal, or of a lifetime, with its prefix.
    fn literal(&self) -> Option<usize> {
        let rest = self.rest();
        let prefix = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        if prefix > 2 {
            return None;
        }
        let (letters, body) = rest.split_at(prefix);
        let is_raw = letters.contains(['r', 'R']);
        match self.dialect {
            Dialect::Python => {
                if !letters.chars().all(|c| "rRbBuUfF".contains(c)) {
                    return None;
                }
                let quote = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|quote| body.starts_with(quote))?;
                Some(prefix + closed(body, quote))
            }
            Dialect::Cpp => {
                if !["", "L", "u", "U", "u8", "R", "LR", "uR", "UR"].contains(&letters) {
                    return None;
                }
                if is_raw && body.starts_with('"') {
                    let open = body.find('(')?;
                    let close = format!("){}\"", &body[1..open]);
                    return Some(prefix + body.find(&close).map_or(body.len(), |at| at + close.len()));
                }
                let quote = ["\"", "'"].into_iter().find(|quote| body.starts_with(quote))?;
                Some(prefix + closed(body, quote))
            }
            Dialect::Rust => {
                if !["", "b", "r", "br", "c"].contains(&letters) {
                    return None;
                }
                if is_raw {
                    let hashes = body.len() - body.trim_start_matches('#').len();
                    if !body[hashes..].starts_with('"') {
                        return None;
                    }
                    let close = format!("\"{}", "#".repeat(hashes));
                    let from = hashes + 1;
                    let len = body[from..].find(&close).map_or(body.len(), |at| from + at + close.len());
                    return Some(prefix + len);
                }
                if body.starts_with('"') {
                    return Some(prefix + closed(body, "\""));
                }
                body.starts_with('\'').then(|| prefix + character_or_lifetime(body))
            }
        }
    }

    /// The length of the number that begins here. A range `0..n` is not part of it.
    fn number(&self) -> usize {
        let bytes = self.rest().as_bytes();
        let mut len = 0;
        while let Some(&byte) = bytes.get(len) {
            let next = bytes.get(len + 1);
            let is_part = match byte {
                b'.' => next.is_some_and(u8::is_ascii_digit) || (next != Some(&b'.') && !is_letter(next)),
                b'\'' => self.dialect == Dialect::Cpp && next.is_some_and(u8::is_ascii_digit),
                b'+' | b'-' => {
                    matches!(bytes[len - 1], b'e' | b'E')
                        && !bytes.starts_with(b"0x")
                        && next.is_some_and(u8::is_ascii_digit)
                }
                other => other.is_ascii_alphanumeric() || other == b'_',
            };
            if !is_part {
                break;
            }
            len += 1;
        }
        len
    }
}

fn is_letter(byte: Option<&u8>) -> bool {
    byte.is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
}

/// The length of a literal that `quote` opens and closes; a one-line literal that is not closed ends with its line.
fn closed(body: &str, quote: &str) -> usize {
    let bytes = body.as_bytes();
    let mut at = quote.len();
    while at < bytes.len() {
        if body[at..].starts_with(quote) {
            return at + quote.len();
        }
        if bytes[at] == b'\n' && quote.len() == 1 {
            return at;
        }
        at += if bytes[at] == b'\\' { 2 } else { 1 };
        while at < bytes.len() && !body.is_char_boundary(at) {
            at += 1;
        }
    }
    bytes.len()
}

fn character_or_lifetime(body: &str) -> usize {
    let mut inside = body[1..].char_indices();
    match inside.next() {
        Some((_, '\\')) => closed(body, "'"),
        Some((_, first)) if body[1 + first.len_utf8()..].starts_with('\'') => 2 + first.len_utf8(),
        _ => 1 + body[1..].find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(body.len() - 1),
    }
}

fn nested_comment(rest: &str) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while at < rest.len() {
        if rest[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += rest[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    rest.len()
}

/// With the lines that a `\` at the end of one adds to it.
fn preprocessor_line(rest: &str) -> usize {
    let mut at = 0;
    loop {
        let Some(end) = rest[at..].find('\n') else { return rest.len() };
        if !rest[at..at + end].trim_end_matches('\r').ends_with('\\') {
            return at + end;
        }
        at += end + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str, dialect: Dialect) -> String {
        tokens(source, dialect).iter().map(|token| token.text).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn comments_texts_and_preprocessor_lines_are_passed_over() {
        let cpp = "#define X \\\n 1 < 2\nint a = 1'000LL; // < \n/* && */ char c = '\\''; auto s = R\"x(a\")\")x\";";
        assert_eq!(texts(cpp, Dialect::Cpp), "int a = 1'000LL ; char c = '\\'' ; auto s = R\"x(a\")\")x\" ;");
        let rust = "#[inline]\nfn f<'a>(x: &'a str) { /* /* < */ < */ for i in 0..n { b'x'; r#\"\"<\"#; 1.5; x.0 } }";
        assert_eq!(
            texts(rust, Dialect::Rust),
            "fn f < 'a > ( x : & 'a str ) { for i in 0 .. n { b'x' ; r#\"\"<\"# ; 1.5 ; x . 0 } }"
        );
        let python = "x = f\"{a < b}\"  # <\ny = '''<\n'''; z = 10 ** -9 // 2 \\\n  + 1e-5";
        assert_eq!(
            texts(python, Dialect::Python),
            "x = f\"{a < b}\" y = '''<\n''' ; z = 10 ** - 9 // 2 + 1e-5"
        );
    }

    #[test]
    fn lines_are_counted_through_everything() {
        let found = tokens("a\n/* \n */ b \"\\\n\" c", Dialect::Cpp);
        let lines: Vec<usize> = found.iter().map(|token| token.line).collect();
        assert_eq!(lines, [1, 3, 3, 4]);
    }

    #[test]
    fn any_text_is_read_to_its_end() {
        for source in ["\"", "'", "r#\"", "/*", "'''é", "R\"(", "é\u{301}<", "1.", "0x1.p", "#[", "\\"] {
            for dialect in [Dialect::Cpp, Dialect::Python, Dialect::Rust] {
                assert!(tokens(source, dialect).len() <= source.len());
            }
        }
    }
}
