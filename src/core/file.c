#include "core/file.h"

#include "core/os.h"

static uint8_t *file_read_open(kart_ctx *ctx, os_file file, uint64_t expected, size_t limit,
                               size_t *size, kart_error *error) {
    if (expected > limit) {
        kart_fail(error, KART_LIMIT, "file of %llu bytes, the limit is %zu",
                  (unsigned long long)expected, limit);
        return NULL;
    }
    // One byte more than expected shows whether the file grew (or is a pipe that has no size).
    size_t capacity = (size_t)expected + 1, count = 0, got;
    uint8_t *data = kart_realloc(ctx, NULL, 0, capacity, error);
    while (data) {
        if (count == capacity) {
            size_t wanted = capacity > limit / 2 ? limit + 1 : capacity * 2 + 4096;
            uint8_t *grown = kart_realloc(ctx, data, capacity, wanted, error);
            if (!grown) break;
            data = grown;
            capacity = wanted;
        }
        if (!os_read(file, data + count, capacity - count, &got, error)) break;
        count += got;
        if (count > limit) {
            kart_fail(error, KART_LIMIT, "file of more than %zu bytes", limit);
            break;
        }
        if (got > 0) continue;
        uint8_t *fitted = kart_realloc(ctx, data, capacity, count, error);
        if (!fitted) break;
        *size = count;
        return fitted;
    }
    kart_free(ctx, data, capacity);
    return NULL;
}

uint8_t *kart_file_read(kart_ctx *ctx, const char *path, size_t limit, size_t *size,
                        kart_error *error) {
    os_file file;
    uint64_t expected;
    *size = 0;
    if (!os_open_read(path, &file, &expected, error)) return NULL;
    uint8_t *data = file_read_open(ctx, file, expected, limit, size, error);
    os_close(file, NULL);
    return data;
}

static bool file_save(const char *path, const void *data, size_t size, bool only_new,
                      kart_error *error) {
    char target[OS_PATH_MAX], temporary[OS_PATH_MAX];
    os_file file;
    bool exists;
    if (!os_save_target(path, target, &exists, error)) return false;
    if (exists && only_new) return kart_fail(error, KART_IO, "cannot write: the file exists");
    if (!os_create_beside(target, &file, temporary, error)) return false;
    bool done = os_write(file, data, size, error) && os_sync(file, error);
    done = os_close(file, done ? error : NULL) && done;
    done = done && os_replace(temporary, target, only_new, error);
    if (!done) os_remove(temporary);
    return done;
}

bool kart_file_save(const char *path, const void *data, size_t size, kart_error *error) {
    return file_save(path, data, size, false, error);
}

bool kart_file_save_new(const char *path, const void *data, size_t size, kart_error *error) {
    return file_save(path, data, size, true, error);
}

bool kart_file_create(const char *path, const void *data, size_t size, kart_error *error) {
    os_file file;
    if (!os_create_new(path, &file, error)) return false;
    bool done = os_write(file, data, size, error);
    done = os_close(file, done ? error : NULL) && done;
    if (!done) os_remove(path);
    return done;
}
