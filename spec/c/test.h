// A tiny test framework. A test file holds tests, a table of them, and one function that runs the
// table:
//
//     TEST(half_of_four_is_two) {
//         CHECK(4 / 2 == 2);
//     }
//     static const test_case cases[] = {CASE(half_of_four_is_two)};
//     void test_numbers(void) { TEST_RUN(cases); }
//
// That function is declared here and called in main.c.
#ifndef TEST_H
#define TEST_H

#include "core/ctx.h"

void test_core(void);
void test_affine(void);
void test_kmp(void);
void test_kcl(void);
void test_kcl_transform(void);
void test_lookup(void);
void test_track(void);
void test_laps(void);
void test_robust(void);
void test_yaz0(void);
void test_u8(void);
void test_szs(void);
void test_folder(void);
void test_course(void);
void test_ground(void);
void test_edit(void);
void test_polygon(void);
void test_mesh(void);
void test_obj(void);
void test_robust_mesh(void);
void test_build(void);
void test_prove(void);
void test_models(void);
void test_fit(void);
void test_tree(void);
void test_tree_use(void);
void test_agp(void);
void test_robust_agp(void);

typedef struct test_case {
    const char *name; // a sentence of what must hold
    void (*run)(void);
} test_case;

#define TEST(name) static void name(void)
#define CASE(name)                                                                                 \
    { #name, name }
#define TEST_RUN(cases) test_run(cases, sizeof(cases) / sizeof *(cases))

// A failed check says where and what, and its test counts as failed, but goes on. All give whether
// they held, so that a test can end early: if (!CHECK(pointer)) return;
#define CHECK(condition)            test_check(__FILE__, __LINE__, condition, #condition)
#define CHECK_NEAR(a, b, tolerance) test_check_near(__FILE__, __LINE__, a, b, tolerance, #a)
#define CHECK_TEXT(a, b)            test_check_text(__FILE__, __LINE__, a, b, #a)

void test_run(const test_case *cases, size_t count);
bool test_check(const char *file, int line, bool holds, const char *what);
bool test_check_near(const char *file, int line, double found, double expected, double tolerance,
                     const char *what);
bool test_check_text(const char *file, int line, const char *found, const char *expected,
                     const char *what);

// Memory that runs out: a context on `heap` can allocate or grow `left` times; every time after
// that fails. After the test `blocks` and the context's `used` must be 0.
typedef struct test_heap {
    size_t left;
    size_t blocks; // allocated now
} test_heap;

void test_heap_init(test_heap *heap, kart_ctx *ctx, size_t left);

#endif
