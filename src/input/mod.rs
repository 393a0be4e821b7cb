//! An input as values: rendered to text, read back by the strict validator, measured for coverage, shrunk.
//! Knows the model; never makes a value by chance (that is `generate`) and never touches a file.

/// One input: a value for each field of the model, in order. The sizes are the lengths of the arrays.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Input {
    /// A value for each field of the model.
    pub values: Vec<Value>,
}

/// The value of one field.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// Of a [`Shape::Int`](crate::problem::Shape::Int).
    Int(i64),
    /// Of a [`Shape::Array`](crate::problem::Shape::Array).
    Array(Vec<i64>),
}
