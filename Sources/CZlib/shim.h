// zlib (Debian's zlib1g-dev), and one inline function for each macro that Swift cannot import.
// Header only: this package has no C source.
#include <zlib.h>

static inline int switchback_deflateInit2(z_streamp stream, int level, int windowBits, int memLevel) {
    return deflateInit2(stream, level, Z_DEFLATED, windowBits, memLevel, Z_DEFAULT_STRATEGY);
}

static inline int switchback_inflateInit2(z_streamp stream, int windowBits) {
    return inflateInit2(stream, windowBits);
}
