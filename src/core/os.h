// All that touches the system. One file per system implements it (os_posix.c); nothing else in the
// project includes a system header. Paths are UTF-8.
#ifndef KART_OS_H
#define KART_OS_H

#include "core/error.h"

#define OS_PATH_MAX 4096 // longest path handled, with its terminator

typedef struct os_file {
    intptr_t handle;
} os_file;

// Files. All of them give false with error io, naming what was tried and the system's reason.
bool os_open_read(const char *path, os_file *file, uint64_t *size, kart_error *error);
bool os_read(os_file file, void *data, size_t size, size_t *got, kart_error *error); // got 0: end
bool os_write(os_file file, const void *data, size_t size, kart_error *error);       // all of it
bool os_sync(os_file file, kart_error *error);                                       // to the disk
bool os_close(os_file file, kart_error *error);

// The file that a save to `path` must replace: symbolic links followed, the last one may dangle.
// An existing target must be a regular file that this user may write.
bool os_save_target(const char *path, char target[OS_PATH_MAX], bool *exists, kart_error *error);

// A new file beside `target`, with its permissions if it exists; `temporary` gets its path.
bool os_create_beside(const char *target, os_file *file, char temporary[OS_PATH_MAX],
                      kart_error *error);

// Put `temporary` in place of `target` in one step, and flush the folder. With `only_new` an
// existing target is an error.
bool os_replace(const char *temporary, const char *target, bool only_new, kart_error *error);
void os_remove(const char *path);

// Folders.
typedef enum os_kind { OS_NONE, OS_FILE, OS_FOLDER, OS_OTHER } os_kind;
os_kind os_path_kind(const char *path);      // of what a link leads to
os_kind os_path_kind_here(const char *path); // a link itself is OS_OTHER

// Call `see` for each name in a folder, in any order, but not for "." and ".."; it ends when `see`
// returns false, which must have filled `error`. False then, or with error io.
typedef bool (*os_name_fn)(void *user, const char *name, kart_error *error);
bool os_folder_list(const char *path, os_name_fn see, void *user, kart_error *error);

// Make a folder; the one it lies in must be there. False with error io, if the name is taken too.
bool os_folder_make(const char *path, kart_error *error);

// A new empty folder beside `target`, to be filled and then put in its place; `temporary` gets its
// path. Where `target` is a folder it must be empty.
bool os_folder_make_beside(const char *target, char temporary[OS_PATH_MAX], kart_error *error);
bool os_folder_replace(const char *temporary, const char *target, kart_error *error);
void os_folder_remove(const char *path); // if it is empty

// A file that isn't there yet.
bool os_create_new(const char *path, os_file *file, kart_error *error);

// The running program's own path with links followed; false if the system can't tell.
bool os_program_path(char path[OS_PATH_MAX]);

// Seconds of a clock that never goes back.
double os_seconds(void);

// Processors that this process may run on, at least 1.
unsigned os_processors(void);

// Say of a large block of memory, before anything is written to it, that it will be read all over:
// in large pages where the system has them, so that a place is found faster.
void os_read_all_over(void *block, size_t size);

// Call work(user, i) for each i below `count`, each on a thread of its own where the system gives
// one, and return when all are done. `work` may use no context of ours.
void os_parallel(unsigned count, void (*work)(void *user, unsigned index), void *user);

// Is standard input (0), output (1) or error (2) a terminal?
bool os_is_terminal(int stream);

// Call `handler` on Ctrl-C from now on; it may do no more than a signal handler may. NULL restores
// the system's own way.
void os_on_interrupt(void (*handler)(void));

#endif
