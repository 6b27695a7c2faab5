#define _GNU_SOURCE
#include "CFlush.h"

#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static _Atomic uint64_t flushes;
static _Atomic int64_t least;

uint64_t cflush_count(void) { return atomic_load(&flushes); }

void cflush_set_least(int64_t nanoseconds) { atomic_store(&least, nanoseconds); }

static int flush(long call, int descriptor) {
  atomic_fetch_add(&flushes, 1);
  int64_t wanted = atomic_load(&least);
  struct timespec until;
  if (wanted > 0) clock_gettime(CLOCK_MONOTONIC, &until);
  int status = (int)syscall(call, descriptor);
  if (wanted > 0) {
    until.tv_nsec += wanted;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    // Woken early by a signal, it sleeps on; a moment that has passed does not wait at all.
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) != 0) {
    }
  }
  return status;
}

__attribute__((used, visibility("default"))) int fsync(int descriptor) {
  return flush(SYS_fsync, descriptor);
}

__attribute__((used, visibility("default"))) int fdatasync(int descriptor) {
  return flush(SYS_fdatasync, descriptor);
}
