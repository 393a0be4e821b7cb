//! A problem's statement as HTML that is safe in any page: Markdown, maths as MathML, the constraint table out of the
//! model, figures out of the problem's folder. Never lets a tag, an attribute or an address of the author's through
//! that is not on its list, and never fetches anything.

mod figures;
mod html;
mod math;
mod mathml;
#[cfg(test)]
mod tests;

use std::io;
use std::path::Path;

use crate::package::inspect::statement_languages;
use crate::package::layout;
use crate::problem::InputModel;

/// The longest statement that is rendered, in bytes.
pub const MAX_STATEMENT_BYTES: usize = 1 << 20;
/// What the thread that renders may use: maths is read by recursion, which the stack of a server's thread need not
/// hold. Only what is touched is ever taken.
const STACK_BYTES: usize = 64 << 20;

/// A statement, ready for a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statement {
    /// The text of its first heading, when it begins with one of the first level; not part of `html`.
    pub title: Option<String>,
    /// Markup without scripts, styles, ids and addresses but those of links to other sites.
    pub html: String,
}

/// The languages that the problem in `folder` has statements in: English, Chinese and Russian first.
///
/// # Errors
/// When the folder cannot be read.
pub fn languages(folder: &Path) -> io::Result<Vec<String>> {
    let mut languages = statement_languages(folder)?;
    // The sort is stable: the others stay in order.
    languages.sort_by_key(|own| ["en", "zh", "ru"].iter().position(|known| known == own).unwrap_or(3));
    Ok(languages)
}

/// The statement in one of the [`languages`] of the problem in `folder`. Its headings below the title begin with
/// `<h2>`.
///
/// # Errors
/// When there is none, it cannot be read, is not UTF-8 or longer than [`MAX_STATEMENT_BYTES`].
pub fn load(folder: &Path, language: &str, model: &InputModel) -> io::Result<Statement> {
    let file = layout::statement_file(folder, language);
    let bytes = figures::read_at_most(&file, MAX_STATEMENT_BYTES)?;
    let text = String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
    Ok(render(&text, Some(model), &|name| figures::data_address(folder, name)))
}

/// Renders Markdown. `model` gives the constraints that stand for `<!-- constraints -->`; `figure` the address of a
/// figure, or `None` when there is no such figure.
pub fn render(
    markdown: &str,
    model: Option<&InputModel>,
    figure: &(dyn Fn(&str) -> Option<String> + Sync),
) -> Statement {
    let rendered = std::thread::scope(|scope| {
        let work = || html::render(markdown, model, figure);
        let thread = std::thread::Builder::new().name("statement".to_owned()).stack_size(STACK_BYTES);
        thread.spawn_scoped(scope, work).ok().and_then(|thread| thread.join().ok())
    });
    // Without a thread, or with a fault in what reads Markdown, the text is still there to read.
    rendered.unwrap_or_else(|| Statement {
        title: None,
        html: format!("<pre>{}</pre>\n", html::escaped(markdown)),
    })
}
