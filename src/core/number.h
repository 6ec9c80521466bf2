// Numbers as text.
#ifndef KART_NUMBER_H
#define KART_NUMBER_H

#include <stddef.h>

#define KART_NUMBER_SIZE 32 // enough for every number, with the terminator

// The shortest decimal text that reads back as the same value: as a float if the value is one (as
// those of files are), else as a double. "nan", "inf" and "-inf" for what isn't finite; -0.0 reads
// "-0". Returns `text`.
char *kart_number_text(double value, char text[KART_NUMBER_SIZE]);

// The shortest decimal text that reads back as the same double, finite, floats too: 0.1f is
// 0.10000000149011612. Fast where few digits do. Returns the length.
size_t kart_number_exact(double value, char text[KART_NUMBER_SIZE]);

#endif
