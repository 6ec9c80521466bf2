#include "core/number.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *kart_number_text(double value, char text[KART_NUMBER_SIZE]) {
    if (!isfinite(value)) {
        snprintf(text, KART_NUMBER_SIZE, "%s", isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
        return text;
    }
    bool is_float = fabs(value) <= (double)FLT_MAX && (double)(float)value == value;
    int digits = 1;
    for (; digits < 17; digits++) {
        snprintf(text, KART_NUMBER_SIZE, "%.*e", digits - 1, value);
        if (is_float ? strtof(text, NULL) == (float)value : strtod(text, NULL) == value) break;
    }
    // The exponent form only where zeros would make the plain one long.
    snprintf(text, KART_NUMBER_SIZE, "%.*e", digits - 1, value);
    int exponent = atoi(strchr(text, 'e') + 1);
    if (exponent >= -5 && exponent <= 15) {
        int decimals = digits - 1 > exponent ? digits - 1 - exponent : 0;
        snprintf(text, KART_NUMBER_SIZE, "%.*f", decimals, value);
    }
    return text;
}

static size_t digits_write(uint64_t number, char *text) {
    char reversed[20];
    size_t count = 0, length = 0;
    do reversed[count++] = (char)('0' + number % 10);
    while (number /= 10);
    while (count > 0) text[length++] = reversed[--count];
    return length;
}

#define MANTISSA ((double)(1ull << 53)) // whole numbers up to here are doubles

size_t kart_number_exact(double value, char text[KART_NUMBER_SIZE]) {
    static const double powers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    double size = fabs(value);
    for (size_t decimals = 0; decimals < sizeof powers / sizeof *powers; decimals++) {
        double whole = nearbyint(size * powers[decimals]);
        if (whole > MANTISSA) break;
        // Both are exact, so the quotient is what a reader makes of the text.
        if (whole / powers[decimals] != size) continue;
        size_t length = 0;
        if (signbit(value)) text[length++] = '-';
        uint64_t unit = (uint64_t)powers[decimals], number = (uint64_t)whole;
        length += digits_write(number / unit, text + length);
        if (decimals > 0) {
            // A leading 1 keeps the zeros, and is where the point goes.
            digits_write(number % unit + unit, text + length);
            text[length] = '.';
            length += decimals + 1;
        }
        text[length] = 0;
        return length;
    }
    int length = 0;
    for (int digits = 15; digits <= 17; digits++) {
        length = snprintf(text, KART_NUMBER_SIZE, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    return (size_t)length;
}
