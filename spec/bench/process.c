// Times whole processes against each other: bench_process RUNS NAME COMMAND... [-- NAME
// COMMAND...]...
//
// The commands take turns, so that a slow moment of the machine hits all alike. Standard input is
// empty, output is dropped. For each command one line: name, median, fastest, in milliseconds; tabs
// between. A command that fails ends it all.
#define _XOPEN_SOURCE 700

#include "core/os.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define COMMANDS_MAX 16
#define RUNS_MAX     1000

typedef struct command {
    char **words; // the name, then what is run, then NULL
    double seconds[RUNS_MAX];
} command;

static void run(command *it, int at) {
    double start = os_seconds();
    pid_t child = fork();
    if (child == 0) {
        int null = open("/dev/null", O_RDWR);
        if (null >= 0 && dup2(null, 0) == 0 && dup2(null, 1) == 1 && dup2(null, 2) == 2)
            execvp(it->words[1], it->words + 1);
        _exit(127);
    }
    int status = -1;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    it->seconds[at] = os_seconds() - start;
    if (status != 0) {
        fprintf(stderr, "%s failed (wait status %d)\n", it->words[0], status);
        exit(1);
    }
}

static int compare(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

int main(int argc, char **argv) {
    static command commands[COMMANDS_MAX];
    int count = 0, runs = argc > 1 ? atoi(argv[1]) : 0;
    for (int i = 2; i < argc && count < COMMANDS_MAX; i++) {
        commands[count++].words = argv + i;
        while (i < argc && strcmp(argv[i], "--") != 0) i++;
        argv[i] = NULL; // argv[argc] is NULL anyway
        if (!commands[count - 1].words[0] || !commands[count - 1].words[1]) runs = 0;
    }
    if (runs < 1 || runs > RUNS_MAX || count == 0) {
        fprintf(stderr, "usage: %s RUNS NAME COMMAND... [-- NAME COMMAND...]...\n", argv[0]);
        return 2;
    }
    for (int i = 0; i < count; i++) run(&commands[i], 0); // files into the cache
    for (int at = 0; at < runs; at++)
        for (int i = 0; i < count; i++) run(&commands[i], at);
    for (int i = 0; i < count; i++) {
        double *seconds = commands[i].seconds;
        qsort(seconds, (size_t)runs, sizeof *seconds, compare);
        printf("%s\t%.3f\t%.3f\n", commands[i].words[0], 1e3 * seconds[runs / 2], 1e3 * seconds[0]);
    }
    return 0;
}
