// Yaz0: the compression of course archives (.szs).
//
// A stream is a header of 16 bytes: "Yaz0", u32 decompressed size, u32 alignment (Wii U; 0 on the
// Wii), u32 0, all big-endian. Then come groups: a code byte, of which each bit, the highest first,
// stands for a literal byte (1) or a back reference (0). A reference is NR RR (N not 0: N + 2
// bytes) or 0R RR LL (LL + 0x12 bytes) and copies from RRR + 1 bytes back; it may reach into what
// it writes. The stream ends with the last byte of the stated size, wherever in a group that is.
//
// Source: the community wiki's page on the format.
#ifndef SZS_YAZ0_H
#define SZS_YAZ0_H

#include "core/ctx.h"

#define YAZ0_MAGIC          0x59617A30u // "Yaz0"
#define YAZ0_HEADER_SIZE    16
#define YAZ0_DISTANCE_MAX   0x1000
#define YAZ0_LENGTH_MIN     3
#define YAZ0_LENGTH_TWO_MAX 0x11 // longest reference of two bytes; longer ones take three
#define YAZ0_LENGTH_MAX     0x111

// Most decompressed bytes that are written, and what readers should take at most.
#define YAZ0_SIZE_LIMIT ((size_t)256 << 20)

typedef struct yaz0_header {
    uint32_t size;      // of the decompressed bytes, as stated
    uint32_t alignment; // Wii U: of the memory that they want; else 0
    uint32_t reserved;  // 0
} yaz0_header;

// Does it begin like a Yaz0 stream?
bool yaz0_detect(const uint8_t *data, size_t size);

// Read the header. False with error format if there is none, or if the bytes behind it could not
// make up the stated size however well they were compressed.
bool yaz0_header_read(const uint8_t *data, size_t size, yaz0_header *header, kart_error *error);

// Decompress. The block of `*out_size` bytes is freed with kart_free. `*trailing`, if not NULL, is
// how many bytes stand behind the end of the stream. NULL with error format, limit (more than
// `limit` bytes are stated; nothing is allocated then), memory or cancelled.
uint8_t *yaz0_decode(kart_ctx *ctx, const uint8_t *data, size_t size, size_t limit,
                     size_t *out_size, size_t *trailing, kart_error *error);

typedef enum yaz0_level {
    YAZ0_DEFAULT, // hardly ever larger than the best; the search at each position is bounded, so
                  // that time grows with the size and not with what the bytes are
    YAZ0_FAST,    // one look back at each position: about ten times as fast, some 10 % larger
    YAZ0_BEST     // as small as the format allows; on unlucky bytes several times slower
} yaz0_level;

typedef struct yaz0_options {
    yaz0_level level;
    uint32_t alignment; // for the header
} yaz0_options;

// Compress into a block of `*out_size` bytes, freed with kart_free. NULL for options: {0}. The same
// input gives the same bytes on every build. NULL with error limit (YAZ0_SIZE_LIMIT), memory or
// cancelled.
uint8_t *yaz0_encode(kart_ctx *ctx, const uint8_t *data, size_t size, const yaz0_options *options,
                     size_t *out_size, kart_error *error);

#endif
