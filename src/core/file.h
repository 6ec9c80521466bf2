// Whole files: read with a size limit, saved atomically.
#ifndef KART_FILE_H
#define KART_FILE_H

#include "core/ctx.h"

// Largest file that kart_file_read takes unless told otherwise. Courses are a few megabytes.
#define KART_FILE_LIMIT ((size_t)256 << 20)

// Read the file at `path` (UTF-8) whole; at most `limit` bytes. The block has exactly `*size` bytes
// and is freed with kart_free. NULL with error io, limit or memory. Folders are refused.
uint8_t *kart_file_read(kart_ctx *ctx, const char *path, size_t limit, size_t *size,
                        kart_error *error);

// Write `size` bytes to `path` so that at every moment either the old or the whole new file is
// there: a temporary file in the same folder is written, flushed to the disk and renamed over it.
// Symbolic links are followed, the permissions of an existing file are kept. After a failure the
// old file is as it was and no temporary file is left. False with error io.
bool kart_file_save(const char *path, const void *data, size_t size, kart_error *error);

// The same, but an existing file is an error and stays untouched.
bool kart_file_save_new(const char *path, const void *data, size_t size, kart_error *error);

// Write a new file straight away, for folders that are put in their place as a whole. After a
// failure there is no such file.
bool kart_file_create(const char *path, const void *data, size_t size, kart_error *error);

#endif
