//! What of MathML is let through: elements and attributes on a list, well nested, and nothing else. What another crate
//! made of an author's text is held against it, so that no fault there can put a script into a page.

/// Elements of MathML that show something and do nothing.
const ELEMENTS: [&str; 27] = [
    "math",
    "menclose",
    "merror",
    "mfrac",
    "mi",
    "mmultiscripts",
    "mn",
    "mo",
    "mover",
    "mpadded",
    "mphantom",
    "mprescripts",
    "mroot",
    "mrow",
    "ms",
    "mspace",
    "msqrt",
    "mstyle",
    "msub",
    "msubsup",
    "msup",
    "mtable",
    "mtd",
    "mtext",
    "mtr",
    "munder",
    "munderover",
];
/// Their attributes, none of which names an address or a style.
const ATTRIBUTES: [&str; 26] = [
    "accent",
    "accentunder",
    "columnspan",
    "depth",
    "display",
    "displaystyle",
    "fence",
    "form",
    "height",
    "largeop",
    "linethickness",
    "lspace",
    "mathsize",
    "mathvariant",
    "maxsize",
    "minsize",
    "movablelimits",
    "notation",
    "rowspan",
    "rspace",
    "scriptlevel",
    "separator",
    "stretchy",
    "symmetric",
    "voffset",
    "width",
];
/// Styles that matter to the reader, and the classes that stand for them where a page allows no styles.
const CLASSES: [(&str, &str); 2] = [("text-align: left", "tex-left"), ("text-align: right", "tex-right")];
/// How deep elements may stand in each other: a browser lays them out by recursion, too.
const MAX_DEPTH: usize = 200;

/// The same MathML without attributes that are not on the list; `None` when there is an element that is not, or the
/// elements are not well nested.
pub(super) fn clean(mathml: &str) -> Option<String> {
    let mut text = String::with_capacity(mathml.len());
    let mut open: Vec<&str> = Vec::new();
    let mut rest = mathml;
    while let Some(at) = rest.find('<') {
        push_text(&mut text, &rest[..at]);
        let (tag, after) = rest[at + 1..].split_once('>')?;
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop()? != name {
                return None;
            }
            text.push_str("</");
            text.push_str(name);
        } else {
            let (tag, is_empty) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
            let (name, attributes) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
            if !ELEMENTS.contains(&name) || open.is_empty() != (name == "math") {
                return None;
            }
            text.push('<');
            text.push_str(name);
            push_attributes(&mut text, attributes)?;
            if is_empty {
                text.push('/');
            } else {
                open.push(name);
                if open.len() > MAX_DEPTH {
                    return None;
                }
            }
        }
        text.push('>');
    }
    push_text(&mut text, rest);
    open.is_empty().then_some(text)
}

fn push_attributes(text: &mut String, attributes: &str) -> Option<()> {
    let mut rest = attributes.trim();
    while !rest.is_empty() {
        let (name, after) = rest.split_once("=\"")?;
        let (value, after) = after.split_once('"')?;
        rest = after.trim_start();
        let fits = |c: char| c.is_ascii_alphanumeric() || " .%-#".contains(c);
        let class = CLASSES.iter().find(|(style, _)| name == "style" && value.contains(style));
        let (name, value) = match class {
            Some((_, class)) => ("class", *class),
            None => (name.trim(), value),
        };
        let is_known = ATTRIBUTES.contains(&name) && value.chars().all(fits);
        if is_known || class.is_some() {
            for part in [" ", name, "=\"", value, "\""] {
                text.push_str(part);
            }
        }
    }
    Some(())
}

/// Text between tags; entities stay, whatever else could be markup does not.
fn push_text(text: &mut String, between: &str) {
    for (at, c) in between.char_indices() {
        match c {
            '&' if is_entity(&between[at..]) => text.push('&'),
            '&' => text.push_str("&amp;"),
            '>' => text.push_str("&gt;"),
            _ => text.push(c),
        }
    }
}

/// Whether a text begins like `&lt;` or `&#x3c;`.
fn is_entity(text: &str) -> bool {
    let Some((name, _)) = text[1..].split_once(';') else { return false };
    let name = name.strip_prefix('#').unwrap_or(name);
    (1..10).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_on_the_list_goes_through_and_nothing_else() {
        for (given, expected) in [
            ("<math><mi>a</mi></math>", Some("<math><mi>a</mi></math>")),
            (
                "<math display=\"block\" onclick=\"x\"><mspace width=\"1em\"/></math>",
                Some("<math display=\"block\"><mspace width=\"1em\"/></math>"),
            ),
            (
                "<math><mo>&lt;</mo><mo>></mo><mo>&</mo></math>",
                Some("<math><mo>&lt;</mo><mo>&gt;</mo><mo>&amp;</mo></math>"),
            ),
            (
                "<math><mtable><mtr><mtd style=\"text-align: left;x: y\"></mtd></mtr></mtable></math>",
                Some("<math><mtable><mtr><mtd class=\"tex-left\"></mtd></mtr></mtable></math>"),
            ),
            (
                "<math><mrow style=\"color: red\" href=\"javascript:x\" width=\"a(b)\"></mrow></math>",
                Some("<math><mrow></mrow></math>"),
            ),
            ("<math><script>alert(1)</script></math>", None),
            ("<mi>a</mi>", None),
            ("<math><math></math></math>", None),
            ("<math><mi></math></mi>", None),
            ("<math><mi>", None),
            ("</math>", None),
            ("<math", None),
            ("<math><mi x></mi></math>", None),
            ("<math><annotation-xml encoding=\"text/html\"></annotation-xml></math>", None),
        ] {
            assert_eq!(clean(given).as_deref(), expected, "{given}");
        }
        let deep = format!("<math>{}{}</math>", "<mrow>".repeat(MAX_DEPTH), "</mrow>".repeat(MAX_DEPTH));
        assert_eq!(clean(&deep), None);
    }
}
