//! Names of rows, each kind a type of its own, so that a team's number is never taken for a submission's.

use std::fmt;

use rusqlite::types::{FromSql, FromSqlResult, ToSql, ToSqlOutput, ValueRef};

/// Makes a type of row numbers.
macro_rules! ids {
    ($($(#[$about:meta])* $name:ident,)*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub i64);

        impl ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                Ok(self.0.into())
            }
        }

        impl FromSql for $name {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
                i64::column_result(value).map(Self)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )*};
}

ids! {
    /// An account.
    AccountId,
    /// A submission.
    SubmissionId,
    /// One judging of a submission.
    JudgingId,
    /// A rejudge of many submissions.
    RejudgeId,
    /// Something to be done.
    JobId,
    /// A question or an announcement.
    ClarificationId,
}

/// Makes a closed set of words that the database holds as text.
macro_rules! words {
    ($name:ty { $($variant:ident = $word:literal,)* }) => {
        impl $name {
            /// As it is stored.
            pub fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }

            /// Reads what [`Self::word`] writes.
            pub fn from_word(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)* _ => None }
            }
        }

        impl rusqlite::types::ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
                Ok(self.word().into())
            }
        }

        impl rusqlite::types::FromSql for $name {
            fn column_result(value: rusqlite::types::ValueRef<'_>) -> rusqlite::types::FromSqlResult<Self> {
                let word = value.as_str()?;
                Self::from_word(word).ok_or_else(|| {
                    rusqlite::types::FromSqlError::Other(format!("`{word}` means nothing here").into())
                })
            }
        }
    };
}
pub(super) use words;

/// A verdict as the database holds it.
pub(super) struct Word(pub(super) crate::verdict::Verdict);

impl ToSql for Word {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.0.short().into())
    }
}

impl FromSql for Word {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let word = value.as_str()?;
        let found = crate::verdict::Verdict::ALL.into_iter().find(|verdict| verdict.short() == word);
        found
            .map(Self)
            .ok_or_else(|| rusqlite::types::FromSqlError::Other(format!("`{word}` is no verdict").into()))
    }
}
