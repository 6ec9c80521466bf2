// Internal to src/kcl: what kcl_parse checks of octrees.
#ifndef KCL_VALIDATE_H
#define KCL_VALIDATE_H

#include "kcl/kcl.h"

// Size of the root group, which must lie in the octree section; odd shifts become warnings.
bool kcl_roots_read(kcl_doc *doc, kcl_model *model, kart_error *error);

// Every path ends in a list, every list ends and names prisms that there are.
bool kcl_octree_validate(kcl_doc *doc, const kcl_model *model, kart_error *error);

// V2: every path through the global octree ends in a model or in nothing.
bool kcl_global_validate(kcl_doc *doc, kart_error *error);

#endif
