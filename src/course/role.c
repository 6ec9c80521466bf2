// What the files of a course are.
#include "course/course.h"

#include <string.h>

static char small_letter(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c; }

// Is `text` like `pattern`, in which * stands for any characters but slashes? Capitals don't
// matter, as they don't to the game.
static bool like(const char *pattern, const char *text) {
    for (; *pattern != '*'; pattern++, text++) {
        if (small_letter(*text) != *pattern) return false;
        if (*text == 0) return true;
    }
    do
        if (like(pattern + 1, text)) return true;
    while (*text && *text++ != '/');
    return false;
}

// Files that show which way the course goes, by their names in the game's own archives and in those
// of custom tracks.
static const struct {
    const char *pattern, *what;
} scenes[] = {{"course_model.brres", "the course's model"},
              {"course*_model.brres", "a part of the course's model"},
              {"map_model.brres", "the model of its map"},
              {"vrcorn*_model.brres", "the model of its surroundings"},
              {"posteffect/*.blight", "the file of its lights"},
              {"posteffect/*.blmap", "the file of its light textures"}};

// The path without a leading "./", into a buffer. Longer ones are cut: no pattern here is that
// long.
#define PATH_SIZE 256
static const char *path_of(const u8_archive *files, size_t node, char path[PATH_SIZE]) {
    u8_path(files, node, path, PATH_SIZE);
    return strncmp(path, "./", 2) == 0 ? path + 2 : path;
}

static size_t find(const u8_archive *files, const char *exact, const char *any) {
    size_t found = SIZE_MAX, count = 0;
    char path[PATH_SIZE];
    for (size_t i = 1; i < files->count; i++) {
        if (files->nodes[i].folder) continue;
        const char *name = path_of(files, i, path);
        if (like(exact, name)) return i;
        if (!like(any, name)) continue;
        found = i;
        count++;
    }
    return count == 1 ? found : SIZE_MAX;
}

course_main course_main_find(const u8_archive *files) {
    return (course_main){find(files, "course.kmp", "*.kmp"), find(files, "course.kcl", "*.kcl")};
}

course_role course_role_of(const u8_archive *files, course_main main, size_t node,
                           const char **what) {
    char path[PATH_SIZE];
    if (what) *what = NULL;
    if (files->nodes[node].folder) return COURSE_OTHER;
    if (node == main.kmp) return COURSE_KMP;
    if (node == main.kcl) return COURSE_KCL;
    const char *name = path_of(files, node, path);
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        if (!like(scenes[i].pattern, name)) continue;
        if (what) *what = scenes[i].what;
        return COURSE_SCENE;
    }
    return like("*.kcl", files->nodes[node].name) ? COURSE_OBJECT : COURSE_OTHER;
}

const char *course_role_name(course_role role) {
    static const char *const names[] = {[COURSE_OTHER] = NULL,
                                        [COURSE_KMP] = "kmp",
                                        [COURSE_KCL] = "kcl",
                                        [COURSE_OBJECT] = "object",
                                        [COURSE_SCENE] = "scene"};
    return names[role];
}
