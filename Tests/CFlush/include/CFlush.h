// Flushing to disk, counted and slowed down.
//
// fsync and fdatasync are defined here and exported by the executable, so that every call in this
// process comes here, SQLite's too: symbols of the executable go before those of libraries. The real
// call is always made. The clocks that time it are read here too.
#ifndef CHECKPOST_CFLUSH_H
#define CHECKPOST_CFLUSH_H

#include <stdint.h>
#include <time.h>

/// Flushes of this process so far.
uint64_t cflush_count(void);

/// Nanoseconds that were spent in them.
int64_t cflush_nanoseconds(void);

/// Lets each flush from now on take at least so many nanoseconds; 0 for as long as it takes.
void cflush_set_least(int64_t nanoseconds);

/// The time of a clock in nanoseconds.
int64_t cflush_clock(clockid_t clock);

/// Sleeps until the clock shows that many nanoseconds; woken early by a signal, it sleeps on.
void cflush_sleep(clockid_t clock, int64_t until);

#endif
