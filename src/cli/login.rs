//! `touchstone login`: logs in at a contest's server, so that `submit` can hand in. Keeps the token, never the password.

use std::io::{BufRead as _, IsTerminal as _, Write as _};

use crate::cli::server::{self, Server};
use crate::cli::{CliError, Context, ExitStatus};

/// Log in at a contest's server, for `submit`
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The contest's server, as in http://10.0.0.7:8000
    #[arg(long, value_name = "URL")]
    pub server: String,
    /// The login; asked for when it is not given
    #[arg(long, value_name = "LOGIN")]
    pub user: Option<String>,
}

/// Runs the command. The password is asked for, or is the line after the login on standard input.
///
/// # Errors
/// When the server is not there or refuses, or the token cannot be kept.
pub fn run(args: &Args, context: &Context) -> Result<ExitStatus, CliError> {
    let server = Server::at(&args.server, None, context)?;
    let login = match &args.user {
        Some(login) => login.clone(),
        None => line("login: ", context)?,
    };
    let password = if std::io::stdin().is_terminal() {
        rpassword::prompt_password("password: ")?
    } else {
        line("", context)?
    };
    let answer = server.post("/api/login", &serde_json::json!({ "login": login, "password": password }))?;
    let token = answer["token"].as_str().ok_or_else(|| server.odd("no token"))?;
    let kept = server::keep(server.url(), token, context)?;
    let text = |key: &str| answer[key].as_str().unwrap_or_default().to_owned();
    writeln!(
        context.stdout(),
        "logged in as {} at {}; the token is kept in {}",
        text("name"),
        text("contest"),
        kept.display()
    )?;
    Ok(ExitStatus::Success)
}

fn line(prompt: &str, context: &Context) -> Result<String, CliError> {
    write!(context.stderr(), "{prompt}")?;
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    let line = line.trim_end_matches(['\r', '\n']).to_owned();
    if line.is_empty() { Err(CliError::Wrong("nothing was typed".to_owned())) } else { Ok(line) }
}
