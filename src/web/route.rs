//! Every address of the server, and who may go there when: one table, and what is not in it is refused. Decides from
//! values; never looks into the database or at a clock.

/// What an address means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Route {
    Start,
    Asset(String),
    /// In with the key that was printed where the server was started.
    Enter(String),
    LoginPage,
    Login,
    Logout,
    Settings,
    Live,
    Problems,
    Problem(String),
    Submit(String),
    VirtualStart,
    Submissions,
    Submission(i64),
    SubmissionSource(i64),
    SubmissionInput(i64),
    SubmissionAnswer(i64),
    Board,
    BoardTable,
    Clarifications,
    Ask,
    Staff,
    StaffSubmissions,
    StaffRejudges,
    StartRejudge,
    ApplyRejudge(i64),
    CancelRejudge(i64),
    ReleaseQuarantine(i64),
    TellAll,
    AnswerClarification(i64),
    StaffContest,
    ChangeContest,
    ChangeProblem(String),
    StaffAccounts,
    ImportAccounts,
    ChangeAccount(i64),
    CredentialSheet,
    Audit,
    Export(String),
    ApiLogin,
    ApiSubmit,
    ApiSubmission(i64),
}

/// How a request reaches a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    Get,
    Post,
}

/// Who may use a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Needs {
    /// Nothing: the route tells nothing of the contest but its name.
    Nothing,
    /// Somebody who is logged in.
    Account,
    /// Somebody who is logged in, once the contest has begun; staff always.
    Begun,
    /// As `Begun`; where the board is public, everybody once the contest has begun.
    Board,
    /// Staff.
    Staff,
}

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    Anonymous,
    Team,
    Staff,
}

/// What comes of asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Admission {
    /// Go on.
    Granted,
    /// Log in first.
    LogIn,
    /// The contest has not begun.
    NotYet,
    /// As if it did not exist.
    Hidden,
}

/// Longest part of an address that is looked at.
const MAX_PART_BYTES: usize = 200;

impl Route {
    /// What the path means; `None` when it means nothing, or not with this method.
    pub(crate) fn of(method: Method, path: &str) -> Option<Self> {
        use Method::{Get, Post};
        let mut parts: Vec<&str> = path.strip_prefix('/')?.split('/').collect();
        if parts.iter().any(|part| part.len() > MAX_PART_BYTES) {
            return None;
        }
        // A slash at the end means the same.
        if parts.len() > 1 && parts.last() == Some(&"") && !parts[0].is_empty() {
            parts.pop();
        }
        let name = |text: &str| text.to_owned();
        Some(match (method, parts.as_slice()) {
            (Get, [""]) => Self::Start,
            (Get, ["assets", file]) => Self::Asset(name(file)),
            (Get, ["enter", key]) => Self::Enter(name(key)),
            (Get, ["login"]) => Self::LoginPage,
            (Post, ["login"]) => Self::Login,
            (Post, ["logout"]) => Self::Logout,
            (Post, ["settings"]) => Self::Settings,
            (Get, ["live"]) => Self::Live,
            (Get, ["problems"]) => Self::Problems,
            (Get, ["problems", label]) => Self::Problem(name(label)),
            (Post, ["problems", label, "submit"]) => Self::Submit(name(label)),
            (Post, ["virtual"]) => Self::VirtualStart,
            (Get, ["submissions"]) => Self::Submissions,
            (Get, ["submissions", id]) => Self::Submission(number(id)?),
            (Get, ["submissions", id, "source"]) => Self::SubmissionSource(number(id)?),
            (Get, ["submissions", id, "input"]) => Self::SubmissionInput(number(id)?),
            (Get, ["submissions", id, "answer"]) => Self::SubmissionAnswer(number(id)?),
            (Get, ["board"]) => Self::Board,
            (Get, ["board", "table"]) => Self::BoardTable,
            (Get, ["clarifications"]) => Self::Clarifications,
            (Post, ["clarifications"]) => Self::Ask,
            (_, ["staff", rest @ ..]) => return Self::of_staff(method, rest),
            (Post, ["api", "login"]) => Self::ApiLogin,
            (Post, ["api", "submit"]) => Self::ApiSubmit,
            (Get, ["api", "submissions", id]) => Self::ApiSubmission(number(id)?),
            _ => return None,
        })
    }

    fn of_staff(method: Method, parts: &[&str]) -> Option<Self> {
        use Method::{Get, Post};
        Some(match (method, parts) {
            (Get, []) => Self::Staff,
            (Get, ["submissions"]) => Self::StaffSubmissions,
            (Get, ["rejudges"]) => Self::StaffRejudges,
            (Post, ["rejudges"]) => Self::StartRejudge,
            (Post, ["rejudges", id, "apply"]) => Self::ApplyRejudge(number(id)?),
            (Post, ["rejudges", id, "cancel"]) => Self::CancelRejudge(number(id)?),
            (Post, ["quarantine", id]) => Self::ReleaseQuarantine(number(id)?),
            (Post, ["clarifications"]) => Self::TellAll,
            (Post, ["clarifications", id]) => Self::AnswerClarification(number(id)?),
            (Get, ["contest"]) => Self::StaffContest,
            (Post, ["contest"]) => Self::ChangeContest,
            (Post, ["problems", label]) => Self::ChangeProblem((*label).to_owned()),
            (Get, ["accounts"]) => Self::StaffAccounts,
            (Post, ["accounts"]) => Self::ImportAccounts,
            (Post, ["accounts", "sheet"]) => Self::CredentialSheet,
            (Post, ["accounts", id]) => Self::ChangeAccount(number(id)?),
            (Get, ["audit"]) => Self::Audit,
            (Get, ["export", file]) => Self::Export((*file).to_owned()),
            _ => return None,
        })
    }

    /// Who may use it. Whose a submission is, is looked at where it is shown.
    pub(crate) fn needs(&self) -> Needs {
        match self {
            Self::Start
            | Self::Asset(_)
            | Self::Enter(_)
            | Self::LoginPage
            | Self::Login
            | Self::Logout
            | Self::Settings
            | Self::ApiLogin => Needs::Nothing,
            Self::Live | Self::Clarifications => Needs::Account,
            Self::Problems
            | Self::Problem(_)
            | Self::Submit(_)
            | Self::VirtualStart
            | Self::Submissions
            | Self::Submission(_)
            | Self::SubmissionSource(_)
            | Self::SubmissionInput(_)
            | Self::SubmissionAnswer(_)
            | Self::Ask
            | Self::ApiSubmit
            | Self::ApiSubmission(_) => Needs::Begun,
            Self::Board | Self::BoardTable => Needs::Board,
            Self::Staff
            | Self::StaffSubmissions
            | Self::StaffRejudges
            | Self::StartRejudge
            | Self::ApplyRejudge(_)
            | Self::CancelRejudge(_)
            | Self::ReleaseQuarantine(_)
            | Self::TellAll
            | Self::AnswerClarification(_)
            | Self::StaffContest
            | Self::ChangeContest
            | Self::ChangeProblem(_)
            | Self::StaffAccounts
            | Self::ImportAccounts
            | Self::ChangeAccount(_)
            | Self::CredentialSheet
            | Self::Audit
            | Self::Export(_) => Needs::Staff,
        }
    }

    /// Whether it is for programs, which want JSON and have a token instead of a cookie.
    pub(crate) fn is_api(&self) -> bool {
        matches!(self, Self::ApiLogin | Self::ApiSubmit | Self::ApiSubmission(_))
    }
}

impl Needs {
    /// Whether `who` may go on.
    pub(crate) fn admit(self, who: Who, has_begun: bool, is_board_public: bool) -> Admission {
        match (self, who) {
            (Self::Nothing, _) | (_, Who::Staff) | (Self::Account, Who::Team) => Admission::Granted,
            (Self::Staff, Who::Team) => Admission::Hidden,
            (Self::Board, Who::Anonymous) if is_board_public => begun(has_begun),
            (_, Who::Anonymous) => Admission::LogIn,
            (Self::Begun | Self::Board, Who::Team) => begun(has_begun),
        }
    }
}

fn begun(has_begun: bool) -> Admission {
    if has_begun { Admission::Granted } else { Admission::NotYet }
}

/// A row's number: digits only, so that an address has one form.
fn number(text: &str) -> Option<i64> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    is_plain.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_one_form_and_the_rest_means_nothing() {
        assert_eq!(Route::of(Method::Get, "/"), Some(Route::Start));
        assert_eq!(Route::of(Method::Get, "/problems/"), Some(Route::Problems));
        assert_eq!(Route::of(Method::Get, "/submissions/12/input"), Some(Route::SubmissionInput(12)));
        for path in
            ["", "problems", "//", "/submissions/+1", "/submissions/01", "/submissions/x", "/staff/none"]
        {
            assert_eq!(Route::of(Method::Get, path), None, "{path}");
        }
        // What changes something is never done by following a link.
        for path in ["/logout", "/virtual", "/staff/quarantine/1", "/staff/rejudges/1/apply", "/api/submit"] {
            assert_eq!(Route::of(Method::Get, path), None, "{path}");
            assert!(Route::of(Method::Post, path).is_some(), "{path}");
        }
    }

    #[test]
    fn staff_go_everywhere_and_teams_only_where_the_contest_is() {
        use Admission::{Granted, Hidden, LogIn, NotYet};
        let table = [
            // needs, anonymous before/after the start, team before/after; the board is not public
            (Needs::Nothing, [Granted, Granted, Granted, Granted]),
            (Needs::Account, [LogIn, LogIn, Granted, Granted]),
            (Needs::Begun, [LogIn, LogIn, NotYet, Granted]),
            (Needs::Board, [LogIn, LogIn, NotYet, Granted]),
            (Needs::Staff, [LogIn, LogIn, Hidden, Hidden]),
        ];
        for (needs, expected) in table {
            let found =
                [(Who::Anonymous, false), (Who::Anonymous, true), (Who::Team, false), (Who::Team, true)]
                    .map(|(who, has_begun)| needs.admit(who, has_begun, false));
            assert_eq!(found, expected, "{needs:?}");
            assert_eq!(needs.admit(Who::Staff, false, false), Granted);
        }
        assert_eq!(Needs::Board.admit(Who::Anonymous, false, true), NotYet);
        assert_eq!(Needs::Board.admit(Who::Anonymous, true, true), Granted);
        assert_eq!(Needs::Begun.admit(Who::Anonymous, true, true), LogIn);
    }
}
