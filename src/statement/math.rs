//! Maths as TeX writes it, as MathML. A formula that cannot be read stays as it was written.

use std::panic::catch_unwind;

use math_core::{LatexToMathML, MathCoreConfig, MathDisplay};

use super::html::escaped;
use super::mathml;

/// The longest formula: what reads it goes deeper with each of its signs.
const MAX_FORMULA_BYTES: usize = 4096;
/// The longest MathML of a formula.
const MAX_MATHML_BYTES: usize = 1 << 20;

/// Reads formulas.
pub(super) struct Reader {
    converter: Option<LatexToMathML>,
}

impl Reader {
    pub(super) fn new() -> Self {
        Self { converter: LatexToMathML::new(MathCoreConfig::default()).ok() }
    }

    /// The formula as HTML: MathML, or its own text.
    pub(super) fn html(&self, tex: &str, is_display: bool) -> String {
        self.mathml(tex, is_display).unwrap_or_else(|| format!("<code>{}</code>", escaped(tex.trim())))
    }

    fn mathml(&self, tex: &str, is_display: bool) -> Option<String> {
        let converter = self.converter.as_ref().filter(|_| tex.len() <= MAX_FORMULA_BYTES)?;
        let display = if is_display { MathDisplay::Block } else { MathDisplay::Inline };
        // A fault in what reads a formula costs that formula.
        let convert = || converter.convert_with_local_counter(tex, display);
        let converted = catch_unwind(std::panic::AssertUnwindSafe(convert)).ok()?.ok()?;
        if converted.len() > MAX_MATHML_BYTES {
            return None;
        }
        mathml::clean(&converted)
    }
}
