//! A problem's generated tests on disk. Only this room and `problem` know path names.
