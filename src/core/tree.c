// Life of trees.
#include "core/tree_work.h"

kart_tree *kart_tree_share(kart_tree *tree) {
    if (tree) tree->owners++;
    return tree;
}

void kart_tree_free(kart_tree *tree) {
    if (!tree || --tree->owners > 0) return;
    kart_ctx *ctx = tree->ctx;
    kart_free(ctx, tree->block, tree->block_size);
    kart_free(ctx, tree, sizeof *tree);
}

size_t kart_tree_memory(const kart_tree *tree) { return tree ? tree->stats.bytes : 0; }

kart_tree_stats kart_tree_stats_get(const kart_tree *tree) { return tree->stats; }

bool kart_tree_narrow(kart_tree *tree) {
    const bool was_wide = tree->kernel != &tree_kernel_plain;
    tree->kernel = &tree_kernel_plain;
    return was_wide;
}
