//! Touchstone generates test sets, grades programs on them and says how strong the tests are.
//!
//! The house has three storeys, and arrows only go down:
//!
//! ```text
//!  doors      cli · web                                                parse, print, serve
//!  adapters   sandbox · lang · package · solve · grade · stress · strength · report
//!             statement · store · worker                               disk, processes
//!  core       problem · input · generate · check · contest · score · verdict · limits · diagnostic   pure
//! ```
//!
//! The core never touches a file, a process, the network, a clock or the environment; `tests/tidy.rs` keeps it so.

// core
pub mod check;
pub mod contest;
pub mod diagnostic;
pub mod generate;
pub mod input;
pub mod limits;
pub mod problem;
pub mod score;
pub mod verdict;

// adapters
pub mod grade;
pub mod lang;
pub mod package;
pub mod report;
pub mod sandbox;
pub mod solve;
#[cfg(feature = "web")]
pub mod statement;
#[cfg(feature = "web")]
pub mod store;
pub mod strength;
pub mod stress;
#[cfg(feature = "web")]
pub mod worker;

// doors
pub mod cli;
#[cfg(feature = "web")]
pub mod web;
