//! From the events of a Markdown reader to HTML. Every tag that is written stands in this file; whatever the author
//! wrote goes through [`escaped`].

use pulldown_cmark::{Alignment, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::{MAX_STATEMENT_BYTES, Statement, math};
use crate::grade::excerpt::boundary_before;
use crate::package::inspect::CONSTRAINTS_MARKER;
use crate::problem::{InputModel, constraints};

/// What the figures of one statement may hold together, as addresses.
const MAX_FIGURES_BYTES: usize = 8 << 20;

/// See [`super::render`].
pub(super) fn render(
    markdown: &str,
    model: Option<&InputModel>,
    figure: &dyn Fn(&str) -> Option<String>,
) -> Statement {
    let markdown = markdown[..boundary_before(markdown, MAX_STATEMENT_BYTES)].trim_start_matches('\u{feff}');
    let mut writer = Writer {
        html: String::with_capacity(markdown.len() * 2),
        title: None,
        reader: math::Reader::new(),
        model,
        figure,
        figures_bytes: 0,
        closing: Vec::new(),
        alignments: Vec::new(),
        column: 0,
        is_head: false,
        comment: None,
    };
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_MATH;
    let mut events = Parser::new_ext(markdown, options).peekable();
    if let Some(Event::Start(Tag::Heading { level: HeadingLevel::H1, .. })) = events.peek() {
        writer.title = Some(title(&mut events));
    }
    events.for_each(|event| writer.event(event));
    Statement { title: writer.title, html: writer.html }
}

/// Text of the author's that can stand between tags and in quotes.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(c),
        }
    }
    escaped
}

/// The words of the heading that comes next, which are taken off.
fn title<'a>(events: &mut impl Iterator<Item = Event<'a>>) -> String {
    let mut title = String::new();
    for event in events {
        match event {
            Event::End(TagEnd::Heading(_)) => break,
            Event::Text(text) | Event::Code(text) | Event::InlineMath(text) | Event::InlineHtml(text) => {
                title.push_str(&text);
            }
            Event::SoftBreak | Event::HardBreak => title.push(' '),
            _ => {}
        }
    }
    title
}

struct Writer<'a> {
    html: String,
    title: Option<String>,
    reader: math::Reader,
    model: Option<&'a InputModel>,
    figure: &'a dyn Fn(&str) -> Option<String>,
    figures_bytes: usize,
    /// What ends the links and figures that are open.
    closing: Vec<Closing>,
    /// Of the columns of the table that is open.
    alignments: Vec<Alignment>,
    column: usize,
    is_head: bool,
    /// The block of raw HTML that is open.
    comment: Option<String>,
}

/// What ends a link or a figure.
enum Closing {
    Nothing,
    Link,
    /// The words of a figure are its description: (where they begin, its address).
    Figure(usize, Option<String>),
}

impl Writer<'_> {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.text(&text),
            Event::Code(code) => self.wrapped("<code>", &code, "</code>"),
            Event::InlineMath(tex) => self.formula(&tex, false),
            Event::DisplayMath(tex) => self.formula(&tex, true),
            Event::Html(html) => match &mut self.comment {
                Some(block) => block.push_str(&html),
                None => self.text(&html),
            },
            // Markdown has no other way of breaking a line in a table.
            Event::InlineHtml(html) if &*html == "<br>" => self.html.push_str("<br>"),
            Event::InlineHtml(html) if is_comment(&html) => {}
            Event::InlineHtml(html) => self.text(&html),
            Event::SoftBreak => self.html.push('\n'),
            Event::HardBreak => self.html.push_str("<br>\n"),
            Event::Rule => self.html.push_str("<hr>\n"),
            Event::FootnoteReference(name) => self.text(&name),
            Event::TaskListMarker(_) => {}
        }
    }

    fn text(&mut self, text: &str) {
        self.html.push_str(&escaped(text));
    }

    fn wrapped(&mut self, before: &str, text: &str, after: &str) {
        self.html.push_str(before);
        self.text(text);
        self.html.push_str(after);
    }

    fn formula(&mut self, tex: &str, is_display: bool) {
        // The words of a figure become an attribute.
        if self.closing.iter().any(|closing| matches!(closing, Closing::Figure(..))) {
            self.text(tex);
        } else {
            self.html.push_str(&self.reader.html(tex, is_display));
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        let opened = match tag {
            Tag::Paragraph => "<p>",
            Tag::Heading { level, .. } => return self.html.push_str(heading(level).0),
            Tag::BlockQuote(_) => "<blockquote>\n",
            Tag::CodeBlock(_) => "<pre><code>",
            Tag::HtmlBlock => {
                self.comment = Some(String::new());
                return;
            }
            Tag::List(Some(1)) => "<ol>\n",
            Tag::List(Some(first)) => {
                self.wrapped("<ol start=\"", &first.to_string(), "\">\n");
                return;
            }
            Tag::List(None) => "<ul>\n",
            Tag::Item => "<li>",
            Tag::Table(alignments) => {
                self.alignments = alignments;
                // A wide table scrolls by itself, also by the keyboard.
                "<div class=\"table\" tabindex=\"0\"><table>\n"
            }
            Tag::TableHead => {
                (self.is_head, self.column) = (true, 0);
                "<thead><tr>"
            }
            Tag::TableRow => {
                self.column = 0;
                "<tr>"
            }
            Tag::TableCell => return self.cell(),
            Tag::Emphasis => "<em>",
            Tag::Strong => "<strong>",
            Tag::Strikethrough => "<del>",
            Tag::Link { dest_url, .. } => return self.link(&dest_url),
            Tag::Image { dest_url, .. } => return self.figure(&dest_url),
            // Not asked for from the reader.
            Tag::FootnoteDefinition(_)
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::Superscript
            | Tag::Subscript
            | Tag::MetadataBlock(_) => "",
        };
        self.html.push_str(opened);
    }

    fn end(&mut self, tag: TagEnd) {
        let closed = match tag {
            TagEnd::Paragraph => "</p>\n",
            TagEnd::Heading(level) => heading(level).1,
            TagEnd::BlockQuote(_) => "</blockquote>\n",
            TagEnd::CodeBlock => "</code></pre>\n",
            TagEnd::HtmlBlock => return self.html_block(),
            TagEnd::List(true) => "</ol>\n",
            TagEnd::List(false) => "</ul>\n",
            TagEnd::Item => "</li>\n",
            TagEnd::Table => "</tbody></table></div>\n",
            TagEnd::TableHead => {
                self.is_head = false;
                "</tr></thead><tbody>\n"
            }
            TagEnd::TableRow => "</tr>\n",
            TagEnd::TableCell if self.is_head => "</th>",
            TagEnd::TableCell => "</td>",
            TagEnd::Emphasis => "</em>",
            TagEnd::Strong => "</strong>",
            TagEnd::Strikethrough => "</del>",
            TagEnd::Link | TagEnd::Image => return self.close(),
            _ => "",
        };
        self.html.push_str(closed);
    }

    fn cell(&mut self) {
        let class = match self.alignments.get(self.column) {
            Some(Alignment::Left) => " class=\"left\"",
            Some(Alignment::Center) => " class=\"center\"",
            Some(Alignment::Right) => " class=\"right\"",
            Some(Alignment::None) | None => "",
        };
        self.column += 1;
        self.html.push_str(if self.is_head { "<th scope=\"col\"" } else { "<td" });
        self.html.push_str(class);
        self.html.push('>');
    }

    /// A link to another site; the words of any other stay as words.
    fn link(&mut self, address: &str) {
        let is_open =
            self.closing.iter().any(|closing| matches!(closing, Closing::Link | Closing::Figure(..)));
        if is_open || !is_web_address(address) {
            self.closing.push(Closing::Nothing);
            return;
        }
        self.wrapped("<a href=\"", address, "\" rel=\"noopener noreferrer nofollow\">");
        self.closing.push(Closing::Link);
    }

    fn figure(&mut self, name: &str) {
        let is_open = self.closing.iter().any(|closing| matches!(closing, Closing::Figure(..)));
        let address = (self.figure)(name).filter(|address| {
            self.figures_bytes += address.len();
            self.figures_bytes <= MAX_FIGURES_BYTES
        });
        let closing = if is_open { Closing::Nothing } else { Closing::Figure(self.html.len(), address) };
        self.closing.push(closing);
    }

    fn close(&mut self) {
        match self.closing.pop() {
            Some(Closing::Link) => self.html.push_str("</a>"),
            Some(Closing::Figure(start, address)) => {
                let words = without_tags(&self.html.split_off(start));
                match address {
                    Some(address) => {
                        self.wrapped("<img src=\"", &address, "\" alt=\"");
                        self.html.push_str(&words);
                        self.html.push_str("\">");
                    }
                    // A figure that is not there leaves its description.
                    None => self.html.push_str(&words),
                }
            }
            Some(Closing::Nothing) | None => {}
        }
    }

    fn html_block(&mut self) {
        let block = self.comment.take().unwrap_or_default();
        let block = block.trim();
        if !is_comment(block) {
            return self.wrapped("<p>", block, "</p>\n");
        }
        if let (CONSTRAINTS_MARKER, Some(model)) = (block, self.model) {
            let table = constraints(model);
            Parser::new(&table).for_each(|event| self.event(event));
        }
    }
}

/// Tags for a heading: the title of the page is the one of the first level.
fn heading(level: HeadingLevel) -> (&'static str, &'static str) {
    match level {
        HeadingLevel::H1 | HeadingLevel::H2 => ("<h2>", "</h2>\n"),
        HeadingLevel::H3 => ("<h3>", "</h3>\n"),
        HeadingLevel::H4 => ("<h4>", "</h4>\n"),
        HeadingLevel::H5 => ("<h5>", "</h5>\n"),
        HeadingLevel::H6 => ("<h6>", "</h6>\n"),
    }
}

/// Whether the whole text is one comment of HTML.
fn is_comment(html: &str) -> bool {
    html.strip_prefix("<!--")
        .and_then(|rest| rest.strip_suffix("-->"))
        .is_some_and(|words| !words.contains("--"))
}

/// Whether a link leads to another site: nothing in this one is an author's to point to, and no other scheme is safe.
fn is_web_address(address: &str) -> bool {
    let (scheme, rest) = address.split_once("://").unwrap_or_default();
    let is_web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    is_web && !rest.is_empty() && !rest.chars().any(|c| c.is_control() || c.is_whitespace())
}

/// HTML of this file's as the text of an attribute.
fn without_tags(html: &str) -> String {
    let mut text = String::with_capacity(html.len());
    let mut is_tag = false;
    for c in html.chars() {
        match c {
            '<' => is_tag = true,
            '>' => is_tag = false,
            _ if !is_tag => text.push(c),
            _ => {}
        }
    }
    text
}
