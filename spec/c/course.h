// Small courses for tests, record by record. All go round the origin from +Z to +X: a checkpoint or
// a point stands at some degrees of that round, and the left side is the inner one.
#ifndef COURSE_H
#define COURSE_H

#include "kmp/kmp.h"

#define NO_RECORD 0xFF // a reference to none

typedef struct course_counts {
    size_t ktpt, enpt, enph, ckpt, ckph;
} course_counts;

// A blank course; NULL if memory runs out.
kmp_doc *course_new(kart_ctx *ctx, kmp_game game, course_counts counts);

void course_set_int(kmp_doc *doc, kmp_kind kind, size_t index, const char *name, size_t i,
                    int64_t value);
void course_set_vec(kmp_doc *doc, kmp_kind kind, size_t index, const char *name, kart_vec3 value);

// Points of a group, and up to six groups before and behind it: TO(1, 2, END). Links the
// checkpoints within it.
void course_set_group(kmp_doc *doc, kmp_kind kind, size_t index, size_t start, size_t length,
                      const int *prev, const int *next);
#define TO(...) ((const int[]){__VA_ARGS__})
#define END     -1

kart_vec3 course_polar(double degrees, double radius);
void course_set_checkpoint(kmp_doc *doc, size_t index, double degrees, double inner, double outer,
                           int type);
void course_set_start(kmp_doc *doc, double degrees); // facing along the course, at radius 1000

// Enemy points 0 to 11 as one group that goes round at radius 1000, in the middle of every 30
// degrees.
void course_set_round(kmp_doc *doc);

#endif
