// A course prepared for the engine's checkpoint search: checkpoints with their quads and links, and
// how far round the lap each of them is. [E]
//
// Checkpoint c and each successor n span a quad: from the line of c to the line of n, between the
// line of their left ends and that of their right ends. The search looks for a quad that holds the
// position, beginning at the checkpoint where the racer was.
#ifndef KMP_TRACK_H
#define KMP_TRACK_H

#include "kmp/kmp.h"

#define KMP_TRACK_LINKS 6 // most successors of a checkpoint: one per next group; predecessors alike
#define KMP_NOWHERE     SIZE_MAX // no checkpoint, no group

typedef enum kmp_way { KMP_FORWARD, KMP_BACKWARD } kmp_way;

typedef struct kmp_flat {
    double x, z;
} kmp_flat;

typedef struct kmp_checkpoint {
    kmp_flat left, right;
    kmp_flat normal; // of unit length, pointing along the course; 0, 0 if left and right coincide
    int type;        // 0 the lap line, 1 to 127 a key, -1 neither; less: never a key, never normal
    size_t group;    // the first one that has it; KMP_NOWHERE: none
    double base, factor;                // completion of the lap here, and its growth to a successor
    uint8_t links_count[2];             // by kmp_way
    uint16_t links[2][KMP_TRACK_LINKS]; // successors (KMP_FORWARD), predecessors (KMP_BACKWARD)

    // Of the search under way; see track.c.
    uint64_t marked;
    uint32_t entered[2];
    int8_t done[2];
} kmp_checkpoint;

typedef struct kmp_track {
    kart_ctx *ctx;
    kmp_checkpoint *checkpoints;
    size_t count;            // of checkpoints, at least 1
    int last_key;            // the largest type
    size_t line;             // the last checkpoint of type 0
    uint64_t visits;         // checkpoints that all searches so far looked at: what they cost
    uint64_t searches;       // so far
    struct kmp_visit *stack; // of the search
    size_t stack_size;
} kmp_track;

// Borrows nothing from the document. NULL with error unsupported if the course is not of Mario Kart
// Wii, has no checkpoints or no groups of them (a battle arena), or no lap line; with error memory
// or limit otherwise. Links to checkpoints and groups that don't exist are left out. A checkpoint
// in no group, which crashes the game, counts as a group of its own at the start of the lap; one in
// a group that group 0 doesn't lead to counts as before the start, as in the game.
kmp_track *kmp_track_new(const kmp_doc *doc, kart_error *error);
void kmp_track_free(kmp_track *track); // NULL is ignored

// The checkpoint at `position`, searched from checkpoint `from`; KMP_NOWHERE if there is none, as
// for a position that is not a number. `*ratio`: how far it is on its way to the successor, 0 to 1.
// A track serves one search at a time.
//
// The answer is the engine's wherever the engine has one. It ends everywhere: where the engine
// would call itself for ever, or deeper than two calls a checkpoint, that branch finds nothing.
size_t kmp_track_find(kmp_track *track, size_t from, kart_vec3 position, double *ratio);

// Is `to` a successor of `from`?
bool kmp_track_leads(const kmp_track *track, size_t from, size_t to);

#endif
