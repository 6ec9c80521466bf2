// Internal to src/kcl: an octree under construction.
#ifndef KCL_BUILD_WORK_H
#define KCL_BUILD_WORK_H

#include "kcl/build.h"
#include "kcl/solid.h"

typedef uint16_t build_id; // of a prism, from 0

typedef struct build_node {
    size_t list;       // in `ids`
    uint32_t count;    // of its list
    uint32_t children; // first of eight nodes; 0: there are none
    uint32_t shared;   // number of its list among the lists that are written
    bool split;        // of two ways, the children
    double weight;     // share of the lookups that come to it
    double cost;
} build_node;

// A list that is written; several leaves may share it.
typedef struct build_list {
    build_id *ids; // ascending, owned
    uint32_t count, capacity;
    uint32_t into;   // the number of the list that took it in, its own if none
    uint32_t within; // the number of a list that ends with it, its own if it is written by itself
    double weight;   // of the leaves
    size_t place;    // in the octree, once that is written
} build_list;

typedef struct kcl_build {
    kart_ctx *ctx;
    const kcl_format *format;
    const kcl_build_input *input;
    kcl_build_options options; // with the defaults filled in
    bool strict; // lists longer than the option are an error where a cell could still be split
    kcl_reach reach;
    kcl_solid *solids; // of the triangles with an area
    build_id *solid_id;
    size_t solids_count;
    double min[3];
    unsigned bits[3]; // of the area along each axis
    unsigned top;     // the largest of them
    unsigned shift;   // of root cells
    double price;     // tests per byte
    double explored;  // the price that the tree was grown for
    // Places of lookups: Morton codes, ascending, and the weights before each one.
    uint64_t *codes;
    double *before; // samples_count + 1
    size_t samples_count;
    // The tree; node 0 is a cube that holds the area.
    build_node *nodes;
    size_t nodes_count, nodes_capacity;
    build_id *ids;
    size_t ids_count, ids_capacity;
    uint8_t *cells; // of the solids of a node, which children they are in
    // What is written.
    build_list *lists;
    size_t lists_count, lists_capacity;
} kcl_build;

// Where lookups come. (build_sample.c)
bool build_sample(kcl_build *b, kart_error *error);
// The weight of `count` codes from `code` on, all below sample `last`; `*first` is the first sample
// of them, and gets the one behind them.
double build_weight(const kcl_build *b, uint64_t code, uint64_t count, size_t *first, size_t last);

// Grow the tree, or grow it further, for a price, and choose what is split at it. (build_tree.c)
bool build_grow(kcl_build *b, double price, kart_error *error);
void build_choose(kcl_build *b, double price);

// Collect the lists of the leaves and merge them at the price; gives the bytes that they take.
// (build_list.c)
bool build_lists(kcl_build *b, double price, size_t *bytes, kart_error *error);
void build_lists_free(kcl_build *b);

// How many root words and groups of eight words there are, and their bytes with the lists behind
// them; the shifts of the octree are set. (build_write.c)
size_t build_roots(const kcl_build *b);
size_t build_groups(const kcl_build *b);
bool build_write(kcl_build *b, kcl_octree *octree, kart_error *error);

#endif
