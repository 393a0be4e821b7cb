//! `touchstone serve`: hosts a contest on this machine. Finds the problems, makes what is missing, prints where it is to
//! be found, then serves until it is stopped.

mod address;
mod problems;
pub(crate) mod setup;

pub use address::Listen;

use std::io::Write as _;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::cli::args::SandboxArgs;
use crate::cli::{CliError, Context, ExitStatus, grading};
use crate::contest::Scoring;
use crate::contest::config::{self, Config, Feedback};
use crate::grade::Judge;
use crate::package::Workspace;
use crate::report::qr::qr;
use crate::sandbox::interrupt;
use crate::store::{self, Store};
use crate::web::{self, Catalogue, Entry, Served, ServedProblem};
use crate::worker::{Clock, Grader, Options, Slots};

/// Host a contest on this machine, in the browser
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The contest [default: contest.toml of the workspace, if there is one]
    #[arg(value_name = "CONTEST.TOML")]
    pub contest: Option<PathBuf>,
    /// Write a commented contest.toml, and do nothing else
    #[arg(long, conflicts_with_all = ["backup", "listen"])]
    pub init: bool,
    /// Copy the contest's database to this new file, while it is served or not, and do nothing else
    #[arg(long, value_name = "FILE", conflicts_with = "listen")]
    pub backup: Option<PathBuf>,
    /// Where to listen: an address, a port, or both [default: 0.0.0.0:8000; 127.0.0.1:8000 with --behind-proxy]
    #[arg(long, value_name = "ADDRESS:PORT", alias = "port")]
    pub listen: Option<Listen>,
    /// The address that people know, where another server (Caddy, nginx) takes their requests, as for TLS, and hands them
    /// on with `X-Forwarded-For`
    #[arg(long, value_name = "URL", value_parser = public_url)]
    pub behind_proxy: Option<String>,
    /// The sandbox.
    #[command(flatten)]
    pub sandbox: SandboxArgs,
}

/// The name of a contest's file when none is given.
const CONTEST_FILE: &str = "contest.toml";
/// What a code to scan may take of a terminal's height, so that the address above it stays in sight.
const QR_LINES: usize = 18;

/// Runs the command.
///
/// # Errors
/// When a file or problem is wrong, the port or the database is in use, or the judge fails.
pub fn run(args: &Args, context: &Context) -> Result<ExitStatus, CliError> {
    if args.init {
        return init(args, context);
    }
    let workspace = workspace(args, context)?;
    let file = args.contest.clone().unwrap_or_else(|| workspace.root().join(CONTEST_FILE));
    let database = database(&context.working_folder.join(&file));
    if let Some(copy) = &args.backup {
        store::back_up_file(&database, copy).map_err(|error| CliError::Wrong(error.to_string()))?;
        writeln!(context.stdout(), "copied the contest to {}", copy.display())?;
        return Ok(ExitStatus::Success);
    }
    let config = read(&file, args.contest.is_some(), context)?;
    // Before anything is made: that the port is taken is told at once.
    let at = args.listen.unwrap_or(Listen::USUAL).address(args.behind_proxy.is_some());
    let listener = TcpListener::bind(at).map_err(|error| cannot_listen(at, &error))?;
    let hosting = Hosting {
        workspace: &workspace,
        database: &database,
        config,
        text: std::fs::read_to_string(&file).unwrap_or_default(),
        file,
        sandbox: &args.sandbox,
        has_staff: true,
        behind_proxy: args.behind_proxy.clone(),
    };
    let greet = |_: &Store, ready: &setup::Ready, url: &str| {
        welcome(ready, url, context)?;
        Ok(None)
    };
    host(hosting, listener, context, greet)
}

/// What is hosted.
pub(crate) struct Hosting<'a> {
    pub(crate) workspace: &'a Workspace,
    pub(crate) database: &'a Path,
    pub(crate) config: Config,
    /// The text of its file, empty when there is none.
    pub(crate) text: String,
    pub(crate) file: PathBuf,
    pub(crate) sandbox: &'a SandboxArgs,
    /// Whether somebody has to run it.
    pub(crate) has_staff: bool,
    /// The address of a proxy before it.
    pub(crate) behind_proxy: Option<String>,
}

/// Makes everything ready, greets, and serves until it is stopped.
///
/// # Errors
/// See [`run`].
pub(crate) fn host(
    hosting: Hosting<'_>,
    listener: TcpListener,
    context: &Context,
    greet: impl FnOnce(&Store, &setup::Ready, &str) -> Result<Option<Entry>, CliError>,
) -> Result<ExitStatus, CliError> {
    let Hosting { workspace, database, config, text, file, sandbox, has_staff, behind_proxy } = hosting;
    let beside = database.parent().unwrap_or(Path::new("/"));
    let judge = grading::judge(sandbox, context.cores, &[workspace.root(), beside], context)?;
    grading::isolation(&judge, context)?;
    let languages = setup::languages(&judge);
    let config = setup::checked(workspace, config, &file, &text, &languages, context)?;
    let store = Store::open(database, now_ms()).map_err(setup::store_error)?;
    let slugs: Vec<String> = config.problems.iter().map(|problem| problem.slug.clone()).collect();
    let rules = &config.rules;
    // Where only the verdict counts, nobody waits for the tests after the one that failed.
    let stops = rules.scoring == Scoring::Icpc && config.practice.feedback != Feedback::Always;
    let judge = Arc::new(judge);
    let problems = problems::served(workspace, &slugs, stops, &judge, sandbox, context)?;
    let problems = Arc::new(Catalogue::new(problems, reader(workspace, stops, &judge, sandbox, context)));
    let ready = setup::apply(&store, &config, has_staff, now_ms())?;
    let is_behind_proxy = behind_proxy.is_some();
    let local = listener.local_addr().map_err(|error| CliError::Judge(error.to_string()))?;
    let url = behind_proxy.unwrap_or_else(|| address::url(local));
    let entry = greet(&store, &ready, &url)?;
    let public = Public { url, is_behind_proxy, entry };
    serve(Arc::new(store), judge, problems, languages, public, listener, context)?;
    writeln!(context.stderr(), "stopped; the contest is kept in {}", database.display())?;
    Ok(ExitStatus::Success)
}

/// Reads a problem again as it was read at the start; what is wrong is told in words for a page.
fn reader(
    workspace: &Workspace,
    stops_at_first_failure: bool,
    judge: &Arc<Judge>,
    sandbox: &SandboxArgs,
    context: &Context,
) -> impl Fn(&str) -> Result<ServedProblem, String> + Send + Sync + 'static {
    let (workspace, judge, sandbox) = (workspace.clone(), Arc::clone(judge), sandbox.clone());
    let context = Context { color: false, ..context.clone() };
    move |slug| {
        problems::again(&workspace, slug, stops_at_first_failure, &judge, &sandbox, &context)
            .map_err(|error| error.to_string())
    }
}

/// How people find the server and come in.
struct Public {
    url: String,
    is_behind_proxy: bool,
    entry: Option<Entry>,
}

fn serve(
    store: Arc<Store>,
    judge: Arc<Judge>,
    problems: Arc<Catalogue>,
    languages: Vec<&'static crate::lang::Language>,
    Public { url, is_behind_proxy, entry }: Public,
    listener: TcpListener,
    context: &Context,
) -> Result<(), CliError> {
    let slots = context.cores;
    let begun = now();
    let clock = Clock {
        now_ms: Arc::new(now_ms),
        mono_ms: Arc::new(move || u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX)),
    };
    let grounds = Arc::clone(&problems);
    let grader = Grader {
        judge,
        grounds: Box::new(move |slug| grounds.grounds(slug)),
        cache: context.cache.clone(),
        // One core to each slot: a submission is judged as fast beside others as alone.
        workers: 1,
        clock: clock.clone(),
    };
    let served = Served {
        store: Arc::clone(&store),
        problems,
        languages,
        url,
        is_behind_proxy,
        entry,
        clock: Arc::clone(&clock.now_ms),
        slots,
        on_trouble: Box::new(|text| {
            let _ = writeln!(crate::cli::context::stderr(), "trouble: {text}");
        }),
    };
    let work = grader.into_work();
    let start = |on_notice| Slots::start(store, Options { slots, clock, work, on_notice });
    web::serve(served, listener, start, &interrupt::requested)
        .map_err(|error| CliError::Judge(format!("cannot serve: {error}")))
}

/// The workspace of the contest's file, else the one around the working folder.
fn workspace(args: &Args, context: &Context) -> Result<Workspace, CliError> {
    let folder = args.contest.as_deref().and_then(Path::parent);
    match folder.map(|folder| Workspace::find(&context.working_folder.join(folder))) {
        Some(Ok(workspace)) => Ok(workspace),
        _ => grading::workspace(context),
    }
}

/// The database lies beside the contest's file and is called as it is.
fn database(file: &Path) -> PathBuf {
    file.with_extension("db")
}

fn init(args: &Args, context: &Context) -> Result<ExitStatus, CliError> {
    let file = args.contest.clone().unwrap_or_else(|| PathBuf::from(CONTEST_FILE));
    let made = std::fs::OpenOptions::new().write(true).create_new(true).open(&file);
    let written = made.and_then(|mut open| open.write_all(config::TEMPLATE.as_bytes()));
    written.map_err(|error| {
        CliError::Wrong(format!("cannot write `{}`: {error}; nothing was changed", file.display()))
    })?;
    writeln!(
        context.stdout(),
        "wrote {}: change what you like, then `touchstone serve{}`",
        file.display(),
        if args.contest.is_some() { format!(" {}", file.display()) } else { String::new() }
    )?;
    Ok(ExitStatus::Success)
}

/// The contest's file; what holds without one when none was named and there is none.
fn read(file: &Path, is_named: bool, context: &Context) -> Result<Config, CliError> {
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && !is_named => {
            return Ok(Config::default());
        }
        Err(error) => {
            return Err(CliError::Wrong(format!(
                "cannot read `{}`: {error}; write one with `touchstone serve --init`",
                file.display()
            )));
        }
    };
    let (config, mistakes) = config::parse(&text);
    let drawn = setup::drawn(file, &text, &mistakes, context);
    match config {
        Some(config) => {
            write!(context.stderr(), "{drawn}")?;
            Ok(config)
        }
        None => Err(CliError::Diagnostics(drawn)),
    }
}

/// An address to give to people: a host by HTTP, and nothing after it.
fn public_url(text: &str) -> Result<String, String> {
    let url = text.trim_end_matches('/');
    let host = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://")).unwrap_or_default();
    let is_host =
        !host.is_empty() && !host.contains(['/', '?', '#', '@']) && !host.contains(char::is_whitespace);
    if is_host {
        Ok(url.to_owned())
    } else {
        Err("expected the address of a whole host, as in https://contest.example.org".to_owned())
    }
}

pub(crate) fn cannot_listen(address: SocketAddr, error: &std::io::Error) -> CliError {
    let hint = match error.kind() {
        std::io::ErrorKind::AddrInUse => {
            let other = SocketAddr::new(address.ip(), address.port().wrapping_add(1).max(1024));
            format!("; something listens there already: stop it, or give `--listen {other}`")
        }
        std::io::ErrorKind::PermissionDenied => {
            "; ports below 1024 need rights: give another one with `--listen`".to_owned()
        }
        _ => String::new(),
    };
    CliError::Wrong(format!("cannot listen on {address}: {error}{hint}"))
}

/// What whoever started it has to know.
fn welcome(ready: &setup::Ready, url: &str, context: &Context) -> Result<(), CliError> {
    let mut out = context.stdout();
    writeln!(out, "{} · {}", ready.name, ready.problems)?;
    writeln!(out)?;
    writeln!(out, "  open      {url}")?;
    for (login, password) in &ready.made {
        writeln!(out, "  login     {login}")?;
        writeln!(out, "  password  {password}    (shown only now)")?;
    }
    writeln!(out)?;
    // Other machines do not find this one by its own name for itself.
    if context.stdout_is_terminal && !address::is_of_this_machine(url) {
        let code = qr(url, context.width, QR_LINES, context.color);
        if !code.is_empty() {
            writeln!(out, "{code}")?;
        }
    }
    writeln!(out, "Ctrl-C stops it; nothing is lost, and the next start goes on.")?;
    out.flush()?;
    Ok(())
}

/// Unix milliseconds.
pub(crate) fn now_ms() -> i64 {
    #[expect(clippy::disallowed_methods, reason = "the command line may read a clock")]
    let now = SystemTime::now();
    now.duration_since(UNIX_EPOCH).map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

fn now() -> std::time::Instant {
    #[expect(clippy::disallowed_methods, reason = "the command line may read a clock")]
    std::time::Instant::now()
}
