//! Everything of a contest as rows, accounts and submissions of one instant, for whoever writes files from them. No password, no session.

use crate::store::{
    Account, AuditEntry, Clarification, JudgedTest, JudgingId, MAX_PAGE, Reader, Rejudge, Settings, Store,
    StoreError, Submission, SubmissionFilter, SubmissionId, accounts, judgings, submissions,
};

/// A contest as rows.
#[derive(Clone, Debug)]
pub struct Export {
    /// The number of the newest event.
    pub version: i64,
    /// What the contest is.
    pub settings: std::sync::Arc<Settings>,
    /// Who took part; without hashes of passwords.
    pub accounts: Vec<Account>,
    /// Every submission with the judging that counts, oldest first.
    pub submissions: Vec<Submission>,
    /// Every clarification, oldest first.
    pub clarifications: Vec<Clarification>,
    /// Every rejudge, newest first.
    pub rejudges: Vec<Rejudge>,
    /// Every line of the audit log, oldest first.
    pub audit: Vec<AuditEntry>,
}

/// Submissions that an export holds.
const MAX_SUBMISSIONS: u32 = 1_000_000;

/// What pages hold, of which each is before the last row of the one before; the oldest first.
fn all_pages<T, I>(
    page: impl Fn(Option<I>) -> Result<Vec<T>, StoreError>,
    id: impl Fn(&T) -> I,
) -> Result<Vec<T>, StoreError> {
    let mut all: Vec<T> = Vec::new();
    loop {
        let next = page(all.last().map(&id))?;
        if next.is_empty() {
            all.reverse();
            return Ok(all);
        }
        all.extend(next);
    }
}

impl Store {
    /// The contest as rows.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn export(&self) -> Result<Export, StoreError> {
        let (version, accounts, submissions) = self.read(|connection| {
            let accounts = accounts::all(connection)?.into_iter();
            let mut submissions =
                submissions::list(connection, &SubmissionFilter::default(), MAX_SUBMISSIONS)?;
            submissions.reverse();
            let accounts = accounts.map(|account| Account { password_hash: String::new(), ..account });
            Ok((super::events::newest(connection)?, accounts.collect(), submissions))
        })?;
        let clarifications = all_pages(
            |before| self.clarifications(Reader::Staff, before, MAX_PAGE),
            |clarification| clarification.id,
        )?;
        let audit = all_pages(|before| self.audit_page(before, MAX_PAGE), |line| line.id)?;
        let rejudges = self.rejudges()?;
        let settings = self.settings();
        Ok(Export { version, settings, accounts, submissions, clarifications, rejudges, audit })
    }

    /// Hands every submission's text to `take`, oldest first, one at a time.
    ///
    /// # Errors
    /// When the disk fails, or `take` does.
    pub fn each_source<E: From<StoreError>>(
        &self,
        mut take: impl FnMut(SubmissionId, Vec<u8>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut last = SubmissionId(0);
        loop {
            let next = self.read(|connection| {
                let sql =
                    "SELECT submission, source FROM sources WHERE submission > ? ORDER BY submission LIMIT 1";
                let mut statement = connection.prepare_cached(sql)?;
                let mut rows = statement.query([last])?;
                rows.next()?.map(|row| Ok((row.get(0)?, row.get(1)?))).transpose()
            })?;
            let Some((id, source)) = next else { return Ok(()) };
            last = id;
            take(id, source)?;
        }
    }

    /// Every test of a judging, as [`Store::judged_tests`], for many judgings in one reading.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn judged_tests_of(&self, of: &[JudgingId]) -> Result<Vec<Vec<JudgedTest>>, StoreError> {
        self.read(|connection| of.iter().map(|judging| judgings::tests(connection, *judging)).collect())
    }
}
