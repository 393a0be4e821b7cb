//! Accounts, sessions, questions, audit.

use super::*;

#[test]
fn accounts_are_made_all_or_none() {
    let scene = scene(2);
    let new = ["team03", "TEAM00", "team04", "team03"].map(|login| new_account(login, Role::Team));
    let error = scene.store.create_accounts(&new, scene.admin).unwrap_err();
    assert_eq!(error.to_string(), "already taken: TEAM00, team03");
    assert_eq!(scene.store.accounts().unwrap().len(), 3);
    let found = scene.store.account_by_login("Team01").unwrap().unwrap();
    assert_eq!((found.id, found.name.as_str()), (scene.teams[1], "TEAM01"));
    assert_eq!(scene.store.account_by_login("team99").unwrap(), None);
    scene.store.rename(scene.teams[1], "Ещё команда", scene.admin).unwrap();
    assert_eq!(scene.store.account(scene.teams[1]).unwrap().name, "Ещё команда");
}

#[test]
fn an_account_with_a_history_stays_and_one_administrator_too() {
    let scene = scene(3);
    scene.submit(0, 2000);
    scene.store.ask(scene.teams[1], None, "why?", 0, None).unwrap();
    for team in &scene.teams[..2] {
        assert!(matches!(scene.store.delete_account(*team, scene.admin), Err(StoreError::HasHistory)));
    }
    scene.store.delete_account(scene.teams[2], scene.admin).unwrap();
    assert!(matches!(scene.store.account(scene.teams[2]), Err(StoreError::Missing("account"))));
    let admin = scene.admin.account.unwrap();
    assert!(matches!(scene.store.set_enabled(admin, false, scene.admin), Err(StoreError::LastAdmin)));
    assert!(matches!(scene.store.delete_account(admin, scene.admin), Err(StoreError::LastAdmin)));
    assert!(scene.store.account(admin).unwrap().is_enabled);
    scene.store.create_accounts(&[new_account("boss", Role::Admin)], scene.admin).unwrap();
    scene.store.set_enabled(admin, false, scene.admin).unwrap();
}

#[test]
fn sessions_end_by_time_by_wish_and_with_their_account() {
    let scene = scene(2);
    let store = &scene.store;
    let session = |account| Session { account, created_at_ms: 0, seen_at_ms: 0, expires_at_ms: 1000 };
    let is_good = |token: u8, now_ms| store.session(&[token; 32], now_ms).unwrap().is_some();
    let [one, two] = scene.teams[..] else { panic!("two teams") };
    for (token, account) in [(1, one), (2, one), (3, two)] {
        store.create_session(&[token; 32], &session(account), false).unwrap();
    }
    assert_eq!(store.session(&[1; 32], 999).unwrap().unwrap().1.id, one);
    assert!(!is_good(1, 1000) && !is_good(9, 0));
    store.touch_session(&[1; 32], &session(one), 59_999, 90_000).unwrap();
    assert!(!is_good(1, 1000), "too soon to be noted");
    store.touch_session(&[1; 32], &session(one), 60_000, 90_000).unwrap();
    assert!(is_good(1, 89_999));
    store.delete_session(&[1; 32]).unwrap();
    assert!(!is_good(1, 0) && is_good(2, 0));
    store.create_session(&[4; 32], &session(one), true).unwrap();
    assert!(!is_good(2, 0) && is_good(4, 0) && is_good(3, 0));
    store.set_password_hash(one, "new", scene.admin).unwrap();
    assert!(!is_good(4, 0));
    store.set_enabled(two, false, scene.admin).unwrap();
    assert!(!is_good(3, 0));
    assert!(store.create_session(&[5; 32], &session(two), false).is_err());
    store.create_session(&[6; 32], &session(one), false).unwrap();
    assert_eq!((store.sweep_sessions(999).unwrap(), store.sweep_sessions(1000).unwrap()), (0, 1));
    store.create_session(&[7; 32], &session(one), false).unwrap();
    assert_eq!(store.delete_sessions_of(one).unwrap(), 1);
}

#[test]
fn a_team_sees_its_own_questions_and_what_is_for_all() {
    let scene = scene(2);
    let store = &scene.store;
    let [one, two] = scene.teams[..] else { panic!("two teams") };
    let seen = |reader| {
        let found = store.clarifications(reader, None, 100).unwrap().into_iter();
        found.map(|it| (it.id, it.account, it.answer.clone(), it.is_unread)).collect::<Vec<_>>()
    };
    let private = store.ask(one, Some("a"), "is n > 0?", 10, None).unwrap();
    let public = store.ask(one, None, "is there a break?", 11, None).unwrap();
    assert_eq!(seen(Reader::Team(two)), []);
    assert_eq!(store.unread(Reader::Staff).unwrap(), 2);
    store.answer(private, "yes", false, scene.admin).unwrap();
    store.answer(public, "no", true, scene.admin).unwrap();
    let answered = |id, account, text: &str, unread| (id, account, Some(text.to_owned()), unread);
    assert_eq!(seen(Reader::Team(two)), [answered(public, None, "no", true)]);
    let own = [answered(public, Some(one), "no", true), answered(private, Some(one), "yes", true)];
    assert_eq!(seen(Reader::Team(one)), own);
    let events: Vec<_> = store
        .events_after(0, 100)
        .unwrap()
        .into_iter()
        .filter(|it| it.kind == EventKind::Answered)
        .map(|it| it.account)
        .collect();
    assert_eq!(events, [Some(one), None]);
    let seq = store.version();
    let all = store.announce(None, "five more minutes", scene.admin).unwrap();
    store.mark_read(one, seq).unwrap();
    assert_eq!(store.unread(Reader::Team(one)).unwrap(), 1);
    assert_eq!((store.unread(Reader::Team(two)).unwrap(), store.unread(Reader::Staff).unwrap()), (2, 0));
    assert_eq!(seen(Reader::Team(one))[0], answered(all, None, "five more minutes", true));
    store.mark_read(one, store.version()).unwrap();
    // An answer that was given again is news; what was for all stays so.
    store.answer(public, "yes, at noon", false, scene.admin).unwrap();
    assert_eq!(store.unread(Reader::Team(one)).unwrap(), 1);
    assert_eq!(seen(Reader::Team(two))[1], answered(public, None, "yes, at noon", true));
    assert_eq!(store.clarifications(Reader::Team(one), Some(public), 100).unwrap().len(), 1);
}

#[test]
fn too_much_too_soon_is_refused() {
    let scene = scene(2);
    let rate = Some(Rate { count: 2, window_ms: 1000 });
    let ask = |team: usize, at_ms| scene.store.ask(scene.teams[team], None, "?", at_ms, rate).map(drop);
    let submit = |team: usize, at_ms| {
        let new = NewSubmission {
            account: scene.teams[team],
            slug: "a",
            language: "cpp",
            mode: None,
            file_name: "a.cpp",
            source: b"",
            at_ms,
            kind: Kind::Contest,
        };
        scene.store.submit(&new, rate).map(drop)
    };
    let tries: [&dyn Fn(usize, i64) -> Result<(), StoreError>; 2] = [&ask, &submit];
    for attempt in tries {
        attempt(0, 5000).unwrap();
        attempt(0, 5400).unwrap();
        attempt(1, 5400).unwrap();
        let refused = attempt(0, 5600).unwrap_err();
        assert!(matches!(refused, StoreError::TooMany { wait_ms: 400 }), "{refused:?}");
        attempt(0, 6000).unwrap();
        attempt(0, 6001).unwrap_err();
    }
    assert!(matches!(
        scene.store.ask(scene.teams[0], None, &"?".repeat(5000), 9999, None),
        Err(StoreError::TooLong { .. })
    ));
}

#[test]
fn what_is_too_long_is_refused() {
    let scene = scene(1);
    let new = |source, file_name| NewSubmission {
        account: scene.teams[0],
        slug: "a",
        language: "cpp",
        mode: None,
        file_name,
        source,
        at_ms: 0,
        kind: Kind::Contest,
    };
    let long = vec![b'x'; MAX_SOURCE_BYTES + 1];
    assert!(matches!(
        scene.store.submit(&new(&long, "a"), None),
        Err(StoreError::TooLong { what: "source", .. })
    ));
    let name = "n".repeat(300);
    assert!(matches!(scene.store.submit(&new(b"", &name), None), Err(StoreError::TooLong { .. })));
    let id = scene.store.submit(&new(&long[1..], "../../Ключ\u{202e}.cpp"), None).unwrap();
    assert_eq!(scene.store.submission(id).unwrap().file_name, "../../Ключ\u{202e}.cpp");
    assert_eq!(scene.store.source(id).unwrap().len(), MAX_SOURCE_BYTES);
}

#[test]
fn what_staff_do_is_written_down_and_pages_go_on_where_they_end() {
    let scene = scene(2);
    scene.store.set_problem_enabled("b", false, scene.admin).unwrap();
    scene.store.audit(By::server(7), Action::Export, "results", "").unwrap();
    let lines = scene.store.audit_page(None, 2).unwrap();
    assert_eq!(
        lines.iter().map(|line| line.action.word()).collect::<Vec<_>>(),
        ["export", "disable problem"]
    );
    assert_eq!((lines[0].account, lines[1].account), (None, scene.admin.account));
    let rest = scene.store.audit_page(Some(lines[1].id), 100).unwrap();
    assert_eq!(rest[0].action, Action::ApplyConfiguration);
    let ids: Vec<_> = (0..5).map(|n| scene.submit(n % 2, 2000)).collect();
    let page = |before| {
        let filter = SubmissionFilter { before, ..SubmissionFilter::default() };
        scene.store.submissions(&filter, 2).unwrap().into_iter().map(|it| it.id).collect::<Vec<_>>()
    };
    assert_eq!((page(None), page(Some(ids[3]))), (vec![ids[4], ids[3]], vec![ids[2], ids[1]]));
    let own = SubmissionFilter {
        account: Some(scene.teams[1]),
        verdict: Some(None),
        ..SubmissionFilter::default()
    };
    assert_eq!(scene.store.count_submissions(&own).unwrap(), 2);
    scene.judge(Verdict::Ac);
    for n in 0..2 * MAX_PAGE {
        scene.store.audit(By::server(0), Action::LogIn, &n.to_string(), "").unwrap();
    }
    let export = scene.store.export().unwrap();
    let audit: Vec<_> = export
        .audit
        .iter()
        .filter(|line| line.action == Action::LogIn)
        .map(|line| line.subject.clone())
        .collect();
    assert_eq!(audit, (0..2 * MAX_PAGE).map(|n| n.to_string()).collect::<Vec<_>>());
    assert_eq!(export.submissions.iter().map(|it| it.id).collect::<Vec<_>>(), ids);
    assert!(export.accounts.iter().all(|account| account.password_hash.is_empty()));
    let mut sources = Vec::new();
    let each: Result<(), StoreError> = scene.store.each_source(|id, source| {
        sources.push((id, source.len()));
        Ok(())
    });
    each.unwrap();
    assert_eq!(sources, ids.iter().map(|id| (*id, 13)).collect::<Vec<_>>());
}

#[test]
fn a_virtual_contest_begins_once() {
    let scene = scene(2);
    assert_eq!(scene.store.start_virtual(scene.teams[0], 50).unwrap(), 50);
    assert_eq!(scene.store.start_virtual(scene.teams[0], 90).unwrap(), 50);
    assert_eq!(scene.store.virtual_start(scene.teams[1]).unwrap(), None);
    assert_eq!(scene.store.virtual_starts().unwrap(), [(scene.teams[0], 50)]);
    assert!(scene.store.start_virtual(AccountId(999), 1).is_err());
}
