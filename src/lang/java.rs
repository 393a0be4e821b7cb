//! What Java wants to know of a program before it is compiled and run: the name its file must have, and the class
//! whose `main` starts it. The first comes from the source without its comments and strings, the second from the
//! compiled classes, so that no word in a comment misleads. Never runs anything.

use std::path::Path;

/// Class files that are looked into.
const CLASSES: usize = 4096;

/// Size of the largest class file that is looked into.
const CLASS_BYTES: u64 = 1 << 20;

/// Bytes of a file's name that every file system takes, its ending left aside.
const NAME_BYTES: usize = 240;

/// The names of the types that are declared outside of any other, in order, and whether each is public.
pub(in crate::lang) fn top_level_types(source: &str) -> Vec<(String, bool)> {
    let mut types = Vec::new();
    let mut depth = 0_usize;
    let mut is_public = false;
    let mut awaits_name = false;
    let tokens = Tokens { rest: source };
    for token in tokens {
        match token {
            "{" | "(" => depth += 1,
            "}" | ")" => depth = depth.saturating_sub(1),
            _ if depth > 0 => continue,
            "public" => is_public = true,
            "class" | "interface" | "enum" | "record" => {
                awaits_name = true;
                continue;
            }
            word if awaits_name && is_word(word) => types.push((word.to_owned(), is_public)),
            _ => {}
        }
        awaits_name = false;
        if matches!(token, "}" | ";") {
            is_public = false;
        }
    }
    types
}

/// What the file with this source must be called: after its public type, if it has one.
pub(in crate::lang) fn file_name(source: &str) -> String {
    let types = top_level_types(source);
    let public = types.iter().find(|(name, is_public)| *is_public && name.len() <= NAME_BYTES);
    format!("{}.java", public.map_or("Main", |(name, _)| name))
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$')
}

/// Words and signs of Java source; comments, strings and characters are left out.
struct Tokens<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        loop {
            self.rest = self.rest.trim_start();
            let first = self.rest.chars().next()?;
            let skipped = match first {
                '/' if self.rest.starts_with("//") => self.rest.find('\n').unwrap_or(self.rest.len()),
                '/' if self.rest.starts_with("/*") => {
                    self.rest[2..].find("*/").map_or(self.rest.len(), |end| end + 4)
                }
                '"' if self.rest.starts_with("\"\"\"") => text_block(self.rest),
                '"' | '\'' => literal(self.rest, first),
                _ => {
                    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
                    let word = self.rest.find(|c: char| !is_part(c)).unwrap_or(self.rest.len());
                    let (token, rest) = self.rest.split_at(word.max(first.len_utf8()));
                    self.rest = rest;
                    return Some(token);
                }
            };
            self.rest = &self.rest[skipped..];
        }
    }
}

/// The length of a string or character at the start of `text`; one that does not end, ends with its line.
fn literal(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\n' => return at,
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

fn text_block(text: &str) -> usize {
    let mut at = 3;
    while let Some(found) = text[at..].find("\"\"\"") {
        let backslashes = text[..at + found].bytes().rev().take_while(|byte| *byte == b'\\').count();
        if backslashes.is_multiple_of(2) {
            return at + found + 3;
        }
        at += found + 1;
    }
    text.len()
}

/// The class to start, among those compiled into `classes` from `source`: the file's public one, one called `Main`,
/// else the first in the source that has a `main`. `instance_main` says that this Java starts a `main` that is neither
/// public nor static too.
pub(in crate::lang) fn main_class(classes: &Path, source: &str, instance_main: bool) -> Option<String> {
    let types = top_level_types(source);
    let rank = |class: &Class| {
        let simple = class.name.rsplit('.').next().unwrap_or(&class.name);
        let place = types.iter().position(|(name, _)| name == simple);
        let is_public = place.is_some_and(|place| types[place].1);
        (class.main, !is_public, simple != "Main", place.unwrap_or(usize::MAX), class.name.clone())
    };
    let mut found = read_classes(classes);
    found.retain(|class| class.main == Main::Static || instance_main && class.main == Main::Instance);
    found.into_iter().min_by_key(rank).map(|class| class.name)
}

/// A compiled class, as far as starting it goes.
#[derive(Debug, PartialEq, Eq)]
struct Class {
    name: String,
    main: Main,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Main {
    /// `public static void main(String[])`.
    Static,
    /// A `main` of another form, which newer Java starts too.
    Instance,
    /// None.
    Missing,
}

fn read_classes(folder: &Path) -> Vec<Class> {
    let mut classes = Vec::new();
    let mut pending = vec![folder.to_owned()];
    let mut left = CLASSES;
    while let Some(folder) = pending.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            if left == 0 {
                return classes;
            }
            left -= 1;
            // The kind of the entry itself: a link that a compiler was made to leave behind is not followed.
            let Ok(kind) = entry.file_type() else { continue };
            let is_small = entry.metadata().is_ok_and(|file| file.len() <= CLASS_BYTES);
            if kind.is_dir() {
                pending.push(entry.path());
            } else if kind.is_file() && is_small && entry.path().extension().is_some_and(|end| end == "class")
            {
                classes.extend(std::fs::read(entry.path()).ok().and_then(|bytes| read_class(&bytes)));
            }
        }
    }
    classes
}

/// Reads a class file (Java Virtual Machine Specification, chapter 4); `None` when it is none.
fn read_class(bytes: &[u8]) -> Option<Class> {
    const STATIC: u16 = 0x0008;
    const PUBLIC: u16 = 0x0001;
    const PRIVATE: u16 = 0x0002;
    let mut reader = Reader { rest: bytes };
    if reader.u32()? != 0xCAFE_BABE {
        return None;
    }
    reader.skip(4)?;
    let pool = read_pool(&mut reader)?;
    reader.skip(2)?;
    let this = usize::from(reader.u16()?);
    let Constant::Class(name) = *pool.get(this)? else { return None };
    let text = |index: u16| match pool.get(usize::from(index)) {
        Some(Constant::Text(text)) => Some(*text),
        _ => None,
    };
    let name = String::from_utf8_lossy(text(name)?).replace('/', ".");
    reader.skip(2)?;
    let interfaces = usize::from(reader.u16()?);
    reader.skip(2 * interfaces)?;
    skip_members(&mut reader, |_, _, _| {})?;
    let mut main = Main::Missing;
    skip_members(&mut reader, |access, name, descriptor| {
        if text(name) != Some(b"main") {
            return;
        }
        let form = match text(descriptor) {
            Some(b"([Ljava/lang/String;)V") if access & (STATIC | PUBLIC) == STATIC | PUBLIC => Main::Static,
            Some(b"([Ljava/lang/String;)V" | b"()V") if access & PRIVATE == 0 => Main::Instance,
            _ => Main::Missing,
        };
        main = main.min(form);
    })?;
    Some(Class { name, main })
}

/// One entry of the constant pool, as far as it matters here.
enum Constant<'a> {
    Text(&'a [u8]),
    /// The index of its name.
    Class(u16),
    Other,
}

fn read_pool<'a>(reader: &mut Reader<'a>) -> Option<Vec<Constant<'a>>> {
    let count = usize::from(reader.u16()?);
    let mut pool = vec![Constant::Other];
    while pool.len() < count {
        let entry = match reader.u8()? {
            1 => {
                let length = usize::from(reader.u16()?);
                Constant::Text(reader.take(length)?)
            }
            7 => Constant::Class(reader.u16()?),
            // Long and Double take two places.
            5 | 6 => {
                reader.skip(8)?;
                pool.push(Constant::Other);
                Constant::Other
            }
            3 | 4 | 9 | 10 | 11 | 12 | 17 | 18 => reader.skip(4).map(|()| Constant::Other)?,
            8 | 16 | 19 | 20 => reader.skip(2).map(|()| Constant::Other)?,
            15 => reader.skip(3).map(|()| Constant::Other)?,
            _ => return None,
        };
        pool.push(entry);
    }
    Some(pool)
}

/// Goes over all fields or all methods, calling `each` with access flags, name and descriptor.
fn skip_members(reader: &mut Reader<'_>, mut each: impl FnMut(u16, u16, u16)) -> Option<()> {
    for _ in 0..reader.u16()? {
        each(reader.u16()?, reader.u16()?, reader.u16()?);
        for _ in 0..reader.u16()? {
            reader.skip(2)?;
            let length = reader.u32()?;
            reader.skip(usize::try_from(length).ok()?)?;
        }
    }
    Some(())
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(taken)
    }

    fn skip(&mut self, count: usize) -> Option<()> {
        self.take(count).map(|_| ())
    }

    fn u8(&mut self) -> Option<u8> {
        self.take(1).map(|bytes| bytes[0])
    }

    fn u16(&mut self) -> Option<u16> {
        Some(u16::from(self.u8()?) << 8 | u16::from(self.u8()?))
    }

    fn u32(&mut self) -> Option<u32> {
        Some(u32::from(self.u16()?) << 16 | u32::from(self.u16()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_named_after_the_public_type_wherever_the_word_stands() {
        for (source, name) in [
            ("class A {} class B { public static void main(String[] a) {} }", "Main.java"),
            ("// it's public class Wrong {}\npublic class Right { }", "Right.java"),
            ("/* public class No {} */ @Note(\"public class No\") public final class Yes {}", "Yes.java"),
            (
                "class A { public class Inner {} String s = \"}\"; char c = '}'; } public record R(int x) {}",
                "R.java",
            ),
            (
                "class A { String s = \"\"\"\n public class X { \\\"\"\" }\n\"\"\"; } public enum E { }",
                "E.java",
            ),
            ("package a.b;\nimport java.util.*;\npublic class Größe {}", "Größe.java"),
            ("@Runs(Main.class) public sealed interface Shape permits A {}", "Shape.java"),
            ("public @interface Mark {}", "Mark.java"),
            ("", "Main.java"),
            ("'", "Main.java"),
            ("/* without end", "Main.java"),
        ] {
            assert_eq!(file_name(source), name, "{source}");
        }
    }

    /// The smallest class file with this name and these methods of (access, name, descriptor).
    fn class_file(name: &str, methods: &[(u16, &str, &str)]) -> Vec<u8> {
        let mut pool: Vec<u8> = Vec::new();
        let mut count = 1_u16;
        let mut text = |text: &str| {
            pool.push(1);
            pool.extend(u16::try_from(text.len()).unwrap().to_be_bytes());
            pool.extend(text.as_bytes());
            count += 1;
            count - 1
        };
        let name = text(name);
        let methods: Vec<[u16; 4]> =
            methods.iter().map(|(access, n, d)| [*access, text(n), text(d), 0]).collect();
        pool.push(7);
        pool.extend(name.to_be_bytes());
        pool.extend([5, 0, 0, 0, 0, 0, 0, 0, 7]);
        let this = count;
        let mut file = vec![0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 61];
        file.extend((count + 3).to_be_bytes());
        file.extend(pool);
        let counts = [0x21, this, 0, 0, 0, u16::try_from(methods.len()).unwrap()];
        file.extend(counts.iter().chain(methods.iter().flatten()).flat_map(|number| number.to_be_bytes()));
        file
    }

    const ARGS: &str = "([Ljava/lang/String;)V";

    #[test]
    fn only_a_public_static_main_with_its_arguments_starts_a_class() {
        let main = |methods: &[(u16, &str, &str)]| read_class(&class_file("a/B", methods)).unwrap();
        assert_eq!(main(&[(0x9, "main", ARGS)]), Class { name: "a.B".to_owned(), main: Main::Static });
        assert_eq!(main(&[(0x39, "run", "()V"), (0x39, "main", ARGS)]).main, Main::Static);
        assert_eq!(main(&[(0x1, "main", "()V")]).main, Main::Instance);
        assert_eq!(main(&[(0x2, "main", "()V"), (0x9, "main", "()I")]).main, Main::Missing);
    }

    #[test]
    fn a_broken_class_file_is_none() {
        let whole = class_file("A", &[(0x9, "main", ARGS)]);
        for length in 0..whole.len() {
            let read = read_class(&whole[..length]);
            assert!(read.is_none(), "{length}: {read:?}");
        }
        assert_eq!(read_class(b"\x7fELF\x02\x01\x01\x00 and so on"), None);
    }

    #[test]
    fn of_several_mains_the_public_class_then_main_then_the_first_wins() {
        let folder = tempfile::tempdir().unwrap();
        let add = |name: &str, main: bool| {
            let methods: &[_] = if main { &[(0x9, "main", ARGS)] } else { &[] };
            std::fs::write(folder.path().join(format!("{name}.class")), class_file(name, methods)).unwrap();
        };
        let source = "class Zero {} class One {} class Main {} public class Two {}";
        add("Zero", false);
        add("One", true);
        add("Zero$Inner", true);
        assert_eq!(main_class(folder.path(), source, false).as_deref(), Some("One"));
        add("Main", true);
        assert_eq!(main_class(folder.path(), source, false).as_deref(), Some("Main"));
        add("Two", true);
        assert_eq!(main_class(folder.path(), source, false).as_deref(), Some("Two"));
        assert_eq!(main_class(&folder.path().join("none"), source, true), None);
    }
}
