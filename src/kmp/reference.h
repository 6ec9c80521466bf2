// References between records.
#ifndef KMP_REFERENCE_H
#define KMP_REFERENCE_H

#include "kmp/kmp.h"

// Warn about every reference that means something where it stands and points at nothing.
bool kmp_references_check(kmp_doc *doc, kart_error *error);

#endif
