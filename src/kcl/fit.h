// Internal to src/kcl: fewer normals than triangles ask for, at the least error.
//
// A prism is four planes. Their offsets are its own: corner A and the height. Only their directions
// are shared, and each may be off as far as the corners allow: much where a triangle is small,
// hardly where an edge is long. So the narrow ones keep theirs, and others make do with these.
#ifndef KCL_FIT_H
#define KCL_FIT_H

#include "kcl/draft.h"

// An edge normal is never tilted against its face by more: |edge . face|.
#define KCL_FIT_TILT 1e-3

// Make the prisms of a draft do with at most `most` normals, so that the worst corner is off by as
// little as can be found: pools, numbers, heights and corners are new, the rest stays. There may be
// more positions than before, but never more than prisms. `triangles`: what they were drafted from.
// Sets shared, worst, worst_at, visible, turned and tilted of the report.
//
// False with error limit if a corner would be off by more than `max_error` and more than in the
// draft, memory or cancelled; the draft is as it was then.
bool kcl_draft_fit(kcl_draft *draft, const kart_vec3 (*triangles)[3], size_t most, double max_error,
                   kcl_make_report *report, kart_error *error);

#endif
