//! Starter code: the function with the right names and types and nothing in it, as LeetCode shows it. It compiles as it
//! is and returns what is wrong most of the time; it never solves anything.

use super::{Callee, Language};
use crate::problem::{Function, InputModel, Returns, is_keyword};

/// The source to begin with in the language `id`, with a line break at its end; `None` for a language without a
/// driver. It is found to be a function, never a program.
pub fn starter(id: &str, function: &Function, model: &InputModel) -> Option<String> {
    let language = Language::of(id)?;
    let mut callee = Callee::new(language, id, function, model);
    for param in &mut callee.params {
        // Drivers pass arguments by their places, so that their names are free.
        if is_keyword(&param.name) {
            param.name.push('_');
        }
    }
    let signature = language.signature(&callee);
    let head = signature.split_once(" with ").map_or(signature.as_str(), |(_, head)| head);
    let value = nothing(language, &callee.returns);
    Some(match language {
        Language::C => c(head, &callee.returns, value),
        Language::Cpp => {
            let head = head.trim_start_matches("public: ");
            format!("class Solution {{\npublic:\n    {head} {{\n        return {value};\n    }}\n}};\n")
        }
        Language::Java => format!("class Solution {{\n    {head} {{\n        return {value};\n    }}\n}}\n"),
        Language::Python => {
            let head = head.replace("(self, )", "(self)");
            format!("class Solution:\n    {head}:\n        return {value}\n")
        }
        Language::Go => format!("{head} {{\n\treturn {value}\n}}\n"),
        Language::TypeScript => format!("{head} {{\n    return {value};\n}}\n"),
        Language::JavaScript => format!("{}{head} {{\n    return {value};\n}}\n", types(&callee)),
        Language::Rust => format!("impl Solution {{\n    {head} {{\n        {value}\n    }}\n}}\n"),
    })
}

/// A value of the right type that says nothing.
fn nothing(language: Language, returns: &Returns) -> &'static str {
    match (returns, language) {
        (Returns::Bool, Language::Python) => "False",
        (Returns::Bool, _) => "false",
        (Returns::Int | Returns::Long, _) => "0",
        (Returns::Text | Returns::OneOf(_), Language::Rust) => "String::new()",
        (Returns::Text | Returns::OneOf(_), _) => "\"\"",
        (Returns::IntArray, Language::C) => "NULL",
        (Returns::IntArray, Language::Cpp) => "{}",
        (Returns::IntArray, Language::Java) => "new int[0]",
        (Returns::IntArray, Language::Go) => "[]int{}",
        (Returns::IntArray, Language::Rust) => "Vec::new()",
        (Returns::IntArray, Language::Python | Language::TypeScript | Language::JavaScript) => "[]",
    }
}

fn c(head: &str, returns: &Returns, value: &str) -> String {
    let size = if *returns == Returns::IntArray { "    *returnSize = 0;\n" } else { "" };
    format!("{head} {{\n{size}    return {value};\n}}\n")
}

/// JavaScript has types in comments only.
fn types(callee: &Callee) -> String {
    let mut text = "/**\n".to_owned();
    for param in &callee.params {
        let number = if param.width == super::Width::Huge { "bigint" } else { "number" };
        let array = if param.is_array { "[]" } else { "" };
        text.push_str(" * @param {");
        text.push_str(number);
        text.push_str(array);
        text.push_str("} ");
        text.push_str(&param.name);
        text.push('\n');
    }
    let returns = match callee.returns {
        Returns::Bool => "boolean",
        Returns::Int | Returns::Long => "number",
        Returns::Text | Returns::OneOf(_) => "string",
        Returns::IntArray => "number[]",
    };
    text.push_str(" * @return {");
    text.push_str(returns);
    text.push_str("}\n */\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::Mode;
    use crate::lang::function::{detect, drive};
    use crate::problem::{Field, IntRange, Shape};

    const LANGUAGES: [&str; 8] = ["c", "cpp", "go", "java", "javascript", "python", "rust", "typescript"];

    fn problems() -> Vec<(String, crate::problem::Problem)> {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("problems");
        let slugs = folder.read_dir().unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let problem = |slug: String| {
            let text = std::fs::read_to_string(folder.join(&slug).join("problem.toml")).unwrap();
            let problem = crate::problem::parse(&slug, &text).0.unwrap();
            (slug, problem)
        };
        slugs.map(problem).collect()
    }

    /// Whoever opens a problem can hand in what stands there, and it is found to be a function with the right name.
    #[test]
    fn every_problem_has_a_starter_in_every_language() {
        let problems = problems();
        assert_eq!(problems.len(), 9);
        for (slug, problem) in &problems {
            let function = problem.function.as_ref().unwrap();
            for id in LANGUAGES {
                let text = starter(id, function, &problem.model).unwrap();
                assert_eq!(detect(id, &text, function), Mode::Function, "{slug} {id}: {text}");
                assert!(drive(id, function, &problem.model, &text).is_ok(), "{slug} {id}: {text}");
            }
            assert_eq!(starter("pascal", function, &problem.model), None);
        }
    }

    #[test]
    fn starters_look_as_people_know_them() {
        let problems = problems();
        let (_, problem) = problems.iter().find(|(slug, _)| slug == "stone-game-iii").unwrap();
        let text = |id| starter(id, problem.function.as_ref().unwrap(), &problem.model).unwrap();
        assert_eq!(
            LANGUAGES.map(text),
            [
                "char* stoneGameIII(int* stoneValue, int stoneValueSize) {\n    return \"\";\n}\n",
                "class Solution {\npublic:\n    string stoneGameIII(vector<int>& stoneValue) {\n        return \"\";\n    }\n};\n",
                "func stoneGameIII(stoneValue []int) string {\n\treturn \"\"\n}\n",
                "class Solution {\n    public String stoneGameIII(int[] stoneValue) {\n        return \"\";\n    }\n}\n",
                "/**\n * @param {number[]} stoneValue\n * @return {string}\n */\nfunction stoneGameIII(stoneValue) {\n    return \"\";\n}\n",
                "class Solution:\n    def stoneGameIII(self, stoneValue: List[int]) -> str:\n        return \"\"\n",
                "impl Solution {\n    pub fn stone_game_iii(stone_value: Vec<i32>) -> String {\n        String::new()\n    }\n}\n",
                "function stoneGameIII(stoneValue: number[]): string {\n    return \"\";\n}\n",
            ]
        );
    }

    #[test]
    fn names_that_mean_something_else_are_not_in_the_way() {
        let range = IntRange { min: 0, max: i64::MAX, step: 1 };
        let field = |name: &str| Field { name: name.to_owned(), shape: Shape::Int(range) };
        let model = InputModel { fields: vec![field("type"), field("for")], ..InputModel::default() };
        let function = Function { name: "f".to_owned(), names: Vec::new(), returns: Returns::IntArray };
        let text = |id| starter(id, &function, &model).unwrap();
        assert_eq!(
            text("c"),
            "int* f(long long type_, long long for_, int* returnSize) {\n    *returnSize = 0;\n    return NULL;\n}\n"
        );
        assert!(text("rust").contains("pub fn f(type_: i64, for_: i64) -> Vec<i32> {"), "{}", text("rust"));
        assert!(text("javascript").contains(" * @param {bigint} for_\n * @return {number[]}\n"));
        let none = starter("python", &function, &InputModel::default()).unwrap();
        assert_eq!(none, "class Solution:\n    def f(self) -> List[int]:\n        return []\n");
    }
}
