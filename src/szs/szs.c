#include "szs/szs.h"

#include <string.h>

bool szs_detect(const uint8_t *data, size_t size) {
    return yaz0_detect(data, size) || u8_detect(data, size);
}

// Archives and compressions that courses come in, in this game's tools and in its relatives.
static const struct {
    const char *magic, *kind;
} others[] = {{"SARC", "a SARC archive (Wii U, Switch)"},
              {"RARC", "a RARC archive (GameCube)"},
              {"CRAR", "a RARC archive (little-endian)"},
              {"NARC", "a NARC archive (DS)"},
              {"darc", "a DARC archive (3DS)"},
              {"WU8a", "a WU8 archive of a distribution"},
              {"WBZa", "a WBZ archive (bzip2)"},
              {"WLZa", "a WLZ archive (LZMA)"},
              {"Yay0", "a Yay0 stream"},
              {"Yaz1", "a Yaz1 stream"},
              {"LZ77", "an LZ77 stream"},
              {"ARC\0", "a container of Nintendo's tools"},
              {"PK\3\4", "a ZIP archive"},
              {"7z\xBC\xAF", "a 7z archive"},
              {"Rar!", "a RAR archive"},
              {"BZh9", "a bzip2 file"},
              {"\x28\xB5\x2F\xFD", "a Zstandard file (Switch)"},
              {"\xFD"
               "7zX",
               "an xz file"}};

// Nintendo's LZ streams have a type and the decompressed size, little-endian, and no magic: a guess
// where the size fits the bytes. Each byte of a stream makes at most 18 (type 11: some 64 KiB / 4).
static const char *lz_kind(const uint8_t *data, size_t size) {
    static const struct {
        uint8_t type;
        const char *kind;
    } types[] = {{0x10, "an LZ10 stream"}, {0x11, "an LZ11 stream"}, {0x40, "an LZ40 stream"}};
    if (size < 8) return NULL;
    size_t stated = (size_t)data[1] | (size_t)data[2] << 8 | (size_t)data[3] << 16;
    if (stated < size - 4 - size / 8 || stated / 64 > size) return NULL;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (data[0] == types[i].type) return types[i].kind;
    return NULL;
}

const char *szs_other_kind(const uint8_t *data, size_t size) {
    if (size < 4) return NULL;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (memcmp(data, others[i].magic, 4) == 0) return others[i].kind;
    return lz_kind(data, size);
}

// --- life -------------------------------------------------------------------------------------

static szs_doc *doc_make(kart_ctx *ctx, bool packed, kart_error *error) {
    szs_doc *doc = kart_alloc(ctx, sizeof *doc, error);
    if (!doc) return NULL;
    doc->ctx = ctx;
    doc->packed = packed;
    doc->warnings.most = KART_WARNINGS_MOST;
    return doc;
}

void szs_free(szs_doc *doc) {
    if (!doc) return;
    u8_free(doc->files);
    kart_free(doc->ctx, doc->packed_file, doc->packed_size);
    kart_findings_free(doc->ctx, &doc->warnings);
    kart_free(doc->ctx, doc, sizeof *doc);
}

// Give the document back, or free it where something is missing.
static szs_doc *doc_finish(szs_doc *doc, bool done) {
    if (done) return doc;
    szs_free(doc);
    return NULL;
}

szs_doc *szs_new(kart_ctx *ctx, bool packed, kart_error *error) {
    szs_doc *doc = doc_make(ctx, packed, error);
    if (!doc) return NULL;
    doc->files = u8_new(ctx, true, error);
    return doc_finish(doc, doc->files != NULL);
}

szs_doc *szs_clone(const szs_doc *doc, kart_error *error) {
    szs_doc *copy = doc_make(doc->ctx, doc->packed, error);
    if (!copy) return NULL;
    copy->origin = doc->origin;
    copy->alignment = doc->alignment;
    copy->files = u8_clone(doc->files, error);
    bool done = copy->files && kart_findings_copy(doc->ctx, &copy->warnings, &doc->warnings, error);
    if (done && doc->packed_file) {
        copy->packed_file = kart_copy(doc->ctx, doc->packed_file, doc->packed_size, error);
        copy->packed_size = copy->packed_file ? doc->packed_size : 0;
        done = copy->packed_file != NULL;
    }
    return doc_finish(copy, done);
}

size_t szs_memory(const szs_doc *doc) {
    return sizeof *doc + doc->packed_size + u8_memory(doc->files) +
           doc->warnings.capacity * sizeof *doc->warnings.items;
}

// --- bytes ------------------------------------------------------------------------------------

static bool fail_content(const uint8_t *data, size_t size, kart_error *error) {
    const char *kind = szs_other_kind(data, size);
    kart_fail_at(error, "Yaz0", YAZ0_HEADER_SIZE, "what is compressed", "a U8 archive", "%s",
                 kind ? kind : "something else");
    if (error) error->code = KART_UNSUPPORTED;
    return false;
}

static bool unpack(szs_doc *doc, const uint8_t *data, size_t size, kart_error *error) {
    kart_ctx *ctx = doc->ctx;
    yaz0_header header;
    size_t archive_size, trailing;
    if (!yaz0_header_read(data, size, &header, error)) return false;
    uint8_t *archive = yaz0_decode(ctx, data, size, U8_FILE_LIMIT, &archive_size, &trailing, error);
    if (!archive) return false;
    doc->alignment = header.alignment;
    doc->packed_file = kart_copy(ctx, data, size, error);
    doc->packed_size = doc->packed_file ? size : 0;
    bool done = doc->packed_file != NULL;
    if (done && !u8_detect(archive, archive_size))
        done = fail_content(archive, archive_size, error);
    if (done) doc->files = u8_parse(ctx, archive, archive_size, error);
    kart_free(ctx, archive, archive_size);
    if (!done || !doc->files) return false;
    // Some tools fill the file up to a multiple of 4 or 32.
    return trailing < 32 ||
           kart_findings_add(ctx, &doc->warnings,
                             (kart_finding){.rule = "trailing-bytes",
                                            .severity = KART_HINT,
                                            .section = "",
                                            .index = KART_NO_INDEX,
                                            .point = KART_NO_INDEX,
                                            .field = ""},
                             error,
                             "%zu bytes behind the compressed archive: a changed file "
                             "is written without them",
                             trailing);
}

szs_doc *szs_parse(kart_ctx *ctx, const uint8_t *data, size_t size, kart_error *error) {
    szs_doc *doc = doc_make(ctx, yaz0_detect(data, size), error);
    if (!doc) return NULL;
    if (doc->packed) return doc_finish(doc, unpack(doc, data, size, error));
    const char *other = szs_other_kind(data, size);
    if (other) {
        kart_fail_at(error, "", 0, "not an archive that is read here", "U8 or Yaz0", "%s", other);
        if (error) error->code = KART_UNSUPPORTED;
        return doc_finish(doc, false);
    }
    doc->files = u8_parse(ctx, data, size, error);
    return doc_finish(doc, doc->files != NULL);
}

uint8_t *szs_serialize(const szs_doc *doc, yaz0_level level, size_t *size, kart_error *error) {
    kart_ctx *ctx = doc->ctx;
    const u8_archive *files = doc->files;
    size_t bare_size;
    uint8_t *bare = u8_serialize(files, &bare_size, error), *bytes;
    *size = 0;
    if (!bare) return NULL;
    if (!doc->packed) {
        *size = bare_size;
        return bare;
    }
    if (doc->packed_file && bare_size == files->original_size &&
        memcmp(bare, files->original, bare_size) == 0) {
        bytes = kart_copy(ctx, doc->packed_file, doc->packed_size, error);
        if (bytes) *size = doc->packed_size;
    } else {
        bytes =
            yaz0_encode(ctx, bare, bare_size,
                        &(yaz0_options){.level = level, .alignment = doc->alignment}, size, error);
    }
    kart_free(ctx, bare, bare_size);
    return bytes;
}

bool szs_settle(szs_doc *doc, kart_error *error) {
    size_t size;
    uint8_t *data = u8_serialize(doc->files, &size, error);
    u8_archive *settled = data ? u8_parse(doc->ctx, data, size, error) : NULL;
    kart_free(doc->ctx, data, size);
    if (!settled) return false;
    u8_free(doc->files);
    doc->files = settled;
    kart_free(doc->ctx, doc->packed_file, doc->packed_size);
    doc->packed_file = NULL;
    doc->packed_size = 0;
    return true;
}
