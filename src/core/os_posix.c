#define _XOPEN_SOURCE   700
#define _DEFAULT_SOURCE // _SC_NPROCESSORS_ONLN

#include "core/os.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static bool fail(kart_error *error, const char *action) {
    return kart_fail(error, KART_IO, "cannot %s: %s", action, strerror(errno));
}

bool os_open_read(const char *path, os_file *file, uint64_t *size, kart_error *error) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return fail(error, "open");
    struct stat info;
    if (fstat(fd, &info) != 0) {
        fail(error, "open");
    } else if (S_ISDIR(info.st_mode)) {
        kart_fail(error, KART_IO, "cannot open: it is a folder");
    } else {
        file->handle = fd;
        *size = info.st_size > 0 ? (uint64_t)info.st_size : 0;
        return true;
    }
    close(fd);
    return false;
}

bool os_read(os_file file, void *data, size_t size, size_t *got, kart_error *error) {
    ssize_t count;
    do count = read((int)file.handle, data, size < SSIZE_MAX ? size : SSIZE_MAX);
    while (count < 0 && errno == EINTR);
    if (count < 0) return fail(error, "read");
    *got = (size_t)count;
    return true;
}

bool os_write(os_file file, const void *data, size_t size, kart_error *error) {
    const char *at = data;
    while (size > 0) {
        ssize_t count = write((int)file.handle, at, size < SSIZE_MAX ? size : SSIZE_MAX);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return fail(error, "write");
        at += count;
        size -= (size_t)count;
    }
    return true;
}

bool os_sync(os_file file, kart_error *error) {
    // Some file systems have nothing to flush and say so.
    if (fsync((int)file.handle) == 0 || errno == EINVAL || errno == ENOTSUP) return true;
    return fail(error, "flush to the disk");
}

bool os_close(os_file file, kart_error *error) {
    return close((int)file.handle) == 0 || errno == EINTR ? true : fail(error, "close");
}

// Replace `path` by what the link there points to, relative to the link's folder.
static bool link_follow(char path[OS_PATH_MAX]) {
    char to[OS_PATH_MAX];
    ssize_t length = readlink(path, to, sizeof to - 1);
    if (length < 0) return false;
    to[length] = 0;
    char *slash = strrchr(path, '/');
    size_t keep = to[0] == '/' || !slash ? 0 : (size_t)(slash + 1 - path);
    if (keep + (size_t)length >= OS_PATH_MAX) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(path + keep, to, (size_t)length + 1);
    return true;
}

bool os_save_target(const char *path, char target[OS_PATH_MAX], bool *exists, kart_error *error) {
    struct stat info;
    if (strlen(path) >= OS_PATH_MAX) {
        errno = ENAMETOOLONG;
        return fail(error, "write");
    }
    memcpy(target, path, strlen(path) + 1);
    for (int links = 0; lstat(target, &info) == 0 && S_ISLNK(info.st_mode); links++) {
        if (links == 40) errno = ELOOP;
        if (links == 40 || !link_follow(target)) return fail(error, "follow the link");
    }
    *exists = lstat(target, &info) == 0;
    if (!*exists) return errno == ENOENT ? true : fail(error, "write");
    if (S_ISDIR(info.st_mode)) return kart_fail(error, KART_IO, "cannot write: it is a folder");
    if (!S_ISREG(info.st_mode))
        return kart_fail(error, KART_IO, "cannot write: it is not a regular file");
    if (access(target, W_OK) != 0) return fail(error, "write");
    return true;
}

// A name beside `target` that no course has; `try` counts until one is free.
static bool temporary_name(const char *target, int try, char temporary[OS_PATH_MAX]) {
    const char *slash = strrchr(target, '/');
    int folder = slash ? (int)(slash + 1 - target) : 0;
    int length = snprintf(temporary, OS_PATH_MAX, "%.*s.kartlua-%ld-%d.tmp", folder, target,
                          (long)getpid(), try);
    if (length >= 0 && length < OS_PATH_MAX) return true;
    errno = ENAMETOOLONG;
    return false;
}

#define TRIES 1000 // of names for temporary files

bool os_create_beside(const char *target, os_file *file, char temporary[OS_PATH_MAX],
                      kart_error *error) {
    int fd = -1;
    for (int try = 0; fd < 0 && try < TRIES && temporary_name(target, try, temporary); try++) {
        fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST) break;
    }
    if (fd < 0) return fail(error, "write");
    struct stat info;
    if (stat(target, &info) == 0) {
        // The owner can only be kept by root; when that fails the file is the saver's.
        if (fchown(fd, info.st_uid, info.st_gid) != 0) errno = 0;
        if (fchmod(fd, info.st_mode & 07777) != 0) {
            fail(error, "keep the permissions");
            close(fd);
            unlink(temporary);
            return false;
        }
    }
    file->handle = fd;
    return true;
}

static void folder_sync(const char *path) {
    char folder[OS_PATH_MAX];
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) : 0;
    memcpy(folder, slash ? path : ".", slash ? length : 1);
    folder[slash ? length : 1] = 0;
    int fd = open(length || !slash ? folder : "/", O_RDONLY | O_CLOEXEC);
    if (fd < 0) return;
    fsync(fd); // the data is safe either way: only which of the two names it has may be lost
    close(fd);
}

bool os_replace(const char *temporary, const char *target, bool only_new, kart_error *error) {
    if (only_new) {
        // Taking the name first is safe everywhere; hard links are not, on memory cards for one.
        int fd = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (fd < 0) return fail(error, "write");
        close(fd);
        if (rename(temporary, target) != 0) {
            fail(error, "write");
            unlink(target);
            return false;
        }
    } else if (rename(temporary, target) != 0) {
        return fail(error, "write");
    }
    folder_sync(target);
    return true;
}

void os_remove(const char *path) { unlink(path); }

// --- folders ----------------------------------------------------------------------------------

static os_kind kind_of(mode_t mode) {
    return S_ISREG(mode) ? OS_FILE : S_ISDIR(mode) ? OS_FOLDER : OS_OTHER;
}

os_kind os_path_kind(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 ? kind_of(info.st_mode) : OS_NONE;
}

os_kind os_path_kind_here(const char *path) {
    struct stat info;
    return lstat(path, &info) == 0 ? kind_of(info.st_mode) : OS_NONE;
}

bool os_folder_list(const char *path, os_name_fn see, void *user, kart_error *error) {
    DIR *folder = opendir(path);
    if (!folder) return fail(error, "open the folder");
    bool done = true;
    for (;;) {
        errno = 0;
        const struct dirent *entry = readdir(folder);
        if (!entry) {
            if (errno != 0) done = fail(error, "read the folder");
            break;
        }
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) continue;
        done = see(user, name, error);
        if (!done) break;
    }
    closedir(folder);
    return done;
}

bool os_folder_make(const char *path, kart_error *error) {
    return mkdir(path, 0777) == 0 || fail(error, "make the folder");
}

bool os_folder_make_beside(const char *target, char temporary[OS_PATH_MAX], kart_error *error) {
    for (int try = 0; try < TRIES && temporary_name(target, try, temporary); try++) {
        if (mkdir(temporary, 0777) == 0) return true;
        if (errno != EEXIST) break;
    }
    return fail(error, "make the folder");
}

bool os_folder_replace(const char *temporary, const char *target, kart_error *error) {
    if (rename(temporary, target) != 0) return fail(error, "make the folder");
    folder_sync(target);
    return true;
}

void os_folder_remove(const char *path) { rmdir(path); }

bool os_create_new(const char *path, os_file *file, kart_error *error) {
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0) return fail(error, "write");
    file->handle = fd;
    return true;
}

// --- the process ------------------------------------------------------------------------------

bool os_program_path(char path[OS_PATH_MAX]) {
    ssize_t length = readlink("/proc/self/exe", path, OS_PATH_MAX - 1);
    if (length < 0) return false;
    path[length] = 0;
    return true;
}

double os_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

unsigned os_processors(void) {
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (unsigned)count : 1;
}

// Only whole pages within the block can be spoken of.
void os_read_all_over(void *block, size_t size) {
#ifdef MADV_HUGEPAGE
    const uintptr_t page = 4096, start = ((uintptr_t)block + page - 1) / page * page;
    const uintptr_t end = ((uintptr_t)block + size) / page * page;
    if (end > start && end - start >= (uintptr_t)1 << 21)
        madvise((void *)start, end - start, MADV_HUGEPAGE); // a hint: whether it helps or not
#else
    (void)block, (void)size;
#endif
}

typedef struct task {
    void (*work)(void *user, unsigned index);
    void *user;
    unsigned index;
    pthread_t thread;
} task;

static void *task_run(void *at) {
    const task *it = at;
    it->work(it->user, it->index);
    return NULL;
}

// One after the other where no thread can be had.
static void tasks_run(task *tasks, unsigned count) {
    unsigned started = 1;
    while (started < count &&
           pthread_create(&tasks[started].thread, NULL, task_run, &tasks[started]) == 0)
        started++;
    task_run(&tasks[0]);
    for (unsigned i = started; i < count; i++) task_run(&tasks[i]);
    for (unsigned i = 1; i < started; i++) pthread_join(tasks[i].thread, NULL);
}

#define TASKS_MOST 16 // at a time

void os_parallel(unsigned count, void (*work)(void *user, unsigned index), void *user) {
    for (unsigned first = 0; first < count; first += TASKS_MOST) {
        task tasks[TASKS_MOST];
        unsigned now = count - first < TASKS_MOST ? count - first : TASKS_MOST;
        for (unsigned i = 0; i < now; i++)
            tasks[i] = (task){.work = work, .user = user, .index = first + i};
        tasks_run(tasks, now);
    }
}

bool os_is_terminal(int stream) { return isatty(stream) == 1; }

static void (*interrupt_handler)(void);

static void interrupt_receive(int signal) {
    (void)signal;
    interrupt_handler();
}

void os_on_interrupt(void (*handler)(void)) {
    struct sigaction action = {.sa_handler = handler ? interrupt_receive : SIG_DFL};
    interrupt_handler = handler;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
}
