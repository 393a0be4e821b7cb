#line 1 "touchstone-driver"
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>

// Names of our own for the two system functions, so that <unistd.h> takes no names from the solution.
extern long touchstone_syscall(long, ...) __asm__("syscall");
extern void touchstone_exit(int) __asm__("_exit");

static unsigned char touchstone_buffer[1 << 16];
static size_t touchstone_at, touchstone_end;
static char *touchstone_reply;
static size_t touchstone_length, touchstone_room;

static int touchstone_next(void) {
    if (touchstone_at == touchstone_end) {
        long got;
        do {
            got = touchstone_syscall(SYS_read, 3L, touchstone_buffer, sizeof touchstone_buffer);
        } while (got < 0 && errno == EINTR);
        if (got <= 0) return -1;
        touchstone_at = 0;
        touchstone_end = (size_t)got;
    }
    return touchstone_buffer[touchstone_at++];
}

static void *touchstone_memory(void *old, size_t bytes) {
    void *memory = realloc(old, bytes ? bytes : 1);
    if (!memory) {
        fputs("out of memory\n", stderr);
        abort();
    }
    return memory;
}

static void touchstone_put(const char *bytes, size_t length) {
    if (touchstone_room - touchstone_length < length) {
        touchstone_room = (touchstone_length + length) * 2;
        touchstone_reply = touchstone_memory(touchstone_reply, touchstone_room);
    }
    memcpy(touchstone_reply + touchstone_length, bytes, length);
    touchstone_length += length;
}

static bool touchstone_begin(void) {
    touchstone_length = 0;
    int byte;
    while ((byte = touchstone_next()) != '\n') {
        if (byte < 0) return false;
        char one = (char)byte;
        touchstone_put(&one, 1);
    }
    touchstone_put(" ", 1);
    return true;
}

static long long touchstone_integer(void) {
    int byte = touchstone_next();
    const bool negative = byte == '-';
    if (negative) byte = touchstone_next();
    unsigned long long value = 0;
    for (; byte >= '0' && byte <= '9'; byte = touchstone_next()) value = value * 10 + (unsigned)(byte - '0');
    return (long long)(negative ? 0 - value : value);
}

static inline int *touchstone_ints(int *length) {
    *length = (int)touchstone_integer();
    int *values = touchstone_memory(NULL, sizeof(int) * (size_t)*length);
    for (int i = 0; i < *length; i++) values[i] = (int)touchstone_integer();
    return values;
}

static inline long long *touchstone_longs(int *length) {
    *length = (int)touchstone_integer();
    long long *values = touchstone_memory(NULL, sizeof(long long) * (size_t)*length);
    for (int i = 0; i < *length; i++) values[i] = touchstone_integer();
    return values;
}

static inline void touchstone_keep_bool(bool value) { touchstone_put(value ? "=true" : "=false", value ? 5 : 6); }

static void touchstone_put_int(long long value) {
    char digits[24];
    touchstone_put(digits, (size_t)snprintf(digits, sizeof digits, "%lld", value));
}

static inline void touchstone_keep_int(long long value) {
    touchstone_put("=", 1);
    touchstone_put_int(value);
}

static inline void touchstone_keep_ints(const int *values, int length) {
    if (!values && length > 0) {
        touchstone_put("?NULL", 5);
        return;
    }
    touchstone_put("=", 1);
    for (int i = 0; i < length; i++) {
        if (i) touchstone_put(" ", 1);
        touchstone_put_int(values[i]);
    }
}

static inline void touchstone_keep_text(const char *text) {
    if (!text) {
        touchstone_put("?NULL", 5);
        return;
    }
    touchstone_put("=", 1);
    for (; *text; text++) {
        const unsigned char byte = (unsigned char)*text;
        char escaped[8];
        if (byte == '\\') touchstone_put("\\\\", 2);
        else if (byte == '\n') touchstone_put("\\n", 2);
        else if (byte == '\r') touchstone_put("\\r", 2);
        else if (byte == '\t') touchstone_put("\\t", 2);
        else if (byte < 0x20 || byte == 0x7f) touchstone_put(escaped, (size_t)snprintf(escaped, sizeof escaped, "\\x%02x", byte));
        else touchstone_put(text, 1);
    }
}

static void touchstone_send(void) {
    touchstone_put("\n", 1);
    size_t sent = 0;
    while (sent < touchstone_length) {
        const long wrote = touchstone_syscall(SYS_write, 4L, touchstone_reply + sent, touchstone_length - sent);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote <= 0) touchstone_exit(1);
        sent += (size_t)wrote;
    }
}
