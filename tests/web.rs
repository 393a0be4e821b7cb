//! The contest in the browser as a whole: the program is started as a user starts it, and asked over the network of this
//! machine alone. Each server has a folder and a port of its own.

mod client;
mod commands;
mod host;
mod killed;
mod mending;
mod safety;
mod story;
mod visibility;
