//! From words to a typed tree: a tree that is built has no type mistakes. Recursive descent, depth limited.

use super::token::{Token, TokenKind, tokens};
use super::{ExprError, Kind, MAX_DEPTH, MAX_TEXT_BYTES};
use crate::diagnostic::nearest;
use std::ops::Range;

/// An integer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Int {
    Const(i128),
    /// A named integer, by its slot.
    Name(usize),
    /// The variable of a loop, by its depth.
    Local(usize),
    Negative(Box<Int>),
    Binary(Arithmetic, Box<Int>, Box<Int>),
    Len(usize),
    SumOf(usize),
    /// The least (false) or greatest (true) value of an array.
    Extreme(bool, usize),
    /// The least (false) or greatest (true) of at least one integer.
    ExtremeOf(bool, Vec<Int>),
    CountOf(usize, Box<Int>),
    Index(usize, Box<Int>),
    Sum(Box<Loop<Int>>),
    Count(Box<Loop<Bool>>),
}

/// A truth value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Bool {
    Const(bool),
    Compare(Comparison, Box<Int>, Box<Int>),
    And(Box<Bool>, Box<Bool>),
    Or(Box<Bool>, Box<Bool>),
    Not(Box<Bool>),
    Distinct(usize),
    Sorted(usize),
    All(Box<Loop<Bool>>),
    Any(Box<Loop<Bool>>),
}

/// `i in from..to: body`, where `i` is the local at `depth`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Loop<T> {
    pub(super) depth: usize,
    pub(super) from: Int,
    pub(super) to: Int,
    pub(super) body: T,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    NotEqual,
}

/// Functions, so that a mistyped one can be told.
const FUNCTIONS: [&str; 9] = ["len", "sum", "min", "max", "count", "distinct", "sorted", "all", "any"];

/// An expression of any type, with its place.
struct Any {
    value: AnyValue,
    span: Range<usize>,
}

enum AnyValue {
    Int(Int),
    Bool(Bool),
    Array(usize),
}

/// Reads a condition; gives the slots that it names, too.
pub(super) fn condition(text: &str, names: &[(&str, Kind)]) -> Result<(Bool, Vec<usize>), ExprError> {
    let mut parser = Parser::new(text, names)?;
    let value = parser.any()?;
    let root = parser.bool(value, "a condition")?;
    parser.end()?;
    Ok((root, parser.slots))
}

/// Reads an integer.
pub(super) fn number(text: &str, names: &[(&str, Kind)]) -> Result<Int, ExprError> {
    let mut parser = Parser::new(text, names)?;
    let value = parser.any()?;
    let root = parser.int(value, "an integer")?;
    parser.end()?;
    Ok(root)
}

struct Parser<'t> {
    tokens: Vec<Token<'t>>,
    at: usize,
    depth: usize,
    names: &'t [(&'t str, Kind)],
    locals: Vec<&'t str>,
    slots: Vec<usize>,
}

fn error<T>(span: Range<usize>, message: impl Into<String>, help: Option<String>) -> Result<T, ExprError> {
    Err(ExprError { span, message: message.into(), help })
}

impl<'t> Parser<'t> {
    fn new(text: &'t str, names: &'t [(&'t str, Kind)]) -> Result<Self, ExprError> {
        if text.len() > MAX_TEXT_BYTES {
            let message =
                format!("the condition has {} bytes, expected {MAX_TEXT_BYTES} at most", text.len());
            return error(0..text.len(), message, None);
        }
        let tokens = tokens(text)?;
        Ok(Self { tokens, at: 0, depth: 0, names, locals: Vec::new(), slots: Vec::new() })
    }

    fn peek(&self) -> Token<'t> {
        // The end is never passed, so there is always a token.
        self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn next(&mut self) -> Token<'t> {
        let token = self.peek();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    fn take(&mut self, sign: &str) -> bool {
        let found =
            matches!(self.peek().kind, TokenKind::Sign(other) | TokenKind::Name(other) if other == sign);
        if found {
            self.next();
        }
        found
    }

    fn expect(&mut self, sign: &str, why: &str) -> Result<(), ExprError> {
        if self.take(sign) {
            return Ok(());
        }
        let token = self.peek();
        error(token.span(), format!("expected `{sign}` {why}, found {}", token.shown()), None)
    }

    fn end(&mut self) -> Result<(), ExprError> {
        let token = self.peek();
        match token.kind {
            TokenKind::End => Ok(()),
            TokenKind::Sign("=") => {
                error(token.span(), "expected a comparison, found `=`", help("write `==`"))
            }
            TokenKind::Sign("&&") => error(token.span(), "`&&` means nothing here", help("write `and`")),
            TokenKind::Sign("||") => error(token.span(), "`||` means nothing here", help("write `or`")),
            _ => {
                error(token.span(), format!("expected an operator or the end, found {}", token.shown()), None)
            }
        }
    }

    fn any(&mut self) -> Result<Any, ExprError> {
        self.nested(Self::or)
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, ExprError>) -> Result<T, ExprError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return error(self.peek().span(), format!("nested more than {MAX_DEPTH} levels deep"), None);
        }
        let value = read(self)?;
        self.depth -= 1;
        Ok(value)
    }

    fn or(&mut self) -> Result<Any, ExprError> {
        let mut left = self.and()?;
        while self.take("or") {
            let right = self.and()?;
            let span = left.span.start..right.span.end;
            let (a, b) =
                (self.bool(left, "a condition before `or`")?, self.bool(right, "a condition after `or`")?);
            left = Any { value: AnyValue::Bool(Bool::Or(Box::new(a), Box::new(b))), span };
        }
        Ok(left)
    }

    fn and(&mut self) -> Result<Any, ExprError> {
        let mut left = self.not()?;
        while self.take("and") {
            let right = self.not()?;
            let span = left.span.start..right.span.end;
            let a = self.bool(left, "a condition before `and`")?;
            let b = self.bool(right, "a condition after `and`")?;
            left = Any { value: AnyValue::Bool(Bool::And(Box::new(a), Box::new(b))), span };
        }
        Ok(left)
    }

    fn not(&mut self) -> Result<Any, ExprError> {
        let start = self.peek().start;
        if !self.take("not") {
            return self.comparison();
        }
        let operand = self.nested(Self::not)?;
        let span = start..operand.span.end;
        let operand = self.bool(operand, "a condition after `not`")?;
        Ok(Any { value: AnyValue::Bool(Bool::Not(Box::new(operand))), span })
    }

    fn comparison(&mut self) -> Result<Any, ExprError> {
        let left = self.sum()?;
        let Some(comparison) = comparison(self.peek().kind) else { return Ok(left) };
        let sign = self.next();
        let right = self.sum()?;
        let span = left.span.start..right.span.end;
        let a = self.int(left, &format!("an integer before {}", sign.shown()))?;
        let b = self.int(right, &format!("an integer after {}", sign.shown()))?;
        let token = self.peek();
        if self::comparison(token.kind).is_some() {
            let advice = help("join two comparisons with `and`, as in `0 <= a and a < b`");
            return error(token.span(), "comparisons cannot be chained", advice);
        }
        Ok(Any { value: AnyValue::Bool(Bool::Compare(comparison, Box::new(a), Box::new(b))), span })
    }

    fn sum(&mut self) -> Result<Any, ExprError> {
        let signs = [("+", Arithmetic::Add), ("-", Arithmetic::Subtract)];
        self.binary(&signs, Self::product)
    }

    fn product(&mut self) -> Result<Any, ExprError> {
        let signs = [("*", Arithmetic::Multiply), ("/", Arithmetic::Divide), ("%", Arithmetic::Remainder)];
        self.binary(&signs, Self::unary)
    }

    fn binary(
        &mut self,
        signs: &[(&str, Arithmetic)],
        operand: fn(&mut Self) -> Result<Any, ExprError>,
    ) -> Result<Any, ExprError> {
        let mut left = operand(self)?;
        while let Some((sign, arithmetic)) = signs.iter().find(|(sign, _)| self.take(sign)) {
            let right = operand(self)?;
            let span = left.span.start..right.span.end;
            let a = self.int(left, &format!("an integer before `{sign}`"))?;
            let b = self.int(right, &format!("an integer after `{sign}`"))?;
            left = Any { value: AnyValue::Int(Int::Binary(*arithmetic, Box::new(a), Box::new(b))), span };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Any, ExprError> {
        let start = self.peek().start;
        if !self.take("-") {
            return self.postfix();
        }
        let operand = self.nested(Self::unary)?;
        let span = start..operand.span.end;
        let operand = self.int(operand, "an integer after `-`")?;
        Ok(Any { value: AnyValue::Int(Int::Negative(Box::new(operand))), span })
    }

    fn postfix(&mut self) -> Result<Any, ExprError> {
        let value = self.atom()?;
        if self.peek().kind != TokenKind::Sign("[") {
            return Ok(value);
        }
        let start = value.span.start;
        let slot = self.array(value, "an array before `[`")?;
        self.next();
        let index = self.any()?;
        let index = self.int(index, "an integer as index")?;
        let end = self.peek().end;
        self.expect("]", "after the index")?;
        Ok(Any { value: AnyValue::Int(Int::Index(slot, Box::new(index))), span: start..end })
    }

    fn atom(&mut self) -> Result<Any, ExprError> {
        let token = self.next();
        let span = token.span();
        let value = match token.kind {
            TokenKind::Number(value) => AnyValue::Int(Int::Const(value)),
            TokenKind::Name("true") => AnyValue::Bool(Bool::Const(true)),
            TokenKind::Name("false") => AnyValue::Bool(Bool::Const(false)),
            TokenKind::Name(name) if self.peek().kind == TokenKind::Sign("(") => {
                return self.call(name, span);
            }
            TokenKind::Name(name) => self.name(name, &span)?,
            TokenKind::Sign("(") => {
                let inner = self.any()?;
                let end = self.peek().end;
                self.expect(")", "to close the parenthesis")?;
                return Ok(Any { span: span.start..end, ..inner });
            }
            _ => {
                let message = format!("expected a number, a name or `(`, found {}", token.shown());
                return error(span, message, None);
            }
        };
        Ok(Any { value, span })
    }

    fn name(&mut self, name: &str, span: &Range<usize>) -> Result<AnyValue, ExprError> {
        if let Some(depth) = self.locals.iter().rposition(|local| *local == name) {
            return Ok(AnyValue::Int(Int::Local(depth)));
        }
        if let Some(slot) = self.names.iter().position(|(other, _)| *other == name) {
            self.slots.push(slot);
            return Ok(match self.names[slot].1 {
                Kind::Int => AnyValue::Int(Int::Name(slot)),
                Kind::Array => AnyValue::Array(slot),
            });
        }
        let known = || self.names.iter().map(|(name, _)| *name).chain(self.locals.iter().copied());
        let advice = match nearest(name, known()) {
            Some(near) => Some(format!("did you mean `{near}`?")),
            None if FUNCTIONS.contains(&name) => Some(format!("`{name}` is a function: write `{name}(…)`")),
            None => {
                let known: Vec<_> = known().collect();
                Some(if known.is_empty() {
                    "no name is known here".to_owned()
                } else {
                    format!("known here: {}", known.join(", "))
                })
            }
        };
        error(span.clone(), format!("unknown name `{name}`"), advice)
    }

    fn call(&mut self, function: &'t str, span: Range<usize>) -> Result<Any, ExprError> {
        if !FUNCTIONS.contains(&function) {
            let advice = nearest(function, FUNCTIONS)
                .map(|near| format!("did you mean `{near}`?"))
                .unwrap_or_else(|| format!("known: {}", FUNCTIONS.join(", ")));
            return error(span, format!("unknown function `{function}`"), Some(advice));
        }
        self.next();
        let value =
            if self.is_loop() { self.looped(function, &span)? } else { self.plain_call(function, &span)? };
        let end = self.peek().end;
        self.expect(")", &format!("to close `{function}(`"))?;
        Ok(Any { value, span: span.start..end })
    }

    /// Whether the arguments begin with `i in`.
    fn is_loop(&self) -> bool {
        let next = self.tokens.get(self.at + 1);
        matches!(self.peek().kind, TokenKind::Name(_))
            && next.is_some_and(|token| token.kind == TokenKind::Name("in"))
    }

    fn looped(&mut self, function: &str, span: &Range<usize>) -> Result<AnyValue, ExprError> {
        let variable = self.next();
        let TokenKind::Name(name) = variable.kind else { return self.malformed_loop(function, span) };
        if self.names.iter().any(|(other, _)| *other == name) || self.locals.contains(&name) {
            let advice = help("choose another name for the variable");
            return error(variable.span(), format!("`{name}` is already the name of something"), advice);
        }
        self.next();
        let from = self.any()?;
        let from = self.int(from, "an integer before `..`")?;
        self.expect("..", "between the ends of the range")?;
        let to = self.any()?;
        let to = self.int(to, "an integer after `..`")?;
        self.expect(":", "after the range")?;
        let depth = self.locals.len();
        self.locals.push(name);
        let body = self.any()?;
        let value = match function {
            "sum" => {
                let body = self.int(body, "an integer after `:`")?;
                AnyValue::Int(Int::Sum(Box::new(Loop { depth, from, to, body })))
            }
            "all" | "any" | "count" => {
                let body = self.bool(body, "a condition after `:`")?;
                let each = Box::new(Loop { depth, from, to, body });
                match function {
                    "all" => AnyValue::Bool(Bool::All(each)),
                    "any" => AnyValue::Bool(Bool::Any(each)),
                    _ => AnyValue::Int(Int::Count(each)),
                }
            }
            _ => {
                let message = format!("`{function}` takes no range");
                return error(span.clone(), message, help("all, any, count and sum do"));
            }
        };
        self.locals.pop();
        Ok(value)
    }

    fn plain_call(&mut self, function: &str, span: &Range<usize>) -> Result<AnyValue, ExprError> {
        if matches!(function, "all" | "any") {
            return self.malformed_loop(function, span);
        }
        let first = self.any()?;
        if let ("min" | "max", AnyValue::Int(_)) = (function, &first.value) {
            let mut values = vec![self.int(first, "an integer")?];
            while self.take(",") {
                let value = self.any()?;
                values.push(self.int(value, &format!("an integer in `{function}`"))?);
            }
            return Ok(AnyValue::Int(Int::ExtremeOf(function == "max", values)));
        }
        let slot = self.array(first, &format!("an array in `{function}`"))?;
        Ok(match function {
            "len" => AnyValue::Int(Int::Len(slot)),
            "sum" => AnyValue::Int(Int::SumOf(slot)),
            "min" | "max" => AnyValue::Int(Int::Extreme(function == "max", slot)),
            "distinct" => AnyValue::Bool(Bool::Distinct(slot)),
            "sorted" => AnyValue::Bool(Bool::Sorted(slot)),
            _ => {
                self.expect(",", "and then the value to count")?;
                let value = self.any()?;
                AnyValue::Int(Int::CountOf(slot, Box::new(self.int(value, "an integer to count")?)))
            }
        })
    }

    fn malformed_loop<T>(&self, function: &str, span: &Range<usize>) -> Result<T, ExprError> {
        let message = format!("`{function}` needs a variable and its range");
        error(span.clone(), message, Some(format!("write `{function}(i in 0..n: …)`")))
    }

    fn int(&self, any: Any, expected: &str) -> Result<Int, ExprError> {
        match any.value {
            AnyValue::Int(value) => Ok(value),
            AnyValue::Bool(_) => error(any.span, format!("expected {expected}, found a condition"), None),
            AnyValue::Array(slot) => {
                let name = self.names[slot].0;
                let advice = format!("take one value, `{name}[0]`, or `len({name})`, `sum({name})`");
                error(any.span, format!("expected {expected}, found the array `{name}`"), Some(advice))
            }
        }
    }

    fn bool(&self, any: Any, expected: &str) -> Result<Bool, ExprError> {
        let found = match any.value {
            AnyValue::Bool(value) => return Ok(value),
            AnyValue::Int(_) => "an integer",
            AnyValue::Array(_) => "an array",
        };
        // The assignment sign explains itself better than the type does.
        match self.peek().kind {
            TokenKind::Sign("=") => {
                error(self.peek().span(), "expected a comparison, found `=`", help("write `==`"))
            }
            _ => error(any.span, format!("expected {expected}, found {found}"), None),
        }
    }

    fn array(&self, any: Any, expected: &str) -> Result<usize, ExprError> {
        let found = match any.value {
            AnyValue::Array(slot) => return Ok(slot),
            AnyValue::Int(_) => "an integer",
            AnyValue::Bool(_) => "a condition",
        };
        error(any.span, format!("expected {expected}, found {found}"), None)
    }
}

fn help(text: &str) -> Option<String> {
    Some(text.to_owned())
}

fn comparison(kind: TokenKind<'_>) -> Option<Comparison> {
    let TokenKind::Sign(sign) = kind else { return None };
    Some(match sign {
        "<" => Comparison::Less,
        "<=" => Comparison::LessOrEqual,
        ">" => Comparison::Greater,
        ">=" => Comparison::GreaterOrEqual,
        "==" => Comparison::Equal,
        "!=" => Comparison::NotEqual,
        _ => return None,
    })
}
