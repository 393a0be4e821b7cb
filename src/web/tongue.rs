//! The languages that pages speak. Chooses one; never holds the words, which are in `words`.

use crate::web::words::{self, Words};

/// A language of the pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tongue {
    /// English.
    #[default]
    En,
    /// Russian.
    Ru,
    /// Chinese, simplified.
    Zh,
}

impl Tongue {
    pub(crate) const ALL: [Self; 3] = [Self::En, Self::Ru, Self::Zh];

    /// As in `lang="…"`, and in the names of statements.
    pub(crate) fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Ru => "ru",
            Self::Zh => "zh",
        }
    }

    /// How those who speak it call it.
    pub(crate) fn own_name(self) -> &'static str {
        own_name(self.code())
    }

    pub(crate) fn words(self) -> &'static Words {
        match self {
            Self::En => &words::EN,
            Self::Ru => &words::RU,
            Self::Zh => &words::ZH,
        }
    }

    /// The language with this code, whatever the country after it.
    pub(crate) fn of_code(code: &str) -> Option<Self> {
        let head = code.split(['-', '_']).next().unwrap_or_default();
        Self::ALL.into_iter().find(|tongue| tongue.code().eq_ignore_ascii_case(head))
    }

    /// The best of what a browser says it accepts (RFC 9110 § 12.5.4): the first of the highest weight.
    pub(crate) fn accepted(header: &str) -> Option<Self> {
        let mut best: Option<(u32, Self)> = None;
        for range in header.split(',').take(MAX_RANGES) {
            let mut parts = range.split(';');
            let Some(tongue) = parts.next().and_then(|code| Self::of_code(code.trim())) else { continue };
            let weight = parts.find_map(|part| thousandths(part.trim().strip_prefix("q=")?)).unwrap_or(1000);
            if weight > 0 && best.is_none_or(|(most, _)| weight > most) {
                best = Some((weight, tongue));
            }
        }
        best.map(|(_, tongue)| tongue)
    }
}

/// How many languages of a browser's list are looked at.
const MAX_RANGES: usize = 30;

/// How those who speak a language call it; its code where it is none of ours.
pub(crate) fn own_name(code: &str) -> &str {
    match code {
        "en" => "English",
        "ru" => "Русский",
        "zh" => "中文",
        other => other,
    }
}

/// A weight from `0` to `1` with at most three digits.
fn thousandths(text: &str) -> Option<u32> {
    let (whole, rest) = text.split_once('.').unwrap_or((text, ""));
    let whole: u32 = whole.parse().ok().filter(|whole| *whole <= 1)?;
    if rest.len() > 3 || !rest.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let rest: u32 = format!("{rest:0<3}").parse().ok()?;
    Some((whole * 1000 + rest).min(1000))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_gets_the_best_of_what_it_accepts() {
        assert_eq!(Tongue::accepted("zh-CN,zh;q=0.9,en;q=0.8"), Some(Tongue::Zh));
        assert_eq!(Tongue::accepted("fr, en;q=0.3, ru;q=0.7"), Some(Tongue::Ru));
        assert_eq!(Tongue::accepted("en;q=0, ru;q=0.001"), Some(Tongue::Ru));
        assert_eq!(Tongue::accepted("fr, de"), None);
        assert_eq!(Tongue::accepted(";;,q=,en;q=x"), Some(Tongue::En));
    }
}
