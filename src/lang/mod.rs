//! The table of languages: finding toolchains, compiling, and how a program is started. Only this room knows compilers.
