//! Passwords and tokens: what is kept of them, and how they are made. Takes tens of milliseconds on purpose, so it is
//! never called on a thread that serves others.

use std::fmt::Write as _;
use std::sync::LazyLock;

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use rand::TryRng as _;
use rand::rngs::SysRng;
use sha2::{Digest as _, Sha256};

use crate::contest::roster::MAX_PASSWORD_BYTES;

/// What is known to the browser alone; the server keeps its hash.
pub struct Token(String);

/// Bytes of a token.
const TOKEN_BYTES: usize = 32;

/// The system has no randomness to give.
#[derive(Debug, thiserror::Error)]
#[error("the system gives no random bytes: {0}")]
pub struct NoRandomness(String);

/// `N` random bytes of the system.
///
/// # Errors
/// When the system has none.
pub fn random<const N: usize>() -> Result<[u8; N], NoRandomness> {
    let mut bytes = [0; N];
    SysRng.try_fill_bytes(&mut bytes).map_err(|error| NoRandomness(error.to_string()))?;
    Ok(bytes)
}

impl Token {
    /// A new one.
    ///
    /// # Errors
    /// When the system has no randomness.
    pub fn new() -> Result<Self, NoRandomness> {
        let bytes = random::<TOKEN_BYTES>()?;
        Ok(Self(bytes.iter().fold(String::with_capacity(2 * TOKEN_BYTES), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })))
    }

    /// As it is sent.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// As it is kept.
    pub fn hash(&self) -> [u8; 32] {
        token_hash(&self.0)
    }
}

/// As a token is kept.
pub(crate) fn token_hash(text: &str) -> [u8; 32] {
    Sha256::digest(text.as_bytes()).into()
}

/// What is kept of a password: Argon2id with the parameters that OWASP recommends (19 MiB, two passes), as a PHC string.
///
/// # Errors
/// When the system has no randomness.
pub fn hash(password: &str) -> Result<String, NoRandomness> {
    let hash = Argon2::default().hash_password(password.as_bytes());
    hash.map(|hash| hash.to_string()).map_err(|error| NoRandomness(error.to_string()))
}

/// Whether the password is the one of which `hash` was kept. Takes as long when there is no such account.
pub(crate) fn is_right(password: &str, hash: Option<&str>) -> bool {
    static NOBODYS: LazyLock<String> = LazyLock::new(|| self::hash("nobody's").unwrap_or_default());
    if password.len() > MAX_PASSWORD_BYTES {
        return false;
    }
    let Ok(kept) = PasswordHash::new(hash.unwrap_or(&NOBODYS)) else { return false };
    Argon2::default().verify_password(password.as_bytes(), &kept).is_ok() && hash.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_known_by_its_hash_alone() {
        let kept = hash("right horse").unwrap();
        assert!(kept.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{kept}");
        assert!(is_right("right horse", Some(&kept)) && !is_right("wrong horse", Some(&kept)));
        assert!(!is_right("nobody's", None) && !is_right("right horse", Some("no hash")));
        assert_ne!(kept, hash("right horse").unwrap(), "each has its own salt");
    }

    #[test]
    fn tokens_are_long_and_differ() {
        let (one, other) = (Token::new().unwrap(), Token::new().unwrap());
        assert_eq!(one.text().len(), 64);
        assert!(one.text() != other.text() && one.hash() == token_hash(one.text()));
    }
}
