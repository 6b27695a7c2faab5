// Flushing to disk, counted and slowed down.
//
// fsync and fdatasync are defined here and exported by the executable, so that every call in this
// process comes here, SQLite's too: symbols of the executable go before those of libraries. The real
// call is always made.
#ifndef CHECKPOST_CFLUSH_H
#define CHECKPOST_CFLUSH_H

#include <stdint.h>

/// Flushes of this process so far.
uint64_t cflush_count(void);

/// Nanoseconds that were spent in them.
int64_t cflush_nanoseconds(void);

/// Lets each flush from now on take at least so many nanoseconds; 0 for as long as it takes.
void cflush_set_least(int64_t nanoseconds);

#endif
