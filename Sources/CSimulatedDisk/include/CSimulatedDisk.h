// A disk in memory that SQLite's files may lie on: it knows what of each file was written and what was
// synced, so that a power cut can take back what was not. Not shipped: for simulation and tests.
#ifndef CHECKPOST_CSIMULATED_DISK_H
#define CHECKPOST_CSIMULATED_DISK_H

#include <stdint.h>

typedef struct csimulated_disk csimulated_disk;

/// What a power cut leaves of the changes that were not synced.
typedef enum {
  /// None of them.
  CSIMULATED_DISK_NOTHING = 0,
  /// All of them.
  CSIMULATED_DISK_EVERYTHING = 1,
  /// The first ones, and of the next one its first sectors.
  CSIMULATED_DISK_BEGINNING = 2,
  /// Any sectors of them, whichever was written first.
  CSIMULATED_DISK_ANY = 3,
} csimulated_disk_rest;

/// Calls that can be made to fail.
typedef enum {
  CSIMULATED_DISK_READ = 0,
  CSIMULATED_DISK_WRITE = 1,
  CSIMULATED_DISK_SYNC = 2,
} csimulated_disk_call;

/// What befell the files, counted.
typedef enum {
  CSIMULATED_DISK_FAILED_READS = 0,
  CSIMULATED_DISK_FAILED_WRITES = 1,
  CSIMULATED_DISK_FAILED_SYNCS = 2,
  CSIMULATED_DISK_WRITES_WITHOUT_SPACE = 3,
  CSIMULATED_DISK_WRITES_REFUSED = 4,
  CSIMULATED_DISK_POWER_CUTS = 5,
  /// Changes that a power cut took back, whole or in part.
  CSIMULATED_DISK_CHANGES_LOST = 6,
  CSIMULATED_DISK_COUNTERS = 7,
} csimulated_disk_counter;

/// A disk for the files whose names begin with `prefix`. All others stay with the system. A file that is not
/// on the disk yet and lies at that name in the file system is taken over from there when it is opened. NULL
/// when there is no memory.
csimulated_disk *csimulated_disk_make(const char *prefix);

/// Lets go of a disk; connections that are open find it dead.
void csimulated_disk_let_go(csimulated_disk *disk);

/// Changes of files so far: writes, truncations, syncs, files made and deleted.
uint64_t csimulated_disk_changes(csimulated_disk *disk);

/// The power fails in the middle of the change after `changes` more. Until it is back, every call fails.
void csimulated_disk_cut_after(csimulated_disk *disk, uint64_t changes);

/// Whether the power has failed and is not back.
int csimulated_disk_is_off(csimulated_disk *disk);

/// The power fails, if it has not, and comes back: what was synced is there, and of the rest what `rest` says
/// and `seed` draws. Connections that were open are dead.
void csimulated_disk_power_cut(csimulated_disk *disk, csimulated_disk_rest rest, uint64_t seed);

/// The processes that have files open die, and the machine does not: all that was written is there.
void csimulated_disk_crash(csimulated_disk *disk);

/// Bytes that all files together may have; negative for any number.
void csimulated_disk_set_capacity(csimulated_disk *disk, int64_t bytes);

/// Bytes that all files together have.
int64_t csimulated_disk_used(csimulated_disk *disk);

/// Whether the file system takes no changes, as after a kernel has found an error of its device.
void csimulated_disk_set_read_only(csimulated_disk *disk, int is_read_only);

/// Whether syncs do nothing and say that they have, as those of some memory cards.
void csimulated_disk_set_lying(csimulated_disk *disk, int lies);

/// Calls of that kind fail, after `after` more that do not: `times` of them, or all when it is negative. A
/// sync that fails takes what it was to keep for kept, as file systems do: no later one keeps it.
void csimulated_disk_fail(
    csimulated_disk *disk, csimulated_disk_call call, uint64_t after, int64_t times);

/// Turns one bit of the file of that name over, on the medium and for who reads it. 0 when it has no such
/// byte.
int csimulated_disk_damage(csimulated_disk *disk, const char *name, int64_t offset, int bit);

/// How often that happened.
uint64_t csimulated_disk_count(csimulated_disk *disk, csimulated_disk_counter counter);

/// Keeps each change from now on, to be able to go back to it. The disk must have been made just now.
void csimulated_disk_remember(csimulated_disk *disk);

/// Makes `copy` what `disk` was after so many changes, with the next one begun and not finished, and turns its
/// power off. `copy` keeps its own prefix, and its open connections are dead.
void csimulated_disk_go_back(csimulated_disk *disk, uint64_t changes, csimulated_disk *copy);

#endif
