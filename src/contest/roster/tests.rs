//! Lists as they come out of spreadsheets and chat windows.

use proptest::prelude::*;

use super::*;

fn accounts(text: &str) -> Vec<(String, String, Option<String>)> {
    let read = read(text, &["team02", "Admin"]).unwrap_or_else(|mistakes| panic!("{text:?}: {mistakes:?}"));
    read.into_iter().map(|account| (account.login, account.name, account.password)).collect()
}

fn mistakes(text: &str) -> Vec<String> {
    let mistakes = read(text, &["team02", "Admin"]).expect_err(text);
    mistakes.into_iter().map(|mistake| format!("{}: {}", mistake.line, mistake.message)).collect()
}

fn account(login: &str, name: &str, password: &str) -> (String, String, Option<String>) {
    (login.to_owned(), name.to_owned(), Some(password.to_owned()).filter(|it| !it.is_empty()))
}

#[test]
fn names_alone_get_logins() {
    let expected = [
        account("team01", "The Owls", ""),
        account("team03", "石子 队", ""),
        account("team04", "Ада, Боб", ""),
    ];
    assert_eq!(accounts("\u{feff}The  Owls \r\n\r\n石子 队\r\nАда, Боб\r\n"), expected);
    assert_eq!(accounts("\"Owls, The\""), [account("team01", "Owls, The", "")]);
    let many: String = (0..120).map(|number| format!("Name {number}\n")).collect();
    let many = accounts(&many);
    assert_eq!((many[0].0.as_str(), many[119].0.as_str()), ("team001", "team120"));
}

#[test]
fn tables_have_their_columns_in_any_order() {
    let expected =
        [account("ada", "Ada L.", "secret-1"), account("team01", "Bob", ""), account("cleo", "cleo", "")];
    for text in [
        "login,name,password\nAda,Ada L.,secret-1\n,Bob,\ncleo\n",
        "Password;Name;Login\r\nsecret-1;Ada L.;Ada\r\n;Bob;\r\n;;cleo\r\n",
        "name\tlogin\tpassword\nAda L.\tada\tsecret-1\nBob\n\tcleo\n",
        "\"Пароль\",\"Имя\",\"Логин\"\n\"secret-1\",\"Ada L.\",ada\n,Bob,\n,,cleo",
        "login,name,password,\nada,Ada L.,secret-1,\n,Bob,,\ncleo,,,\n",
    ] {
        assert_eq!(accounts(text), expected, "{text:?}");
    }
    assert_eq!(accounts("name\nAda\n"), [account("team01", "Ada", "")]);
    assert_eq!(accounts("login\nAda\n"), [account("ada", "ada", "")]);
}

#[test]
fn every_mistake_is_told_at_once() {
    let text = "login,name,password\nада,Ada,\nbob,Bob,short\nbob,Bob B.,\nADMIN,x,\n,,secret-1\ncleo,C,secret-1,more\n\
                dan,\u{202e}Dan,\n,Eve,\n,Eve,\n";
    assert_eq!(
        mistakes(text),
        [
            "2: `ада` cannot be a login: expected 1 to 32 of the letters a to z, digits, `.`, `_` and `-`, the first \
             a letter or a digit",
            "3: the password is too short: expected 6 characters at least",
            "4: the login `bob` is on line 3, too",
            "5: there is an account `admin` already",
            "6: neither a login nor a name",
            "7: 4 cells, expected 3",
            "8: the name `Dan` has characters that do not show",
            "10: `Eve` is on line 9, too: add something that tells them apart",
        ]
    );
}

#[test]
fn lists_that_are_no_lists_say_so() {
    for (text, told) in [
        ("", "1: the list names nobody"),
        ("login,name\n", "1: the list names nobody"),
        ("team09,The Owls,pw\n", "1: this looks like a table: add a first line"),
        ("Ada\nteam09;The Owls\n", "2: this looks like a table: add a first line"),
        ("login,e-mail\nada,x\n", "1: unknown column `e-mail`"),
        ("login,user\nada,ada\n", "1: the column `user` is there twice"),
        ("password,\nsecret-1,\n", "1: the table has no column `login` and no column `name`"),
        ("login,name\nada,\"Ada\n", "2: a quote is opened here and not closed"),
    ] {
        assert!(mistakes(text)[0].starts_with(told), "{text:?}: {:?}", mistakes(text));
    }
    let many = "x\n".repeat(MAX_ACCOUNTS + 1);
    assert_eq!(mistakes(&many), ["10001: more than 10000 accounts: import them in parts"]);
    assert_eq!(mistakes(&"x".repeat(MAX_LIST_BYTES + 1)).len(), 1);
    assert_eq!(mistakes(&"x\n".repeat(MAX_ACCOUNTS)).len(), MAX_MISTAKES);
}

#[test]
fn uploads_are_utf_8_or_what_spreadsheets_call_unicode() {
    assert_eq!(text("\u{feff}石".as_bytes()).unwrap(), "石");
    assert_eq!(text(&[0xff, 0xfe, b'A', 0, 0x10, 0x04]).unwrap(), "AА");
    assert_eq!(text(&[0xfe, 0xff, 0, b'A', 0x04, 0x10]).unwrap(), "AА");
    for bytes in [&b"\xc0\xe4\xe0"[..], b"\xff\xfeA", b"\xff\xfe\x00\xd8"] {
        assert!(text(bytes).unwrap_err().message.contains("UTF-8"), "{bytes:?}");
    }
}

#[test]
fn passwords_are_readable_and_all_different() {
    assert_eq!(password([0; 5]), "baba-baba-baba");
    assert_eq!(password([0xff; 5]), "zuzu-zuzu-zuzu");
    assert_eq!(password([0x01, 0x23, 0x45, 0x67, 0x89]), "pawi-kidi-goha");
    let mut seen = HashSet::new();
    // Every one of the lowest bits counts.
    for bit in 0..36 {
        assert!(seen.insert(password((1_u64 << bit).to_be_bytes()[3..].try_into().unwrap())));
    }
    assert!(check_password(&password([7; 5])).is_ok());
}

#[test]
fn an_account_has_a_sound_login_and_name() {
    assert_eq!(check_login(" Team.1_a-b "), Ok("team.1_a-b".to_owned()));
    for login in ["", "-a", ".a", "a b", "a/b", "a:b", "é", &"a".repeat(33)] {
        assert!(check_login(login).is_err(), "{login}");
    }
    assert_eq!(check_name(" a \u{3000} 石\t子 👩‍💻 "), Ok("a 石 子 👩‍💻".to_owned()));
    for name in ["", " ", "a\u{7}b", "a\u{202e}b", &"石".repeat(81)] {
        assert!(check_name(name).is_err(), "{name}");
    }
    for password in ["", "short", " padded ", "with\ttab", &"x".repeat(129)] {
        assert!(check_password(password).is_err(), "{password}");
    }
}

proptest! {
    /// Whatever is pasted, there are sound accounts or mistakes with lines that are there.
    #[test]
    fn any_list_makes_accounts_or_mistakes(text in "\\PC*|((login|name|password|a|é|\"|team01)?[,;\\t\\n \\r]){0,30}") {
        match read(&text, &["team01"]) {
            Ok(accounts) => {
                let logins: HashSet<&str> = accounts.iter().map(|account| account.login.as_str()).collect();
                prop_assert_eq!(logins.len(), accounts.len());
                prop_assert!(!logins.contains("team01"));
                for account in &accounts {
                    prop_assert_eq!(check_login(&account.login), Ok(account.login.clone()));
                    prop_assert_eq!(check_name(&account.name), Ok(account.name.clone()));
                }
            }
            Err(mistakes) => {
                let lines = text.split(['\n', '\r']).count();
                prop_assert!(!mistakes.is_empty());
                prop_assert!(mistakes.iter().all(|mistake| (1..=lines).contains(&mistake.line)));
            }
        }
    }
}
