//! Cuts a source into words, numbers, texts and marks, without its comments: enough to see which functions it declares.
//! Never fails: what it doesn't understand becomes a mark, and the compiler has the last word.

/// Languages whose sources are cut alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    /// C and C++, whose preprocessor lines are left out.
    C,
    /// Java.
    Java,
    /// Go.
    Go,
    /// Rust.
    Rust,
    /// JavaScript and TypeScript.
    Script,
    /// Python.
    Python,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An identifier or a keyword.
    Word,
    /// A number.
    Number,
    /// A string, a character, a template or a regular expression.
    Text,
    /// A single character of anything else.
    Mark,
}

/// One token and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    /// What it is.
    pub(crate) kind: Kind,
    /// As it is written.
    pub(crate) text: &'a str,
    /// Bytes before it.
    pub(crate) offset: usize,
    /// How many `{` `(` `[` are open where it stands; an opening one counts from the next token on.
    pub(crate) depth: u32,
    /// Whether it is the first token of its line.
    pub(crate) starts_line: bool,
    /// Bytes before it in its line.
    pub(crate) column: usize,
}

impl Token<'_> {
    /// Whether it is this word or mark; never true of a text.
    pub(crate) fn is(&self, text: &str) -> bool {
        self.kind != Kind::Text && self.text == text
    }
}

/// The tokens of `source`.
pub(crate) fn cut(source: &str, family: Family) -> Vec<Token<'_>> {
    let mut cutter = Cutter { source, bytes: source.as_bytes(), at: 0, family, tokens: Vec::new() };
    cutter.at = if source.starts_with('\u{feff}') { 3 } else { 0 };
    let mut depth = 0_u32;
    let mut line_start = cutter.at;
    let mut starts_line = true;
    while let Some(&byte) = cutter.bytes.get(cutter.at) {
        let from = cutter.at;
        if let Some(end) = cutter.blank(starts_line) {
            if let Some(last) = source[from..end].rfind('\n') {
                line_start = from + last + 1;
                // A backslash joins two lines to one.
                starts_line |= byte != b'\\';
            }
            cutter.at = end;
            continue;
        }
        let (kind, end) = cutter.token();
        // Never an empty token, and never a cut inside a character.
        let mut end = end.clamp(from + 1, source.len());
        while !source.is_char_boundary(end) {
            end += 1;
        }
        if kind == Kind::Mark && matches!(byte, b'}' | b')' | b']') {
            depth = depth.saturating_sub(1);
        }
        let text = &source[from..end];
        cutter.tokens.push(Token { kind, text, offset: from, depth, starts_line, column: from - line_start });
        if kind == Kind::Mark && matches!(byte, b'{' | b'(' | b'[') {
            depth += 1;
        }
        starts_line = false;
        if let Some(last) = text.rfind('\n') {
            line_start = from + last + 1;
        }
        cutter.at = end;
    }
    cutter.tokens
}

struct Cutter<'a> {
    source: &'a str,
    bytes: &'a [u8],
    at: usize,
    family: Family,
    tokens: Vec<Token<'a>>,
}

impl<'a> Cutter<'a> {
    fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    /// The end of the white space, comment or preprocessor line that starts here, if one does.
    fn blank(&self, starts_line: bool) -> Option<usize> {
        let rest = self.rest();
        let to_line_end = || self.at + memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        match rest {
            [byte, ..] if byte.is_ascii_whitespace() || *byte == 0x0b => Some(self.at + 1),
            [b'\\', b'\n', ..] => Some(self.at + 2),
            [b'\\', b'\r', b'\n', ..] => Some(self.at + 3),
            [b'#', ..] if self.family == Family::Python => Some(to_line_end()),
            [b'#', b'!', ..] if self.family == Family::Script && self.at == 0 => Some(to_line_end()),
            [b'#', ..] if self.family == Family::C && starts_line => Some(self.directive_end()),
            [b'/', b'/', ..] if self.family != Family::Python => Some(to_line_end()),
            [b'/', b'*', ..] if self.family != Family::Python => Some(self.comment_end()),
            _ => None,
        }
    }

    /// A preprocessor line goes on while its lines end in a backslash.
    fn directive_end(&self) -> usize {
        let mut at = self.at;
        while let Some(found) = memchr::memchr(b'\n', &self.bytes[at..]) {
            let line = &self.bytes[at..at + found];
            if !line.strip_suffix(b"\r").unwrap_or(line).ends_with(b"\\") {
                return at + found;
            }
            at += found + 1;
        }
        self.bytes.len()
    }

    /// Rust's comments nest.
    fn comment_end(&self) -> usize {
        let mut open = 0_u32;
        let mut at = self.at;
        while at < self.bytes.len() {
            match &self.bytes[at..] {
                [b'/', b'*', ..] if open == 0 || self.family == Family::Rust => {
                    open += 1;
                    at += 2;
                }
                [b'*', b'/', ..] => {
                    open -= 1;
                    at += 2;
                    if open == 0 {
                        return at;
                    }
                }
                _ => at += 1,
            }
        }
        at
    }

    fn token(&self) -> (Kind, usize) {
        let byte = self.bytes[self.at];
        if is_word(byte) && !byte.is_ascii_digit() {
            let end = self.while_(self.at, is_word);
            return match self.prefixed_text(end) {
                Some(end) => (Kind::Text, end),
                None => (Kind::Word, end),
            };
        }
        if byte.is_ascii_digit() {
            return (Kind::Number, self.number_end());
        }
        match byte {
            b'"' | b'\'' if self.family == Family::Python => (Kind::Text, self.python_text_end(self.at)),
            b'"' if self.family == Family::Java && self.rest().starts_with(b"\"\"\"") => {
                (Kind::Text, self.quoted_end(self.at + 3, b"\"\"\"", true))
            }
            b'"' => (Kind::Text, self.quoted_end(self.at + 1, b"\"", true)),
            b'\'' if self.family == Family::Rust => self.rust_quote(),
            b'\'' => (Kind::Text, self.quoted_end(self.at + 1, b"'", true)),
            b'`' if self.family == Family::Go => (Kind::Text, self.quoted_end(self.at + 1, b"`", false)),
            b'`' if self.family == Family::Script => (Kind::Text, self.template_end(self.at + 1)),
            b'/' if self.family == Family::Script && self.regex_may_start() => (Kind::Text, self.regex_end()),
            _ => (Kind::Mark, self.at + 1),
        }
    }

    fn while_(&self, from: usize, holds: impl Fn(u8) -> bool) -> usize {
        let length = self.bytes[from..].iter().position(|&byte| !holds(byte));
        length.map_or(self.bytes.len(), |length| from + length)
    }

    fn number_end(&self) -> usize {
        let mut at = self.at;
        loop {
            at = self.while_(at, is_word);
            match &self.bytes[at..] {
                // `1.5`, but neither the range `1..5` nor a method of a number.
                [b'.', next, ..] if next.is_ascii_digit() => at += 1,
                // The separator of C++, as in `1'000`.
                [b'\'', next, ..] if self.family == Family::C && next.is_ascii_alphanumeric() => at += 1,
                _ => return at,
            }
        }
    }

    /// The end of a text whose prefix is the word from here to `end`, as in `R"(…)"`, `r#"…"#` or `f'…'`.
    fn prefixed_text(&self, end: usize) -> Option<usize> {
        let prefix = &self.bytes[self.at..end];
        let rest = &self.bytes[end..];
        match self.family {
            Family::Python
                if prefix.len() <= 2 && rest.first().is_some_and(|byte| matches!(byte, b'"' | b'\'')) =>
            {
                let known = prefix.iter().all(|byte| b"rRbBuUfFtT".contains(byte));
                known.then(|| self.python_text_end(end))
            }
            Family::C
                if matches!(prefix, b"R" | b"LR" | b"uR" | b"UR" | b"u8R") && rest.starts_with(b"\"") =>
            {
                let open = memchr::memchr(b'(', rest)?;
                let mut close = vec![b')'];
                close.extend_from_slice(&rest[1..open]);
                close.push(b'"');
                Some(self.quoted_end(end + open + 1, &close, false))
            }
            Family::Rust if matches!(prefix, b"r" | b"br" | b"cr") => {
                let hashes = rest.iter().take_while(|&&byte| byte == b'#').count();
                if rest.get(hashes) != Some(&b'"') {
                    return None;
                }
                let mut close = vec![b'"'];
                close.resize(1 + hashes, b'#');
                Some(self.quoted_end(end + hashes + 1, &close, false))
            }
            _ => None,
        }
    }

    /// The end of a text that starts at `from`; a plain one ends with its line at the latest.
    fn quoted_end(&self, from: usize, close: &[u8], escapes: bool) -> usize {
        let one_line = close.len() == 1 && escapes && self.family != Family::Rust;
        let mut at = from;
        while at < self.bytes.len() {
            if self.bytes[at..].starts_with(close) {
                return at + close.len();
            }
            match self.bytes[at] {
                b'\\' if escapes => at += 2,
                b'\n' if one_line => return at,
                _ => at += 1,
            }
        }
        self.bytes.len()
    }

    /// In a raw text, too, a backslash keeps the quote after it from ending the text.
    fn python_text_end(&self, quote: usize) -> usize {
        let byte = self.bytes[quote];
        let triple = [byte; 3];
        if self.bytes[quote..].starts_with(&triple) {
            return self.quoted_end(quote + 3, &triple, true);
        }
        self.quoted_end(quote + 1, &[byte], true)
    }

    /// A lifetime, or a character.
    fn rust_quote(&self) -> (Kind, usize) {
        let after = self.source.get(self.at + 1..).unwrap_or_default();
        let mut chars = after.chars();
        match (chars.next(), chars.next()) {
            (Some('\\'), _) => (Kind::Text, self.quoted_end(self.at + 1, b"'", true)),
            (Some(one), Some('\'')) => (Kind::Text, self.at + 1 + one.len_utf8() + 1),
            _ => (Kind::Mark, self.at + 1),
        }
    }

    fn template_end(&self, from: usize) -> usize {
        // How many braces are open in each `${` around; a template inside one pushes nothing until its own `${`.
        let mut at = from;
        let mut holes: Vec<u32> = Vec::new();
        let mut in_text = true;
        let mut texts_open = 1_u32;
        while at < self.bytes.len() {
            match (&self.bytes[at..], in_text) {
                ([b'\\', ..], true) => at += 1,
                ([b'`', ..], true) => {
                    texts_open -= 1;
                    if texts_open == 0 {
                        return at + 1;
                    }
                    in_text = false;
                }
                ([b'$', b'{', ..], true) => {
                    holes.push(0);
                    in_text = false;
                    at += 1;
                }
                ([b'`', ..], false) => {
                    texts_open += 1;
                    in_text = true;
                }
                ([quote @ (b'"' | b'\''), ..], false) => {
                    at = self.quoted_end(at + 1, &[*quote], true) - 1;
                }
                ([b'{', ..], false) => *holes.last_mut().unwrap_or(&mut 0) += 1,
                ([b'}', ..], false) => match holes.last_mut() {
                    Some(0) | None => {
                        holes.pop();
                        in_text = true;
                    }
                    Some(open) => *open -= 1,
                },
                _ => {}
            }
            at += 1;
        }
        self.bytes.len()
    }

    /// A slash divides after a value and starts a regular expression elsewhere.
    fn regex_may_start(&self) -> bool {
        let Some(last) = self.tokens.last() else { return true };
        match last.kind {
            Kind::Mark => !matches!(last.text, ")" | "]" | "}"),
            Kind::Word => {
                ["return", "typeof", "case", "in", "of", "do", "else", "void", "delete"].contains(&last.text)
            }
            Kind::Number | Kind::Text => false,
        }
    }

    fn regex_end(&self) -> usize {
        let mut at = self.at + 1;
        let mut in_class = false;
        while at < self.bytes.len() {
            match self.bytes[at] {
                b'\\' => at += 1,
                b'[' => in_class = true,
                b']' => in_class = false,
                b'\n' => return at,
                b'/' if !in_class => return self.while_(at + 1, is_word),
                _ => {}
            }
            at += 1;
        }
        self.bytes.len()
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(source: &str, family: Family) -> String {
        let texts = cut(source, family).into_iter().filter(|token| token.kind == Kind::Word);
        texts.map(|token| token.text).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn comments_and_texts_hold_no_words() {
        let c = "#define main \\\n  other\nint a; // main\n/* main */ char* s = \"main \\\" main\"; auto r = R\"x(main )\" )x\"; int q = 1'000'000;";
        assert_eq!(words(c, Family::C), "int a char s auto r int q");
        let java = "String s = \"\"\"\n main \"quoted\" \"\"\"; char c = '\"'; int x;";
        assert_eq!(words(java, Family::Java), "String s char c int x");
        let go = "s := `main \\` ; r := '\\''; x := \"`\"";
        assert_eq!(words(go, Family::Go), "s r x");
        let rust = "fn f<'a>(x: &'a str) { /* main /* inner */ main */ let c = '\\''; let d = '\"'; r#\"main \" main\"#; b\"main\" }";
        assert_eq!(words(rust, Family::Rust), "fn f a x a str let c let d b");
        let python = "def f(): # main\n  '''main\n ' main'''\n  rf\"main\\\"\" + 'main'\nx";
        assert_eq!(words(python, Family::Python), "def f x");
    }

    #[test]
    fn templates_nest_and_slashes_are_told_apart() {
        let script = "let a = `main ${f(`x ${'}'} main`, {b: 1})} main`; let c = a / 2 / main2; let d = /[/\"'main]/g.test(a); end";
        assert_eq!(words(script, Family::Script), "let a let c a main2 let d test a end");
    }

    #[test]
    fn tokens_know_their_depth_column_and_line_start() {
        let tokens = cut("class A {\n  f(x) { y }\n}\nz", Family::Java);
        let told: Vec<(&str, u32, bool, usize)> =
            tokens.iter().map(|token| (token.text, token.depth, token.starts_line, token.column)).collect();
        assert_eq!(told[0], ("class", 0, true, 0));
        assert_eq!(told[3], ("f", 1, true, 2));
        assert_eq!(told[5], ("x", 2, false, 4));
        assert_eq!(*told.last().unwrap(), ("z", 0, true, 0));
    }

    #[test]
    fn any_text_is_cut_without_a_fault() {
        let odd = "\u{feff}'\"`\\\\ é R\"( r#\" '''\n ${ }]) /* // /x \u{1F600}'\u{1F600} 1.2.3 1' \\";
        for family in [Family::C, Family::Java, Family::Go, Family::Rust, Family::Script, Family::Python] {
            for start in (0..odd.len()).filter(|&start| odd.is_char_boundary(start)) {
                for token in cut(&odd[start..], family) {
                    assert!(!token.text.is_empty());
                }
            }
        }
    }
}
