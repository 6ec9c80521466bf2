// Archives as folders of files, and back.
#ifndef SZS_FOLDER_H
#define SZS_FOLDER_H

#include "szs/szs.h"

// Read a folder and all that lies in it, sorted by name, into an archive of the layout that the
// game's own have. Its files count as unchanged. What programs leave in folders (.DS_Store,
// Thumbs.db, desktop.ini, copies named .bak) and links to folders are left out, each with a hint.
// NULL with error io, limit (U8_FILE_LIMIT, U8_NODES_LIMIT, U8_DEPTH_LIMIT), memory or cancelled.
szs_doc *szs_folder_read(kart_ctx *ctx, const char *path, kart_error *error);

// May the files' names be used on a disk? False with error format for names that would lead out of
// the folder ("..", separators, drives), hold control characters, or are the same as another one on
// a disk that doesn't tell small letters from capitals.
bool szs_folder_check(const szs_doc *doc, kart_error *error);

// Write all files into the folder `path`, which must be new or empty; the one that it lies in must
// be there. It appears when it is complete: after a failure nothing is left of it. False with error
// format (as above), io, memory, limit or cancelled.
bool szs_folder_write(const szs_doc *doc, const char *path, kart_error *error);

#endif
