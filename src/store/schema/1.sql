-- The first shape of a contest's database. Every instant is in unix milliseconds.

-- One row: the number of this opening, from which epochs of leases begin.
CREATE TABLE life (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    openings INTEGER NOT NULL
) STRICT;
INSERT INTO life (id, openings) VALUES (1, 0);

-- What the contest is: its configuration as it was applied, and the schedule as staff have changed it since.
CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Problems that staff have taken out of the contest.
CREATE TABLE disabled_problems (
    slug TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

CREATE TABLE accounts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    login TEXT NOT NULL UNIQUE COLLATE NOCASE,
    name TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('admin', 'team')),
    password_hash TEXT NOT NULL,
    is_enabled INTEGER NOT NULL,
    created_at_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE sessions (
    token_hash BLOB PRIMARY KEY CHECK (length(token_hash) = 32),
    account INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    created_at_ms INTEGER NOT NULL,
    seen_at_ms INTEGER NOT NULL,
    expires_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_of_account ON sessions (account);
CREATE INDEX sessions_by_expiry ON sessions (expires_at_ms);

CREATE TABLE submissions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account INTEGER NOT NULL REFERENCES accounts (id),
    slug TEXT NOT NULL,
    language TEXT NOT NULL,
    mode TEXT,
    file_name TEXT NOT NULL,
    source_bytes INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('contest', 'practice', 'virtual'))
) STRICT;
CREATE INDEX submissions_of_account ON submissions (account, id);
CREATE INDEX submissions_of_account_by_time ON submissions (account, at_ms);
CREATE INDEX submissions_of_problem ON submissions (slug, id);

-- Apart, so that lists never read past them.
CREATE TABLE sources (
    submission INTEGER PRIMARY KEY REFERENCES submissions (id),
    source BLOB NOT NULL
) STRICT;

CREATE TABLE rejudges (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    state TEXT NOT NULL CHECK (state IN ('open', 'applied', 'cancelled')),
    reason TEXT NOT NULL,
    started_by INTEGER,
    started_at_ms INTEGER NOT NULL,
    ended_at_ms INTEGER
) STRICT;

CREATE TABLE rejudged (
    rejudge INTEGER NOT NULL REFERENCES rejudges (id),
    submission INTEGER NOT NULL REFERENCES submissions (id),
    PRIMARY KEY (rejudge, submission)
) STRICT, WITHOUT ROWID;

CREATE TABLE judgings (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    submission INTEGER NOT NULL REFERENCES submissions (id),
    rejudge INTEGER REFERENCES rejudges (id),
    -- Of the lease that brought it: to finish twice is to finish once.
    epoch INTEGER NOT NULL UNIQUE,
    is_current INTEGER NOT NULL,
    verdict TEXT NOT NULL,
    score_hundredths INTEGER,
    max_hundredths INTEGER,
    -- [[name, hundredths], …]
    groups TEXT NOT NULL,
    mode TEXT NOT NULL,
    compile_log TEXT NOT NULL,
    first_failing_test TEXT,
    cpu_ms REAL,
    memory_bytes INTEGER,
    at_ms INTEGER NOT NULL
) STRICT;
-- What the contest rests on: a submission has one verdict that counts, never two.
CREATE UNIQUE INDEX one_current_judging ON judgings (submission) WHERE is_current;
CREATE INDEX judgings_of_submission ON judgings (submission, id);
CREATE INDEX judgings_of_rejudge ON judgings (rejudge, submission) WHERE rejudge IS NOT NULL;

CREATE TABLE judged_tests (
    judging INTEGER NOT NULL REFERENCES judgings (id),
    place INTEGER NOT NULL,
    name TEXT NOT NULL,
    subtask TEXT,
    verdict TEXT,
    cpu_ms REAL,
    wall_ms REAL,
    memory_bytes INTEGER,
    exit_code INTEGER,
    signal INTEGER,
    message TEXT NOT NULL,
    input TEXT,
    expected BLOB,
    actual BLOB,
    first_line INTEGER,
    stderr TEXT NOT NULL,
    transcript TEXT NOT NULL,
    PRIMARY KEY (judging, place)
) STRICT, WITHOUT ROWID;

-- The smallest failing input, or that there is none to be had.
CREATE TABLE smallest (
    judging INTEGER PRIMARY KEY REFERENCES judgings (id),
    is_found INTEGER NOT NULL,
    input TEXT NOT NULL,
    expected TEXT,
    actual TEXT NOT NULL,
    is_partial INTEGER NOT NULL
) STRICT;

-- What is to be done. A job is there until what came of it is recorded in the same transaction.
CREATE TABLE jobs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    task TEXT NOT NULL CHECK (task IN ('judge', 'smallest')),
    submission INTEGER NOT NULL REFERENCES submissions (id),
    rejudge INTEGER REFERENCES rejudges (id),
    lane INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('queued', 'leased', 'quarantined')),
    epoch INTEGER,
    slot TEXT,
    attempts INTEGER NOT NULL DEFAULT 0,
    deaths INTEGER NOT NULL DEFAULT 0,
    -- Processes have ended under it more than once or twice: it goes behind all others of its lane, and is done alone.
    is_suspect INTEGER NOT NULL DEFAULT 0,
    queued_at_ms INTEGER NOT NULL,
    -- Why the last attempt came to nothing.
    trouble TEXT
) STRICT;
CREATE UNIQUE INDEX one_job_for_each_task ON jobs (submission, task, ifnull(rejudge, 0));
CREATE INDEX jobs_in_line ON jobs (lane, is_suspect, turn, id) WHERE state = 'queued';
CREATE INDEX jobs_taken ON jobs (state) WHERE state <> 'queued';
CREATE INDEX jobs_of_rejudge ON jobs (rejudge) WHERE rejudge IS NOT NULL;

-- Fair order: the turn that each lane has come to, and the last one that each account has been given.
CREATE TABLE lanes (
    lane INTEGER PRIMARY KEY,
    turn INTEGER NOT NULL
) STRICT;
CREATE TABLE turns (
    lane INTEGER NOT NULL,
    account INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    turn INTEGER NOT NULL,
    PRIMARY KEY (lane, account)
) STRICT, WITHOUT ROWID;
CREATE INDEX turns_of_account ON turns (account);

CREATE TABLE events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    at_ms INTEGER NOT NULL,
    kind TEXT NOT NULL,
    account INTEGER,
    subject INTEGER,
    slug TEXT
) STRICT;

CREATE TABLE clarifications (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- Who asked; nobody where staff speak of themselves.
    account INTEGER REFERENCES accounts (id),
    slug TEXT,
    question TEXT,
    asked_at_ms INTEGER NOT NULL,
    answer TEXT,
    answered_by INTEGER,
    answered_at_ms INTEGER,
    is_public INTEGER NOT NULL,
    -- The event of its last answer.
    answer_seq INTEGER
) STRICT;
CREATE INDEX clarifications_of_account ON clarifications (account, id);
CREATE INDEX public_clarifications ON clarifications (id) WHERE is_public;
CREATE INDEX open_clarifications ON clarifications (id) WHERE answer IS NULL;

CREATE TABLE clarifications_read (
    account INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL
) STRICT;

CREATE TABLE virtual_starts (
    account INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    start_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE audit (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at_ms INTEGER NOT NULL,
    -- Nobody where the command line or the server itself acts.
    account INTEGER,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    detail TEXT NOT NULL
) STRICT;
