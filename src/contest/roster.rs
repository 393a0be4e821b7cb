//! Who takes part: lists of accounts as people paste or import them. Pure: nothing is written, randomness comes in as
//! bytes, and hashing a password is somebody else's business.

use std::collections::{HashMap, HashSet};

use super::csv;

/// The most accounts of one list.
pub const MAX_ACCOUNTS: usize = 10_000;
/// The longest list, in bytes.
pub const MAX_LIST_BYTES: usize = 4 << 20;
/// The longest login.
pub const MAX_LOGIN_BYTES: usize = 32;
/// The longest name.
pub const MAX_NAME_CHARS: usize = 80;
/// The shortest password that a list or a person may set.
pub const MIN_PASSWORD_CHARS: usize = 6;
/// The longest password: hashing takes longer the longer it is.
pub const MAX_PASSWORD_BYTES: usize = 128;
/// Bytes of randomness that [`password`] makes a password of.
pub const PASSWORD_BYTES: usize = 5;
/// How many mistakes of a list are told.
const MAX_MISTAKES: usize = 200;

/// An account to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewAccount {
    /// What is typed to log in; lower case.
    pub login: String,
    /// What others see.
    pub name: String,
    /// `None` to make one.
    pub password: Option<String>,
}

/// A mistake in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The line of the list, from 1.
    pub line: usize,
    /// What is wrong and what to do about it.
    pub message: String,
}

/// The text of a list that was uploaded: UTF-8, or what spreadsheets call Unicode text.
///
/// # Errors
/// When it is neither, or too long.
pub fn text(bytes: &[u8]) -> Result<String, Mistake> {
    let error = |message: String| Mistake { line: 1, message };
    if bytes.len() > MAX_LIST_BYTES {
        return Err(error(format!("the list has {} bytes, expected {MAX_LIST_BYTES} at most", bytes.len())));
    }
    let wide = |units: &[u8], unit: fn([u8; 2]) -> u16| {
        let (pairs, rest) = units.as_chunks::<2>();
        let units = pairs.iter().map(|pair| unit(*pair));
        let text: Option<String> = char::decode_utf16(units).map(Result::ok).collect();
        text.filter(|_| rest.is_empty())
    };
    let text = match bytes {
        [0xff, 0xfe, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => wide(rest, u16::from_be_bytes),
        _ => str::from_utf8(bytes).ok().map(|text| text.strip_prefix('\u{feff}').unwrap_or(text).to_owned()),
    };
    let message = "the list is not in UTF-8: save it as \"CSV UTF-8\", or paste it";
    text.ok_or_else(|| error(message.to_owned()))
}

/// Reads a list of accounts: either one name on each line, or a table whose first line names its columns, `login`,
/// `name` and `password`, in any order, of which only one of the first two has to be there. Logins that are absent are
/// made (`team01` …), none of them one of `taken`.
///
/// # Errors
/// Every mistake at once; then no account is to be made.
pub fn read(text: &str, taken: &[&str]) -> Result<Vec<NewAccount>, Vec<Mistake>> {
    if text.len() > MAX_LIST_BYTES {
        let message = format!("the list has {} bytes, expected {MAX_LIST_BYTES} at most", text.len());
        return Err(vec![Mistake { line: 1, message }]);
    }
    let table = Table::read(text).map_err(|mistake| vec![mistake])?;
    if table.records.is_empty() {
        return Err(vec![Mistake { line: 1, message: "the list names nobody".to_owned() }]);
    }
    if let Some(record) = table.records.get(MAX_ACCOUNTS) {
        let message = format!("more than {MAX_ACCOUNTS} accounts: import them in parts");
        return Err(vec![Mistake { line: record.line, message }]);
    }
    let mut mistakes = table.mistakes();
    let mut known =
        Known { taken: taken.iter().map(|login| login.to_lowercase()).collect(), ..Known::default() };
    let rows: Vec<_> = table.records.iter().map(|record| known.row(&table, record, &mut mistakes)).collect();
    if !mistakes.is_empty() {
        mistakes.truncate(MAX_MISTAKES);
        return Err(mistakes);
    }
    let used = known.taken.iter().chain(known.logins.keys()).map(String::as_str).collect();
    let missing = rows.iter().filter(|row| row.login.is_none()).count();
    let mut made = logins(missing, &used).into_iter();
    let account = |row: Row| {
        let login = row.login.or_else(|| made.next()).unwrap_or_default();
        NewAccount { name: row.name.unwrap_or_else(|| login.clone()), login, password: row.password }
    };
    Ok(rows.into_iter().map(account).collect())
}

/// `count` logins as in `team01`, all with as many digits, none of them used.
pub fn logins(count: usize, used: &HashSet<&str>) -> Vec<String> {
    let digits = (count + used.len()).to_string().len().max(2);
    let all = (1_u64..).map(|number| format!("team{number:0digits$}"));
    all.filter(|login| !used.contains(login.as_str())).take(count).collect()
}

/// A password that can be read out and typed, as in `bado-kifu-zamo`, of bytes from the system's randomness: 36 bits,
/// enough where the number of tries is bounded.
pub fn password(random: [u8; PASSWORD_BYTES]) -> String {
    // None that are mistaken for others, on paper or by ear.
    const CONSONANTS: &[u8; 16] = b"bdfghjkmnprstvwz";
    const VOWELS: &[u8; 4] = b"aiou";
    let mut bits = random.iter().fold(0_u64, |bits, byte| bits << 8 | u64::from(*byte));
    let mut text = String::new();
    for syllable in 0..6 {
        if syllable > 0 && syllable % 2 == 0 {
            text.push('-');
        }
        text.push(char::from(CONSONANTS[(bits & 15) as usize]));
        text.push(char::from(VOWELS[(bits >> 4 & 3) as usize]));
        bits >>= 6;
    }
    text
}

/// A login as it is kept: without white space around it, in lower case.
///
/// # Errors
/// What is wrong with it, in words.
pub fn check_login(text: &str) -> Result<String, String> {
    let login = text.trim().to_ascii_lowercase();
    let fits = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let is_sound = (1..=MAX_LOGIN_BYTES).contains(&login.len())
        && login.chars().all(fits)
        && login.starts_with(|c: char| c.is_ascii_alphanumeric());
    if is_sound {
        return Ok(login);
    }
    Err(format!(
        "`{}` cannot be a login: expected 1 to {MAX_LOGIN_BYTES} of the letters a to z, digits, `.`, `_` and `-`, the \
         first a letter or a digit",
        excerpt(text)
    ))
}

/// A name as others see it: without white space around it, and with single spaces.
///
/// # Errors
/// What is wrong with it, in words.
pub fn check_name(text: &str) -> Result<String, String> {
    let name = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let chars = name.chars().count();
    if chars == 0 {
        return Err("the name is empty".to_owned());
    }
    if chars > MAX_NAME_CHARS {
        let shown = excerpt(&name);
        return Err(format!("the name `{shown}` has {chars} characters, expected {MAX_NAME_CHARS} at most"));
    }
    if name.chars().any(|c| c.is_control() || turns_text(c)) {
        return Err(format!("the name `{}` has characters that do not show", excerpt(&name)));
    }
    Ok(name)
}

/// Whether a password may be set by a person.
///
/// # Errors
/// What is wrong with it, in words; never the password itself.
pub fn check_password(text: &str) -> Result<(), String> {
    if text.chars().count() < MIN_PASSWORD_CHARS {
        return Err(format!("the password is too short: expected {MIN_PASSWORD_CHARS} characters at least"));
    }
    if text.len() > MAX_PASSWORD_BYTES {
        return Err(format!("the password is too long: expected {MAX_PASSWORD_BYTES} bytes at most"));
    }
    if text.chars().any(char::is_control) || text.trim() != text {
        return Err("the password has white space around it, or characters that cannot be typed".to_owned());
    }
    Ok(())
}

/// Marks and overrides of direction, by which a name could pass for another or turn the rest of a line round.
fn turns_text(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// As much of a text as a message has room for, on one line.
pub(super) fn excerpt(text: &str) -> String {
    const SHOWN_CHARS: usize = 40;
    let shown: String =
        text.chars().take(SHOWN_CHARS).filter(|c| !c.is_control() && !turns_text(*c)).collect();
    if text.chars().nth(SHOWN_CHARS).is_some() { shown + "…" } else { shown }
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Login,
    Name,
    Password,
}

/// What people call the columns, in lower case.
const COLUMNS: [(&str, Column); 19] = [
    ("login", Column::Login),
    ("user", Column::Login),
    ("username", Column::Login),
    ("логин", Column::Login),
    ("登录名", Column::Login),
    ("用户名", Column::Login),
    ("账号", Column::Login),
    ("name", Column::Name),
    ("team", Column::Name),
    ("display name", Column::Name),
    ("имя", Column::Name),
    ("команда", Column::Name),
    ("姓名", Column::Name),
    ("名称", Column::Name),
    ("队名", Column::Name),
    ("password", Column::Password),
    ("пароль", Column::Password),
    ("密码", Column::Password),
    ("pass", Column::Password),
];

/// A list cut into cells.
struct Table {
    /// (line, its cells), without the line that names the columns.
    records: Vec<csv::Record>,
    /// The line that names the columns, if there is one, with what it says.
    header: Option<csv::Record>,
    columns: Vec<Option<Column>>,
}

impl Table {
    fn read(text: &str) -> Result<Self, Mistake> {
        let cut = |delimiter| {
            csv::read(text, delimiter).map_err(|open| Mistake {
                line: open.line,
                message: "a quote is opened here and not closed".to_owned(),
            })
        };
        let first = text.trim_start_matches('\u{feff}').lines().find(|line| !line.trim().is_empty());
        let delimiter = [',', ';', '\t'].into_iter().find(|it| first.is_some_and(|line| line.contains(*it)));
        let mut records = cut(delimiter)?;
        let column = |cell: &String| {
            let name = cell.to_lowercase();
            COLUMNS.iter().find(|(known, _)| *known == name).map(|(_, column)| *column)
        };
        let columns: Vec<_> =
            records.first().map_or_else(Vec::new, |record| record.cells.iter().map(column).collect());
        if columns.iter().any(Option::is_some) {
            let header = Some(records.remove(0));
            return Ok(Self { records, header, columns });
        }
        Ok(Self { records: cut(None)?, header: None, columns: vec![Some(Column::Name)] })
    }

    /// What is wrong with it as a whole.
    fn mistakes(&self) -> Vec<Mistake> {
        let mut mistakes = Vec::new();
        let Some(header) = &self.header else {
            let is_cut = |name: &str| {
                let cut = |(at, _)| !name[at + 1..].starts_with(' ');
                name.contains(['\t', ';']) || name.match_indices(',').any(cut)
            };
            let cut = self.records.iter().find(|record| record.cells.iter().any(|name| is_cut(name)));
            mistakes.extend(cut.map(|record| {
                Mistake {
                    line: record.line,
                    message: "this looks like a table: add a first line that names its columns, as in \
                          `login,name,password`, or put quotes around the name"
                        .to_owned(),
                }
            }));
            return mistakes;
        };
        let mut mistake = |message: String| mistakes.push(Mistake { line: header.line, message });
        for (index, cell) in header.cells.iter().enumerate() {
            match self.columns[index] {
                None if cell.is_empty() && self.records.iter().all(|it| it.cell(index).is_empty()) => {}
                None => mistake(format!(
                    "unknown column `{}`: known are login, name and password; take the others out",
                    excerpt(cell)
                )),
                Some(column) if self.columns[..index].contains(&Some(column)) => {
                    mistake(format!("the column `{}` is there twice", excerpt(cell)));
                }
                Some(_) => {}
            }
        }
        if self.columns.iter().flatten().all(|column| *column == Column::Password) {
            mistake("the table has no column `login` and no column `name`".to_owned());
        }
        mistakes
    }

    fn cell<'r>(&self, record: &'r csv::Record, column: Column) -> Option<&'r str> {
        let index = self.columns.iter().position(|it| *it == Some(column))?;
        Some(record.cell(index)).filter(|cell| !cell.is_empty())
    }
}

impl csv::Record {
    fn cell(&self, index: usize) -> &str {
        self.cells.get(index).map_or("", String::as_str)
    }
}

/// One account, as far as the list says.
struct Row {
    login: Option<String>,
    name: Option<String>,
    password: Option<String>,
}

/// What was there already, and on which line.
#[derive(Default)]
struct Known {
    taken: HashSet<String>,
    logins: HashMap<String, usize>,
    /// Names of those that have no login to tell them apart.
    names: HashMap<String, usize>,
}

impl Known {
    fn row(&mut self, table: &Table, record: &csv::Record, mistakes: &mut Vec<Mistake>) -> Row {
        let mut told = Vec::new();
        let mut sound = |checked: Result<String, String>| checked.map_err(|message| told.push(message)).ok();
        let login = table.cell(record, Column::Login).and_then(|text| sound(check_login(text)));
        let name = table.cell(record, Column::Name).and_then(|text| sound(check_name(text)));
        let password = table
            .cell(record, Column::Password)
            .and_then(|text| sound(check_password(text).map(|()| text.to_owned())));
        if record.cells.len() > table.columns.len() {
            told.push(format!("{} cells, expected {}", record.cells.len(), table.columns.len()));
        }
        let has = |column| table.cell(record, column).is_some();
        match (&login, &name) {
            (Some(login), _) => {
                if self.taken.contains(login) {
                    told.push(format!("there is an account `{login}` already"));
                } else if let Some(line) = self.logins.insert(login.clone(), record.line) {
                    told.push(format!("the login `{login}` is on line {line}, too"));
                }
            }
            (None, Some(name)) if !has(Column::Login) => {
                if let Some(line) = self.names.insert(name.clone(), record.line) {
                    told.push(format!(
                        "`{name}` is on line {line}, too: add something that tells them apart"
                    ));
                }
            }
            (None, None) if !has(Column::Login) && !has(Column::Name) => {
                told.push("neither a login nor a name".to_owned());
            }
            _ => {}
        }
        mistakes.extend(told.into_iter().map(|message| Mistake { line: record.line, message }));
        Row { login, name, password }
    }
}

#[cfg(test)]
mod tests;
