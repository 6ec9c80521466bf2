// Rules for AGP documents.
#ifndef AGP_CHECK_H
#define AGP_CHECK_H

#include "agp/agp.h"
#include "core/rule.h"

// Check the document by all rules and add what is found to `findings`, which the caller owns. False
// with error memory, limit or cancelled.
bool agp_check(const agp_doc *doc, kart_findings *findings, kart_error *error);

const kart_rule *agp_rule_at(size_t index); // NULL after the last

#endif
