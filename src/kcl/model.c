#include "kcl/model.h"

#include <string.h>

#define FILE_HEADER 0x38 // bytes of it

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
    kart_write_align(out);
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

// --- files of version 2 -----------------------------------------------------------------------

static void file_header_store(const kcl_split *s, size_t triangles, size_t table,
                              kart_writer *writer) {
    static const uint8_t version[4] = {2, 2, 0, 0};
    uint8_t *out = writer->data;
    bool big = writer->big;
    memcpy(out, version, sizeof version);
    kart_store_u32(out + 0x04, big, FILE_HEADER);
    kart_store_u32(out + 0x08, big, (uint32_t)table);
    kart_store_u32(out + 0x0C, big, (uint32_t)s->parts_count);
    for (size_t i = 0; i < 3; i++) {
        kart_store_f32(out + 0x10 + 4 * i, big, (float)s->min[i]);
        kart_store_f32(out + 0x1C + 4 * i, big, (float)s->max[i]);
        kart_store_u32(out + 0x28 + 4 * i, big, s->shift[i]);
    }
    kart_store_u32(out + 0x34, big, (uint32_t)triangles);
}

static void octree_join(kcl_octree *sum, const kcl_octree *one) {
    sum->size += one->size;
    sum->left_out += one->left_out;
    sum->nodes += one->nodes;
    sum->lists += one->lists;
    if (one->longest > sum->longest) sum->longest = one->longest;
}

// The share of a budget for all octrees that goes to a part.
static size_t part_budget(size_t budget, const kcl_part *part, size_t all) {
    return (size_t)((double)budget * ((double)part->count / (double)all));
}

bool kcl_share_fail(kart_error *error, size_t model, size_t models, size_t budget) {
    if (!error || error->code != KART_LIMIT || budget == 0) return false;
    const kart_error why = *error;
    return kart_fail(error, KART_LIMIT, "model %zu of %zu: %s, its share of %zu", model + 1, models,
                     why.what, budget);
}

bool kcl_models_write(const kcl_draft *d, const kcl_split *s, const kcl_model_input *input,
                      kart_writer *w, kcl_octree *sum, kart_error *error) {
    *sum = (kcl_octree){0};
    kart_write_zeros(w, FILE_HEADER);
    if (!kcl_split_write(s, w, error)) return false;
    size_t table = w->size, all = 0;
    kart_write_zeros(w, 4 * s->parts_count);
    for (size_t i = 0; i < s->parts_count; i++) all += s->parts[i].count;
    for (size_t i = 0; i < s->parts_count; i++) {
        const kcl_part *part = &s->parts[i];
        kcl_build_options options = *input->octree;
        kcl_model_input one = *input;
        kcl_octree octree;
        options.budget = part_budget(options.budget, part, all);
        options.wanted = part_budget(options.wanted, part, all);
        one.chosen = part->chosen;
        one.count = part->count;
        one.within = &part->box;
        one.octree = &options;
        kart_write_align(w);
        if (!w->failed) kart_store_u32(w->data + table + 4 * i, w->big, (uint32_t)w->size);
        if (!kcl_model_write(d, &one, w, &octree, error))
            return kcl_share_fail(error, i, s->parts_count, input->octree->budget);
        octree_join(sum, &octree);
    }
    if (!w->failed) file_header_store(s, d->count, table, w);
    if (w->failed && error) *error = w->error;
    return !w->failed;
}
