#include "kcl/model.h"

#include <string.h>

// A model under construction: its own numbers of the positions and normals of the draft.
typedef struct writing {
    const kcl_draft *draft;
    const kcl_model_input *input;
    kart_writer *writer;
    uint32_t *position, *normal; // by number in the draft: the model's + 1, 0: none yet
    kart_writer positions, normals, prisms;
    size_t positions_count, normals_count;
    kart_vec3 (*corners)[3];
} writing;

bool kcl_model_fits(size_t prisms, size_t positions, size_t normals, kart_error *error) {
    const struct {
        const char *what;
        size_t count, most;
    } limits[] = {{"prisms", prisms, KCL_PRISMS_LIMIT},
                  {"positions", positions, KCL_POOL_LIMIT},
                  {"normals", normals, KCL_POOL_LIMIT}};
    for (size_t i = 0; i < 3; i++)
        if (limits[i].count > limits[i].most)
            return kart_fail(error, KART_LIMIT, "%zu %s, %zu more than the format can count",
                             limits[i].count, limits[i].what, limits[i].count - limits[i].most);
    return true;
}

static uint32_t take(const kcl_pool *pool, uint32_t number, uint32_t *numbers, size_t *count,
                     kart_writer *out) {
    if (numbers[number] == 0) {
        kart_write_bytes(out, kcl_pool_get(pool, number), pool->entry);
        numbers[number] = (uint32_t)++ * count;
    }
    return numbers[number] - 1;
}

static void prism_write(writing *w, const kcl_draft_prism *prism) {
    kart_write_bytes(&w->prisms, prism->height, 4);
    // What is beyond 16 bits is not written in the end.
    kart_write_u16(&w->prisms, (uint16_t)take(&w->draft->positions, prism->position, w->position,
                                              &w->positions_count, &w->positions));
    for (size_t i = 0; i < KCL_NORMALS; i++)
        kart_write_u16(&w->prisms, (uint16_t)take(&w->draft->normals, prism->normal[i], w->normal,
                                                  &w->normals_count, &w->normals));
    kart_write_u16(&w->prisms, prism->flag);
    if (w->draft->format->v2) kart_write_u32(&w->prisms, prism->triangle);
}

void kcl_octree_store(const kcl_format *f, const kcl_octree *octree, uint8_t *header) {
    for (size_t i = 0; i < 3; i++) {
        kcl_store_number(f, header + 0x14 + 4 * i, octree->min[i]);
        kart_store_u32(header + 0x20 + 4 * i, f->big, octree->mask[i]);
    }
    kart_store_u32(header + 0x2C, f->big, octree->shift);
    kart_store_u32(header + 0x30, f->big, octree->x_shift);
    kart_store_u32(header + 0x34, f->big, octree->xy_shift);
}

static void align(kart_writer *w) { kart_write_zeros(w, (4 - w->size % 4) % 4); }

static void sections_write(writing *w, const kcl_octree *octree) {
    const kcl_format *f = w->draft->format;
    const kcl_model_input *input = w->input;
    kart_writer *out = w->writer;
    size_t start = out->size, places[4];
    kart_write_zeros(out, kcl_header_size(f));
    if (input->extra_size) kart_write_bytes(out, input->extra, input->extra_size);
    places[0] = out->size - start;
    kart_write_bytes(out, w->positions.data, w->positions.size);
    places[1] = out->size - start;
    kart_write_bytes(out, w->normals.data, w->normals.size);
    align(out);
    // Before version 2 as if there were a prism before the first.
    places[2] = out->size - start - (f->v2 ? 0 : 0x10);
    kart_write_bytes(out, w->prisms.data, w->prisms.size);
    places[3] = out->size - start;
    kart_write_bytes(out, octree->bytes, octree->size);
    if (out->failed) return;
    uint8_t *header = out->data + start;
    for (size_t i = 0; i < 4; i++) kart_store_u32(header + 4 * i, f->big, (uint32_t)places[i]);
    kcl_store_number(f, header + 0x10, input->thickness);
    kcl_octree_store(f, octree, header);
    if (f->has_radius) kcl_store_number(f, header + 0x38, input->radius);
}

static bool model_write(writing *w, kcl_octree *octree, kart_error *error) {
    const kcl_draft *d = w->draft;
    const kcl_model_input *input = w->input;
    for (size_t i = 0; i < input->count; i++) {
        prism_write(w, &d->prisms[input->chosen[i]]);
        memcpy(w->corners[i], d->corners[input->chosen[i]], sizeof *w->corners);
    }
    if (!kcl_model_fits(input->count, w->positions_count, w->normals_count, error)) return false;
    const kart_writer *const parts[] = {&w->positions, &w->normals, &w->prisms};
    for (size_t i = 0; i < 3; i++)
        if (parts[i]->failed) {
            if (error) *error = parts[i]->error;
            return false;
        }
    const kcl_build_input build = {.corners = (const kart_vec3(*)[3])w->corners,
                                   .count = input->count,
                                   .thickness = input->thickness,
                                   .radius = input->radius,
                                   .within = input->within};
    if (input->later ? !kcl_octree_blank(d->ctx, d->format, octree, error)
                     : !kcl_octree_build(d->ctx, d->format, &build, input->octree, octree, error))
        return false;
    sections_write(w, octree);
    kcl_octree_free(d->ctx, octree);
    if (w->writer->failed && error) *error = w->writer->error;
    return !w->writer->failed;
}

bool kcl_model_write(const kcl_draft *d, const kcl_model_input *input, kart_writer *writer,
                     kcl_octree *octree, kart_error *error) {
    kart_ctx *ctx = d->ctx;
    bool big = d->format->big;
    writing w = {.draft = d,
                 .input = input,
                 .writer = writer,
                 .positions = kart_writer_make(ctx, big),
                 .normals = kart_writer_make(ctx, big),
                 .prisms = kart_writer_make(ctx, big)};
    size_t positions = d->positions.count * sizeof *w.position;
    size_t normals = d->normals.count * sizeof *w.normal;
    size_t corners = input->count * sizeof *w.corners;
    w.position = kart_alloc(ctx, positions, error);
    w.normal = w.position ? kart_alloc(ctx, normals, error) : NULL;
    w.corners = w.normal ? kart_alloc(ctx, corners, error) : NULL;
    bool done = w.corners && model_write(&w, octree, error);
    kart_writer_free(&w.prisms);
    kart_writer_free(&w.normals);
    kart_writer_free(&w.positions);
    kart_free(ctx, w.corners, corners);
    kart_free(ctx, w.normal, normals);
    kart_free(ctx, w.position, positions);
    return done;
}
