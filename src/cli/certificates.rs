//! The authorities that this machine trusts, for clients that speak TLS: those of the system, and no others. Never trusts
//! a server that they do not vouch for.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};

use crate::cli::{CliError, Context};

/// Where systems keep them in one file: Debian, Ubuntu and Arch; Fedora and Red Hat; openSUSE; Alpine and the BSDs.
const PLACES: [&str; 4] = [
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
];

/// TLS with the authorities of `SSL_CERT_FILE`, as elsewhere, else of the system.
///
/// # Errors
/// When there is no such file, or no certificate in it.
pub(super) fn tls(context: &Context) -> Result<TlsConfig, CliError> {
    let file = context.certificates.clone().or_else(of_system).ok_or_else(|| {
        CliError::Wrong(
            "this machine has no certificates to know servers by: install its package `ca-certificates`, or set \
             SSL_CERT_FILE to a file of them"
                .to_owned(),
        )
    })?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = TlsConfig::builder().unversioned_rustls_crypto_provider(provider);
    Ok(builder.root_certs(RootCerts::Specific(Arc::new(read(&file)?))).build())
}

fn of_system() -> Option<PathBuf> {
    PLACES.iter().map(PathBuf::from).find(|place| place.is_file())
}

fn read(file: &Path) -> Result<Vec<Certificate<'static>>, CliError> {
    let text = std::fs::read(file).map_err(|error| {
        CliError::Wrong(format!("cannot read certificates from `{}`: {error}", file.display()))
    })?;
    let certificate = |item| match item {
        Ok(PemItem::Certificate(certificate)) => Some(certificate),
        _ => None,
    };
    let found: Vec<_> = parse_pem(&text).filter_map(certificate).collect();
    if found.is_empty() {
        return Err(CliError::Wrong(format!("there is no certificate in PEM form in `{}`", file.display())));
    }
    Ok(found)
}
