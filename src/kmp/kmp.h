// The KMP document: bytes in, records to look at and change, bytes out.
//
// A document keeps every byte of the file that it was parsed from. Records stay in the file's own
// bytes; a field is decoded when it is read and encoded when it is written. So what nobody edits is
// emitted as it was: order of sections, gaps, unknown sections, trailing bytes, a wrong length
// word.
//
// After kmp_parse succeeded, every section and record lies in its file; references between records
// may still point anywhere, as the game accepts that: check before you follow one.
// Indices count from 0 here; only Lua counts from 1.
#ifndef KMP_H
#define KMP_H

#include "core/affine.h"
#include "core/bytes.h"
#include "core/finding.h"
#include "kmp/schema.h"

// Records of one kind. `rows` holds count * stride bytes in the file's byte order.
typedef struct kmp_table {
    const kmp_schema *schema; // NULL: the file has no such section
    uint8_t *rows;
    uint32_t *ids; // identity of each record: never reused within a document
    size_t count;
    size_t rows_capacity, ids_capacity; // in records
    size_t stride;
    uint8_t header[8]; // magic, count, extra word, as they stand in the file; counts follow edits
} kmp_table;

// A stretch of the file between the end of its header and its end.
typedef struct kmp_part {
    kmp_kind kind;          // whose table stands here; KMP_NONE for bytes that are kept as they are
    size_t kept, kept_size; // raw part: those bytes of `original`; section: the bytes behind it
    size_t start;           // where it stood in the file, for the offsets of the header
} kmp_part;

typedef struct kmp_doc {
    kart_ctx *ctx;
    kmp_game game;
    bool big;
    uint32_t version;
    uint8_t *original; // the whole file as it was read
    size_t original_size;
    size_t head_size; // bytes before the first offset is counted from: the file header
    size_t slots;     // offsets in the header
    kmp_part *parts;  // in file order
    size_t parts_count, parts_capacity;
    kmp_table tables[KMP_KINDS];
    size_t *route_first; // first point of each route in the KMP_POINT table
    size_t route_capacity;
    uint32_t next_id;
    bool resized;           // records were added or removed: the header is written anew
    kart_findings warnings; // of parsing and of all operations since
} kmp_doc;

// Largest KMP accepted, in bytes. Real files stay below 100 KB; u16 counts end far below this.
#define KMP_FILE_LIMIT ((size_t)64 << 20)

// Most sections in a file. The game's own have 15 (MK7: 18), extended ones a few more.
#define KMP_SECTIONS_LIMIT 1024

// Does it look like a KMP of either game? Looks at the magic only.
bool kmp_detect(const uint8_t *data, size_t size);

// Parse `size` bytes, which are copied. NULL with error format, limit or memory; the error names
// section and offset. What is odd but readable is a warning on the document.
kmp_doc *kmp_parse(kart_ctx *ctx, const uint8_t *data, size_t size, kart_error *error);

// A new document with `counts[kind]` zeroed records of every section of `version` (and of points,
// see kmp_route_resize: counts[KMP_POINT] is ignored). References are set to none, scales to 1.
kmp_doc *kmp_new(kart_ctx *ctx, kmp_game game, uint32_t version, const size_t counts[KMP_KINDS],
                 kart_error *error);

// An independent copy with the same record identities.
kmp_doc *kmp_clone(const kmp_doc *doc, kart_error *error);
void kmp_free(kmp_doc *doc); // NULL is ignored

// All or nothing: a clone that was worked on takes the place of `doc` if it is `done`, else it is
// thrown away. Returns `done`.
bool kmp_commit(kmp_doc *doc, kmp_doc *clone, bool done);

size_t kmp_memory(const kmp_doc *doc); // bytes held

// The file's bytes, freed with kart_free(ctx, bytes, size). NULL with error memory or limit.
uint8_t *kmp_serialize(const kmp_doc *doc, size_t *size, kart_error *error);

// Bytes that a part takes in the file as it is now.
size_t kmp_part_size(const kmp_doc *doc, size_t part);

// Records. `row` is valid until records of that kind are added or removed.
uint8_t *kmp_row(const kmp_doc *doc, kmp_kind kind, size_t index);

// The index of the record with this identity; `hint` is tried first.
// SIZE_MAX if it was removed.
size_t kmp_index_of(const kmp_table *table, uint32_t id, size_t hint);

// Fields of a row. `i` counts the values of the field. Integers are read with their sign.
// Floats are exact; a KMP_F16 reads as the float it is the upper half of.
int64_t kmp_get_int(const kmp_doc *doc, const uint8_t *row, const kmp_field *field, size_t i);
double kmp_get_float(const kmp_doc *doc, const uint8_t *row, const kmp_field *field, size_t i);
void kmp_set_int(const kmp_doc *doc, uint8_t *row, const kmp_field *field, size_t i, int64_t value);
void kmp_set_float(const kmp_doc *doc, uint8_t *row, const kmp_field *field, size_t i,
                   double value); // rounded to the field's type

// Vectors of float fields: x, y, z; KMP_FLAT gives y = 0 and ignores it when set. Rotations are in
// degrees whatever the file holds; components that are set to what they were keep their bytes.
kart_vec3 kmp_get_vec(const kmp_doc *doc, const uint8_t *row, const kmp_field *field);
void kmp_set_vec(const kmp_doc *doc, uint8_t *row, const kmp_field *field, kart_vec3 value);

// Are all values of a float field finite numbers?
bool kmp_field_finite(const kmp_doc *doc, const uint8_t *row, const kmp_field *field);

// Fields by name, for code that knows what it wants; 0 if the section's version has no such field.
int64_t kmp_int(const kmp_doc *doc, kmp_kind kind, size_t index, const char *name, size_t i);
kart_vec3 kmp_vec(const kmp_doc *doc, kmp_kind kind, size_t index, const char *name);

// The record that a reference points at; SIZE_MAX for none and for values out of range.
size_t kmp_ref(const kmp_doc *doc, const uint8_t *row, const kmp_field *field, size_t i);

// A battle arena: no checkpoints, and no item route, end positions or several start positions. A
// race whose checkpoints are yet to come is none.
bool kmp_is_arena(const kmp_doc *doc);

// Does the field mean something in this record (see kmp_field.when)?
bool kmp_field_applies(const kmp_doc *doc, kmp_kind kind, const uint8_t *row,
                       const kmp_field *field);

// Number of points of a route; the first one is at route_first[route].
size_t kmp_route_length(const kmp_doc *doc, size_t route);

// The route that a point of the KMP_POINT table belongs to.
size_t kmp_point_route(const kmp_doc *doc, size_t point);

// Add records; the limit is what the file's u16 count holds. The new records are as in kmp_new.
bool kmp_insert(kmp_doc *doc, kmp_kind kind, size_t at, size_t count, kart_error *error);

// Give a route `length` points: new ones at its end are zeroed.
bool kmp_route_resize(kmp_doc *doc, size_t route, size_t length, kart_error *error);

// A finding about a record (KART_NO_INDEX: about the section), with neither rule nor message yet.
// The points of routes are named by their route.
kart_finding kmp_finding_at(const kmp_doc *doc, kmp_kind kind, size_t index, const char *field);

// Add a warning to the document. `index`: KART_NO_INDEX if it is not about one record.
bool kmp_warn(kmp_doc *doc, kart_severity severity, const char *rule, kmp_kind kind, size_t index,
              const char *field, kart_error *error, const char *message, ...)
    __attribute__((format(printf, 8, 9)));

#endif
