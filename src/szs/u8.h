// U8 archives (.arc, inside of .szs): a tree of folders and files in one block. [W]
//
// An archive is the bytes it was read from and a list of nodes over them. What nobody changed is
// written as it was: order, alignment, odd names, a leading "." folder, what stands between files.
// Indices count from 0; node 0 is the root. Names are bytes, in whatever encoding the file has.
#ifndef U8_H
#define U8_H

#include "core/bytes.h"

#define U8_NODES_LIMIT 65536               // most nodes; real archives have some hundred
#define U8_FILE_LIMIT  ((size_t)256 << 20) // most bytes of an archive
#define U8_DEPTH_LIMIT 64                  // most folders within each other
#define U8_NAME_LIMIT  1023                // most bytes of a name that is read; new ones: 255

typedef struct u8_node {
    uint32_t id; // stays when indices move; never used again for another node
    bool folder;
    char *name;          // owned, without slashes as a rule; "" for the root
    size_t parent;       // folder that it lies in; the root's is 0
    size_t end;          // folder: the first node behind what lies in it
    const uint8_t *data; // file: its bytes, in the archive's own or in `own`
    size_t size;
    uint8_t *own; // new bytes, owned; NULL: as they were
    size_t place; // where they stood in the original; SIZE_MAX for new files
    size_t was;   // ... and how many they were
} u8_node;

typedef struct u8_archive {
    kart_ctx *ctx;
    uint8_t *original;
    size_t original_size;
    u8_node *nodes;
    size_t count, capacity;
    uint32_t next_id;
    bool replaced; // some bytes are new
    bool rebuilt;  // nodes or names are: the table is written anew
} u8_archive;

bool u8_detect(const uint8_t *data, size_t size);

// Parse `size` bytes, which are copied. NULL with error format, limit or memory.
u8_archive *u8_parse(kart_ctx *ctx, const uint8_t *data, size_t size, kart_error *error);

// An archive without files. `dot`: with a "." folder that all of them will lie in, as in archives
// of the game; else with nothing but a root.
u8_archive *u8_new(kart_ctx *ctx, bool dot, kart_error *error);
u8_archive *u8_clone(const u8_archive *archive, kart_error *error);
void u8_free(u8_archive *archive); // NULL is ignored
size_t u8_memory(const u8_archive *archive);

// The archive's bytes, freed with kart_free. The original ones where nothing changed; else files
// keep their order and alignment, and the table of nodes and names its bytes unless they changed.
// NULL with error memory or limit.
uint8_t *u8_serialize(const u8_archive *archive, size_t *size, kart_error *error);

// The folder in which paths begin: the "." folder where there is one, else the root.
size_t u8_top(const u8_archive *archive);

// The path of a node from the root, with slashes between ("./course.kmp" where there is a "."
// folder). Returns the length that the whole path needs; always terminated.
size_t u8_path(const u8_archive *archive, size_t node, char *path, size_t size);

// Do the file's bytes differ from those that were read? True for new files, false for folders.
bool u8_changed(const u8_archive *archive, size_t node);

// The node of a path; a leading "./" may be left out or added, empty parts are ignored. SIZE_MAX if
// there is none.
size_t u8_find(const u8_archive *archive, const char *path);

// Give a file new bytes, which are copied. Equal bytes are no change.
bool u8_replace(u8_archive *archive, size_t node, const uint8_t *data, size_t size,
                kart_error *error);

// Add a file and the folders that its path needs, at the end of its folder. `*node` gets its index;
// indices behind it move. Error limit if the path exists, has an empty, "." or ".." part, or leads
// through a file. After a failure the archive is as it was.
bool u8_add(u8_archive *archive, const char *path, const uint8_t *data, size_t size, size_t *node,
            kart_error *error);

// The same for a folder without files.
bool u8_add_folder(u8_archive *archive, const char *path, size_t *node, kart_error *error);

// Remove a file, or a folder with all that lies in it. The root can't be removed (limit).
bool u8_remove(u8_archive *archive, size_t node, kart_error *error);

// Another name in the same folder: not empty, without slashes, not taken (limit).
bool u8_rename(u8_archive *archive, size_t node, const char *name, kart_error *error);

#endif
