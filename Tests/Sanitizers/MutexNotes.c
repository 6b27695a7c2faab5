// Tells the thread sanitizer what it cannot see of Swift's Mutex.
//
// The quick ways of locking and unlocking are compiled into every program, sanitizer and all. The slow
// ways, taken when a thread waits for another, are in libswiftSynchronization, which was compiled
// without it: there a lock is handed over unseen, and every access behind it counts as a race. This
// library comes before that one (LD_PRELOAD), does the same by it, and tells the sanitizer of the
// hand-over. Without a sanitizer in the program it tells nobody.

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define TRY "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"

// _MutexHandle._lockSlow(_: UInt32), _unlockSlow() and _tryLockSlow() -> Bool.
SWIFT void lock_slow(uint32_t thread, SELF void *handle) __asm__(LOCK);
SWIFT void unlock_slow(SELF void *handle) __asm__(UNLOCK);
SWIFT _Bool try_lock_slow(SELF void *handle) __asm__(TRY);

static void tell(const char *name, void *handle) {
  void (*told)(void *) = (void (*)(void *))dlsym(RTLD_DEFAULT, name);
  if (told != NULL) told(handle);
}

SWIFT void lock_slow(uint32_t thread, SELF void *handle) {
  SWIFT void (*next)(uint32_t, SELF void *) =
      (SWIFT void (*)(uint32_t, SELF void *))dlsym(RTLD_NEXT, LOCK);
  next(thread, handle);
  tell("__tsan_acquire", handle);
}

SWIFT void unlock_slow(SELF void *handle) {
  SWIFT void (*next)(SELF void *) = (SWIFT void (*)(SELF void *))dlsym(RTLD_NEXT, UNLOCK);
  tell("__tsan_release", handle);
  next(handle);
}

SWIFT _Bool try_lock_slow(SELF void *handle) {
  SWIFT _Bool (*next)(SELF void *) = (SWIFT _Bool (*)(SELF void *))dlsym(RTLD_NEXT, TRY);
  _Bool locked = next(handle);
  if (locked) tell("__tsan_acquire", handle);
  return locked;
}
