// Archives as folders: which names may be files, and what is there after success and after failure.
#define _XOPEN_SOURCE 700

#include "archive.h"
#include "core/file.h"
#include "core/os.h"
#include "szs/folder.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static kart_ctx ctx;
static char base[64]; // a folder for one test

static const char *in_base(const char *name) {
    static char paths[4][300];
    static unsigned turn;
    char *path = paths[turn++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", base, name);
    return path;
}

static bool base_make(void) {
    kart_ctx_init(&ctx);
    strcpy(base, "/tmp/kartlua-folder-XXXXXX");
    return CHECK(mkdtemp(base));
}

// Everything in it goes, links as links.
static void tree_remove(const char *path);

static bool entry_remove(void *user, const char *name, kart_error *error) {
    char path[600];
    (void)error;
    snprintf(path, sizeof path, "%s/%s", (const char *)user, name);
    tree_remove(path);
    return true;
}

static void tree_remove(const char *path) {
    char own[600];
    snprintf(own, sizeof own, "%s", path);
    if (os_path_kind_here(own) == OS_FOLDER) {
        chmod(own, 0700);
        os_folder_list(own, entry_remove, own, NULL);
        os_folder_remove(own);
    } else {
        os_remove(own);
    }
}

static bool count_name(void *user, const char *name, kart_error *error) {
    (void)name, (void)error;
    ++*(size_t *)user;
    return true;
}

static size_t names_in(const char *path) {
    size_t count = 0;
    CHECK(os_folder_list(path, count_name, &count, NULL));
    return count;
}

static void base_remove(void) {
    CHECK(ctx.used == 0);
    tree_remove(base);
}

static void write_text(const char *name, const char *text) {
    CHECK(kart_file_save(in_base(name), text, strlen(text), NULL));
}

static bool file_is(const char *name, const char *text) {
    size_t size;
    uint8_t *data = kart_file_read(&ctx, in_base(name), 1000, &size, NULL);
    bool same = data && size == strlen(text) && memcmp(data, text, size) == 0;
    kart_free(&ctx, data, size);
    return same;
}

static bool holds(const szs_doc *doc, const char *path, const char *text) {
    size_t node = u8_find(doc->files, path);
    return node != SIZE_MAX && doc->files->nodes[node].size == strlen(text) &&
           memcmp(doc->files->nodes[node].data, text, strlen(text)) == 0;
}

static szs_doc *open_nodes(kart_ctx *c, const archive_node *nodes, size_t count) {
    size_t size;
    const uint8_t *bytes = archive_bytes(nodes, count, 0x20, 0, &size);
    return szs_parse(c, bytes, size, NULL);
}

// --- names ------------------------------------------------------------------------------------

// An archive with a file of each name; "/" in front: it lies beside the "." folder.
static bool names_pass(const char *first, const char *second, kart_error *error) {
    archive_node nodes[4] = {{"", 0, 3, NULL}, {".", 0, 3, NULL}, {first, -1, 0, "x"}};
    size_t count = 3;
    if (second) {
        bool beside = second[0] == '/' && second[1];
        nodes[3] = (archive_node){second + beside, -1, 0, "y"};
        nodes[0].end = 4;
        nodes[1].end = beside ? 3 : 4;
        count = 4;
    }
    kart_ctx_init(&ctx);
    szs_doc *doc = open_nodes(&ctx, nodes, count);
    bool good = CHECK(doc) && szs_folder_check(doc, error);
    szs_free(doc);
    CHECK(ctx.used == 0);
    return good;
}

TEST(names_of_files_pass) {
    static const char *const good[] = {"course.kmp",
                                       "a b",
                                       ".hidden",
                                       "...a",
                                       "a..",
                                       "-",
                                       "\x83\x52\x81\x5B\x83\x58", // Shift-JIS
                                       "\x95\x5C.bin", // ... whose second byte is a backslash
                                       "\x83\x7C",     // ... or a bar
                                       "\xE3\x82\xB3.kcl",
                                       "Gr\xC3\xB6\xC3\x9F", // UTF-8
                                       "\xB6\xB0\xC4",       // katakana of one byte
                                       "\xFF\xFE",           // nothing at all
                                       "con",
                                       "a*?<>|\""};
    kart_error error;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (!CHECK(names_pass(good[i], NULL, &error))) printf("    %s: %s\n", good[i], error.what);
}

TEST(names_that_lead_elsewhere_or_are_no_text_are_refused) {
    static const struct {
        const char *name, *why;
    } bad[] = {{"", "empty"},
               {".", "a way through folders"},
               {"..", "a way through folders"},
               {".. ", "a way through folders"}, // some systems drop the space
               {"...", "a way through folders"},
               {" ", "a way through folders"},
               {"/etc", "a separator"},
               {"a/b", "a separator"},
               {"../a", "a separator"},
               {"a\\b", "a separator"},
               {"..\\a", "a separator"},
               {"\x81/a", "a separator"}, // no character of Shift-JIS ends with a slash
               {"\x81/..", "a separator"},
               {"\xC3\xB6\\a", "a separator"}, // in UTF-8 the backslash is one
               {"\x95\x5C\\a", "a separator"}, // one after the character that ends with it
               {"c:", "a colon"},
               {"a:b", "a colon"},
               {"a\nb", "control characters"},
               {"\x1B[2J", "control characters"},
               {"\x7F", "control characters"},
               {"\x81\n", "control characters"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        kart_error error = {0};
        // A name in a folder, too: its whole path stands in the message.
        if (!CHECK(!names_pass(bad[i].name, NULL, &error) && error.code == KART_FORMAT &&
                   strstr(error.what, bad[i].why)))
            printf("    %s: %s\n", bad[i].name, error.what);
        for (const char *at = error.what; *at; at++) CHECK((uint8_t)*at >= 0x20 && *at != 0x7F);
    }
}

TEST(names_that_are_one_on_some_disks_are_refused) {
    static const char *const same[][2] = {{"a", "a"},
                                          {"Course.kmp", "course.KMP"},
                                          {"a", "a."},
                                          {"a", "a "},
                                          {"a. .", "A"},
                                          {"a", "/A"},              // from two folders into one
                                          {"\xC3\x96", "\xC3\xB6"}, // O umlaut
                                          {"\xCE\xA9", "\xCF\x89"}, // omega
                                          {"\xD0\x81", "\xD1\x91"}, // yo
                                          {"\xD0\xAF", "\xD1\x8F"}, // ya
                                          {"\x83\x52.KMP", "\x83\x52.kmp"}}; // Shift-JIS
    static const char *const different[][2] = {
        {"a", "b"},
        {"a", "/b"},
        {"a", "a.b"},
        {".a", "a"},
        {"\x83\x41", "\x83\x61"}, // Shift-JIS: the second bytes of two characters are A and a
        {"\xC3\x97", "\xC3\xB7"}, // times and divided by
        {"\xCE\xA9", "\xCE\xB1"}};
    kart_error error;
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        if (!CHECK(!names_pass(same[i][0], same[i][1], &error) &&
                   strstr(error.what, "same on some disks")))
            printf("    %s %s\n", same[i][0], same[i][1]);
    for (size_t i = 0; i < sizeof different / sizeof *different; i++)
        if (!CHECK(names_pass(different[i][0], different[i][1], &error)))
            printf("    %s %s\n", different[i][0], different[i][1]);
}

TEST(a_name_of_a_file_and_of_a_folder_may_be_the_same_elsewhere) {
    static const archive_node nodes[] = {{"", 0, 6, NULL},  {".", 0, 6, NULL}, {"a", 1, 4, NULL},
                                         {"a", -1, 0, "x"}, {"b", 1, 6, NULL}, {"A", -1, 0, "y"}};
    kart_ctx_init(&ctx);
    szs_doc *doc = open_nodes(&ctx, nodes, 6);
    CHECK(doc && szs_folder_check(doc, NULL));
    szs_free(doc);
    CHECK(ctx.used == 0);
}

TEST(a_name_is_no_longer_than_a_disk_takes) {
    char name[300];
    kart_error error;
    memset(name, 'n', sizeof name);
    name[256] = 0;
    CHECK(!names_pass(name, NULL, &error) && strstr(error.what, "longer than 255"));
    name[255] = 0;
    CHECK(names_pass(name, NULL, &error));
}

// --- writing and reading ----------------------------------------------------------------------

static const archive_node course[] = {
    {"", 0, 8, NULL},
    {".", 0, 7, NULL},
    {"course.kmp", -1, 0, "points"},
    {"effect", 1, 5, NULL},
    {"a.breff", -1, 0, "fire"},
    {"empty.bin", -1, 0, ""},
    {"none", 1, 7, NULL},
    {"\x95\x5C", -1, 0, "outside"},
};
#define COURSE (sizeof course / sizeof *course)

TEST(an_archive_becomes_a_folder_and_an_archive_again) {
    if (!base_make()) return;
    kart_error error;
    szs_doc *doc = open_nodes(&ctx, course, COURSE);
    if (!CHECK(doc && szs_folder_write(doc, in_base("course.d/"), &error))) return;
    CHECK(names_in(base) == 1 && names_in(in_base("course.d")) == 5);
    CHECK(file_is("course.d/course.kmp", "points") && file_is("course.d/effect/a.breff", "fire"));
    CHECK(file_is("course.d/empty.bin", "") && file_is("course.d/\x95\x5C", "outside"));
    CHECK(os_path_kind(in_base("course.d/none")) == OS_FOLDER);
    szs_doc *again = szs_folder_read(&ctx, in_base("course.d"), &error);
    if (CHECK(again && again->origin == SZS_FOLDER && again->warnings.count == 0)) {
        // Sorted by name, all below a "." folder.
        static const char *const paths[] = {
            "",       ".",         "./course.kmp", "./effect", "./effect/a.breff", "./empty.bin",
            "./none", "./\x95\x5C"};
        char path[64];
        CHECK(again->files->count == COURSE && again->packed);
        for (size_t i = 0; i < COURSE && i < again->files->count; i++) {
            u8_path(again->files, i, path, sizeof path);
            CHECK_TEXT(path, paths[i]);
            CHECK(!u8_changed(again->files, i));
        }
        CHECK(holds(again, "effect/a.breff", "fire") && holds(again, "empty.bin", ""));
    }
    szs_free(again);
    szs_free(doc);
    base_remove();
}

TEST(only_a_new_or_empty_folder_is_written_to) {
    if (!base_make()) return;
    kart_error error;
    szs_doc *doc = open_nodes(&ctx, course, COURSE);
    CHECK(os_folder_make(in_base("full"), NULL) && os_folder_make(in_base("empty"), NULL));
    CHECK(os_folder_make(in_base("elsewhere"), NULL));
    write_text("full/mine", "mine");
    write_text("file", "mine");
    CHECK(symlink("elsewhere", in_base("link")) == 0 && symlink("none", in_base("dangling")) == 0);
    static const char *const taken[] = {"full", "file", "link", "dangling", "none/below", "link/"};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (!CHECK(!szs_folder_write(doc, in_base(taken[i]), &error) && error.code == KART_IO))
            printf("    %s\n", taken[i]);
    CHECK(!szs_folder_write(doc, "", &error) && error.code == KART_IO);
    // What was there is there, and nothing else.
    CHECK(names_in(base) == 6 && names_in(in_base("elsewhere")) == 0);
    CHECK(file_is("full/mine", "mine") && names_in(in_base("full")) == 1 &&
          file_is("file", "mine"));
    CHECK(szs_folder_write(doc, in_base("empty"), &error) && file_is("empty/course.kmp", "points"));
    // A way through a link to a folder is a way like any other.
    CHECK(szs_folder_write(doc, in_base("link/new"), &error));
    CHECK(file_is("elsewhere/new/course.kmp", "points"));
    szs_free(doc);
    base_remove();
}

TEST(a_bad_name_leaves_nothing) {
    static const archive_node bad[] = {
        {"", 0, 4, NULL}, {"a", -1, 0, "x"}, {"..", 0, 4, NULL}, {"b", -1, 0, "y"}};
    if (!base_make()) return;
    kart_error error;
    szs_doc *doc = open_nodes(&ctx, bad, 4);
    CHECK(!szs_folder_write(doc, in_base("out"), &error) && error.code == KART_FORMAT);
    CHECK(names_in(base) == 0);
    szs_free(doc);
    base_remove();
}

TEST(a_failure_in_the_middle_leaves_nothing) {
    if (!base_make()) return;
    // A path that no system takes, behind files that it took.
    kart_error error;
    char deep[20 * 251] = "";
    size_t node;
    szs_doc *doc = szs_new(&ctx, true, NULL);
    CHECK(u8_add(doc->files, "first", (const uint8_t *)"x", 1, &node, NULL));
    memset(deep, 'f', sizeof deep - 1);
    for (size_t i = 250; i < sizeof deep - 1; i += 251) deep[i] = '/';
    CHECK(u8_add(doc->files, deep, (const uint8_t *)"x", 1, &node, NULL));
    CHECK(!szs_folder_write(doc, in_base("out"), &error));
    CHECK(error.code == KART_LIMIT || error.code == KART_IO);
    CHECK(names_in(base) == 0);
    // Ctrl-C.
    volatile sig_atomic_t cancel = 1;
    szs_doc *small = open_nodes(&ctx, course, COURSE);
    ctx.cancel = &cancel;
    CHECK(!szs_folder_write(small, in_base("out"), &error) && error.code == KART_CANCELLED);
    CHECK(!szs_folder_read(&ctx, base, &error) && error.code == KART_CANCELLED);
    CHECK(names_in(base) == 0);
    szs_free(small);
    szs_free(doc);
    base_remove();
}

TEST(every_allocation_of_a_folder_may_fail) {
    if (!base_make()) return;
    write_text("loose.bin", "x");
    write_text("old.kmp.bak", "x");
    for (size_t n = 0;; n++) {
        test_heap heap;
        kart_ctx local;
        kart_error error = {0};
        test_heap_init(&heap, &local, n);
        szs_doc *doc = szs_folder_read(&local, base, &error);
        bool written = doc && szs_folder_write(doc, in_base("out"), &error);
        if (written) CHECK(file_is("out/loose.bin", "x"));
        CHECK(names_in(base) == (written ? 3 : 2));
        szs_free(doc);
        CHECK(local.used == 0 && heap.blocks == 0);
        if (written || !CHECK(error.code == KART_MEMORY)) break;
    }
    base_remove();
}

static bool left_out(const szs_doc *doc, const char *name) {
    for (size_t i = 0; i < doc->warnings.count; i++)
        if (strcmp(doc->warnings.items[i].rule, "file-left-out") == 0 &&
            strncmp(doc->warnings.items[i].message, name, strlen(name)) == 0)
            return true;
    return false;
}

TEST(what_is_no_part_of_a_course_stays_out_of_it) {
    static const char *const litter[] = {".DS_Store",       "Thumbs.db",
                                         "desktop.ini",     "course.kmp.bak",
                                         "course.kmp.bak2", "sub/course.kcl.bak10"};
    static const char *const files[] = {"course.kmp", "a.bak.bin", "a.bakery",
                                        ".bak",       "sub/b",     ".hidden"};
    if (!base_make()) return;
    kart_error error;
    CHECK(os_folder_make(in_base("sub"), NULL));
    for (size_t i = 0; i < 6; i++) {
        write_text(litter[i], "litter");
        write_text(files[i], "file");
    }
    CHECK(symlink("course.kmp", in_base("linked.kmp")) == 0);
    CHECK(symlink("sub", in_base("linked")) == 0 && symlink(".", in_base("circle")) == 0);
    CHECK(symlink("nowhere", in_base("dangling")) == 0 && mkfifo(in_base("pipe"), 0600) == 0);
    szs_doc *doc = szs_folder_read(&ctx, base, &error);
    if (CHECK(doc)) {
        for (size_t i = 0; i < 6; i++) {
            CHECK(holds(doc, files[i], "file"));
            CHECK(u8_find(doc->files, litter[i]) == SIZE_MAX && left_out(doc, litter[i]));
        }
        CHECK(holds(doc, "linked.kmp", "file"));
        static const char *const others[] = {"linked", "circle", "dangling", "pipe"};
        for (size_t i = 0; i < 4; i++)
            CHECK(u8_find(doc->files, others[i]) == SIZE_MAX && left_out(doc, others[i]));
        CHECK(doc->warnings.count == 10 && doc->files->count == 2 + 8);
    }
    szs_free(doc);
    base_remove();
}

TEST(a_file_that_cannot_be_read_is_named_with_the_reason) {
    if (!base_make()) return;
    kart_error error;
    CHECK(!szs_folder_read(&ctx, in_base("none"), &error) && error.code == KART_IO);
    CHECK(!szs_folder_read(&ctx, "", &error) && error.code == KART_IO);
    // A file that opens and can't be read, by root neither.
    CHECK(os_folder_make(in_base("sub"), NULL));
    if (os_path_kind("/proc/self/mem") == OS_FILE) {
        CHECK(symlink("/proc/self/mem", in_base("sub/locked.kmp")) == 0);
        CHECK(!szs_folder_read(&ctx, base, &error) && error.code == KART_IO);
        CHECK(strstr(error.what, "sub/locked.kmp: cannot read: I"));
    }
    chmod(in_base("sub"), 0);
    if (access(in_base("sub"), R_OK) != 0) { // root may read it
        CHECK(!szs_folder_read(&ctx, base, &error) && error.code == KART_IO);
        CHECK(strstr(error.what, "sub: cannot open the folder: "));
    }
    base_remove();
}

// --- the system -------------------------------------------------------------------------------

TEST(the_system_tells_files_folders_and_links) {
    if (!base_make()) return;
    kart_error error;
    write_text("file", "x");
    CHECK(os_folder_make(in_base("folder"), &error));
    CHECK(symlink("file", in_base("to_file")) == 0 && symlink("folder", in_base("to_folder")) == 0);
    CHECK(symlink("none", in_base("dangling")) == 0);
    static const struct {
        const char *name;
        os_kind through, here;
    } kinds[] = {{"file", OS_FILE, OS_FILE},      {"folder", OS_FOLDER, OS_FOLDER},
                 {"to_file", OS_FILE, OS_OTHER},  {"to_folder", OS_FOLDER, OS_OTHER},
                 {"dangling", OS_NONE, OS_OTHER}, {"none", OS_NONE, OS_NONE},
                 {"file/below", OS_NONE, OS_NONE}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        CHECK(os_path_kind(in_base(kinds[i].name)) == kinds[i].through);
        CHECK(os_path_kind_here(in_base(kinds[i].name)) == kinds[i].here);
    }
    CHECK(!os_folder_make(in_base("folder"), &error) && error.code == KART_IO);
    CHECK(!os_folder_make(in_base("none/below"), &error) && error.code == KART_IO);
    CHECK(!os_folder_list(in_base("file"), count_name, &(size_t){0}, &error));
    CHECK(error.code == KART_IO);
    os_folder_remove(base); // it isn't empty
    CHECK(os_path_kind(base) == OS_FOLDER);
    base_remove();
}

static bool stop_at_once(void *user, const char *name, kart_error *error) {
    count_name(user, name, NULL);
    return kart_fail(error, KART_LIMIT, "enough");
}

TEST(a_list_of_names_ends_when_it_is_told_to) {
    if (!base_make()) return;
    kart_error error;
    size_t count = 0;
    write_text("a", "");
    write_text("b", "");
    CHECK(!os_folder_list(base, stop_at_once, &count, &error));
    CHECK(error.code == KART_LIMIT && count == 1 && names_in(base) == 2);
    base_remove();
}

TEST(a_new_file_is_new) {
    if (!base_make()) return;
    kart_error error;
    CHECK(kart_file_create(in_base("new"), "text", 4, &error) && file_is("new", "text"));
    CHECK(!kart_file_create(in_base("new"), "other", 5, &error) && error.code == KART_IO);
    CHECK(symlink("nowhere", in_base("dangling")) == 0);
    CHECK(!kart_file_create(in_base("dangling"), "x", 1, &error));
    CHECK(file_is("new", "text") && names_in(base) == 2);
    base_remove();
}

static const test_case cases[] = {
    CASE(names_of_files_pass),
    CASE(names_that_lead_elsewhere_or_are_no_text_are_refused),
    CASE(names_that_are_one_on_some_disks_are_refused),
    CASE(a_name_of_a_file_and_of_a_folder_may_be_the_same_elsewhere),
    CASE(a_name_is_no_longer_than_a_disk_takes),
    CASE(an_archive_becomes_a_folder_and_an_archive_again),
    CASE(only_a_new_or_empty_folder_is_written_to),
    CASE(a_bad_name_leaves_nothing),
    CASE(a_failure_in_the_middle_leaves_nothing),
    CASE(every_allocation_of_a_folder_may_fail),
    CASE(what_is_no_part_of_a_course_stays_out_of_it),
    CASE(a_file_that_cannot_be_read_is_named_with_the_reason),
    CASE(the_system_tells_files_folders_and_links),
    CASE(a_list_of_names_ends_when_it_is_told_to),
    CASE(a_new_file_is_new),
};

void test_folder(void) { TEST_RUN(cases); }
