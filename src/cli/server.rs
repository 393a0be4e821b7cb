//! A contest's server as its small clients see it: where it is, the token that was got there, and JSON to and fro.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;

use crate::cli::{CliError, Context, certificates};

/// How long the server may take to answer.
const PATIENCE: Duration = Duration::from_secs(30);
/// Largest answer that is read.
const MAX_ANSWER_BYTES: u64 = 4 << 20;

/// A server.
pub(crate) struct Server {
    url: String,
    token: Option<String>,
    agent: ureq::Agent,
}

/// The servers that somebody logged in at.
#[derive(Debug, Default, serde::Deserialize, serde::Serialize)]
struct Kept {
    /// The one of the last login.
    last: Option<String>,
    /// Tokens by server.
    #[serde(default)]
    tokens: BTreeMap<String, String>,
}

impl Server {
    /// The server at this address.
    ///
    /// # Errors
    /// When that is none, or it is one by TLS and this machine has no certificates.
    pub(crate) fn at(url: &str, token: Option<String>, context: &Context) -> Result<Self, CliError> {
        let url = url.trim_end_matches('/');
        let url = if url.contains("://") { url.to_owned() } else { format!("http://{url}") };
        let mut builder = ureq::Agent::config_builder()
            .timeout_global(Some(PATIENCE))
            .http_status_as_error(false)
            .max_redirects(0);
        if url.starts_with("https://") {
            builder = builder.tls_config(certificates::tls(context)?);
        }
        Ok(Self { url, token, agent: builder.build().into() })
    }

    /// Its address.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Asks for something.
    ///
    /// # Errors
    /// When the server is not there or refuses.
    pub(crate) fn get(&self, path: &str) -> Result<Value, CliError> {
        let mut request = self.agent.get(format!("{}{path}", self.url));
        if let Some(token) = &self.token {
            request = request.header("Authorization", format!("Bearer {token}"));
        }
        self.answer(request.call())
    }

    /// Sends something.
    ///
    /// # Errors
    /// When the server is not there or refuses.
    pub(crate) fn post(&self, path: &str, body: &Value) -> Result<Value, CliError> {
        let mut request =
            self.agent.post(format!("{}{path}", self.url)).header("Content-Type", "application/json");
        if let Some(token) = &self.token {
            request = request.header("Authorization", format!("Bearer {token}"));
        }
        self.answer(request.send(body.to_string()))
    }

    fn answer(
        &self,
        answer: Result<ureq::http::Response<ureq::Body>, ureq::Error>,
    ) -> Result<Value, CliError> {
        let mut answer = answer.map_err(|error| {
            let hint = match self.url.starts_with("https://") {
                true => "is it served there by TLS, and does this machine know who vouches for it (SSL_CERT_FILE)?",
                false => "is the contest served there?",
            };
            CliError::Judge(format!("cannot reach {}: {error}; {hint}", self.url))
        })?;
        let status = answer.status().as_u16();
        let text = answer.body_mut().with_config().limit(MAX_ANSWER_BYTES).read_to_string();
        let text = text.map_err(|error| self.odd(&error.to_string()))?;
        let value: Value = serde_json::from_str(&text).map_err(|_| self.odd(&format!("status {status}")))?;
        if (200..300).contains(&status) {
            return Ok(value);
        }
        let message = value["message"].as_str().unwrap_or("it does not say why");
        Err(match status {
            500.. => CliError::Judge(format!("{} has trouble: {message}", self.url)),
            403 if self.token.is_some() && message == "log in first" => CliError::Wrong(format!(
                "the login at {0} is over: `touchstone login --server {0}` again",
                self.url
            )),
            _ => CliError::Wrong(format!("{} refused: {message}", self.url)),
        })
    }

    /// Something came that is no answer of a contest's server.
    pub(crate) fn odd(&self, what: &str) -> CliError {
        CliError::Judge(format!("{} gave no answer of a contest's server: {what}", self.url))
    }
}

/// The server of this address, or of the last login, with the token that was got there.
///
/// # Errors
/// When nobody has logged in there.
pub(crate) fn known(url: Option<&str>, context: &Context) -> Result<Server, CliError> {
    let kept = read(context)?;
    let url = url.map(|url| url.trim_end_matches('/').to_owned()).or_else(|| kept.last.clone());
    let url = url.ok_or_else(|| {
        CliError::Wrong("which server? log in first: `touchstone login --server URL`".to_owned())
    })?;
    let server = Server::at(&url, None, context)?;
    let token = kept.tokens.get(server.url()).cloned().ok_or_else(|| {
        CliError::Wrong(format!("log in first: `touchstone login --server {}`", server.url()))
    })?;
    Ok(Server { token: Some(token), ..server })
}

/// Keeps a token where only its owner can read it.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn keep(url: &str, token: &str, context: &Context) -> Result<PathBuf, CliError> {
    let mut kept = read(context)?;
    kept.last = Some(url.to_owned());
    kept.tokens.insert(url.to_owned(), token.to_owned());
    let text = toml::to_string(&kept).map_err(|error| CliError::Judge(error.to_string()))?;
    let file = file(context)?;
    let unwritable =
        |error: std::io::Error| CliError::Judge(format!("cannot write `{}`: {error}", file.display()));
    if let Some(folder) = file.parent() {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(unwritable)?;
    }
    // Written anew beside it, so that its rights are right and half of it is never read.
    let beside = file.with_extension("toml.new");
    let _ = fs::remove_file(&beside);
    let made = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&beside);
    made.and_then(|mut open| open.write_all(text.as_bytes())).map_err(unwritable)?;
    fs::rename(&beside, &file).map_err(unwritable)?;
    Ok(file)
}

fn file(context: &Context) -> Result<PathBuf, CliError> {
    let folder = context
        .config
        .as_ref()
        .ok_or_else(|| CliError::Wrong("no place to keep a login: set HOME or XDG_CONFIG_HOME".to_owned()))?;
    Ok(folder.join("servers.toml"))
}

fn read(context: &Context) -> Result<Kept, CliError> {
    let file = file(context)?;
    match fs::read_to_string(&file) {
        Ok(text) => toml::from_str(&text).map_err(|error| {
            CliError::Wrong(format!(
                "`{}` makes no sense: {error}; remove it and log in again",
                file.display()
            ))
        }),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Kept::default()),
        Err(error) => Err(CliError::Wrong(format!("cannot read `{}`: {error}", file.display()))),
    }
}
