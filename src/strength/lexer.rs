//! Source text of C++, Python and Rust as tokens: enough to change a program in one place and nowhere else. Comments,
//! preprocessor lines and attributes give no tokens, and the inside of a text literal is never looked into. Reads any
//! text without failing; what it can't make sense of becomes single signs. The cutting itself is that of `lang::function`,
//! which looks for functions; here its pieces are put together to the tokens that the language has.

use crate::lang::function::token::{self, Family};

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

    fn family(self) -> Family {
        match self {
            Self::Cpp => Family::C,
            Self::Python => Family::Python,
            Self::Rust => Family::Rust,
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

/// The tokens of `source`, in order.
pub(crate) fn tokens(source: &str, dialect: Dialect) -> Vec<Token<'_>> {
    let pieces = token::cut(source, dialect.family());
    let (mut tokens, mut at, mut line, mut counted) = (Vec::new(), 0, 1, 0);
    while let Some(piece) = pieces.get(at) {
        let rest = Rest { source, dialect, pieces: &pieces[at..] };
        if let Some(len) = rest.attribute() {
            at += len;
            continue;
        }
        let (kind, len) = rest.token();
        let last = pieces[at + len - 1];
        line += source[counted..piece.offset].matches('\n').count();
        counted = piece.offset;
        let text = &source[piece.offset..last.offset + last.text.len()];
        tokens.push(Token { kind, text, start: piece.offset, line });
        at += len;
    }
    tokens
}

/// The pieces from one on.
struct Rest<'p, 's> {
    source: &'s str,
    dialect: Dialect,
    pieces: &'p [token::Token<'s>],
}

impl Rest<'_, '_> {
    /// What kind of token begins here, and of how many pieces it is.
    fn token(&self) -> (Kind, usize) {
        let first = self.pieces[0];
        match first.kind {
            token::Kind::Text => (Kind::Text, 1),
            token::Kind::Number => (Kind::Number, self.number()),
            // A prefix is part of its text.
            token::Kind::Word if self.is_prefix(first.text) && self.joins(1, token::Kind::Text) => {
                (Kind::Text, 2)
            }
            token::Kind::Word => (Kind::Name, 1),
            // A lifetime.
            token::Kind::Mark if first.text == "'" && self.joins(1, token::Kind::Word) => (Kind::Text, 2),
            token::Kind::Mark => (Kind::Sign, self.sign()),
        }
    }

    fn is_prefix(&self, word: &str) -> bool {
        match self.dialect {
            Dialect::Cpp => ["L", "u", "U", "u8"].contains(&word),
            Dialect::Rust => ["b", "c"].contains(&word),
            Dialect::Python => false,
        }
    }

    /// Whether the piece at `index` is of this kind and stands right behind the one before it.
    fn joins(&self, index: usize, kind: token::Kind) -> bool {
        self.pieces.get(index).is_some_and(|piece| piece.kind == kind && self.is_joined(index))
    }

    fn is_joined(&self, index: usize) -> bool {
        let before = self.pieces[index - 1];
        before.offset + before.text.len() == self.pieces[index].offset
    }

    /// With the sign and the digits of an exponent, and the point that nothing follows. A range `0..n` is not part of it.
    fn number(&self) -> usize {
        let text = self.pieces[0].text;
        let is_mark = |index: usize, marks: &[&str]| {
            self.joins(index, token::Kind::Mark) && marks.contains(&self.pieces[index].text)
        };
        let has_exponent = text.ends_with(['e', 'E']) && !text.starts_with("0x");
        if has_exponent && is_mark(1, &["+", "-"]) && self.joins(2, token::Kind::Number) {
            return 3;
        }
        let stands_alone = |index: usize| {
            self.pieces.get(index).is_none_or(|piece| {
                !self.is_joined(index) || (piece.text != "." && piece.kind != token::Kind::Word)
            })
        };
        if is_mark(1, &["."]) && stands_alone(2) { 2 } else { 1 }
    }

    /// As many marks as make one sign of the language.
    fn sign(&self) -> usize {
        let rest = &self.source[self.pieces[0].offset..];
        let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign) && self.has_sign(sign));
        // A mark is one character.
        sign.map_or(1, |sign| sign.len())
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

    /// Of how many pieces the attribute is that begins here, if one does.
    fn attribute(&self) -> Option<usize> {
        if self.dialect != Dialect::Rust || self.pieces[0].text != "#" {
            return None;
        }
        let open = self.pieces.iter().take(3).position(|piece| piece.is("["))?;
        if !(1..=open).all(|index| self.is_joined(index)) {
            return None;
        }
        let close = self.pieces.iter().position(|piece| piece.is("]"));
        Some(close.map_or(self.pieces.len(), |close| close + 1))
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
