
#undef main
#line 1 "touchstone-driver"
signed main() {
    while (touchstone::begin()) {
@READ@
        {
@CALL@
        }
        touchstone::send();
    }
    touchstone::finish();
}
