// Reading and writing the fields of records.
#include "kmp/kmp.h"

#include <float.h>
#include <string.h>

#define DEGREES (180.0 / 3.14159265358979323846)

uint8_t *kmp_row(const kmp_doc *doc, kmp_kind kind, size_t index) {
    const kmp_table *table = &doc->tables[kind];
    return table->rows + index * table->stride;
}

int64_t kmp_get_int(const kmp_doc *doc, const uint8_t *row, const kmp_field *field, size_t i) {
    const uint8_t *at = row + field->offset + i * kmp_type_size(field->type);
    switch (field->type) {
    case KMP_U8: return at[0];
    case KMP_S8: return (int8_t)at[0];
    case KMP_U16: return kart_load_u16(at, doc->big);
    case KMP_S16: return (int16_t)kart_load_u16(at, doc->big);
    case KMP_U32: return kart_load_u32(at, doc->big);
    case KMP_F32:
    case KMP_F16: break;
    }
    return 0;
}

void kmp_set_int(const kmp_doc *doc, uint8_t *row, const kmp_field *field, size_t i,
                 int64_t value) {
    uint8_t *at = row + field->offset + i * kmp_type_size(field->type);
    switch (field->type) {
    case KMP_U8:
    case KMP_S8: at[0] = (uint8_t)value; break;
    case KMP_U16:
    case KMP_S16: kart_store_u16(at, doc->big, (uint16_t)value); break;
    case KMP_U32: kart_store_u32(at, doc->big, (uint32_t)value); break;
    case KMP_F32:
    case KMP_F16: break;
    }
}

double kmp_get_float(const kmp_doc *doc, const uint8_t *row, const kmp_field *field, size_t i) {
    const uint8_t *at = row + field->offset + i * kmp_type_size(field->type);
    if (field->type == KMP_F32) return (double)kart_load_f32(at, doc->big);
    uint8_t whole[4] = {0};
    kart_store_u16(whole, true, kart_load_u16(at, doc->big));
    return (double)kart_load_f32(whole, true);
}

// Rounded once; what a float can't hold becomes infinite, as the hardware would have it.
static float narrow(double value) {
    if (fabs(value) <= (double)FLT_MAX || !isfinite(value)) return (float)value;
    return (float)(value < 0 ? -HUGE_VAL : HUGE_VAL);
}

void kmp_set_float(const kmp_doc *doc, uint8_t *row, const kmp_field *field, size_t i,
                   double value) {
    uint8_t *at = row + field->offset + i * kmp_type_size(field->type);
    if (field->type == KMP_F32) {
        kart_store_f32(at, doc->big, narrow(value));
        return;
    }
    // Round to the nearest value that has nothing in its lower half.
    float rounded = narrow(value);
    uint32_t bits;
    memcpy(&bits, &rounded, sizeof bits);
    kart_store_u16(at, doc->big, (uint16_t)((bits + 0x7FFF + (bits >> 16 & 1)) >> 16));
}

static bool in_radians(const kmp_doc *doc, const kmp_field *field) {
    return doc->game == KMP_MK7 && field->meaning == KMP_ROTATION;
}

kart_vec3 kmp_get_vec(const kmp_doc *doc, const uint8_t *row, const kmp_field *field) {
    if (field->meaning == KMP_FLAT)
        return (kart_vec3){kmp_get_float(doc, row, field, 0), 0, kmp_get_float(doc, row, field, 1)};
    kart_vec3 v = {kmp_get_float(doc, row, field, 0), kmp_get_float(doc, row, field, 1),
                   kmp_get_float(doc, row, field, 2)};
    return in_radians(doc, field) ? vec3_scale(v, DEGREES) : v;
}

void kmp_set_vec(const kmp_doc *doc, uint8_t *row, const kmp_field *field, kart_vec3 value) {
    kart_vec3 old = kmp_get_vec(doc, row, field);
    double unit = in_radians(doc, field) ? DEGREES : 1;
    const double now[3] = {value.x, value.y, value.z}, was[3] = {old.x, old.y, old.z};
    for (size_t i = 0, out = 0; i < 3; i++) {
        if (field->meaning == KMP_FLAT && i == 1) continue;
        // Bit by bit, so that a zero may change its sign and a NaN that is only copied is kept.
        if (memcmp(&now[i], &was[i], sizeof now[i]) != 0)
            kmp_set_float(doc, row, field, out, now[i] / unit);
        out++;
    }
}

bool kmp_field_finite(const kmp_doc *doc, const uint8_t *row, const kmp_field *field) {
    for (size_t i = 0; i < field->count; i++)
        if (!isfinite(kmp_get_float(doc, row, field, i))) return false;
    return true;
}

static const kmp_field *field_named(const kmp_doc *doc, kmp_kind kind, const char *name) {
    const kmp_schema *schema = doc->tables[kind].schema;
    return schema ? kmp_field_find(schema->fields, name) : NULL;
}

int64_t kmp_int(const kmp_doc *doc, kmp_kind kind, size_t index, const char *name, size_t i) {
    const kmp_field *field = field_named(doc, kind, name);
    return field ? kmp_get_int(doc, kmp_row(doc, kind, index), field, i) : 0;
}

kart_vec3 kmp_vec(const kmp_doc *doc, kmp_kind kind, size_t index, const char *name) {
    const kmp_field *field = field_named(doc, kind, name);
    return field ? kmp_get_vec(doc, kmp_row(doc, kind, index), field) : (kart_vec3){0, 0, 0};
}

size_t kmp_ref(const kmp_doc *doc, const uint8_t *row, const kmp_field *field, size_t i) {
    int64_t value = kmp_get_int(doc, row, field, i);
    if (value == field->none || value < 0) return SIZE_MAX;
    return (uint64_t)value < doc->tables[field->target].count ? (size_t)value : SIZE_MAX;
}

bool kmp_field_applies(const kmp_doc *doc, kmp_kind kind, const uint8_t *row,
                       const kmp_field *field) {
    const kmp_schema *schema = doc->tables[kind].schema;
    if (kind == KMP_CAME && field->target == KMP_POTI) {
        int64_t type = kmp_get_int(doc, row, kmp_field_find(schema->fields, "type"), 0);
        return type < KMP_CAMERA_TYPES &&
               (kmp_camera_types[type].wants_route || kmp_camera_types[type].unsure);
    }
    if (!field->when) return true;
    const kmp_field *condition = kmp_field_find(schema->fields, field->when);
    return kmp_get_int(doc, row, condition, 0) == field->when_value;
}
