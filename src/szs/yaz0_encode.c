// Compression. The cost of a step in bits, its bit of the code byte among them, is 9 for a literal,
// 17 for a reference of two bytes and 25 for one of three: the size of a stream is their sum,
// rounded up to whole bytes. So the cheapest parse is found exactly, from the end backwards.
#include "szs/yaz0.h"

#include "core/bytes.h"
#include "szs/yaz0_match.h"

#define LITERAL_COST 9
#define TWO_COST     17
#define THREE_COST   25

// Of a search. Trees are seldom deeper: on real collision files this gives the bytes of the best.
#define DEFAULT_DEPTH 64
#define FAST_BITS     15
#define STRIDE        ((size_t)1 << 16) // positions between two looks at the cancel flag

// --- writing ----------------------------------------------------------------------------------

// Into a block that has room for literals only, the longest that a stream gets.
typedef struct emitter {
    uint8_t *out;
    size_t size;
    size_t code;  // offset of the group's code byte
    unsigned bit; // of the next step; 0: a new group begins
} emitter;

static void step_begin(emitter *e, bool literal) {
    if (e->bit == 0) {
        e->code = e->size;
        e->out[e->size++] = 0;
        e->bit = 0x80;
    }
    if (literal) e->out[e->code] = (uint8_t)(e->out[e->code] | e->bit);
    e->bit >>= 1;
}

static void literal_emit(emitter *e, uint8_t byte) {
    step_begin(e, true);
    e->out[e->size++] = byte;
}

static void reference_emit(emitter *e, size_t length, size_t distance) {
    bool two = length <= YAZ0_LENGTH_TWO_MAX;
    size_t high = two ? (length - 2) << 12 : 0;
    step_begin(e, false);
    kart_store_u16(e->out + e->size, true, (uint16_t)(high | (distance - 1)));
    e->size += 2;
    if (!two) e->out[e->size++] = (uint8_t)(length - YAZ0_LENGTH_TWO_MAX - 1);
}

// --- fast -------------------------------------------------------------------------------------

// Take what the newest position of the same hash offers, without asking what it prevents.
static bool encode_fast(kart_ctx *ctx, const uint8_t *data, size_t size, emitter *e,
                        kart_error *error) {
    size_t table_size = sizeof(uint32_t) << FAST_BITS, at = 0, look = 0;
    uint32_t *newest = kart_alloc(ctx, table_size, error); // positions from 1, 0 is none
    bool going = newest;
    while (going && at < size) {
        if (at >= look) {
            going = kart_ctx_step(ctx, (double)at / (double)size, error);
            look = at + STRIDE;
        }
        size_t most = size - at < YAZ0_LENGTH_MAX ? size - at : YAZ0_LENGTH_MAX, same = 0;
        size_t distance = 0;
        if (most >= YAZ0_LENGTH_MIN) {
            uint32_t *entry = &newest[yaz0_hash(data + at, FAST_BITS)];
            distance = at + 1 - *entry;
            if (*entry && distance <= YAZ0_DISTANCE_MAX)
                same = yaz0_common(data + at, data + at - distance, 0, most);
            *entry = (uint32_t)at + 1;
        }
        if (same < YAZ0_LENGTH_MIN) {
            literal_emit(e, data[at++]);
            continue;
        }
        reference_emit(e, same, distance);
        // The start and the end of a match are where later ones begin.
        at += same;
        if (size - at >= 1) newest[yaz0_hash(data + at - 2, FAST_BITS)] = (uint32_t)at - 1;
    }
    kart_free(ctx, newest, table_size);
    return going;
}

// --- default and best -------------------------------------------------------------------------

#define COSTS 512 // costs kept: a power of 2 above YAZ0_LENGTH_MAX

// The cheapest of the positions that a match can lead to, from so far ahead to its end. Both ends
// only ever move backwards, so a queue does it: what was entered first is furthest ahead and
// cheapest, and nothing is kept behind a position that is cheaper and stays longer, nor what no
// match reaches any more.
typedef struct window {
    size_t at[COSTS];
    size_t first, last; // the queue is at[first .. last - 1], modulo COSTS
} window;

static void window_add(window *w, const uint32_t *costs, size_t at) {
    while (w->first != w->last && w->at[w->first % COSTS] > at + YAZ0_LENGTH_MAX) w->first++;
    while (w->first != w->last && costs[w->at[(w->last - 1) % COSTS] % COSTS] > costs[at % COSTS])
        w->last--;
    w->at[w->last++ % COSTS] = at;
}

static size_t window_cheapest(window *w, size_t end) {
    while (w->at[w->first % COSTS] > end) w->first++;
    return w->at[w->first % COSTS];
}

typedef struct parser {
    uint32_t costs[COSTS]; // from a position to the end, in bits; YAZ0_SIZE_LIMIT literals fit
    window two, three;     // ends of references of two and of three bytes
} parser;

// Replace matches by the steps of a cheapest parse. That ends of matches never move forwards while
// their starts move backwards is what yaz0_matches_find promises.
static bool steps_choose(kart_ctx *ctx, size_t size, yaz0_match *steps, kart_error *error) {
    parser *p = kart_alloc(ctx, sizeof *p, error);
    bool going = p;
    for (size_t at = size; going && at-- > 0;) {
        if (at % STRIDE == 0)
            going = kart_ctx_step(ctx, 1 - YAZ0_PARSE_SHARE * (double)at / (double)size, error);
        const size_t two_min = at + YAZ0_LENGTH_MIN, three_min = at + YAZ0_LENGTH_TWO_MAX + 1;
        if (two_min <= size) window_add(&p->two, p->costs, two_min);
        if (three_min <= size) window_add(&p->three, p->costs, three_min);
        size_t end = at + steps[at].length, best = at + 1;
        uint32_t cost = p->costs[best % COSTS] + LITERAL_COST;
        if (end >= two_min) {
            size_t two_max = at + YAZ0_LENGTH_TWO_MAX;
            size_t to = window_cheapest(&p->two, end < two_max ? end : two_max);
            uint32_t other = p->costs[to % COSTS] + TWO_COST;
            if (other < cost) cost = other, best = to;
        }
        if (end >= three_min) {
            size_t to = window_cheapest(&p->three, end);
            uint32_t other = p->costs[to % COSTS] + THREE_COST;
            if (other < cost) cost = other, best = to;
        }
        p->costs[at % COSTS] = cost;
        steps[at].length = (uint16_t)(best - at);
    }
    kart_free(ctx, p, sizeof *p);
    return going;
}

static bool encode_parsed(kart_ctx *ctx, const uint8_t *data, size_t size, unsigned depth,
                          emitter *e, kart_error *error) {
    yaz0_match *steps = kart_realloc(ctx, NULL, 0, size * sizeof *steps, error);
    bool done = steps && yaz0_matches_find(ctx, data, size, depth, steps, error) &&
                steps_choose(ctx, size, steps, error);
    for (size_t at = 0; done && at < size; at += steps[at].length) {
        if (steps[at].length == 1)
            literal_emit(e, data[at]);
        else
            reference_emit(e, steps[at].length, steps[at].distance);
    }
    kart_free(ctx, steps, size * sizeof *steps);
    return done;
}

// ----------------------------------------------------------------------------------------------

uint8_t *yaz0_encode(kart_ctx *ctx, const uint8_t *data, size_t size, const yaz0_options *options,
                     size_t *out_size, kart_error *error) {
    yaz0_options o = options ? *options : (yaz0_options){0};
    if (size > YAZ0_SIZE_LIMIT) {
        kart_fail(error, KART_LIMIT, "%zu bytes are too many for Yaz0: at most %zu", size,
                  YAZ0_SIZE_LIMIT);
        return NULL;
    }
    size_t room = YAZ0_HEADER_SIZE + size + (size + 7) / 8;
    uint8_t *out = kart_realloc(ctx, NULL, 0, room, error);
    if (!out) return NULL;
    kart_store_u32(out, true, YAZ0_MAGIC);
    kart_store_u32(out + 4, true, (uint32_t)size);
    kart_store_u32(out + 8, true, o.alignment);
    kart_store_u32(out + 12, true, 0);
    emitter e = {.out = out, .size = YAZ0_HEADER_SIZE};
    unsigned depth = o.level == YAZ0_BEST ? YAZ0_DISTANCE_MAX : DEFAULT_DEPTH;
    bool done = o.level == YAZ0_FAST ? encode_fast(ctx, data, size, &e, error)
                                     : encode_parsed(ctx, data, size, depth, &e, error);
    uint8_t *exact = done ? kart_realloc(ctx, out, room, e.size, error) : NULL;
    if (!exact)
        kart_free(ctx, out, room);
    else
        *out_size = e.size;
    return exact;
}
