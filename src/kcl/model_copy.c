// Models of documents, copied but for their octrees.
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

static void pad(kart_writer *out) { kart_write_zeros(out, (4 - out->size % 4) % 4); }

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
    pad(out);
    section_copy(doc, out, start, 2, m->prisms, m->prisms_count * kcl_prism_size(f),
                 added->prisms.data, added->prisms.size);
}

void kcl_octree_append(const kcl_format *f, const kcl_octree *octree, size_t start,
                       kart_writer *out) {
    pad(out);
    uint32_t place = (uint32_t)(out->size - start);
    kart_write_bytes(out, octree->bytes, octree->size);
    if (out->failed) return;
    kart_store_u32(out->data + start + 0x0C, f->big, place);
    kcl_octree_store(f, octree, out->data + start);
}
