// Checkpoints and laps as Mario Kart Wii counts them. [E]
//
// The lap counting of the engine, fed with positions; and a driver that follows the enemy route, as
// a test of a course: a sound one gives the first crossing of the line, a lap event per lap, and no
// jump of the completion away from the line.
#ifndef KMP_LAPS_H
#define KMP_LAPS_H

#include "kmp/track.h"

// What the engine knows of one player.
typedef struct kmp_racer {
    size_t checkpoint;      // the current one
    int lap;                // 0 before the first crossing of the line
    int max_key;            // highest key checkpoint of this lap
    double completion;      // of this lap when the current checkpoint was entered: 0 to 1
    double race_completion; // laps + completion of this lap now
    double base, factor;    // completion at the current checkpoint, and its growth to the next one;
                            // factor < 0: no checkpoint found yet
} kmp_racer;

// The state at the start: the checkpoint found from checkpoint 0, or 0.
kmp_racer kmp_racer_start(kmp_track *track, kart_vec3 position);

// One step of the engine. Returns false if no checkpoint was found: then nothing changed.
bool kmp_racer_step(kmp_track *track, kmp_racer *racer, kart_vec3 position);

typedef enum kmp_lap_event_kind {
    KMP_LAP_CHECKPOINT, // another checkpoint is the current one
    KMP_LAP_KEY,        // ... and it raised the highest key
    KMP_LAP_UP,         // the lap count went up (the first crossing makes it lap 1)
    KMP_LAP_DOWN,       // ... down
    KMP_LAP_JUMP,       // the completion jumped by more than `jump` away from the line
    KMP_LAP_LOST,       // no checkpoint found here, but one was found the step before
    KMP_LAP_FOUND       // a checkpoint found again
} kmp_lap_event_kind;

typedef struct kmp_lap_event {
    kmp_lap_event_kind kind;
    size_t step; // of the drive; step 0 is at the start position
    kart_vec3 position;
    size_t checkpoint; // current after the step
    int lap, max_key;  // after the step
    double completion; // of the lap, after the step
    double change;     // of the completion; KMP_LAP_JUMP, else 0
} kmp_lap_event;

// Values that are not above 0 stand for the default.
typedef struct kmp_lap_options {
    int laps;         // laps to complete; default 3, at most 1,000,000
    double step;      // units per step; default 100
    double jump;      // completion change that is a jump; default 0.2
    size_t max_steps; // default 200,000
} kmp_lap_options;

// A drive ends early when it gave this many events or its search looked at this many checkpoints.
// A sound course has some hundred events and looks at one to five checkpoints a step.
#define KMP_LAP_EVENTS_LIMIT 65536
#define KMP_LAP_VISITS_LIMIT 50000000

typedef struct kmp_lap_result {
    int laps;      // complete laps at the end
    bool finished; // all that were asked for
    size_t steps;
    uint64_t visits;       // checkpoints that the search looked at
    double distance;       // units driven
    double completion;     // race completion at the end
    size_t jumps, lost;    // number of such events
    kmp_lap_event *events; // in order of time; owned, see kmp_lap_result_free
    size_t events_count, events_capacity;
    const char *stopped; // why the drive ended early: static text; NULL if finished
} kmp_lap_result;

// Drive the enemy route from the first start position: straight to the nearest enemy point ahead of
// it (or the nearest at all), then from point to point, each by steps of `step` units and a last
// shorter one; at a group's end on to the next group entered least, the first slot first, never to
// itself while another exists. `options` may be NULL. False with an error as kmp_track_new has,
// unsupported when there is no start position or no enemy route, or cancelled; the result is then
// empty. A drive that doesn't finish is a result, not an error.
bool kmp_laps_simulate(const kmp_doc *doc, const kmp_lap_options *options, kmp_lap_result *result,
                       kart_error *error);
void kmp_lap_result_free(kart_ctx *ctx, kmp_lap_result *result); // leaves it empty

// "checkpoint", "key", "lap", "lap_back", "jump", "lost", "found".
const char *kmp_lap_event_name(kmp_lap_event_kind kind);

#endif
