#ifndef CFUZZER_H
#define CFUZZER_H

#include <stddef.h>
#include <stdint.h>

/// libFuzzer's own main loop, which the compiler links in with `-sanitize=fuzzer`: reads the options,
/// makes up inputs and hands each to `test` (https://llvm.org/docs/LibFuzzer.html).
int LLVMFuzzerRunDriver(
    int *argc, char ***argv, int (*test)(const uint8_t *start, size_t count));

#endif
