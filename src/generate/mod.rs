//! From a problem and a seed to inputs, the same on every machine for ever. Never touches a file, a clock or a thread.
