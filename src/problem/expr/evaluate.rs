//! The value of a tree: exact, bounded in steps, never panicking.

use super::parse::{Arithmetic, Bool, Comparison, Int, Loop};
use super::{EvalError, MAX_STEPS};

/// The value of a name.
#[derive(Clone, Copy)]
pub(super) enum Slot<'a> {
    Int(i128),
    Array(&'a [i64]),
}

/// One evaluation, with what it has used up.
pub(super) struct Evaluation<'a> {
    slots: &'a [Slot<'a>],
    locals: Vec<i128>,
    steps: u64,
}

type Value<T> = Result<T, EvalError>;

impl<'a> Evaluation<'a> {
    pub(super) fn new(slots: &'a [Slot<'a>]) -> Self {
        Self { slots, locals: Vec::new(), steps: 0 }
    }

    pub(super) fn int(&mut self, int: &Int) -> Value<i128> {
        self.spend(1)?;
        match int {
            Int::Const(value) => Ok(*value),
            Int::Name(slot) => Ok(match self.slots.get(*slot) {
                Some(Slot::Int(value)) => *value,
                // The parser gives integer names to integers only.
                Some(Slot::Array(_)) | None => 0,
            }),
            Int::Local(depth) => Ok(self.locals.get(*depth).copied().unwrap_or(0)),
            Int::Negative(value) => self.int(value)?.checked_neg().ok_or(EvalError::Overflow),
            Int::Binary(arithmetic, left, right) => {
                let (left, right) = (self.int(left)?, self.int(right)?);
                calculate(*arithmetic, left, right)
            }
            Int::Len(slot) => Ok(self.array(*slot).len() as i128),
            // At most 2^24 values of 64 bits: no overflow.
            Int::SumOf(slot) => Ok(self.walk(*slot)?.iter().map(|value| i128::from(*value)).sum()),
            Int::Extreme(greatest, slot) => {
                let values = self.walk(*slot)?.iter();
                let value = if *greatest { values.max() } else { values.min() };
                value.map(|value| i128::from(*value)).ok_or(EvalError::Empty)
            }
            Int::ExtremeOf(greatest, values) => {
                let mut best = None;
                for value in values {
                    let value = self.int(value)?;
                    best = Some(match best {
                        None => value,
                        Some(best) if *greatest => value.max(best),
                        Some(best) => value.min(best),
                    });
                }
                best.ok_or(EvalError::Empty)
            }
            Int::CountOf(slot, value) => {
                let value = self.int(value)?;
                Ok(self.walk(*slot)?.iter().filter(|item| i128::from(**item) == value).count() as i128)
            }
            Int::Index(slot, index) => {
                let index = self.int(index)?;
                let array = self.array(*slot);
                let item = usize::try_from(index).ok().and_then(|index| array.get(index));
                item.map(|item| i128::from(*item)).ok_or(EvalError::Index { index, len: array.len() })
            }
            Int::Sum(each) => {
                let mut sum = 0_i128;
                self.each(each, |this, body| {
                    sum = sum.checked_add(this.int(body)?).ok_or(EvalError::Overflow)?;
                    Ok(true)
                })?;
                Ok(sum)
            }
            Int::Count(each) => {
                let mut count = 0_i128;
                self.each(each, |this, body| {
                    count += i128::from(this.bool(body)?);
                    Ok(true)
                })?;
                Ok(count)
            }
        }
    }

    pub(super) fn bool(&mut self, bool: &Bool) -> Value<bool> {
        self.spend(1)?;
        match bool {
            Bool::Const(value) => Ok(*value),
            Bool::Compare(comparison, left, right) => {
                let (left, right) = (self.int(left)?, self.int(right)?);
                Ok(match comparison {
                    Comparison::Less => left < right,
                    Comparison::LessOrEqual => left <= right,
                    Comparison::Greater => left > right,
                    Comparison::GreaterOrEqual => left >= right,
                    Comparison::Equal => left == right,
                    Comparison::NotEqual => left != right,
                })
            }
            Bool::And(left, right) => Ok(self.bool(left)? && self.bool(right)?),
            Bool::Or(left, right) => Ok(self.bool(left)? || self.bool(right)?),
            Bool::Not(value) => Ok(!self.bool(value)?),
            Bool::Sorted(slot) => Ok(self.walk(*slot)?.is_sorted()),
            Bool::Distinct(slot) => {
                let mut values = self.walk(*slot)?.to_vec();
                values.sort_unstable();
                Ok(values.windows(2).all(|pair| pair[0] != pair[1]))
            }
            Bool::All(each) => {
                let mut all = true;
                self.each(each, |this, body| {
                    all = this.bool(body)?;
                    Ok(all)
                })?;
                Ok(all)
            }
            Bool::Any(each) => {
                let mut any = false;
                self.each(each, |this, body| {
                    any = this.bool(body)?;
                    Ok(!any)
                })?;
                Ok(any)
            }
        }
    }

    /// Visits the range until the visitor has seen enough.
    fn each<T>(&mut self, each: &Loop<T>, mut visit: impl FnMut(&mut Self, &T) -> Value<bool>) -> Value<()> {
        let (from, to) = (self.int(&each.from)?, self.int(&each.to)?);
        self.locals.truncate(each.depth);
        self.locals.push(from);
        let mut at = from;
        while at < to {
            self.spend(1)?;
            self.locals.truncate(each.depth + 1);
            self.locals[each.depth] = at;
            if !visit(self, &each.body)? {
                break;
            }
            at += 1;
        }
        self.locals.truncate(each.depth);
        Ok(())
    }

    fn array(&self, slot: usize) -> &'a [i64] {
        match self.slots.get(slot) {
            Some(Slot::Array(items)) => items,
            // The parser gives array names to arrays only.
            Some(Slot::Int(_)) | None => &[],
        }
    }

    /// The array, paid for value by value.
    fn walk(&mut self, slot: usize) -> Value<&'a [i64]> {
        let array = self.array(slot);
        self.spend(array.len() as u64)?;
        Ok(array)
    }

    fn spend(&mut self, steps: u64) -> Value<()> {
        self.steps += steps;
        if self.steps > MAX_STEPS { Err(EvalError::TooLong) } else { Ok(()) }
    }
}

fn calculate(arithmetic: Arithmetic, left: i128, right: i128) -> Value<i128> {
    match arithmetic {
        Arithmetic::Add => left.checked_add(right),
        Arithmetic::Subtract => left.checked_sub(right),
        Arithmetic::Multiply => left.checked_mul(right),
        Arithmetic::Divide | Arithmetic::Remainder if right == 0 => return Err(EvalError::DivisionByZero),
        Arithmetic::Divide => {
            let quotient = left.checked_div(right);
            let inexact = left.checked_rem(right).is_some_and(|rest| rest != 0);
            quotient.map(|quotient| quotient - i128::from(inexact && (left < 0) != (right < 0)))
        }
        Arithmetic::Remainder => {
            // The remainder of the smallest number by -1 is 0, though the division overflows.
            let rest = left.checked_rem(right).unwrap_or(0);
            Some(if rest != 0 && (rest < 0) != (right < 0) { rest + right } else { rest })
        }
    }
    .ok_or(EvalError::Overflow)
}
