//! `[[program]]`: a program of the problem's own that makes inputs. Says how it is called, never runs it.

/// A program that makes tests. The escape hatch for inputs that the model's families don't have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Maker {
    /// The family of its tests.
    pub name: String,
    /// Its path in the problem's folder, written with `/`.
    pub run: String,
    /// Its arguments, with places for the seed and the number; the seed comes last when they have none.
    pub args: Vec<String>,
    /// How many tests it makes.
    pub count: u32,
}

/// What stands for the seed: 64 hexadecimal digits.
pub(super) const SEED: &str = "{seed}";
/// What stands for the seed as a whole number below 2^31.
pub(super) const SEED31: &str = "{seed31}";
/// What stands for the test's number, from 1.
pub(super) const NUMBER: &str = "{number}";

impl Maker {
    /// The arguments for the test of this number with this key in hexadecimal digits, and the seed among them, as it is
    /// told when something goes wrong.
    pub fn arguments(&self, key: &str, number: u32) -> (Vec<String>, String) {
        let seed31 = u32::from_str_radix(key.get(..8).unwrap_or_default(), 16).unwrap_or_default() >> 1;
        let (seed31, number) = (seed31.to_string(), number.to_string());
        let has = |place: &str| self.args.iter().any(|arg| arg.contains(place));
        let filled = |arg: &String| arg.replace(SEED, key).replace(SEED31, &seed31).replace(NUMBER, &number);
        let mut args: Vec<String> = self.args.iter().map(filled).collect();
        let seed = match (has(SEED), has(SEED31), has(NUMBER)) {
            (true, ..) => key.to_owned(),
            (_, true, _) => seed31,
            (_, _, true) => number,
            (false, false, false) => {
                args.push(key.to_owned());
                key.to_owned()
            }
        };
        (args, seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_has_its_place_or_comes_last() {
        let key = "ff00000180000000000000000000000000000000000000000000000000000000";
        let arguments = |args: &[&str]| {
            let args = args.iter().map(|arg| (*arg).to_owned()).collect();
            Maker { name: "a".to_owned(), run: "a.py".to_owned(), args, count: 1 }.arguments(key, 7)
        };
        assert_eq!(arguments(&["5"]), (vec!["5".to_owned(), key.to_owned()], key.to_owned()));
        assert_eq!(arguments(&["--seed={seed31}", "5"]).0, ["--seed=2139095040", "5"]);
        assert_eq!(arguments(&["{number}"]), (vec!["7".to_owned()], "7".to_owned()));
        assert_eq!(arguments(&["{number}", "{seed}"]).1, key);
    }
}
