#include "kcl/make.h"

#include "kcl/fit.h"
#include "kcl/model.h"

#include <float.h>

#define MAX_ERROR 1.0

const char *kcl_fault_text(kcl_fault fault) {
    static const char *const texts[] = {
        [KCL_FAULT_NONE] = "none",
        [KCL_FAULT_NOT_FINITE] = "a coordinate is not finite",
        [KCL_FAULT_RANGE] = "a coordinate is beyond the range of the file's numbers",
        [KCL_FAULT_NO_AREA] = "it has no area",
        [KCL_FAULT_FAR] = "its prism would be elsewhere: it is too narrow or too large"};
    return texts[fault];
}

// --- the file ---------------------------------------------------------------------------------

typedef struct making {
    kart_ctx *ctx;
    const kcl_format *format;
    const kcl_make_input *input;
    kcl_make_options options;
    kcl_make_report *report;
    kcl_draft draft;
} making;

// A mesh that is too large for the file's numbers says so once.
static bool range_check(const making *m, kart_error *error) {
    double most = 0;
    size_t beyond = 0;
    for (size_t i = 0; i < m->input->count; i++) {
        if (m->report->faults[i] != KCL_FAULT_RANGE) continue;
        beyond++;
        for (int k = 0; k < 3; k++) {
            kart_vec3 v = m->input->corners[i][k];
            most = fmax(most, fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z))));
        }
    }
    double range = m->format->fixed ? INT32_MAX / 4096.0 : (double)FLT_MAX;
    return beyond == 0 || m->options.drop ||
           kart_fail(error, KART_LIMIT,
                     "%zu triangles are beyond the range of %s, which ends %.7g units from 0: the "
                     "mesh goes to %.7g. A scale of %.2g would do",
                     beyond, m->format->title, range, most, 0.9 * range / fmax(most, range));
}

static bool faults_check(const making *m, kart_error *error) {
    const kcl_make_report *r = m->report;
    if (!range_check(m, error)) return false;
    for (size_t i = 0; r->dropped > 0 && !m->options.drop && i < m->input->count; i++)
        if (r->faults[i] != KCL_FAULT_NONE)
            return kart_fail(error, KART_FORMAT, "triangle %zu can't be a prism: %s (%zu can't)",
                             i + 1, kcl_fault_text(r->faults[i]), r->dropped);
    return m->draft.count > 0 ||
           kart_fail(error, KART_UNSUPPORTED, "there is no triangle that could be a prism");
}

static kcl_model_input model_input(const making *m) {
    const kcl_make_options *o = &m->options;
    return (kcl_model_input){.thickness = o->thickness,
                             .radius = o->radius,
                             .extra = o->extra_data ? o->extra_data + o->extra.start : NULL,
                             .extra_size = o->extra_data ? o->extra.end - o->extra.start : 0,
                             .later = o->later,
                             .octree = &o->octree};
}

// A file of one model, with all prisms in their order.
static bool file_write(making *m, kart_writer *w, kart_error *error) {
    const kcl_draft *d = &m->draft;
    kcl_make_report *r = m->report;
    if (!kcl_model_fits(d->count, d->positions.count, d->normals.count, error)) return false;
    uint32_t *chosen = kart_alloc(m->ctx, d->count * sizeof *chosen, error);
    for (size_t i = 0; chosen && i < d->count; i++) chosen[i] = (uint32_t)i;
    kcl_model_input input = model_input(m);
    input.chosen = chosen;
    input.count = d->count;
    r->models = 1;
    bool done = chosen && kcl_model_write(d, &input, w, &r->octree, error);
    kart_free(m->ctx, chosen, d->count * sizeof *chosen);
    return done;
}

// A file of as many models as it takes.
static bool models_write(making *m, kart_writer *w, kart_error *error) {
    const kcl_split_limits limits = kcl_split_limits_of(&m->options.octree);
    const kcl_model_input input = model_input(m);
    const kcl_draft *d = &m->draft;
    kcl_make_report *r = m->report;
    kcl_split split;
    bool done = m->options.later
                    ? kcl_split_plain(&split, d, &limits, error)
                    : kcl_split_make(&split, d, input.thickness, input.radius, &limits, error);
    done = done && kcl_models_write(d, &split, &input, w, &r->octree, error);
    r->models = split.parts_count;
    for (size_t i = 0; i < split.parts_count; i++) r->copies += split.parts[i].count;
    r->copies -= d->count;
    kcl_split_free(&split);
    return done;
}

// What is more than 16 bits count is shared.
static bool draft_fit(making *m, kart_error *error) {
    const kcl_draft *d = &m->draft;
    double max_error = m->options.max_error < (double)INFINITY ? m->options.max_error : MAX_ERROR;
    return m->format->v2 || d->normals.count <= KCL_POOL_LIMIT || d->count > KCL_PRISMS_LIMIT ||
           kcl_draft_fit(&m->draft, m->input->corners, KCL_POOL_LIMIT, max_error, m->report, error);
}

static kcl_doc *make(making *m, kart_error *error) {
    kcl_make_report *r = m->report;
    size_t count = m->input->count, size;
    r->faults = kart_alloc(m->ctx, count * sizeof *r->faults, error);
    if (!r->faults || !kcl_draft_init(m->ctx, &m->draft, m->format, count, error) ||
        !kcl_draft_add(&m->draft, m->input, m->options.max_error, r, error) ||
        !faults_check(m, error) || !draft_fit(m, error))
        return NULL;
    r->positions = m->draft.positions.count;
    r->normals = m->draft.normals.count;
    kart_writer w = kart_writer_make(m->ctx, m->format->big);
    bool written = m->format->v2 ? models_write(m, &w, error) : file_write(m, &w, error);
    uint8_t *bytes = written ? kart_writer_take(&w, &size, error) : NULL;
    kart_writer_free(&w);
    kcl_doc *doc = bytes ? kcl_parse(m->ctx, bytes, size, m->format->game, error) : NULL;
    kart_free(m->ctx, bytes, bytes ? size : 0);
    if (doc) doc->stale = m->options.later;
    return doc;
}

kcl_doc *kcl_make(kart_ctx *ctx, const kcl_format *format, const kcl_make_input *input,
                  const kcl_make_options *options, kcl_make_report *report, kart_error *error) {
    *report = (kcl_make_report){0};
    making m = {.ctx = ctx,
                .format = format,
                .input = input,
                .report = report,
                .options = options ? *options : (kcl_make_options){0},
                .draft = {.ctx = ctx}};
    if (m.options.thickness == 0) m.options.thickness = format->thickness;
    if (m.options.radius == 0) m.options.radius = format->radius;
    if (m.options.radius < 0) m.options.radius = 0;
    if (m.options.max_error == 0) m.options.max_error = MAX_ERROR;
    kcl_doc *doc = make(&m, error);
    kcl_draft_free(&m.draft);
    return doc;
}
