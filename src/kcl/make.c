#include "kcl/make.h"

#include "kcl/draft_write.h"
#include "kcl/fit.h"

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
    const kcl_model_input input = model_input(m);
    kcl_written written;
    uint8_t *bytes = kcl_draft_write(&m->draft, &input, &size, &written, error);
    r->octree = written.octree;
    r->models = written.models;
    r->copies = written.copies;
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
