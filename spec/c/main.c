// Runs the C tests, or those of the files named, as in `test_core kmp build`; the last line is
// `N passed, N failed`.
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_OF(name)                                                                              \
    { #name, test_##name }

static const struct {
    const char *name;
    void (*run)(void);
} files[] = {
    FILE_OF(core),          FILE_OF(affine),     FILE_OF(kmp),
    FILE_OF(track),         FILE_OF(laps),       FILE_OF(kcl),
    FILE_OF(kcl_transform), FILE_OF(robust),     FILE_OF(edit),
    FILE_OF(yaz0),          FILE_OF(u8),         FILE_OF(szs),
    FILE_OF(folder),        FILE_OF(course),     FILE_OF(lookup),
    FILE_OF(polygon),       FILE_OF(mesh),       FILE_OF(obj),
    FILE_OF(robust_mesh),   FILE_OF(build),      FILE_OF(prove),
    FILE_OF(models),        FILE_OF(fit),        FILE_OF(tree),
    FILE_OF(agp),           FILE_OF(robust_agp), FILE_OF(tree_use),
    FILE_OF(ground),
};

static int passed, failed;
static bool current_holds; // the test that runs: no check has failed yet
static const char *current_name;

bool test_check(const char *file, int line, bool holds, const char *what) {
    if (!holds) printf("%s:%d: %s: not so: %s\n", file, line, current_name, what);
    current_holds = current_holds && holds;
    return holds;
}

bool test_check_near(const char *file, int line, double found, double expected, double tolerance,
                     const char *what) {
    char text[200];
    snprintf(text, sizeof text, "%s: expected %.17g, found %.17g", what, expected, found);
    return test_check(file, line, fabs(found - expected) <= tolerance, text);
}

bool test_check_text(const char *file, int line, const char *found, const char *expected,
                     const char *what) {
    bool same = strcmp(found, expected) == 0;
    test_check(file, line, same, what);
    if (!same) printf("    expected: %s\n    found:    %s\n", expected, found);
    return same;
}

void test_run(const test_case *cases, size_t count) {
    for (size_t i = 0; i < count; i++) {
        current_holds = true;
        current_name = cases[i].name;
        cases[i].run();
        if (current_holds)
            passed++;
        else
            failed++;
    }
}

static void *heap_alloc(void *user, void *block, size_t old_size, size_t new_size) {
    test_heap *heap = user;
    (void)old_size;
    if (new_size == 0) {
        heap->blocks--;
        free(block);
        return NULL;
    }
    if (heap->left == 0) return NULL;
    void *result = realloc(block, new_size);
    if (!result) return NULL;
    heap->left--;
    if (!block) heap->blocks++;
    return result;
}

void test_heap_init(test_heap *heap, kart_ctx *ctx, size_t left) {
    *heap = (test_heap){.left = left};
    kart_ctx_init(ctx);
    ctx->alloc = heap_alloc;
    ctx->alloc_user = heap;
}

static bool wanted(const char *name, int count, char **names) {
    bool found = count == 0;
    for (int i = 0; i < count; i++) found = found || strcmp(names[i], name) == 0;
    return found;
}

int main(int argc, char **argv) {
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (wanted(files[i].name, argc - 1, argv + 1)) files[i].run();
    printf("%d passed, %d failed\n", passed, failed);
    return failed > 0;
}
