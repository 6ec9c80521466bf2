// Methods of kart.kcl documents about their octrees: building, proving, measuring.
#include "bind/bind.h"

#include "kcl/rebuild.h"

#include <string.h>

#define SAMPLES_MOST 1e8
#define BUDGET_MOST  1e9

// --- options ----------------------------------------------------------------------------------

// A number from the table at index 2; 0 if there is none.
static double option_from(lua_State *L, const char *name, double low, double high) {
    double value = bind_option_number(L, 2, name, low);
    if (!(value >= low && value <= high))
        luaL_argerror(L, 2,
                      lua_pushfstring(L, "option '%s': expected a number from %d to %d", name,
                                      (int)low, (int)high));
    return isnan(bind_option_number(L, 2, name, (double)NAN)) ? 0 : value;
}

static size_t option_whole(lua_State *L, const char *name, double low, double high) {
    double value = option_from(L, name, low, high);
    if (value != floor(value))
        luaL_argerror(L, 2, lua_pushfstring(L, "option '%s': expected a whole number", name));
    return (size_t)value;
}

static kcl_goal option_goal(lua_State *L) {
    static const char *const names[] = {
        [KCL_BALANCED] = "balanced", [KCL_SIZE] = "size", [KCL_SPEED] = "speed"};
    if (!lua_istable(L, 2) || lua_getfield(L, 2, "goal") == LUA_TNIL) return KCL_BALANCED;
    const char *name = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
    for (int i = 0; i < 3; i++)
        if (strcmp(names[i], name) == 0) return (kcl_goal)i;
    luaL_argerror(L, 2, "option 'goal': expected \"balanced\", \"size\" or \"speed\"");
    return KCL_BALANCED;
}

// The options of builders in the table at index 2.
static kcl_build_options build_options(lua_State *L) {
    kcl_build_options o = {.goal = option_goal(L),
                           .budget = option_whole(L, "budget", 1, BUDGET_MOST),
                           .smallest = (uint32_t)option_whole(L, "smallest", 1, 1 << 20),
                           .longest = option_whole(L, "longest", 1, KCL_PRISMS_LIMIT),
                           .roots = option_whole(L, "roots", 1, 1 << 20),
                           .by_area = option_from(L, "by_area", 0, 1)};
    o.has_by_area = !isnan(bind_option_number(L, 2, "by_area", (double)NAN));
    if (o.smallest & (o.smallest - 1))
        luaL_argerror(L, 2, "option 'smallest': expected a power of two");
    return o;
}

// --- methods ----------------------------------------------------------------------------------

bool bind_kcl_build(lua_State *L, int index, kart_error *error) {
    kcl_doc *doc = bind_check_kcl(L, index);
    return !doc->stale || doc->format->v2 || kcl_rebuild(doc, NULL, error);
}

// Of the document at index 1, with an octree that fits; raises nothing, fails where there is none.
static const kcl_doc *built(lua_State *L, kart_error *error) {
    if (!bind_kcl_build(L, 1, error)) return NULL;
    const kcl_doc *doc = bind_check_kcl(L, 1);
    if (!doc->stale) return doc;
    kart_fail(error, KART_STALE, "the octree does not fit any more");
    return NULL;
}

// rebuild(options)
int bind_kcl_rebuild(lua_State *L) {
    static const char *const names[] = {"goal",  "budget",  "smallest", "longest",
                                        "roots", "by_area", NULL};
    kart_error error;
    bind_check_kcl(L, 1);
    bind_check_options(L, 2, names);
    const kcl_build_options options = build_options(L);
    if (!kcl_rebuild(bind_check_kcl(L, 1), &options, &error)) return bind_fail(L, NULL, &error);
    lua_settop(L, 1);
    return 1;
}

// The proof of all models in one; prisms are counted through.
static bool models_prove(const kcl_doc *doc, kcl_proof *sum, kart_error *error) {
    size_t before = 0;
    *sum = (kcl_proof){0};
    for (size_t m = 0; m < doc->models_count; m++) {
        kcl_proof one;
        if (!kcl_leaves_prove(doc, &doc->models[m], &one, error)) return false;
        for (size_t i = 0; i < one.missing && i < KCL_MISSING_SHOWN; i++) {
            one.first[i].prism += before;
            if (sum->missing + i < KCL_MISSING_SHOWN) sum->first[sum->missing + i] = one.first[i];
        }
        sum->leaves += one.leaves;
        sum->ids += one.ids;
        sum->missing += one.missing;
        sum->outside += one.outside;
        before += doc->models[m].prisms_count;
    }
    return true;
}

static void push_missing(lua_State *L, const kcl_doc *doc, const kcl_missing *missing) {
    size_t in_model;
    const kcl_leaf *leaf = &missing->leaf;
    kart_vec3 min = kcl_model_of(doc, missing->prism, &in_model)->min;
    lua_createtable(L, 0, 4);
    bind_set_integer(L, "prism", (int64_t)missing->prism + 1);
    bind_push_vec(L, vec3_add(min, (kart_vec3){leaf->cell[0], leaf->cell[1], leaf->cell[2]}));
    lua_setfield(L, -2, "cell");
    bind_set_integer(L, "edge", leaf->size);
    bind_set_number(L, "distance", missing->distance);
}

// prove(): every leaf against all prisms.
int bind_kcl_prove(lua_State *L) {
    kart_error error;
    kcl_proof proof;
    bind_check_kcl(L, 1);
    const kcl_doc *doc = built(L, &error);
    if (!doc || !models_prove(doc, &proof, &error)) return bind_fail(L, NULL, &error);
    lua_createtable(L, 0, 5);
    bind_set_integer(L, "leaves", (int64_t)proof.leaves);
    bind_set_integer(L, "ids", (int64_t)proof.ids);
    bind_set_integer(L, "missing", (int64_t)proof.missing);
    bind_set_integer(L, "outside", (int64_t)proof.outside);
    lua_newtable(L);
    for (size_t i = 0; i < proof.missing && i < KCL_MISSING_SHOWN; i++) {
        push_missing(L, bind_check_kcl(L, 1), &proof.first[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "first");
    return 1;
}

static void push_length(lua_State *L, const char *name, const kcl_length *length) {
    lua_createtable(L, 0, 2);
    bind_set_number(L, "mean", length->mean);
    bind_set_integer(L, "longest", (int64_t)length->longest);
    lua_setfield(L, -2, name);
}

// list_lengths{samples =, seed =}
int bind_kcl_list_lengths(lua_State *L) {
    static const char *const names[] = {"samples", "seed", NULL};
    kart_error error;
    kcl_lengths lengths;
    bind_check_kcl(L, 1);
    bind_check_options(L, 2, names);
    size_t samples = option_whole(L, "samples", 1, SAMPLES_MOST);
    size_t seed = option_whole(L, "seed", 0, 1 << 30);
    const kcl_doc *doc = built(L, &error);
    if (!doc || !kcl_lengths_get(doc, samples ? samples : 100000, seed, &lengths, &error))
        return bind_fail(L, NULL, &error);
    lua_createtable(L, 0, 3);
    bind_set_integer(L, "samples", (int64_t)lengths.samples);
    push_length(L, "by_area", &lengths.by_area);
    push_length(L, "by_prism", &lengths.by_prism);
    return 1;
}
