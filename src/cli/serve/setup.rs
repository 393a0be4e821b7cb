//! What a contest is set up from: its configuration held against what is there, its accounts, its first administrator.

use std::path::Path;

use crate::cli::{CliError, Context};
use crate::contest::config::Config;
use crate::contest::roster;
use crate::diagnostic::{Diagnostic, Severity};
use crate::grade::Judge;
use crate::lang::Language;
use crate::lang::table::Table;
use crate::package::Workspace;
use crate::report::{quantity, snippet};
use crate::store::{By, NewAccount, Role, Store, StoreError};
use crate::web::{password_hash, random};

/// The login of the administrator that is made when there is none.
const ADMIN: &str = "admin";

/// What people need to know when the server is ready.
pub(crate) struct Ready {
    /// The contest's name.
    pub(crate) name: String,
    /// How many problems and languages, in words.
    pub(crate) problems: String,
    /// Logins with passwords that nobody knows yet.
    pub(crate) made: Vec<(String, String)>,
}

/// The languages that this machine can compile and run.
pub(super) fn languages(judge: &Judge) -> Vec<&'static Language> {
    let all = Table::built_in().languages().iter();
    all.filter(|language| judge.toolchains().ways(language).is_ok()).collect()
}

/// Mistakes with their source lines.
pub(super) fn drawn(file: &Path, text: &str, mistakes: &[Diagnostic], context: &Context) -> String {
    if mistakes.is_empty() {
        return String::new();
    }
    let name = file.strip_prefix(&context.working_folder).unwrap_or(file).display().to_string();
    snippet::render(&name, text, mistakes, context.color)
}

/// The configuration with its problems filled in, held against what is there.
pub(super) fn checked(
    workspace: &Workspace,
    config: Config,
    file: &Path,
    text: &str,
    languages: &[&'static Language],
    context: &Context,
) -> Result<Config, CliError> {
    let slugs = workspace.problems().map_err(|error| {
        CliError::Wrong(format!("cannot list the problems of `{}`: {error}", workspace.root().display()))
    })?;
    let slugs: Vec<&str> = slugs.iter().map(String::as_str).collect();
    if slugs.is_empty() {
        return Err(CliError::Wrong(
            "there is no problem here yet: make one with `touchstone new SLUG`".to_owned(),
        ));
    }
    let known: Vec<&str> = languages.iter().map(|language| language.id.as_str()).collect();
    if known.is_empty() {
        return Err(CliError::Wrong(
            "no language can be judged on this machine: `touchstone doctor` says what is missing".to_owned(),
        ));
    }
    let mistakes = config.check_names(text, &slugs, &known);
    if mistakes.iter().any(|mistake| mistake.severity == Severity::Error) {
        return Err(CliError::Diagnostics(drawn(file, text, &mistakes, context)));
    }
    Ok(Config { problems: config.problems_of(&slugs), ..config })
}

/// Puts configuration and accounts into the database; the first start makes an administrator.
pub(super) fn apply(store: &Store, config: &Config, has_staff: bool, at_ms: i64) -> Result<Ready, CliError> {
    let by = By::server(at_ms);
    store.apply_config(config, by).map_err(store_error)?;
    let there = store.accounts().map_err(store_error)?;
    let is_there = |login: &str| there.iter().any(|account| account.login.eq_ignore_ascii_case(login));
    let (mut new, mut made) = (Vec::new(), Vec::new());
    let mut add = |login: &str, name: &str, role, password: Option<&str>| -> Result<(), CliError> {
        let password = match password {
            Some(password) => password.to_owned(),
            None => {
                let password =
                    roster::password(random().map_err(|error| CliError::Judge(error.to_string()))?);
                made.push((login.to_owned(), password.clone()));
                password
            }
        };
        let password_hash = password_hash(&password).map_err(|error| CliError::Judge(error.to_string()))?;
        new.push(NewAccount { login: login.to_owned(), name: name.to_owned(), role, password_hash });
        Ok(())
    };
    for account in config.accounts.iter().filter(|account| !is_there(&account.login)) {
        let role = if account.is_admin { Role::Admin } else { Role::Team };
        add(&account.login, &account.name, role, account.password.as_deref())?;
    }
    let has_admin = there.iter().any(|account| account.role == Role::Admin)
        || config.accounts.iter().any(|account| account.is_admin);
    if has_staff && !has_admin {
        add(ADMIN, "Admin", Role::Admin, None)?;
    }
    if !new.is_empty() {
        store.create_accounts(&new, by).map_err(store_error)?;
    }
    let name = config.name("en").to_owned();
    Ok(Ready { name, problems: quantity::count(config.problems.len(), "problem"), made })
}

/// Whose fault it is decides the exit status.
pub(crate) fn store_error(error: StoreError) -> CliError {
    match error {
        StoreError::Full | StoreError::Disk(_) | StoreError::Damaged(_) => CliError::Judge(error.to_string()),
        error => CliError::Wrong(error.to_string()),
    }
}
