//! The `touchstone` program: hands its arguments to the library and ends with the exit status it is given.

use std::process::ExitCode;

fn main() -> ExitCode {
    touchstone::cli::main()
}
