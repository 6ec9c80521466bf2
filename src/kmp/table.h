// Internal to src/kmp: tables of records. See kmp.h for what they hold.
#ifndef KMP_TABLE_H
#define KMP_TABLE_H

#include "kmp/kmp.h"

bool kmp_table_reserve(kmp_doc *doc, kmp_table *table, size_t need, kart_error *error);
void kmp_table_free(kmp_doc *doc, kmp_table *table);
// Leaves nothing allocated when it fails.
bool kmp_table_copy(kmp_doc *doc, kmp_table *to, const kmp_table *from, kart_error *error);

// Give the records from `at` on new identities.
void kmp_table_number(kmp_doc *doc, kmp_table *table, size_t at, size_t count);

// A new record: zeros, references to none, scales 1.
void kmp_row_init(const kmp_doc *doc, const kmp_schema *schema, uint8_t *row, size_t size);

// Bring route_first up to date.
bool kmp_routes_index(kmp_doc *doc, kart_error *error);

#endif
