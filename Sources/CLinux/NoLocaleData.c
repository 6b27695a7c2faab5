// The data of ICU, in which there is nothing: 34 MB of calendars, languages and names of places that stay
// out of the program.
//
// Swift's Foundation has ICU in it, and ICU its data as one object of this name in an archive. GRDB and
// Yams import Foundation, and need none of that: they compare and match text, for which ICU's own code
// suffices. As the name is defined here, the linker leaves the archive's object out. ICU's own name for
// such an object is stubdata; whoever asks it for a calendar or a language is told that there is none.
//
// Where Swift comes with another ICU the name is another, and the program is larger and works alike:
// Tests/Packaging/package.sh tells.
#include <stdint.h>

struct icu_data {
  uint16_t header_size;
  uint8_t magic[2];
  uint16_t info_size;
  uint16_t reserved_word;
  uint8_t is_big_endian;
  uint8_t charset_family;
  uint8_t sizeof_character;
  uint8_t reserved_byte;
  uint8_t format[4];
  uint8_t format_version[4];
  uint8_t data_version[4];
  uint8_t padding[8];
  uint32_t count;
  uint32_t reserved;
};

// Hidden, so that only a program with Foundation linked in has it: the shared library keeps its own.
__attribute__((visibility("hidden"), aligned(16))) const struct icu_data icudt76_dat = {
    .header_size = 32,
    .magic = {0xDA, 0x27},
    .info_size = 20,
    .is_big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
    .sizeof_character = 2,
    .format = {'T', 'o', 'C', 'P'},
    .format_version = {1, 0, 0, 0},
};
