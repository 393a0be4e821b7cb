//! Statements as they are, and as somebody would write them who wants a script in the page.

use std::path::PathBuf;

use proptest::prelude::*;

use super::*;

fn html(markdown: &str) -> String {
    render(markdown, None, &|name| (name == "a.png").then(|| "data:image/png;base64,AAAA".to_owned())).html
}

/// What a browser would take for a tag: between `<` and the next `>`.
fn tags(html: &str) -> Vec<&str> {
    html.split('<').skip(1).map(|rest| rest.split_once('>').map_or(rest, |(tag, _)| tag)).collect()
}

const ELEMENTS: &str = " a blockquote br code del div em h2 h3 h4 h5 h6 hr img li ol p pre strong table tbody td th thead \
    tr ul math menclose merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt \
    mstyle msub msubsup msup mtable mtd mtext mtr munder munderover ";

/// Every element is closed, none is unknown, and no attribute can do anything.
#[track_caller]
fn assert_safe(html: &str) {
    let mut open = Vec::new();
    for tag in tags(html) {
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap_or_default();
        assert!(ELEMENTS.contains(&format!(" {name} ")), "<{tag}> in {html}");
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "{html}");
        } else if !["br", "hr", "img"].contains(&name) && !tag.ends_with('/') {
            open.push(name);
        }
        let outside: Vec<&str> = tag.split('"').step_by(2).collect();
        for attribute in outside.join("").split_whitespace().skip(1) {
            let name = attribute.trim_end_matches(['=', '/']);
            let is_safe =
                !name.starts_with("on") && !["style", "id", "name", "srcdoc", "formaction"].contains(&name);
            assert!(
                is_safe && (name.is_empty() || attribute.contains('=')),
                "{attribute} of <{tag}> in {html}"
            );
        }
        for (address, schemes) in [("href=\"", &["http://", "https://"][..]), ("src=\"", &["data:image/"])] {
            if let Some((_, value)) = tag.split_once(address) {
                let value = value.to_ascii_lowercase();
                assert!(schemes.iter().any(|scheme| value.starts_with(scheme)), "<{tag}> in {html}");
            }
        }
    }
    assert_eq!(open, Vec::<&str>::new(), "{html}");
}

#[test]
fn markdown_is_rendered() {
    for (markdown, expected) in [
        (
            "a *b* **c** ~~d~~ `e<f`",
            "<p>a <em>b</em> <strong>c</strong> <del>d</del> <code>e&lt;f</code></p>\n",
        ),
        ("## Input\n\n### n\n\n# again", "<h2>Input</h2>\n<h3>n</h3>\n<h2>again</h2>\n"),
        ("1. a\n2. b", "<ol>\n<li>a</li>\n<li>b</li>\n</ol>\n"),
        ("3. a", "<ol start=\"3\">\n<li>a</li>\n</ol>\n"),
        ("- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n"),
        ("> a\n\n---", "<blockquote>\n<p>a</p>\n</blockquote>\n<hr>\n"),
        ("```cpp\na<b>\n```", "<pre><code>a&lt;b&gt;\n</code></pre>\n"),
        ("a  \nb\nc", "<p>a<br>\nb\nc</p>\n"),
        (
            "| a | b |\n|--|:-:|\n| `1`<br>`2` | x |",
            "<div class=\"table\" tabindex=\"0\"><table>\n<thead><tr><th scope=\"col\">a</th>\
             <th scope=\"col\" class=\"center\">b</th></tr></thead><tbody>\n<tr><td><code>1</code><br><code>2</code></td>\
             <td class=\"center\">x</td></tr>\n</tbody></table></div>\n",
        ),
        (
            "[x](https://example.org/?a=1&b=\"2\")",
            "<p><a href=\"https://example.org/?a=1&amp;b=&quot;2&quot;\" rel=\"noopener noreferrer nofollow\">x</a></p>\n",
        ),
        (
            "![a *b* \"c\" $d$](a.png)",
            "<p><img src=\"data:image/png;base64,AAAA\" alt=\"a b &quot;c&quot; d\"></p>\n",
        ),
        ("![no figure](b.png)", "<p>no figure</p>\n"),
        ("a <!-- note --> b", "<p>a  b</p>\n"),
        ("<!-- a\nnote -->\n\nb", "<p>b</p>\n"),
    ] {
        assert_eq!(html(markdown), expected, "{markdown}");
        assert_safe(expected);
    }
}

#[test]
fn the_first_heading_is_the_title() {
    let statement = render("# Stone `Game` & Co.\n\ntext", None, &|_| None);
    assert_eq!(statement.title.as_deref(), Some("Stone Game & Co."));
    assert_eq!(statement.html, "<p>text</p>\n");
    assert_eq!(render("text", None, &|_| None).title, None);
    assert_eq!(render("", None, &|_| None), Statement::default());
}

#[test]
fn maths_becomes_mathml() {
    let formula = html("$n \\le 10^5$ and\n\n$$\\sum_{i=1}^{n} \\frac{a_i}{2} < \\infty$$");
    assert_safe(&formula);
    for part in
        ["<math><mi>n</mi><mo>≤</mo>", "<msup>", "<munderover>", "<mfrac>", "display=\"block\"", "&lt;"]
    {
        assert!(formula.contains(part), "{part} in {formula}");
    }
    let cases = html("$$f(x) = \\begin{cases} 1 & x > 0 \\\\ 0 & \\text{else, } x \\leq 0 \\end{cases}$$");
    assert_safe(&cases);
    assert!(cases.contains("<mtd class=\"tex-left\">"), "{cases}");
    for tex in [
        "\\lfloor n/2 \\rfloor",
        "\\max(a_i, b_j)",
        "\\binom{n}{k}",
        "\\ldots",
        "a \\bmod m",
        "\\mathcal{O}(n \\log n)",
        "\\left|S\\right|",
        "\\oplus",
        "\\{1, 2\\}",
        "a \\neq b \\cdot c \\times d",
    ] {
        let math = html(&format!("${tex}$"));
        assert!(math.starts_with("<p><math>"), "{tex}: {math}");
        assert_safe(&math);
    }
    // What cannot be read is shown as it was written.
    assert_eq!(html("$\\nosuch{<b>}$"), "<p><code>\\nosuch{&lt;b&gt;}</code></p>\n");
    assert_eq!(html("costs 5$ or 6$"), "<p>costs 5$ or 6$</p>\n");
}

/// Forms that have put scripts into the pages of judges before.
#[test]
fn nobody_gets_a_script_into_the_page() {
    for attack in [
        "<script>alert(1)</script>",
        "<ScRiPt\n>alert(1)</sCrIpT >",
        "text <img src=x onerror=alert(1)> text",
        "<svg onload=alert(1)><animate onbegin=alert(1) /></svg>",
        "<svg><![CDATA[><img src=x onerror=alert(1)>]]></svg>",
        "<iframe srcdoc=\"<script>alert(1)</script>\"></iframe>",
        "<p id=\"x\" style=\"position:fixed\" onclick=alert(1)>a</p>",
        "# a {#id onclick=alert(1) .class}",
        "## a {#\"onclick=alert(1)}",
        "<a href=javascript:alert(1)>a</a>",
        "[a](javascript:alert(1))",
        "[a](JaVaScRiPt:alert(1))",
        "[a](java\tscript:alert(1))",
        "[a](&#106;avascript:alert(1))",
        "[a](&#x6A;avascript&colon;alert(1))",
        "[a](\u{1}javascript:alert(1))",
        "[a](<javascript:alert(1)>)",
        "[a](data:text/html,<script>alert(1)</script>)",
        "[a](vbscript:x \"title\\\" onclick=alert(1)\")",
        "[a](//example.org)",
        "[a](/admin?delete=1)",
        "[a](#top)",
        "[a](https://)",
        "[a](https://x\" onmouseover=alert(1) \")",
        "[a](<https://x\" onmouseover=alert(1)>)",
        "[a]: javascript:alert(1)\n\n[a]",
        "<javascript:alert(1)>",
        "<mailto:a@example.org>",
        "<a@example.org>",
        "<https://x\" onclick=alert(1)>",
        "![a](javascript:alert(1))",
        "![a](https://example.org/pixel.png)",
        "![a](data:image/svg+xml,<svg/onload=alert(1)>)",
        "![a](../../etc/passwd)",
        "![\" onerror=alert(1) x=\"](a.png)",
        "![<img src=x onerror=alert(1)>](a.png)",
        "![[a](javascript:alert(1)) ![b](a.png)](a.png)",
        "[![a](a.png)](https://example.org)",
        "[[a](https://a.example)](https://b.example)",
        "&lt;script&gt;alert(1)&lt;/script&gt; &#60;b&#62;",
        "`<script>alert(1)</script>`",
        "```\"><script>alert(1)</script>\n</code></pre><script>alert(1)</script>\n```",
        "~~~ a\" onclick=\"alert(1)\n~~~",
        "| <script>alert(1)</script> |\n|--|\n| <br onclick=alert(1)> <BR> <br > <br/> |",
        "<!-- --><script>alert(1)</script> -->",
        "<!--> <script>alert(1)</script> <!-->",
        "a <!-- --><script>alert(1)</script><!-- --> b",
        "<!-- constraints --><script>alert(1)</script>",
        "<![CDATA[<script>alert(1)</script>]]>",
        "<?php echo 1 ?>",
        "<!DOCTYPE html>",
        "</div></main><script>alert(1)</script>",
        "$\\text{<script>alert(1)</script>}$",
        "$\\href{javascript:alert(1)}{a}$",
        "$\\color{red\" onclick=\"alert(1)}{a}$",
        "$\\class{\" onclick=\"alert(1)}{a}$ $\\unicode{x3c}$ $\\begin{\"><script>} a \\end{\"><script>}$",
        "$<img src=x onerror=alert(1)>$",
        "$$</math><script>alert(1)</script>$$",
        "[^1]: <script>alert(1)</script>\n\n[^1]",
        "---\ntitle: <script>\n---\n",
        "\u{feff}<script>alert(1)</script>",
        "<scr\0ipt>alert(1)</scr\0ipt>",
    ] {
        let rendered = html(attack);
        assert_safe(&rendered);
        assert!(
            !tags(&rendered).iter().any(|tag| tag.contains("alert") && !tag.contains("alt=")),
            "{rendered}"
        );
    }
}

#[test]
fn the_constraints_come_from_the_model() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("problems/stone-game-iii");
    let text = std::fs::read_to_string(root.join("problem.toml")).unwrap();
    let problem = crate::problem::parse("stone-game-iii", &text).0.unwrap();
    assert_eq!(languages(&root).unwrap(), ["en", "zh", "ru"]);
    for language in ["en", "zh", "ru"] {
        let statement = load(&root, language, &problem.model).unwrap();
        assert_safe(&statement.html);
        assert!(statement.title.is_some());
        assert!(statement.html.contains("<li><code>1 ≤ n ≤ 50000</code></li>"), "{}", statement.html);
        assert!(
            statement.html.contains("<td><code>4</code><br><code>1 2 3 7</code></td>"),
            "{}",
            statement.html
        );
        assert!(!statement.html.contains("&lt;"), "{}", statement.html);
    }
    assert_eq!(load(&root, "fr", &problem.model).unwrap_err().kind(), io::ErrorKind::NotFound);
}

/// Every statement that comes with the program shows no markup of its own.
#[test]
fn our_statements_render_whole() {
    let problems = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("problems");
    let mut count = 0;
    for folder in problems.read_dir().unwrap().map(|entry| entry.unwrap().path()) {
        for language in languages(&folder).unwrap() {
            let text = std::fs::read_to_string(layout::statement_file(&folder, &language)).unwrap();
            let statement = render(&text, None, &|_| None);
            assert_safe(&statement.html);
            assert!(statement.title.is_some() && !statement.html.contains("&lt;br"), "{}", folder.display());
            count += 1;
        }
    }
    assert_eq!(count, 27);
}

#[test]
fn depth_and_length_do_no_harm() {
    for text in [
        ">".repeat(20_000),
        "- ".repeat(5_000) + "a",
        "[".repeat(20_000),
        "*a ".repeat(20_000),
        "![".repeat(2_000) + &"](a.png)".repeat(2_000),
        format!("${}$", "{".repeat(4_000)),
        format!("${}x$", "\\sqrt".repeat(800)),
        format!("${}x$", "a^".repeat(2_000)),
        format!("${}a{}$", "\\left(".repeat(300), "\\right)".repeat(300)),
        format!("${}$", "a".repeat(5_000)),
        format!("$${}$$", "\\frac{".repeat(600)),
        "<!--".repeat(5_000),
    ] {
        let rendered = html(&text);
        assert_safe(&rendered);
    }
    let long = "a ".repeat(MAX_STATEMENT_BYTES);
    assert!(html(&long).len() <= MAX_STATEMENT_BYTES + 10);
    let figures = render("![a](a.png)\n".repeat(10).as_str(), None, &|_| {
        Some(format!("data:image/png;base64,{}", "A".repeat(1 << 20)))
    });
    assert_eq!(figures.html.matches("<img").count(), 7);
}

proptest! {
    #[test]
    fn any_text_is_safe(
        parts in prop::collection::vec(prop_oneof![
            prop::sample::select(&[
                "<", ">", "\"", "'", "&", "`", "```\n", "[", "](", ")", "![", "a.png", "javascript:", "https://x", "$", "$$",
                "\\", "{", "}", "^", "_", "\n", "\n\n", "|", "|--|\n", "# ", "> ", "- ", "<br>", "<script>", "<!--", "-->",
                "<!-- constraints -->", "onclick=", "style=\"", "&lt;", "&#60;", "\\text", "\\begin{array}{l|l}",
                "\\end{array}", "\\frac", "\\left(", "\\right", "\\color{red}", "\\href", "~~", "**", "*", "1. ", " ", "&",
                "\\\\", "\\operatorname", "\\not", "\\tag{", "%", "\\hspace{", "\u{202e}", "石",
            ][..]).prop_map(str::to_owned),
            "\\PC{0,6}",
        ], 0..24),
    ) {
        assert_safe(&html(&parts.concat()));
    }
}
