#include "kcl/format.h"

#include "core/bytes.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Thickness and radius: [F] where files are at hand, [S] else.
const kcl_format kcl_formats[KCL_GAMES] = {
    {KCL_MKW, "mkw", "Mario Kart Wii", true, false, false, true, 300, 250},
    {KCL_MK8, "mk8", "Mario Kart 8", true, true, false, true, 30, 25},
    {KCL_MK8DX, "mk8dx", "Mario Kart 8 Deluxe", false, true, false, true, 30, 25},
    {KCL_SMO, "smo", "Super Mario Odyssey", false, true, false, true, 40, 0},
    {KCL_SMG, "smg", "GameCube, Super Mario Galaxy", true, false, false, false, 40, 0},
    {KCL_SM3DL, "sm3dl", "Super Mario 3D Land", false, false, false, false, 40, 0},
    {KCL_MK7, "mk7", "Mario Kart 7", false, false, false, true, 30, 25},
    {KCL_MKDS, "mkds", "Mario Kart DS", false, false, true, true, 30, 25},
};

const kcl_format *kcl_format_find(const char *name) {
    for (size_t i = 0; i < KCL_GAMES; i++)
        if (strcmp(kcl_formats[i].name, name) == 0) return &kcl_formats[i];
    return NULL;
}

// Do the header's offsets and masks look right in this byte order?
static bool header_likely(const uint8_t *data, size_t size, bool big) {
    if (size < 0x38) return false;
    for (size_t i = 0; i < 4; i++) {
        uint32_t offset = kart_load_u32(data + 4 * i, big);
        if (offset < 0x28 || offset > size) return false;
    }
    for (size_t i = 0; i < 3; i++) {
        uint32_t hole = ~kart_load_u32(data + 0x20 + 4 * i, big);
        if (hole & (hole + 1)) return false; // not a run of ones from the top
    }
    return true;
}

// The first section follows the header, so its offset tells both byte order and header size. A few
// files have more words in the header; where the sections come in another order, all of it must
// fit. Returns the header's size, 0 if this is no file of that byte order.
static uint32_t header_size_of(const uint8_t *data, size_t size, bool big) {
    if (size < 4) return 0;
    uint32_t first = kart_load_u32(data, big);
    if (first >= 0x38 && first <= 0x60 && first % 4 == 0) return first;
    if (!header_likely(data, size, big)) return 0;
    for (size_t i = 1; i < 4; i++) {
        uint32_t offset = kart_load_u32(data + 4 * i, big) + (i == 2 ? 0x10 : 0);
        if (offset < first) first = offset;
    }
    return first >= 0x3C ? 0x3C : 0x38;
}

// V2 in this byte order: the global octree stands right behind the header, or everything is in
// range.
static bool v2_likely(const uint8_t *data, size_t size, bool big) {
    uint32_t global = kart_load_u32(data + 4, big), table = kart_load_u32(data + 8, big);
    uint32_t count = kart_load_u32(data + 12, big);
    return global == 0x38 || (global < size && table < size && count > 0 && count < 0x10000);
}

// Has the first model of a V2 file a sphere radius?
static bool v2_has_radius(const uint8_t *data, size_t size, bool big) {
    uint32_t table = kart_load_u32(data + 8, big);
    if (size < 0x3C || table > size - 4) return true;
    uint32_t first = kart_load_u32(data + table, big);
    return first > size - 0x3C || kart_load_f32(data + first + 0x38, big) != 0;
}

// Floats or fixed point? As an integer, a sound thickness has large bits if it is a float. [S]
static bool thickness_is_float(const uint8_t *data, size_t size) {
    return size >= 0x14 && kart_load_u32(data + 0x10, false) > 100000000 &&
           kart_load_f32(data + 0x10, false) < 10000;
}

// No file of Mario Kart has fixed point and no radius; its numbers have other scales. [S]
static bool fixed_without_radius(const uint8_t *data, size_t size) {
    return header_likely(data, size, false) && (int32_t)kart_load_u32(data + 0x10, false) > 0;
}

const kcl_format *kcl_format_guess(const uint8_t *data, size_t size, bool *guessed,
                                   kart_error *error) {
    *guessed = false;
    if (size >= 0x38 && memcmp(data, "\2\2\0\0", 4) == 0) {
        // Other games have these files, too; those of Mario Kart have a radius. On the Switch there
        // are many. [F]
        bool big = v2_likely(data, size, true), radius = v2_has_radius(data, size, big);
        *guessed = !big || !radius;
        return &kcl_formats[big ? KCL_MK8 : radius ? KCL_MK8DX : KCL_SMO];
    }
    uint32_t header = header_size_of(data, size, true);
    if (header) {
        *guessed = header < 0x3C;
        return &kcl_formats[header < 0x3C ? KCL_SMG : KCL_MKW];
    }
    header = header_size_of(data, size, false);
    *guessed = header && thickness_is_float(data, size);
    if (*guessed) return &kcl_formats[header < 0x3C ? KCL_SM3DL : KCL_MK7];
    if (header >= 0x3C) return &kcl_formats[KCL_MKDS];
    if (header && fixed_without_radius(data, size)) {
        kart_fail_at(error, "header", 0x10, "a header without a radius", "floats",
                     "fixed point, as in Super Mario 64 DS");
        if (error) error->code = KART_UNSUPPORTED;
        return NULL;
    }
    kart_fail_at(error, "header", 0, "not a KCL file", "section offsets or 02 02 00 00",
                 size < 4 ? "%zu bytes in all" : "neither in %zu bytes", size);
    return NULL;
}

double kcl_load_number(const kcl_format *f, const uint8_t *at) {
    if (!f->fixed) return (double)kart_load_f32(at, f->big);
    return (int32_t)kart_load_u32(at, f->big) / 4096.0;
}

double kcl_load_normal(const kcl_format *f, const uint8_t *at) {
    if (!f->fixed) return (double)kart_load_f32(at, f->big);
    return (int16_t)kart_load_u16(at, f->big) / 4096.0;
}

static bool float_store(const kcl_format *f, uint8_t *at, double value) {
    if (!(fabs(value) <= (double)FLT_MAX)) return false;
    kart_store_f32(at, f->big, (float)value);
    return true;
}

bool kcl_store_number(const kcl_format *f, uint8_t *at, double value) {
    if (!f->fixed) return float_store(f, at, value);
    double raw = nearbyint(value * 4096);
    if (!(raw >= INT32_MIN && raw <= INT32_MAX)) return false;
    kart_store_u32(at, f->big, (uint32_t)(int32_t)raw);
    return true;
}

bool kcl_store_normal(const kcl_format *f, uint8_t *at, double value) {
    if (!f->fixed) return float_store(f, at, value);
    double raw = nearbyint(value * 4096);
    if (!(raw >= INT16_MIN && raw <= INT16_MAX)) return false;
    kart_store_u16(at, f->big, (uint16_t)(int16_t)raw);
    return true;
}

bool kcl_store_fail(kart_error *error, const char *what) {
    return kart_fail(error, KART_LIMIT, "%s leaves the range of the format's numbers", what);
}
