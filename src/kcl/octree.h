// Internal to src/kcl: words and cells of octrees.
#ifndef KCL_OCTREE_H
#define KCL_OCTREE_H

#include "kcl/kcl.h"

// A word with this bit leads to a list, one without to a group of eight words; the other bits are
// an offset from the start of the word's own group.
#define KCL_LEAF 0x80000000u

// In the octree over the models: a word with the first bits leads to the model of the other 30
// bits, the second is a cell without one; else it leads to a group, so many words from its own.
#define KCL_GLOBAL_MODEL 0x80000000u
#define KCL_GLOBAL_EMPTY 0xC0000000u

uint32_t kcl_word_at(const kcl_doc *doc, size_t at);

// log2 of the width of the area along an axis, 0 for one unit.
unsigned kcl_area_bits(const kcl_model *model, int axis);

// Root cells along an axis (0 x, 1 y, 2 z).
uint32_t kcl_root_cells(const kcl_model *model, int axis);

// The shifts of the header that make a root index for each of those cells, without gaps.
void kcl_root_shifts(const kcl_model *model, uint32_t *x_shift, uint32_t *xy_shift);

// Is the header's root grid one where mirroring can exchange cells: with those shifts, and cells no
// wider than the area?
bool kcl_roots_regular(const kcl_model *model);

#endif
