// Course archives: a U8 archive, as a rule compressed as Yaz0 (.szs), or bare (.arc).
//
// A document is the file as it was read and the archive in it. While the archive's bytes are those
// that were read, the file comes back byte for byte, however it was compressed; else it is
// compressed anew.
#ifndef SZS_SZS_H
#define SZS_SZS_H

#include "core/finding.h"
#include "szs/u8.h"
#include "szs/yaz0.h"

// What the files were read from.
typedef enum szs_origin {
    SZS_ARCHIVE, // an archive, or nothing yet
    SZS_FOLDER,  // a folder with all that lies in it
    SZS_LOOSE    // a few files that lie side by side
} szs_origin;

typedef struct szs_doc {
    kart_ctx *ctx;
    szs_origin origin;
    uint8_t *packed_file; // the compressed file as it was read; NULL: bare or new
    size_t packed_size;
    bool packed;        // is Yaz0 to be around it
    uint32_t alignment; // of the Yaz0 header
    u8_archive *files;
    kart_findings warnings;
} szs_doc;

// Does it begin like a Yaz0 stream or a U8 archive?
bool szs_detect(const uint8_t *data, size_t size);

// What kind of archive or compressed file this is that is not read here ("a SARC archive (Wii U,
// Switch)"); NULL if it is none that is known.
const char *szs_other_kind(const uint8_t *data, size_t size);

// Parse `size` bytes, which are copied. NULL with error format, unsupported (another kind of
// archive, or something else is compressed: the error names it), limit, memory or cancelled.
szs_doc *szs_parse(kart_ctx *ctx, const uint8_t *data, size_t size, kart_error *error);

// An archive without files. `packed`: to be compressed.
szs_doc *szs_new(kart_ctx *ctx, bool packed, kart_error *error);
szs_doc *szs_clone(const szs_doc *doc, kart_error *error);
void szs_free(szs_doc *doc); // NULL is ignored
size_t szs_memory(const szs_doc *doc);

// Take the files as they are now for those that were read: none of them is changed then. What is
// written is a new file.
bool szs_settle(szs_doc *doc, kart_error *error);

// The file's bytes, freed with kart_free. `level` counts where it must be compressed anew. NULL
// with error memory, limit or cancelled.
uint8_t *szs_serialize(const szs_doc *doc, yaz0_level level, size_t *size, kart_error *error);

#endif
