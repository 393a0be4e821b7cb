//! `[checker]` and `[interactor]`: who says whether an output is right.

use super::super::jury::{AfterTalk, JuryProgram, Protocol, Role};
use super::super::read::{Item, Mistakes, Table};
use super::settings::inner_path;
use crate::check::{Checker, CheckerError};
use crate::diagnostic::nearest;

/// Kinds of checkers, for hints.
const CHECKERS: [&str; 17] = [
    "tokens",
    "lines",
    "exact",
    "float",
    "unordered",
    "testlib",
    "wcmp",
    "lcmp",
    "fcmp",
    "ncmp",
    "rcmp4",
    "rcmp6",
    "rcmp9",
    "yesno",
    "kattis",
    "domjudge",
    "dmoj",
];
/// Where programs of the jury's lie, in a message.
const PLACE: &str = "the problem's folder";

/// The most arguments.
const MAX_ARGS: usize = 100;
/// The longest argument.
const MAX_ARG_BYTES: usize = 1000;
/// The most points that may be all.
const MAX_FULL: i64 = 1_000_000;

/// Who says whether an output is right.
pub(super) struct Ruling {
    /// The built-in checker.
    pub(super) checker: Option<Checker>,
    /// The program that rules instead.
    pub(super) jury: Option<JuryProgram>,
    /// Whether there is an interactor, be it without mistakes or not.
    pub(super) is_interactive: bool,
}

/// The checker, the interactor, or both; tokens are compared when there is neither.
pub(super) fn rules(root: &mut Table<'_>, mistakes: &mut Mistakes) -> Ruling {
    let (checker_item, interactor) = (root.take("checker"), root.take("interactor"));
    let is_interactive = interactor.is_some();
    let checker = checker_item.as_ref().and_then(|item| self::checker(item, mistakes));
    if let Some(item) = interactor {
        let mut jury = self::interactor(&item, mistakes);
        if let (Some(jury), Some(checker_item)) = (&mut jury, &checker_item) {
            if jury.protocol == Protocol::Kattis {
                let message = "an interactor of the kind `kattis` and a checker cannot both rule";
                let help = "it says by itself whether the submission is right: remove `[checker]`";
                let mistake = item.mistake(message, "the interactor");
                mistakes.add(mistake.at(checker_item.span.clone(), "the checker").help(help));
            }
            jury.then = checker.map(|chosen| match chosen {
                Chosen::BuiltIn(checker) => AfterTalk::BuiltIn(checker),
                Chosen::Program(program) => AfterTalk::Program(Box::new(program)),
            });
        }
        return Ruling { checker: None, jury, is_interactive };
    }
    match checker {
        Some(Chosen::BuiltIn(checker)) => Ruling { checker: Some(checker), jury: None, is_interactive },
        Some(Chosen::Program(jury)) => Ruling { checker: None, jury: Some(jury), is_interactive },
        None => Ruling { checker: None, jury: None, is_interactive },
    }
}

/// An interactor talks with whole programs, so there is no function to call.
pub(super) fn no_function(root: &mut Table<'_>, mistakes: &mut Mistakes) {
    let (Some(interactor), Some(function)) = (root.take("interactor"), root.take("function")) else { return };
    let message = "an interactor talks with whole programs: there cannot be a function too";
    let mistake = function.mistake(message, "the function");
    mistakes.add(mistake.at(interactor.span, "the interactor").help("remove one of them"));
}

enum Chosen {
    BuiltIn(Checker),
    Program(JuryProgram),
}

fn checker(item: &Item<'_>, mistakes: &mut Mistakes) -> Option<Chosen> {
    let mut table = item.table("`[checker]`".to_owned(), "a table, as in { kind = \"tokens\" }", mistakes)?;
    let kind = table.need("kind", "`kind = \"tokens\"`");
    let (eps, program) = (table.take("eps"), table.take("program"));
    let more = more(&mut table, kind.as_ref(), mistakes);
    table.finish(mistakes);
    let kind_item = kind?;
    let kind = kind_item.text("a text", mistakes)?;
    if let (Some(eps), true) = (&eps, kind != "float") {
        mistakes.add(eps.mistake(format!("the checker `{kind}` has no tolerance"), "only `float` has"));
    }
    let protocol = Protocol::ALL.into_iter().find(|protocol| protocol.name() == kind);
    match (protocol, &program) {
        (Some(protocol), Some(program)) => {
            return path(program, mistakes).map(|program| {
                let More { full, args } = more;
                Chosen::Program(JuryProgram {
                    role: Role::Checker,
                    protocol,
                    program,
                    full,
                    args,
                    then: None,
                })
            });
        }
        (Some(Protocol::Testlib), None) => {
            let mistake =
                kind_item.mistake("a checker of the kind `testlib` is a program, and none is named", "");
            mistakes.missing(mistake.help("add `program = \"check.cpp\"`, a file in the problem's folder"));
            return None;
        }
        (None, Some(program)) => {
            let message = format!("the checker `{kind}` is built in and takes no program");
            let mistake = program.mistake(message, "");
            let help = "a program is of the kind `testlib` or `kattis`, by how it is called and answers";
            mistakes.add(mistake.at(kind_item.span.clone(), "built in").help(help));
            return None;
        }
        // The default validator of the Kattis format.
        (Some(Protocol::Kattis), None) | (None, None) => {}
    }
    built_in(&kind_item, kind, eps.as_ref(), mistakes).map(Chosen::BuiltIn)
}

fn built_in(
    kind_item: &Item<'_>,
    kind: &str,
    eps: Option<&Item<'_>>,
    mistakes: &mut Mistakes,
) -> Option<Checker> {
    let name = match (kind, eps) {
        ("float", Some(eps)) => {
            format!("float:{}", eps.text("a number in quotes, as in \"1e-6\"", mistakes)?)
        }
        ("float", None) => {
            let mistake = kind_item.mistake("the checker `float` needs its tolerance", "");
            mistakes.missing(mistake.help("add `eps = \"1e-6\"`"));
            return None;
        }
        _ => kind.to_owned(),
    };
    let at = eps.filter(|_| kind == "float").unwrap_or(kind_item);
    let wrong = |error: CheckerError| {
        let near = nearest(kind, CHECKERS).filter(|near| *near != kind);
        let label = near.map_or(String::new(), |near| format!("did you mean \"{near}\"?"));
        mistakes.add(at.mistake(error.to_string(), label));
    };
    Checker::parse(&name).map_err(wrong).ok()
}

fn interactor(item: &Item<'_>, mistakes: &mut Mistakes) -> Option<JuryProgram> {
    let like = "a table, as in { kind = \"kattis\", program = \"interact.py\" }";
    let mut table = item.table("`[interactor]`".to_owned(), like, mistakes)?;
    let kind = table.need("kind", "`kind = \"testlib\"` or `kind = \"kattis\"`");
    let program = table.need("program", "`program = \"interact.cpp\"`, a file in the problem's folder");
    let More { full, args } = more(&mut table, kind.as_ref(), mistakes);
    table.finish(mistakes);
    let kind = kind.and_then(|item| protocol(&item, mistakes));
    let program = program.and_then(|item| path(&item, mistakes));
    let (protocol, program) = (kind?, program?);
    Some(JuryProgram { role: Role::Interactor, protocol, program, full, args, then: None })
}

/// What each protocol may have besides.
struct More {
    full: Option<u64>,
    args: Vec<String>,
}

/// How many of a testlib program's points are all, and the arguments of a Kattis program.
fn more(table: &mut Table<'_>, kind: Option<&Item<'_>>, mistakes: &mut Mistakes) -> More {
    let (full, args) = (table.take("full"), table.take("args"));
    let kind = kind.filter(|kind| kind.is_text()).and_then(|kind| kind.text("a text", mistakes));
    let mut fits = |item: &Item<'_>, protocol: Protocol, what: &str| {
        let fits = kind.is_none_or(|kind| kind == protocol.name());
        if !fits {
            let message = format!("only programs of the kind `{}` {what}", protocol.name());
            mistakes.add(item.mistake(message, ""));
        }
        fits
    };
    let full = full.filter(|item| fits(item, Protocol::Testlib, "count points"));
    let args = args.filter(|item| fits(item, Protocol::Kattis, "get arguments"));
    More {
        full: full.and_then(|item| item.integer_in(1, MAX_FULL, mistakes)).map(i64::unsigned_abs),
        args: args.map_or_else(Vec::new, |item| arguments(&item, mistakes)),
    }
}

fn arguments(item: &Item<'_>, mistakes: &mut Mistakes) -> Vec<String> {
    let elements = item.elements("a list of texts, as in [\"case_sensitive\"]", mistakes).unwrap_or_default();
    if elements.len() > MAX_ARGS {
        mistakes.add(item.mistake(format!("more than {MAX_ARGS} arguments"), ""));
    }
    let mut args = Vec::new();
    for element in elements.iter().take(MAX_ARGS) {
        let Some(arg) = element.text("a text: write a number in quotes", mistakes) else { continue };
        if arg.len() > MAX_ARG_BYTES || arg.contains('\0') {
            let label = format!("expected {MAX_ARG_BYTES} bytes at most, without NUL");
            mistakes.add(element.mistake("this cannot be an argument", label));
        }
        args.push(arg.to_owned());
    }
    args
}

fn protocol(item: &Item<'_>, mistakes: &mut Mistakes) -> Option<Protocol> {
    let kind = item.text("\"testlib\" or \"kattis\"", mistakes)?;
    let found = Protocol::ALL.into_iter().find(|protocol| protocol.name() == kind);
    if found.is_none() {
        let near = nearest(kind, Protocol::ALL.map(Protocol::name));
        let label = near.map_or("expected \"testlib\" or \"kattis\"".to_owned(), |near| {
            format!("did you mean \"{near}\"?")
        });
        mistakes.add(item.mistake(format!("`{}` is no kind of interactor", kind.escape_debug()), label));
    }
    found
}

fn path(item: &Item<'_>, mistakes: &mut Mistakes) -> Option<String> {
    inner_path(item, "a path, as in \"check.cpp\"", PLACE, mistakes)
}
