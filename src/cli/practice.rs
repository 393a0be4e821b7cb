//! `touchstone practice`: a contest of one on this machine, against the clock, in the browser. What was handed in is kept
//! for the next time; the clock begins anew.

use std::io::Write as _;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::cli::args::SandboxArgs;
use crate::cli::serve::{self, Hosting, now_ms, setup};
use crate::cli::{CliError, Context, ExitStatus, grading};
use crate::contest::config::{Config, Feedback, Practice, default_color, default_label, parse_duration};
use crate::contest::config::{ProblemEntry, duration_text};
use crate::store::{AccountId, By, NewAccount, Role, Store};
use crate::web::{Entry, Token, password_hash};

/// Practise against the clock, in the browser
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The problems [default: all of the workspace]
    #[arg(value_name = "PROBLEM")]
    pub problems: Vec<String>,
    /// How long, as in 90min
    #[arg(long = "for", value_name = "TIME", default_value = "2h", value_parser = duration)]
    pub duration_ms: i64,
    /// The port to listen at, on this machine only [default: 8000, or any when that is taken]
    #[arg(long, value_name = "PORT")]
    pub port: Option<u16>,
    /// Don't open a browser
    #[arg(long)]
    pub no_open: bool,
    /// The sandbox.
    #[command(flatten)]
    pub sandbox: SandboxArgs,
}

/// The database, beside the problems.
const DATABASE: &str = "practice.db";
/// The only account.
const LOGIN: &str = "me";
const USUAL_PORT: u16 = 8000;
/// Nobody is hurried by himself.
const SUBMISSIONS_PER_MINUTE: u32 = 60;
/// Programs that open an address in somebody's browser.
const OPENERS: [&str; 3] = ["xdg-open", "wslview", "open"];

fn duration(text: &str) -> Result<i64, String> {
    parse_duration(text).map_err(|error| error.to_string())
}

/// Runs the command.
///
/// # Errors
/// When a problem is wrong, the port or the database is in use, or the judge fails.
pub fn run(args: &Args, context: &Context) -> Result<ExitStatus, CliError> {
    let workspace = grading::workspace(context)?;
    let entry = |(index, slug): (usize, &String)| ProblemEntry {
        slug: slug.clone(),
        label: default_label(index),
        color: default_color(index),
    };
    let config = Config {
        names: vec![
            ("en".to_owned(), "Practice".to_owned()),
            ("ru".to_owned(), "Тренировка".to_owned()),
            ("zh".to_owned(), "练习".to_owned()),
        ],
        start_ms: Some(now_ms()),
        duration_ms: args.duration_ms,
        problems: args.problems.iter().enumerate().map(entry).collect(),
        practice: Practice {
            upsolving: true,
            virtual_starts: false,
            feedback: Feedback::Always,
            smallest: true,
        },
        max_submissions_per_minute: SUBMISSIONS_PER_MINUTE,
        public_board: false,
        ..Config::default()
    };
    let listener = listen(args.port)?;
    let database = workspace.root().join(DATABASE);
    let hosting = Hosting {
        workspace: &workspace,
        database: &database,
        config,
        text: String::new(),
        file: PathBuf::new(),
        sandbox: &args.sandbox,
        has_staff: false,
        behind_proxy: None,
    };
    let length = duration_text(args.duration_ms);
    serve::host(hosting, listener, context, |store, ready, url| {
        let account = account(store)?;
        // There is no staff to ask.
        for job in store.quarantined().map_err(setup::store_error)? {
            store.release_quarantined(job.job, By::server(now_ms())).map_err(setup::store_error)?;
        }
        let key = Token::new().map_err(|error| CliError::Judge(error.to_string()))?;
        let address = format!("{url}/enter/{}", key.text());
        let mut out = context.stdout();
        writeln!(out, "{} for {length}, the clock runs", ready.problems)?;
        writeln!(out)?;
        writeln!(out, "  {address}")?;
        writeln!(out)?;
        writeln!(out, "Ctrl-C stops it; what you handed in is kept in {DATABASE}.")?;
        out.flush()?;
        if !args.no_open && context.has_display {
            open(&address, context);
        }
        Ok(Some(Entry { account, key_hash: key.hash() }))
    })
}

fn listen(port: Option<u16>) -> Result<TcpListener, CliError> {
    let at = |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
    let bound = match port {
        Some(port) => at(port),
        None => at(USUAL_PORT).or_else(|_| at(0)),
    };
    let wanted = SocketAddr::from((Ipv4Addr::LOCALHOST, port.unwrap_or(0)));
    bound.map_err(|error| serve::cannot_listen(wanted, &error))
}

/// The account of whoever practises. Nobody knows its password; the key in the address is the way in.
fn account(store: &Store) -> Result<AccountId, CliError> {
    if let Some(account) = store.account_by_login(LOGIN).map_err(setup::store_error)? {
        return Ok(account.id);
    }
    let password = Token::new().map_err(|error| CliError::Judge(error.to_string()))?;
    let password_hash = password_hash(password.text()).map_err(|error| CliError::Judge(error.to_string()))?;
    let new = NewAccount { login: LOGIN.to_owned(), name: "Me".to_owned(), role: Role::Team, password_hash };
    let made = store.create_accounts(&[new], By::server(now_ms())).map_err(setup::store_error)?;
    made.first().copied().ok_or_else(|| CliError::Judge("no account was made".to_owned()))
}

/// Opens the address in a browser, if there is a program for that; the address was printed besides.
fn open(address: &str, context: &Context) {
    let folders = || std::env::split_paths(&context.path);
    let opener = OPENERS
        .iter()
        .flat_map(|name| folders().map(move |folder| folder.join(name)))
        .find(|it| it.is_file());
    if let Some(opener) = opener {
        let quiet = Command::new(opener)
            .arg(address)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        if let Ok(mut child) = quiet {
            // Nobody waits for a browser, but somebody has to take note of its opener's end.
            std::thread::spawn(move || child.wait());
        }
    }
}
