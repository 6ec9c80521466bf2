#include "kmp/laps.h"

#include "core/array.h"

// ---- Counting ----

// The engine's own numbers: the completion that a race starts with, the largest one shown of a lap,
// and the change between two checkpoints that it takes for a crossing of the line.
#define START_COMPLETION 0.999999
#define MOST_COMPLETION  0.99999
#define LINE_CHANGE      0.95

kmp_racer kmp_racer_start(kmp_track *track, kart_vec3 position) {
    kmp_racer racer = {.completion = START_COMPLETION, .max_key = track->last_key, .factor = -1};
    double ratio;
    size_t found = kmp_track_find(track, 0, position, &ratio);
    if (found != KMP_NOWHERE) racer.checkpoint = found;
    return racer;
}

static void racer_enter(const kmp_track *track, kmp_racer *racer, size_t entered, double ratio) {
    const kmp_checkpoint *old = &track->checkpoints[racer->checkpoint];
    const kmp_checkpoint *new = &track->checkpoints[entered];
    double completion = new->base + ratio *new->factor;
    double drop = racer->completion - completion;
    if (new->type != -1) {
        if (new->type > racer->max_key) {
            racer->max_key = new->type;
        } else if (racer->max_key == track->last_key &&
                   ((new->type == 0 && kmp_track_leads(track, racer->checkpoint, entered)) ||
                    drop > LINE_CHANGE)) {
            racer->lap++;
            racer->max_key = 0;
        }
    }
    if ((old->type == 0 && kmp_track_leads(track, entered, racer->checkpoint)) ||
        drop < -LINE_CHANGE) {
        racer->lap--;
        racer->max_key = track->last_key;
    }
    racer->checkpoint = entered;
    racer->base = new->base;
    racer->factor = new->factor;
    racer->completion = completion;
}

bool kmp_racer_step(kmp_track *track, kmp_racer *racer, kart_vec3 position) {
    double ratio;
    size_t found = kmp_track_find(track, racer->checkpoint, position, &ratio);
    if (found == KMP_NOWHERE) return false;
    if (racer->factor < 0 || found != racer->checkpoint) racer_enter(track, racer, found, ratio);
    racer->race_completion =
        racer->lap + fmin(racer->base + racer->factor * ratio, MOST_COMPLETION);
    return true;
}

const char *kmp_lap_event_name(kmp_lap_event_kind kind) {
    static const char *const names[] = {
        [KMP_LAP_CHECKPOINT] = "checkpoint", [KMP_LAP_KEY] = "key",   [KMP_LAP_UP] = "lap",
        [KMP_LAP_DOWN] = "lap_back",         [KMP_LAP_JUMP] = "jump", [KMP_LAP_LOST] = "lost",
        [KMP_LAP_FOUND] = "found",
    };
    return names[kind];
}

// ---- The enemy route ----

#define ROUTE_LINKS 6 // next groups of a group

// A group of enemy points with what reaches past the last point cut off.
typedef struct route_group {
    size_t first, length;
    size_t next_count, next[ROUTE_LINKS]; // groups that aren't empty
    size_t entered;                       // how often
} route_group;

typedef struct route {
    const kmp_doc *doc;
    route_group *groups;
    size_t count;
    size_t group, point; // where the driver heads for; the point counts within the group
} route;

static kart_vec3 route_position(const route *r, size_t group, size_t point) {
    return kmp_vec(r->doc, KMP_ENPT, r->groups[group].first + point, "position");
}

static void route_read(route *r) {
    const kmp_doc *doc = r->doc;
    size_t points = doc->tables[KMP_ENPT].count;
    for (size_t i = 0; i < r->count; i++) {
        route_group *g = &r->groups[i];
        g->first = (size_t)kmp_int(doc, KMP_ENPH, i, "start", 0);
        g->length = (size_t)kmp_int(doc, KMP_ENPH, i, "length", 0);
        size_t left = g->first < points ? points - g->first : 0;
        if (g->length > left) g->length = left;
    }
    const kmp_field *field = kmp_field_find(doc->tables[KMP_ENPH].schema->fields, "next");
    for (size_t i = 0; i < r->count; i++) {
        route_group *g = &r->groups[i];
        for (size_t slot = 0; slot < ROUTE_LINKS; slot++) {
            size_t to = kmp_ref(doc, kmp_row(doc, KMP_ENPH, i), field, slot);
            if (to < r->count && r->groups[to].length > 0) g->next[g->next_count++] = to;
        }
    }
}

// Head for the point nearest to the start, of those ahead of it or of all. Returns false if there
// is none at a distance that is a number.
static bool route_enter(route *r, kart_vec3 start, kart_vec3 forward, bool ahead) {
    double best = HUGE_VAL;
    for (size_t i = 0; i < r->count; i++) {
        for (size_t point = 0; point < r->groups[i].length; point++) {
            kart_vec3 way = vec3_sub(route_position(r, i, point), start);
            double distance = vec3_dot(way, way);
            if (!(distance < best)) continue;
            if (ahead && !(way.x * forward.x + way.z * forward.z > 0)) continue;
            best = distance;
            r->group = i;
            r->point = point;
        }
    }
    if (best < HUGE_VAL) r->groups[r->group].entered++;
    return best < HUGE_VAL;
}

// Head for the next point; false where the route ends.
static bool route_next(route *r) {
    const route_group *g = &r->groups[r->group];
    if (++r->point < g->length) return true;
    size_t best = KMP_NOWHERE;
    for (size_t i = 0; i < g->next_count; i++) {
        size_t to = g->next[i];
        if (to == r->group) continue;
        if (best == KMP_NOWHERE || r->groups[to].entered < r->groups[best].entered) best = to;
    }
    if (best == KMP_NOWHERE && g->next_count > 0) best = r->group; // linked to itself only
    if (best == KMP_NOWHERE) return false;
    r->group = best;
    r->point = 0;
    r->groups[best].entered++;
    return true;
}

// ---- The drive ----

#define STEPS_PER_CHECK 256 // steps between two looks at the cancel flag

typedef struct drive {
    kart_ctx *ctx;
    kmp_lap_options options; // without defaults
    kmp_track *track;
    route route;
    kmp_racer racer;
    kart_vec3 at;
    bool lost; // no checkpoint was found the step before
    kmp_lap_result *result;
} drive;

static bool event_add(drive *d, kmp_lap_event_kind kind, double change, kart_error *error) {
    kmp_lap_result *result = d->result;
    kmp_lap_event *events = kart_array_grow(d->ctx, result->events, &result->events_capacity,
                                            result->events_count + 1, sizeof *events, error);
    if (!events) return false;
    result->events = events;
    events[result->events_count++] = (kmp_lap_event){
        .kind = kind,
        .step = result->steps,
        .position = d->at,
        .checkpoint = d->racer.checkpoint,
        .lap = d->racer.lap,
        .max_key = d->racer.max_key,
        .completion = d->racer.race_completion - d->racer.lap,
        .change = change,
    };
    if (kind == KMP_LAP_JUMP) result->jumps++;
    if (kind == KMP_LAP_LOST) result->lost++;
    return true;
}

// Did the racer cross the lap line, counted or not, or does the engine take it for that?
static bool crossed_line(const drive *d, const kmp_racer *before, double change) {
    const kmp_racer *after = &d->racer;
    const kmp_checkpoint *from = &d->track->checkpoints[before->checkpoint];
    const kmp_checkpoint *to = &d->track->checkpoints[after->checkpoint];
    return before->lap != after->lap || fabs(change) > LINE_CHANGE ||
           (to->type == 0 && kmp_track_leads(d->track, before->checkpoint, after->checkpoint)) ||
           (from->type == 0 && kmp_track_leads(d->track, after->checkpoint, before->checkpoint));
}

// Count at the driver's position and note what happened.
static bool drive_count(drive *d, kart_error *error) {
    kmp_racer before = d->racer;
    bool was_lost = d->lost, begun = before.factor >= 0;
    d->lost = !kmp_racer_step(d->track, &d->racer, d->at);
    const kmp_racer *after = &d->racer;
    if (d->lost) return was_lost || event_add(d, KMP_LAP_LOST, 0, error);
    if (was_lost && !event_add(d, KMP_LAP_FOUND, 0, error)) return false;
    double change = (after->race_completion - after->lap) - (before.race_completion - before.lap);
    int type = d->track->checkpoints[after->checkpoint].type;
    if (after->checkpoint != before.checkpoint && !event_add(d, KMP_LAP_CHECKPOINT, 0, error))
        return false;
    if (type > before.max_key && !event_add(d, KMP_LAP_KEY, 0, error)) return false;
    if (after->lap > before.lap && !event_add(d, KMP_LAP_UP, 0, error)) return false;
    if (after->lap < before.lap && !event_add(d, KMP_LAP_DOWN, 0, error)) return false;
    if (begun && fabs(change) > d->options.jump && !crossed_line(d, &before, change))
        return event_add(d, KMP_LAP_JUMP, change, error);
    return true;
}

// A step towards the point that the driver heads for. Returns true on arrival.
static bool drive_move(drive *d) {
    kart_vec3 target = route_position(&d->route, d->route.group, d->route.point);
    kart_vec3 way = vec3_sub(target, d->at);
    double length = vec3_length(way), step = d->options.step;
    bool arrives = !(length > step); // also where the distance is not a number: such points end
    d->at = arrives ? target : vec3_add(d->at, vec3_scale(way, step / length));
    if (isfinite(length)) d->result->distance += arrives ? length : step;
    return arrives;
}

static const char *drive_stops(const drive *d) {
    const kmp_lap_result *result = d->result;
    if (result->steps >= d->options.max_steps) return "the limit of steps is reached";
    if (result->events_count >= KMP_LAP_EVENTS_LIMIT) return "the limit of events is reached";
    if (d->track->visits >= KMP_LAP_VISITS_LIMIT)
        return "the limit of checkpoints looked at is reached";
    return NULL;
}

static bool drive_run(drive *d, kart_error *error) {
    kmp_lap_result *result = d->result;
    int best = 0;
    for (;;) {
        if (!drive_count(d, error)) return false;
        if (d->racer.lap > best) best = d->racer.lap;
        result->finished = d->racer.lap > d->options.laps;
        if (result->finished) return true;
        result->stopped = drive_stops(d);
        if (result->stopped) return true;
        if (result->steps % STEPS_PER_CHECK == 0 &&
            !kart_ctx_step(d->ctx, best / (d->options.laps + 1.0), error))
            return false;
        result->steps++;
        if (drive_move(d) && !route_next(&d->route)) {
            result->stopped = "the enemy route ends";
            return drive_count(d, error);
        }
    }
}

static kmp_lap_options options_complete(const kmp_lap_options *given) {
    kmp_lap_options o = given ? *given : (kmp_lap_options){0};
    if (o.laps <= 0) o.laps = 3;
    if (o.laps > 1000000) o.laps = 1000000;
    if (!(o.step > 0)) o.step = 100;
    if (!(o.jump > 0)) o.jump = 0.2;
    if (o.max_steps == 0) o.max_steps = 200000;
    return o;
}

// The driver at the start, its route and its track are ready.
static bool drive_start(drive *d, kart_error *error) {
    const kmp_doc *doc = d->route.doc;
    kart_affine facing = kart_affine_euler(kmp_vec(doc, KMP_KTPT, 0, "rotation"));
    kart_vec3 forward = {facing.m[0][2], facing.m[1][2], facing.m[2][2]};
    d->at = kmp_vec(doc, KMP_KTPT, 0, "position");
    route_read(&d->route);
    if (!route_enter(&d->route, d->at, forward, true) &&
        !route_enter(&d->route, d->at, forward, false))
        return kart_fail(error, KART_UNSUPPORTED, "no enemy point can be reached from the start");
    d->racer = kmp_racer_start(d->track, d->at);
    return true;
}

bool kmp_laps_simulate(const kmp_doc *doc, const kmp_lap_options *options, kmp_lap_result *result,
                       kart_error *error) {
    *result = (kmp_lap_result){0};
    drive d = {
        .ctx = doc->ctx,
        .options = options_complete(options),
        .route = {.doc = doc, .count = doc->tables[KMP_ENPH].count},
        .result = result,
    };
    d.track = kmp_track_new(doc, error);
    if (!d.track) return false;
    bool done = false;
    if (doc->tables[KMP_KTPT].count == 0)
        kart_fail(error, KART_UNSUPPORTED, "the course has no start position");
    else if (d.route.count == 0)
        kart_fail(error, KART_UNSUPPORTED, "the course has no enemy route");
    else
        d.route.groups = kart_alloc(doc->ctx, d.route.count * sizeof *d.route.groups, error);
    if (d.route.groups) {
        done = drive_start(&d, error) && drive_run(&d, error);
        kart_free(doc->ctx, d.route.groups, d.route.count * sizeof *d.route.groups);
    }
    result->visits = d.track->visits;
    result->completion = d.racer.race_completion;
    result->laps = d.racer.lap > 1 ? d.racer.lap - 1 : 0;
    kmp_track_free(d.track);
    if (!done) kmp_lap_result_free(doc->ctx, result);
    return done;
}

void kmp_lap_result_free(kart_ctx *ctx, kmp_lap_result *result) {
    kart_free(ctx, result->events, result->events_capacity * sizeof *result->events);
    *result = (kmp_lap_result){0};
}
