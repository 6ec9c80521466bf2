// Internal to AGP documents: the index of a file, and files laid out from lists.
#ifndef AGP_LAYOUT_H
#define AGP_LAYOUT_H

#include "agp/agp.h"

// In a triangle's record.
#define AGP_OPEN_AT 0x58
#define AGP_FLAG_AT 0x5C

// Find out which places of a document hold the same record, and an order of the records: fill the
// pool, whose `places` is known, from the cells and the bytes. False with error memory, limit or
// cancelled. (index.c)
bool agp_pool_index(agp_doc *doc, agp_kind kind, kart_error *error);

// Which places of each record are where: `starts` and `offsets` from `list` and the cells.
bool agp_pool_place(agp_doc *doc, agp_kind kind, kart_error *error);

// Put records into an order that `places` lists agree with: `starts` has the first place of each of
// `lists` lists, and behind the last; `list` their records. Where several fit, the record with the
// lowest number comes first, and so it goes on where lists disagree. `order` gets the records in
// their new order. False with error memory, limit or cancelled. (order.c)
bool agp_order(kart_ctx *ctx, const agp_cell *cells, size_t cells_count, agp_kind kind,
               const uint32_t *list, size_t places, size_t count, uint32_t *order,
               kart_error *error);

// What a file is laid out from.
typedef struct agp_content {
    const agp_grid *grid;
    const uint8_t *records[AGP_KINDS]; // one behind the other
    size_t records_count[AGP_KINDS];
    const uint32_t *counts[AGP_KINDS]; // of each cell, how many it lists
    const uint32_t *list[AGP_KINDS];   // these, cell by cell
    size_t places[AGP_KINDS];
} agp_content;

// The document of a file that is laid out as the game's own are: from the header's end on, cell by
// cell, its triangles, a triangle of zeros, its walls, a wall of zeros; an empty list takes no
// room, and its offset is where it would stand. Then the cells, then a cell of zeros, which ends
// them. [F] Records keep their numbers. NULL with error memory or limit. (layout.c)
agp_doc *agp_layout(kart_ctx *ctx, const agp_content *content, kart_error *error);

// Lay a document out anew, with the lists as they are, so that no two records share bytes.
bool agp_relayout(agp_doc *doc, kart_error *error);

#endif
