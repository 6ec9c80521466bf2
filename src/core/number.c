#include "core/number.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
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
