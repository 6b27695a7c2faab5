// What the two halves of the disk share: the medium with its files, and SQLite's way to it.
#ifndef CHECKPOST_DISK_H
#define CHECKPOST_DISK_H

#include "CSimulatedDisk.h"

#include <pthread.h>
#include <stddef.h>

enum { SECTOR = 512, SHARED_LOCKS = 8 };

typedef struct {
  unsigned char *bytes;
  int64_t size, room;
} content;

typedef enum { MADE, WRITTEN, TRUNCATED, SYNCED, DELETED } change_kind;

typedef struct change {
  change_kind kind;
  /// The end of the file's name; only in what is remembered.
  char *name;
  int64_t offset, count;
  unsigned char *bytes;
  struct change *next;
} change;

/// What connections to one database share beside its file.
typedef struct {
  int users;
  int regions, region_size;
  void **region;
  /// Of each lock: how many share it, or -1.
  int held[SHARED_LOCKS];
} shared_memory;

typedef struct {
  int users;
  /// What processes see, and what is on the medium.
  content seen, kept;
  change *first, *last;
  /// Locks of the file itself.
  int sharing;
  void *reserved, *pending, *exclusive;
  shared_memory *shared;
} file_node;

typedef struct name_entry {
  char *name;
  /// What the name stands for, and what it stands for on the medium.
  file_node *seen, *kept;
  struct name_entry *next;
} name_entry;

struct csimulated_disk {
  char *prefix;
  int users;
  pthread_mutex_t lock;
  name_entry *names;
  uint64_t changes, cut_at;
  int is_off, is_read_only, lies, remembers;
  /// Connections of an earlier life are dead.
  uint64_t life;
  int64_t capacity;
  uint64_t counts[CSIMULATED_DISK_COUNTERS];
  struct {
    uint64_t after;
    int64_t times;
  } failures[3];
  change *past, *last_past;
  struct csimulated_disk *next;
};

/// Whether that call fails now; it is counted.
int disk_fails(csimulated_disk *disk, csimulated_disk_call call);
/// Begins a change: 0, or why it cannot be made as a result code of SQLite. `*is_cut` tells that the power
/// fails in the middle of it.
int disk_begin(
    csimulated_disk *disk, change_kind kind, const char *name, int64_t offset, int64_t count,
    const unsigned char *bytes, int *is_cut);
name_entry *disk_entry(csimulated_disk *disk, const char *name, int makes);
file_node *node_make(void);
void node_let_go(file_node *node);
void node_write(file_node *node, int64_t offset, const unsigned char *bytes, int64_t count);
void node_truncate(file_node *node, int64_t size);
/// All that was written is on the medium.
void node_keep(file_node *node);
/// What was written is taken for kept, and is not.
void node_forget_changes(file_node *node);
/// The name stands for nothing any more; on the medium it does until its directory is synced.
void entry_delete(name_entry *entry);
/// All names are on the medium as they are: their directory is synced.
void disk_keep_names(csimulated_disk *disk);
/// A file is synced, and with one whose name is new its directory, as SQLite does it.
void disk_sync(csimulated_disk *disk, name_entry *entry);
int content_write(content *content, int64_t offset, const unsigned char *bytes, int64_t count);
int64_t disk_used(csimulated_disk *disk);
void shared_let_go(shared_memory *shared);
void disk_let_go(csimulated_disk *disk);
/// The disk that holds the file of that name, with one more user; NULL when none does.
csimulated_disk *disk_of(const char *name);
/// Puts SQLite's way to the disks before the system's; once.
void volume_register(void);

#endif
