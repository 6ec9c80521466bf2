// Rules for KCL documents.
#ifndef KCL_CHECK_H
#define KCL_CHECK_H

#include "core/rule.h"
#include "kcl/kcl.h"

// Check the document by all rules and add what is found to `findings`, which the caller owns. False
// with error memory, limit or cancelled.
bool kcl_check(const kcl_doc *doc, kart_findings *findings, kart_error *error);

const kart_rule *kcl_rule_at(size_t index); // NULL after the last

#endif
