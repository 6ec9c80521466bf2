// Models of documents: copied but for their octrees, and what new ones take over from them.
#include "kcl/model.h"

static void section_copy(const kcl_doc *doc, kart_writer *out, size_t start, size_t index,
                         kcl_range range, size_t size, const void *added, size_t added_size) {
    const kcl_format *f = doc->format;
    // Before version 2 the offset of prisms is that of one before the first.
    size_t offset = out->size - start - (index == 2 && !f->v2 ? 0x10 : 0);
    kart_write_bytes(out, doc->data + range.start, size);
    if (added_size > 0) kart_write_bytes(out, added, added_size);
    if (!out->failed) kart_store_u32(out->data + start + 4 * index, f->big, (uint32_t)offset);
}

void kcl_sections_copy(const kcl_doc *doc, const kcl_model *m, const kcl_additions *added,
                       kart_writer *out) {
    const kcl_format *f = doc->format;
    const kcl_additions none = {.prisms = {.size = 0}};
    const kcl_range *all[] = {&m->positions, &m->normals, &m->prisms, &m->octree};
    size_t start = out->size, first = m->range.end, last = 0;
    for (size_t i = 0; i < 4; i++) {
        if (all[i]->start < first) first = all[i]->start;
        if (i < 3 && all[i]->end > last) last = all[i]->end;
    }
    if (!added && m->octree.start >= last) {
        kart_write_bytes(out, doc->data + m->range.start, m->octree.start - m->range.start);
        return;
    }
    if (!added) added = &none;
    kart_write_bytes(out, doc->data + m->range.start, first - m->range.start);
    size_t entry = kcl_position_size(f);
    section_copy(doc, out, start, 0, m->positions, m->positions_count * entry,
                 added->positions.bytes, added->positions.count * entry);
    entry = kcl_normal_size(f);
    section_copy(doc, out, start, 1, m->normals, m->normals_count * entry, added->normals.bytes,
                 added->normals.count * entry);
    kart_write_align(out);
    section_copy(doc, out, start, 2, m->prisms, m->prisms_count * kcl_prism_size(f),
                 added->prisms.data, added->prisms.size);
}

void kcl_octree_append(const kcl_format *f, const kcl_octree *octree, size_t start,
                       kart_writer *out) {
    kart_write_align(out);
    uint32_t place = (uint32_t)(out->size - start);
    kart_write_bytes(out, octree->bytes, octree->size);
    if (out->failed) return;
    kart_store_u32(out->data + start + 0x0C, f->big, place);
    kcl_octree_store(f, octree, out->data + start);
}

kcl_range kcl_extra_find(const kcl_doc *doc) {
    const kcl_model *m = doc->models;
    const size_t starts[] = {m->positions.start, m->normals.start, m->prisms.start,
                             m->octree.start};
    size_t header = kcl_header_size(doc->format), first = doc->size;
    for (size_t i = 0; i < 4; i++)
        if (starts[i] < first) first = starts[i];
    return (kcl_range){header, first > header && !doc->format->v2 ? first : header};
}

// --- thickness and radius ---------------------------------------------------------------------

// The models with the largest ones.
static void limits_largest(const kcl_doc *doc, const kcl_model **thickness,
                           const kcl_model **radius) {
    *thickness = *radius = doc->models;
    for (size_t i = 1; i < doc->models_count; i++) {
        const kcl_model *m = &doc->models[i];
        if (m->thickness > (*thickness)->thickness) *thickness = m;
        if (m->radius > (*radius)->radius) *radius = m;
    }
}

bool kcl_limits_find(const kcl_doc *doc, double *thickness, double *radius) {
    const kcl_model *thick, *wide;
    limits_largest(doc, &thick, &wide);
    if (thickness) *thickness = thick->thickness;
    if (radius) *radius = wide->radius;
    for (size_t i = 0; i < doc->models_count; i++)
        if (doc->models[i].thickness < thick->thickness || doc->models[i].radius < wide->radius)
            return true;
    return false;
}

bool kcl_limits_warn(kcl_doc *doc, bool differ, kart_error *error) {
    return !differ || kcl_warn(doc, KART_WARNING, "limits-differ", KART_NO_INDEX, "", error,
                               "models had different thickness or radius: all have the largest "
                               "ones now");
}

void kcl_limits_keep(const kcl_doc *doc, kcl_model *model, uint8_t *data) {
    const kcl_model *thick, *wide;
    limits_largest(doc, &thick, &wide);
    uint8_t *header = data + model->range.start;
    for (size_t i = 0; i < 4; i++) header[0x10 + i] = doc->data[thick->range.start + 0x10 + i];
    model->thickness = thick->thickness;
    if (!doc->format->has_radius) return;
    for (size_t i = 0; i < 4; i++) header[0x38 + i] = doc->data[wide->range.start + 0x38 + i];
    model->radius = wide->radius;
}
