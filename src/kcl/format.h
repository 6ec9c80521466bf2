// The kinds of KCL: one small table of games and their number formats.
#ifndef KCL_FORMAT_H
#define KCL_FORMAT_H

#include "core/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum kcl_game {
    KCL_MKW,   // Mario Kart Wii
    KCL_MK8,   // Mario Kart 8, Wii U
    KCL_MK8DX, // Mario Kart 8 Deluxe, Switch
    KCL_SMO,   // Super Mario Odyssey and others of the Switch
    KCL_SMG,   // GameCube and Galaxy
    KCL_SM3DL, // Super Mario 3D Land
    KCL_MK7,   // Mario Kart 7 and others of the 3DS
    KCL_MKDS,  // Mario Kart DS
    KCL_GAMES
} kcl_game;

typedef struct kcl_format {
    kcl_game game;
    const char *name;         // "mkw"
    const char *title;        // "Mario Kart Wii"
    bool big;                 // byte order
    bool v2;                  // file header, global octree, models; ids from 0, lists end with FFFF
    bool fixed;               // numbers are s32 / 4096, normals s16 / 4096; else floats
    bool has_radius;          // model header of 0x3C bytes, else 0x38
    double thickness, radius; // what the game's own files have
} kcl_format;

extern const kcl_format kcl_formats[KCL_GAMES];

// By name, NULL if there is none.
const kcl_format *kcl_format_find(const char *name);

// Sizes that follow from the format, in bytes.
static inline size_t kcl_header_size(const kcl_format *f) { return f->has_radius ? 0x3C : 0x38; }
static inline size_t kcl_position_size(const kcl_format *f) {
    (void)f;
    return 12; // 3 floats or 3 fixed-point words
}
static inline size_t kcl_normal_size(const kcl_format *f) { return f->fixed ? 6 : 12; }
static inline size_t kcl_prism_size(const kcl_format *f) { return f->v2 ? 0x14 : 0x10; }

// The first id of a list entry, and what ends a list.
static inline unsigned kcl_first_id(const kcl_format *f) { return f->v2 ? 0 : 1; }
static inline unsigned kcl_list_end(const kcl_format *f) { return f->v2 ? 0xFFFF : 0; }

// What the bytes of a file say: the game, and whether others are possible. NULL with error format
// if it is no KCL, unsupported if it is one of none of these games.
const kcl_format *kcl_format_guess(const uint8_t *data, size_t size, bool *guessed,
                                   kart_error *error);

// Numbers as they stand in the file.
double kcl_load_number(const kcl_format *f, const uint8_t *at);
double kcl_load_normal(const kcl_format *f, const uint8_t *at); // one component

// Store, rounded to the format. False if the value does not fit it; nothing is written then.
bool kcl_store_number(const kcl_format *f, uint8_t *at, double value);
bool kcl_store_normal(const kcl_format *f, uint8_t *at, double value);

// Fail with error limit: `what` ("a position") could not be stored. Returns false.
bool kcl_store_fail(kart_error *error, const char *what);

#endif
