// The start grid of a race, as the engine lays it out. [E]
#ifndef KMP_START_H
#define KMP_START_H

#include "kmp/kmp.h"

#define KMP_START_CELLS 12

// Where the drivers of a full race stand, the first place first: by the first start position and
// the stage's pole side and narrowness. The document must have a start position.
void kmp_start_cells(const kmp_doc *doc, kart_vec3 cell[KMP_START_CELLS]);

#endif
