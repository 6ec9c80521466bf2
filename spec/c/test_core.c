// The core: context, arrays, bytes, errors, findings, numbers, files.
#define _XOPEN_SOURCE 700

#include "core/array.h"
#include "core/bytes.h"
#include "core/file.h"
#include "core/finding.h"
#include "core/number.h"
#include "core/os.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

// --- context ----------------------------------------------------------------------------------

TEST(context_counts_what_it_gave) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    void *a = kart_alloc(&ctx, 100, NULL), *b = kart_alloc(&ctx, 0, NULL);
    CHECK(a && b && ctx.used == 101); // an empty block is one byte
    a = kart_realloc(&ctx, a, 100, 40, NULL);
    CHECK(ctx.used == 41 && ctx.peak == 101);
    kart_free(&ctx, a, 40);
    kart_free(&ctx, b, 0);
    CHECK(ctx.used == 0);
}

TEST(context_limit_is_an_error_not_a_crash) {
    kart_ctx ctx;
    kart_error error;
    kart_ctx_init(&ctx);
    ctx.limit = 1000;
    void *a = kart_alloc(&ctx, 900, &error);
    CHECK(a && !kart_alloc(&ctx, 101, &error) && error.code == KART_LIMIT);
    CHECK(!kart_realloc(&ctx, a, 900, 1001, &error) && ctx.used == 900);
    void *b = kart_alloc(&ctx, 100, &error);
    CHECK(b);
    kart_free(&ctx, a, 900);
    kart_free(&ctx, b, 100);
}

TEST(context_cancel_flag_and_progress_end_work) {
    kart_ctx ctx;
    kart_error error;
    volatile sig_atomic_t cancel = 0;
    kart_ctx_init(&ctx);
    ctx.cancel = &cancel;
    CHECK(kart_ctx_step(&ctx, 0.5, &error));
    cancel = 1;
    CHECK(!kart_ctx_step(&ctx, 0.5, &error) && error.code == KART_CANCELLED);
}

TEST(array_grows_keeps_and_refuses_to_wrap) {
    kart_ctx ctx;
    kart_error error;
    size_t capacity = 0;
    kart_ctx_init(&ctx);
    uint32_t *items = NULL;
    for (uint32_t i = 0; i < 1000; i++) {
        items = kart_array_grow(&ctx, items, &capacity, i + 1, sizeof *items, &error);
        items[i] = i;
    }
    CHECK(items[0] == 0 && items[999] == 999 && capacity >= 1000 && capacity < 2000);
    CHECK(!kart_array_grow(&ctx, items, &capacity, SIZE_MAX / 2, sizeof *items, &error));
    CHECK(error.code == KART_MEMORY);
    kart_free(&ctx, items, capacity * sizeof *items);
    CHECK(ctx.used == 0);
}

// --- bytes ------------------------------------------------------------------------------------

TEST(bytes_load_and_store_in_both_orders) {
    const uint8_t bytes[4] = {0x3F, 0xC0, 0x01, 0x02};
    uint8_t out[4];
    CHECK(kart_load_u16(bytes, true) == 0x3FC0 && kart_load_u16(bytes, false) == 0xC03F);
    CHECK(kart_load_u32(bytes, true) == 0x3FC00102 && kart_load_u32(bytes, false) == 0x0201C03F);
    for (int big = 0; big < 2; big++) {
        kart_store_u32(out, big, kart_load_u32(bytes, big));
        CHECK(memcmp(out, bytes, 4) == 0);
        kart_store_f32(out, big, -1.5f);
        CHECK(kart_load_f32(out, big) == -1.5f);
    }
}

TEST(reader_failure_is_sticky_and_reads_nothing) {
    const uint8_t bytes[6] = {0, 1, 0, 2, 0, 3};
    kart_reader reader = kart_reader_make(bytes, sizeof bytes, true);
    CHECK(kart_read_u16(&reader) == 1 && kart_read_u32(&reader) == 0x20003 && !reader.failed);
    CHECK(kart_read_u8(&reader) == 0 && reader.failed && reader.at == 6);
    kart_reader_seek(&reader, 0);
    CHECK(reader.failed && kart_read_u16(&reader) == 0);
    reader = kart_reader_make(bytes, sizeof bytes, true);
    CHECK(!kart_read_bytes(&reader, SIZE_MAX) && reader.failed && reader.at == 0);
}

TEST(writer_hands_over_exactly_what_was_written) {
    kart_ctx ctx;
    size_t size;
    kart_ctx_init(&ctx);
    kart_writer writer = kart_writer_make(&ctx, true);
    kart_write_u8(&writer, 7);
    kart_write_u16(&writer, 0x0102);
    kart_write_u32(&writer, 0x03040506);
    kart_write_zeros(&writer, 1);
    kart_write_f32(&writer, 1.0f);
    uint8_t *bytes = kart_writer_take(&writer, &size, NULL);
    const uint8_t expected[] = {7, 1, 2, 3, 4, 5, 6, 0, 0x3F, 0x80, 0, 0};
    CHECK(bytes && size == sizeof expected && memcmp(bytes, expected, size) == 0);
    kart_free(&ctx, bytes, size);
    CHECK(ctx.used == 0);
}

// --- errors, findings, numbers ----------------------------------------------------------------

TEST(error_text_names_place_expected_and_found) {
    kart_error error;
    char text[200], small[8];
    kart_fail_at(&error, "GOBJ", 0x1A4, "entry count", "at most 3", "%d", 12);
    size_t length = kart_error_text(&error, text, sizeof text);
    CHECK(strcmp(text, "GOBJ at 0x1A4: entry count: expected at most 3, found 12") == 0);
    CHECK(length == strlen(text));
    CHECK(kart_error_text(&error, small, sizeof small) == length && strlen(small) == 7);
    kart_fail(&error, KART_IO, "cannot open: %s", "it is a folder");
    kart_error_text(&error, text, sizeof text);
    CHECK(strcmp(text, "cannot open: it is a folder") == 0);
    CHECK(!kart_fail(NULL, KART_IO, "nobody asks"));
}

TEST(findings_of_one_rule_end_with_a_note) {
    kart_ctx ctx;
    kart_findings findings = {.most = KART_WARNINGS_MOST};
    kart_ctx_init(&ctx);
    kart_finding finding = {.rule = "a", .section = "gobj", .field = ""};
    for (size_t i = 0; i < 500; i++) {
        finding.index = i;
        CHECK(kart_findings_add(&ctx, &findings, finding, NULL, "number %zu", i));
    }
    finding.rule = "b";
    CHECK(kart_findings_add(&ctx, &findings, finding, NULL, "another"));
    CHECK(findings.count == KART_WARNINGS_MOST + 1);
    CHECK(strstr(findings.items[KART_WARNINGS_MOST - 1].message, "more of this kind"));
    CHECK(findings.items[KART_WARNINGS_MOST - 1].index == KART_NO_INDEX);
    kart_findings_free(&ctx, &findings);
    CHECK(ctx.used == 0);
}

TEST(number_text_is_the_shortest_that_reads_back) {
    char text[KART_NUMBER_SIZE];
    CHECK(strcmp(kart_number_text((double)0.1f, text), "0.1") == 0);
    CHECK(strcmp(kart_number_text(0.1, text), "0.1") == 0);
    CHECK(strcmp(kart_number_text(-0.0, text), "-0") == 0);
    CHECK(strcmp(kart_number_text((double)NAN, text), "nan") == 0);
    CHECK(strcmp(kart_number_text(-HUGE_VAL, text), "-inf") == 0);
    CHECK(strcmp(kart_number_text(1e300, text), "1e+300") == 0);
    CHECK(strcmp(kart_number_text(100, text), "100") == 0);
    CHECK(strcmp(kart_number_text(-30810.25, text), "-30810.25") == 0);
    CHECK(strcmp(kart_number_text(0.00001, text), "0.00001") == 0);
    uint32_t bits = 1;
    for (int i = 0; i < 20000; i++) {
        float value;
        bits = bits * 1664525u + 1013904223u;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) continue;
        CHECK(strtof(kart_number_text((double)value, text), NULL) == value);
    }
}

// --- files ------------------------------------------------------------------------------------

static char folder[] = "/tmp/kartlua-test-XXXXXX";

static const char *in_folder(const char *name) {
    static char path[4][300];
    static int next;
    char *text = path[next++ % 4];
    snprintf(text, sizeof path[0], "%s/%s", folder, name);
    return text;
}

static bool holds(const char *path, const char *text) {
    kart_ctx ctx;
    size_t size;
    kart_ctx_init(&ctx);
    uint8_t *bytes = kart_file_read(&ctx, path, KART_FILE_LIMIT, &size, NULL);
    bool same = bytes && size == strlen(text) && memcmp(bytes, text, size) == 0;
    kart_free(&ctx, bytes, size);
    return same && ctx.used == 0;
}

// Files in the test's folder, to see that none is left behind.
static int file_count(void) {
    char command[400];
    int count = -1;
    snprintf(command, sizeof command, "ls -A %s | wc -l", folder);
    FILE *pipe = popen(command, "r");
    if (pipe && fscanf(pipe, "%d", &count) != 1) count = -1;
    if (pipe) pclose(pipe);
    return count;
}

TEST(file_save_and_read) {
    CHECK(kart_file_save(in_folder("a"), "first", 5, NULL) && holds(in_folder("a"), "first"));
    CHECK(kart_file_save(in_folder("a"), "", 0, NULL) && holds(in_folder("a"), ""));
    CHECK(file_count() == 1);
    unlink(in_folder("a"));
}

TEST(file_read_refuses_folders_missing_and_large_ones) {
    kart_ctx ctx;
    kart_error error;
    size_t size;
    kart_ctx_init(&ctx);
    CHECK(!kart_file_read(&ctx, folder, 100, &size, &error) && error.code == KART_IO);
    CHECK(!kart_file_read(&ctx, in_folder("none"), 100, &size, &error) && error.code == KART_IO);
    CHECK(kart_file_save(in_folder("b"), "12345", 5, NULL));
    CHECK(!kart_file_read(&ctx, in_folder("b"), 4, &size, &error) && error.code == KART_LIMIT);
    uint8_t *bytes = kart_file_read(&ctx, in_folder("b"), 5, &size, &error);
    CHECK(bytes && size == 5);
    kart_free(&ctx, bytes, size);
    // A file whose size the system doesn't know ends where its bytes end, or at the limit.
    CHECK(!kart_file_read(&ctx, "/dev/zero", 100000, &size, &error) && error.code == KART_LIMIT);
    CHECK(ctx.used == 0);
    unlink(in_folder("b"));
}

TEST(file_save_follows_links_and_keeps_permissions) {
    struct stat info;
    CHECK(kart_file_save(in_folder("target"), "old", 3, NULL));
    CHECK(chmod(in_folder("target"), 0640) == 0);
    CHECK(symlink("target", in_folder("link")) == 0);
    CHECK(symlink("link", in_folder("link2")) == 0);
    CHECK(kart_file_save(in_folder("link2"), "new", 3, NULL));
    CHECK(holds(in_folder("target"), "new"));
    CHECK(lstat(in_folder("link2"), &info) == 0 && S_ISLNK(info.st_mode));
    CHECK(stat(in_folder("target"), &info) == 0 && (info.st_mode & 0777) == 0640);
    CHECK(symlink("nowhere", in_folder("dangling")) == 0);
    CHECK(kart_file_save(in_folder("dangling"), "made", 4, NULL));
    CHECK(holds(in_folder("nowhere"), "made"));
    CHECK(symlink("loop", in_folder("loop")) == 0);
    kart_error error;
    CHECK(!kart_file_save(in_folder("loop"), "x", 1, &error) && error.code == KART_IO);
    const char *const names[] = {"target", "link", "link2", "dangling", "nowhere", "loop"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) unlink(in_folder(names[i]));
    CHECK(file_count() == 0);
}

TEST(file_save_new_never_overwrites) {
    kart_error error;
    CHECK(kart_file_save_new(in_folder("n"), "one", 3, &error));
    CHECK(!kart_file_save_new(in_folder("n"), "two", 3, &error) && error.code == KART_IO);
    CHECK(holds(in_folder("n"), "one") && file_count() == 1);
    unlink(in_folder("n"));
}

TEST(file_save_refuses_what_is_no_file) {
    kart_error error;
    CHECK(!kart_file_save(folder, "x", 1, &error) && error.code == KART_IO);
    CHECK(!kart_file_save("/dev/null", "x", 1, &error) && error.code == KART_IO);
    CHECK(!kart_file_save(in_folder("none/x"), "x", 1, &error) && error.code == KART_IO);
}

// A write that fails half way: the old file stays, nothing else is left.
TEST(file_save_fault_keeps_the_old_file) {
    kart_error error;
    struct rlimit old, small = {100000, 100000};
    static char large[200000];
    CHECK(kart_file_save(in_folder("f"), "old", 3, NULL));
    CHECK(getrlimit(RLIMIT_FSIZE, &old) == 0);
    small.rlim_max = old.rlim_max;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    CHECK(setrlimit(RLIMIT_FSIZE, &small) == 0);
    bool saved = kart_file_save(in_folder("f"), large, sizeof large, &error);
    CHECK(setrlimit(RLIMIT_FSIZE, &old) == 0);
    signal(SIGXFSZ, handler);
    CHECK(!saved && error.code == KART_IO && strstr(error.what, "write"));
    CHECK(holds(in_folder("f"), "old") && file_count() == 1);
    unlink(in_folder("f"));
}

static const test_case cases[] = {
    CASE(context_counts_what_it_gave),
    CASE(context_limit_is_an_error_not_a_crash),
    CASE(context_cancel_flag_and_progress_end_work),
    CASE(array_grows_keeps_and_refuses_to_wrap),
    CASE(bytes_load_and_store_in_both_orders),
    CASE(reader_failure_is_sticky_and_reads_nothing),
    CASE(writer_hands_over_exactly_what_was_written),
    CASE(error_text_names_place_expected_and_found),
    CASE(findings_of_one_rule_end_with_a_note),
    CASE(number_text_is_the_shortest_that_reads_back),
    CASE(file_save_and_read),
    CASE(file_read_refuses_folders_missing_and_large_ones),
    CASE(file_save_follows_links_and_keeps_permissions),
    CASE(file_save_new_never_overwrites),
    CASE(file_save_refuses_what_is_no_file),
    CASE(file_save_fault_keeps_the_old_file),
};

void test_core(void) {
    if (!mkdtemp(folder)) abort();
    TEST_RUN(cases);
    rmdir(folder);
}
