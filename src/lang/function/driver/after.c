
#undef main
#pragma GCC diagnostic error "-Wimplicit-function-declaration"
#pragma GCC diagnostic error "-Wincompatible-pointer-types"
#pragma GCC diagnostic error "-Wint-conversion"
#line 1 "touchstone-driver"
int main(void) {
    while (touchstone_begin()) {
@READ@
        __auto_type touchstone_result = @CALL@;
        _Static_assert(_Generic(touchstone_result, @TYPES@, default: 0), "the function returns another type");
        touchstone_keep_@KIND@(touchstone_result@AFTER_CALL@);
        touchstone_send();
@FREE@
    }
    fflush(NULL);
    touchstone_exit(0);
}
