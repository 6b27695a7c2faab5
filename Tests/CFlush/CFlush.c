#define _GNU_SOURCE
#include "CFlush.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static _Atomic uint64_t flushes;
static _Atomic int64_t spent;
static _Atomic int64_t least;

uint64_t cflush_count(void) { return atomic_load(&flushes); }

int64_t cflush_nanoseconds(void) { return atomic_load(&spent); }

void cflush_set_least(int64_t nanoseconds) { atomic_store(&least, nanoseconds); }

int64_t cflush_clock(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

void cflush_sleep(clockid_t clock, int64_t until) {
  struct timespec moment = {.tv_sec = until / 1000000000, .tv_nsec = until % 1000000000};
  while (clock_nanosleep(clock, TIMER_ABSTIME, &moment, NULL) == EINTR) {
  }
}

static int64_t now(void) { return cflush_clock(CLOCK_MONOTONIC); }

static int flush(long call, int descriptor) {
  int64_t begun = now();
  int status = (int)syscall(call, descriptor);
  int failure = errno;
  int64_t until = begun + atomic_load(&least);
  if (now() < until) cflush_sleep(CLOCK_MONOTONIC, until);
  atomic_fetch_add(&flushes, 1);
  atomic_fetch_add(&spent, now() - begun);
  errno = failure;
  return status;
}

__attribute__((used, visibility("default"))) int fsync(int descriptor) {
  return flush(SYS_fsync, descriptor);
}

__attribute__((used, visibility("default"))) int fdatasync(int descriptor) {
  return flush(SYS_fdatasync, descriptor);
}
