//! The matrix of programs and tests as one page that needs nothing else: its own style, no script, light and dark, fit
//! for a telephone. Shows findings, decides nothing.

use std::fmt::Write as _;

use crate::report::strength::{ProgramLine, Standing, Strength};
use crate::verdict::Verdict;

const STYLE: &str = include_str!("strength_page.css");

/// The page for these problems.
// Writing to a string cannot fail, here and below.
pub fn page(problems: &[Strength]) -> String {
    let title: Vec<&str> = problems.iter().map(|problem| problem.problem.as_str()).collect();
    let mut html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>Strength of {}</title>\n<style>\n{STYLE}</style>\n",
        escaped(&title.join(", "))
    );
    for problem in problems {
        of_problem(&mut html, problem);
    }
    html.push_str("</html>\n");
    html
}

fn of_problem(html: &mut String, strength: &Strength) {
    let counts = strength.mutants;
    let percent = strength.killed_percent.map_or_else(|| "—".to_owned(), |percent| format!("{percent:.1} %"));
    let run = strength.kept.iter().filter(|line| line.standing != Standing::NotRun);
    let killed = run.clone().filter(|line| line.standing == Standing::Killed).count();
    let _ = write!(
        html,
        "<main>\n<h1>{}</h1>\n<dl>\n<div><dt>mutants killed</dt><dd>{percent}</dd>\
         <p>{} of {} that compile and differ</p></div>\n\
         <div><dt>kept wrong programs killed</dt><dd>{killed} of {}</dd></div>\n\
         <div><dt>tests</dt><dd>{}</dd><p>{} inputs; {} would do for these kills</p></div>\n</dl>\n",
        escaped(&strength.problem),
        counts.killed,
        counts.compiled - counts.equivalent,
        run.count(),
        strength.tests.len(),
        strength.inputs(),
        strength.enough_tests,
    );
    if !strength.faults.is_empty() {
        html.push_str("<h2>Faults</h2>\n<ul class=\"faults\">\n");
        for fault in &strength.faults {
            let _ = writeln!(html, "<li>{}</li>", escaped(fault));
        }
        html.push_str("</ul>\n");
    }
    standing(html, strength, Standing::Survived, "Survivors");
    standing(html, strength, Standing::Equivalent, "Equivalent");
    operators(html, strength);
    matrix(html, strength);
    html.push_str("</main>\n");
}

/// The programs of one standing, with their diffs.
fn standing(html: &mut String, strength: &Strength, standing: Standing, title: &str) {
    let lines: Vec<&ProgramLine> =
        strength.programs.iter().filter(|line| line.standing == standing).collect();
    if lines.is_empty() {
        return;
    }
    let _ = writeln!(html, "<h2>{title} <small>{}</small></h2>", lines.len());
    for line in lines {
        let _ = writeln!(html, "<section class=\"mutant\"><h3>{}</h3>\n<pre>", escaped(&line.program));
        for (number, before, after) in &line.diff {
            let _ = writeln!(html, "<del>{number} - {}</del>", escaped(before));
            let _ = writeln!(html, "<ins>{number} + {}</ins>", escaped(after));
        }
        let _ = writeln!(html, "</pre>\n<p>{}</p></section>", escaped(&line.note));
    }
}

fn operators(html: &mut String, strength: &Strength) {
    html.push_str(
        "<h2>Operators</h2>\n<div class=\"wide\"><table class=\"operators\">\n<thead><tr><th>operator</th>\
         <th>killed</th><th></th><th>what it does</th></tr></thead>\n<tbody>\n",
    );
    for line in &strength.operators {
        let of = line.mutants - line.equivalent;
        let share = (100 * line.killed).checked_div(of).unwrap_or(100);
        let _ = writeln!(
            html,
            "<tr><th scope=\"row\">{}</th><td>{} of {of}</td><td><meter min=\"0\" max=\"100\" value=\"{share}\">{share} \
             %</meter></td><td>{}</td></tr>",
            escaped(&line.operator),
            line.killed,
            escaped(&line.what)
        );
    }
    html.push_str("</tbody>\n</table></div>\n");
}

fn matrix(html: &mut String, strength: &Strength) {
    html.push_str(
        "<h2>Who kills what</h2>\n<p class=\"legend\"><span class=\"w\">W</span> wrong answer <span \
         class=\"t\">T</span> time limit <span class=\"r\">R</span> run-time error <span class=\"m\">M</span> memory or \
         output limit <span class=\"a\">·</span> passes</p>\n<div class=\"matrix\" tabindex=\"0\"><table>\n<thead><tr><th>test</th>",
    );
    for test in &strength.tests {
        let _ = write!(html, "<th><span>{}</span></th>", escaped(&test.name));
    }
    html.push_str("</tr>\n<tr><th>kills</th>");
    for test in &strength.tests {
        let _ = write!(html, "<th class=\"kills\">{}</th>", test.kills);
    }
    html.push_str("</tr></thead>\n");
    body(html, "kept wrong programs", &strength.kept, strength.tests.len());
    body(html, "mutants", &strength.programs, strength.tests.len());
    html.push_str("</table></div>\n");
}

fn body(html: &mut String, title: &str, lines: &[ProgramLine], tests: usize) {
    let lines: Vec<&ProgramLine> = lines.iter().filter(|line| !line.verdicts.is_empty()).collect();
    if lines.is_empty() {
        return;
    }
    let _ = writeln!(html, "<tbody><tr class=\"title\"><th>{title}</th><td colspan=\"{tests}\"></td></tr>");
    for line in lines {
        let class = match line.standing {
            Standing::Survived => " class=\"survivor\"",
            Standing::Equivalent => " class=\"equivalent\"",
            _ => "",
        };
        let name = escaped(&line.program);
        let _ = write!(html, "<tr{class}><th scope=\"row\" title=\"{name}\">{name}</th>");
        for verdict in &line.verdicts {
            html.push_str(cell(*verdict));
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody>\n");
}

fn cell(verdict: Option<Verdict>) -> &'static str {
    match verdict {
        None => "<td>",
        Some(Verdict::Ac) => "<td class=a>·",
        Some(Verdict::Wa) => "<td class=w>W",
        Some(Verdict::Tle) => "<td class=t>T",
        Some(Verdict::Rte) => "<td class=r>R",
        Some(_) => "<td class=m>M",
    }
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_programs_say_is_text_and_no_markup() {
        assert_eq!(escaped("a < b && \"c\""), "a &lt; b &amp;&amp; &quot;c&quot;");
        assert!(page(&[]).starts_with("<!doctype html>") && !STYLE.contains("http"));
    }
}
