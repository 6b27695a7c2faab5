// The medium: files, what of them is kept, and what a power cut takes.
#include "Disk.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t all_lock = PTHREAD_MUTEX_INITIALIZER;
static csimulated_disk *all;

// Contents.

static int content_grow(content *content, int64_t size) {
  if (size > content->room) {
    int64_t room = size * 2 < 4096 ? 4096 : size * 2;
    unsigned char *bytes = realloc(content->bytes, (size_t)room);
    if (!bytes) return 0;
    content->bytes = bytes;
    content->room = room;
  }
  if (size > content->size) {
    memset(content->bytes + content->size, 0, (size_t)(size - content->size));
    content->size = size;
  }
  return 1;
}

int content_write(content *content, int64_t offset, const unsigned char *bytes, int64_t count) {
  if (!content_grow(content, offset + count)) return 0;
  if (count) memcpy(content->bytes + offset, bytes, (size_t)count);
  return 1;
}

static void content_resize(content *content, int64_t size) {
  if (size < content->size) content->size = size;
  content_grow(content, size);
}

static void content_copy(content *to, const content *from) {
  to->size = 0;
  content_write(to, 0, from->bytes, from->size);
}

// Changes.

static change *change_make(
    change_kind kind, const char *name, int64_t offset, int64_t count, const unsigned char *bytes) {
  change *made = calloc(1, sizeof *made);
  if (!made) return NULL;
  made->kind = kind;
  made->offset = offset;
  made->count = count;
  made->name = name ? strdup(name) : NULL;
  if (bytes && count) {
    made->bytes = malloc((size_t)count);
    if (made->bytes) memcpy(made->bytes, bytes, (size_t)count);
  }
  return made;
}

static void changes_free(change *first) {
  while (first) {
    change *next = first->next;
    free(first->name);
    free(first->bytes);
    free(first);
    first = next;
  }
}

static void change_do(const change *change, content *content) {
  if (change->kind == WRITTEN && change->bytes) {
    content_write(content, change->offset, change->bytes, change->count);
  } else if (change->kind == TRUNCATED) {
    content_resize(content, change->offset);
  }
}

// Files.

file_node *node_make(void) {
  file_node *node = calloc(1, sizeof *node);
  if (node) node->users = 1;
  return node;
}

void shared_let_go(shared_memory *shared) {
  if (!shared || --shared->users > 0) return;
  for (int i = 0; i < shared->regions; i++) free(shared->region[i]);
  free(shared->region);
  free(shared);
}

void node_let_go(file_node *node) {
  if (!node || --node->users > 0) return;
  changes_free(node->first);
  free(node->seen.bytes);
  free(node->kept.bytes);
  shared_let_go(node->shared);
  free(node);
}

static void node_add(file_node *node, change *change) {
  if (!change) return;
  if (node->last) node->last->next = change;
  else node->first = change;
  node->last = change;
}

void node_write(file_node *node, int64_t offset, const unsigned char *bytes, int64_t count) {
  content_write(&node->seen, offset, bytes, count);
  node_add(node, change_make(WRITTEN, NULL, offset, count, bytes));
}

void node_truncate(file_node *node, int64_t size) {
  content_resize(&node->seen, size);
  node_add(node, change_make(TRUNCATED, NULL, size, 0, NULL));
}

void node_forget_changes(file_node *node) {
  changes_free(node->first);
  node->first = node->last = NULL;
}

void node_keep(file_node *node) {
  for (change *change = node->first; change; change = change->next) change_do(change, &node->kept);
  node_forget_changes(node);
}

// Names.

name_entry *disk_entry(csimulated_disk *disk, const char *name, int makes) {
  const char *end = name + strlen(disk->prefix);
  for (name_entry *entry = disk->names; entry; entry = entry->next)
    if (strcmp(entry->name, end) == 0) return entry;
  if (!makes) return NULL;
  name_entry *entry = calloc(1, sizeof *entry);
  if (!entry) return NULL;
  entry->name = strdup(end);
  entry->next = disk->names;
  return disk->names = entry;
}

static void entry_keep(name_entry *entry) {
  if (entry->kept == entry->seen) return;
  node_let_go(entry->kept);
  entry->kept = entry->seen;
  if (entry->kept) entry->kept->users++;
}

void disk_keep_names(csimulated_disk *disk) {
  for (name_entry *entry = disk->names; entry; entry = entry->next) entry_keep(entry);
}

void disk_sync(csimulated_disk *disk, name_entry *entry) {
  node_keep(entry->seen);
  if (entry->kept != entry->seen) disk_keep_names(disk);
}

void entry_delete(name_entry *entry) {
  node_let_go(entry->seen);
  entry->seen = NULL;
}

static void names_free(csimulated_disk *disk) {
  while (disk->names) {
    name_entry *next = disk->names->next;
    node_let_go(disk->names->seen);
    node_let_go(disk->names->kept);
    free(disk->names->name);
    free(disk->names);
    disk->names = next;
  }
}

// What comes between.

int disk_fails(csimulated_disk *disk, csimulated_disk_call call) {
  if (disk->failures[call].times == 0) return 0;
  if (disk->failures[call].after > 0) {
    disk->failures[call].after--;
    return 0;
  }
  if (disk->failures[call].times > 0) disk->failures[call].times--;
  disk->counts[CSIMULATED_DISK_FAILED_READS + call]++;
  return 1;
}

int disk_begin(
    csimulated_disk *disk, change_kind kind, const char *name, int64_t offset, int64_t count,
    const unsigned char *bytes, int *is_cut) {
  *is_cut = 0;
  if (disk->is_off) return SQLITE_IOERR;
  if (disk->is_read_only && kind != SYNCED) {
    disk->counts[CSIMULATED_DISK_WRITES_REFUSED]++;
    return kind == MADE ? SQLITE_CANTOPEN : SQLITE_IOERR_WRITE;
  }
  if (kind == WRITTEN && disk_fails(disk, CSIMULATED_DISK_WRITE)) return SQLITE_IOERR_WRITE;
  if (disk->remembers) {
    change *kept = change_make(kind, name + strlen(disk->prefix), offset, count, bytes);
    if (!kept) return SQLITE_NOMEM;
    if (disk->last_past) disk->last_past->next = kept;
    else disk->past = kept;
    disk->last_past = kept;
  }
  if (disk->changes++ == disk->cut_at) *is_cut = disk->is_off = 1;
  return SQLITE_OK;
}

int64_t disk_used(csimulated_disk *disk) {
  int64_t used = 0;
  for (name_entry *entry = disk->names; entry; entry = entry->next)
    if (entry->seen) used += entry->seen->seen.size;
  return used;
}

// Power.

static uint64_t draw(uint64_t *state) {
  uint64_t mixed = *state += 0x9E3779B97F4A7C15;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
  return mixed ^ (mixed >> 31);
}

/// Keeps of a write the sectors that `rest` and the draws leave; returns whether all were.
static int keep_sectors(
    content *kept, const change *change, csimulated_disk_rest rest, int sectors, uint64_t *random) {
  int64_t done = 0, whole = 1;
  for (int number = 0; done < change->count; number++) {
    int64_t place = change->offset + done;
    int64_t count = SECTOR - place % SECTOR;
    if (count > change->count - done) count = change->count - done;
    int stays = rest == CSIMULATED_DISK_ANY ? (int)(draw(random) & 1) : number < sectors;
    if (stays) content_write(kept, place, change->bytes + done, count);
    else whole = 0;
    done += count;
  }
  return (int)whole;
}

static void node_cut(
    csimulated_disk *disk, file_node *node, csimulated_disk_rest rest, uint64_t *random) {
  uint64_t count = 0, number = 0;
  for (change *change = node->first; change; change = change->next) count++;
  uint64_t stays = rest == CSIMULATED_DISK_EVERYTHING  ? count
                   : rest == CSIMULATED_DISK_BEGINNING ? draw(random) % (count + 1)
                                                       : 0;
  for (change *change = node->first; change; change = change->next, number++) {
    int whole = number < stays;
    if (whole) {
      change_do(change, &node->kept);
    } else if (change->kind == TRUNCATED) {
      whole = rest == CSIMULATED_DISK_ANY && (draw(random) & 1);
      if (whole) change_do(change, &node->kept);
    } else if (rest == CSIMULATED_DISK_ANY) {
      whole = keep_sectors(&node->kept, change, rest, 0, random);
    } else if (rest == CSIMULATED_DISK_BEGINNING && number == stays) {
      whole = keep_sectors(&node->kept, change, rest, (int)(draw(random) % 8), random);
    }
    if (!whole) disk->counts[CSIMULATED_DISK_CHANGES_LOST]++;
  }
  node_forget_changes(node);
  content_copy(&node->seen, &node->kept);
}

static void forget_processes(csimulated_disk *disk) {
  disk->life++;
  for (name_entry *entry = disk->names; entry; entry = entry->next) {
    file_node *node = entry->seen;
    if (!node) continue;
    node->sharing = 0;
    node->reserved = node->pending = node->exclusive = NULL;
    shared_let_go(node->shared);
    node->shared = NULL;
  }
}

static void cut_power(csimulated_disk *disk, csimulated_disk_rest rest, uint64_t seed) {
  uint64_t random = seed;
  for (name_entry *entry = disk->names; entry; entry = entry->next) {
    if (entry->kept != entry->seen) {
      int keeps = rest == CSIMULATED_DISK_EVERYTHING || (rest != CSIMULATED_DISK_NOTHING && (draw(&random) & 1));
      if (keeps) {
        entry_keep(entry);
      } else {
        node_let_go(entry->seen);
        entry->seen = entry->kept;
        if (entry->seen) entry->seen->users++;
      }
    }
    if (entry->seen) node_cut(disk, entry->seen, rest, &random);
  }
  forget_processes(disk);
  disk->is_off = 0;
  disk->cut_at = UINT64_MAX;
  disk->counts[CSIMULATED_DISK_POWER_CUTS]++;
}

void csimulated_disk_power_cut(csimulated_disk *disk, csimulated_disk_rest rest, uint64_t seed) {
  pthread_mutex_lock(&disk->lock);
  cut_power(disk, rest, seed);
  pthread_mutex_unlock(&disk->lock);
}

void csimulated_disk_crash(csimulated_disk *disk) {
  pthread_mutex_lock(&disk->lock);
  forget_processes(disk);
  pthread_mutex_unlock(&disk->lock);
}

void csimulated_disk_go_back(csimulated_disk *disk, uint64_t changes, csimulated_disk *copy) {
  pthread_mutex_lock(&disk->lock);
  pthread_mutex_lock(&copy->lock);
  forget_processes(copy);
  names_free(copy);
  uint64_t number = 0;
  size_t front = strlen(copy->prefix);
  for (change *past = disk->past; past && number <= changes; past = past->next, number++) {
    char name[4096];
    if (front + strlen(past->name) >= sizeof name) continue;
    memcpy(name, copy->prefix, front);
    strcpy(name + front, past->name);
    name_entry *entry = disk_entry(copy, name, 1);
    if (!entry) break;
    if (!entry->seen && past->kind != DELETED) entry->seen = node_make();
    int is_begun = number == changes;
    switch (past->kind) {
      case MADE:
        // What was taken over from the file system was there before.
        if (past->bytes) {
          node_write(entry->seen, 0, past->bytes, past->count);
          disk_sync(copy, entry);
        }
        break;
      case WRITTEN: node_write(entry->seen, past->offset, past->bytes, past->count); break;
      case TRUNCATED: node_truncate(entry->seen, past->offset); break;
      case SYNCED:
        if (is_begun) break;
        disk_sync(copy, entry);
        break;
      case DELETED:
        entry_delete(entry);
        if (past->offset && !is_begun) disk_keep_names(copy);
        break;
    }
  }
  copy->is_off = 1;
  pthread_mutex_unlock(&copy->lock);
  pthread_mutex_unlock(&disk->lock);
}

// Disks.

csimulated_disk *csimulated_disk_make(const char *prefix) {
  volume_register();
  csimulated_disk *disk = calloc(1, sizeof *disk);
  if (!disk) return NULL;
  disk->prefix = strdup(prefix);
  disk->users = 1;
  disk->capacity = -1;
  disk->cut_at = UINT64_MAX;
  pthread_mutex_init(&disk->lock, NULL);
  pthread_mutex_lock(&all_lock);
  disk->next = all;
  all = disk;
  pthread_mutex_unlock(&all_lock);
  return disk;
}

csimulated_disk *disk_of(const char *name) {
  pthread_mutex_lock(&all_lock);
  csimulated_disk *disk = all;
  while (disk && strncmp(name, disk->prefix, strlen(disk->prefix)) != 0) disk = disk->next;
  if (disk) disk->users++;
  pthread_mutex_unlock(&all_lock);
  return disk;
}

void disk_let_go(csimulated_disk *disk) {
  pthread_mutex_lock(&all_lock);
  int users = --disk->users;
  pthread_mutex_unlock(&all_lock);
  if (users > 0) return;
  names_free(disk);
  changes_free(disk->past);
  pthread_mutex_destroy(&disk->lock);
  free(disk->prefix);
  free(disk);
}

void csimulated_disk_let_go(csimulated_disk *disk) {
  pthread_mutex_lock(&all_lock);
  csimulated_disk **place = &all;
  while (*place && *place != disk) place = &(*place)->next;
  if (*place) *place = disk->next;
  pthread_mutex_unlock(&all_lock);
  csimulated_disk_crash(disk);
  disk_let_go(disk);
}

// Settings and counters: one field each.

#define LOCKED(statement)            \
  pthread_mutex_lock(&disk->lock);   \
  statement;                         \
  pthread_mutex_unlock(&disk->lock)

uint64_t csimulated_disk_changes(csimulated_disk *disk) {
  LOCKED(uint64_t changes = disk->changes);
  return changes;
}

void csimulated_disk_cut_after(csimulated_disk *disk, uint64_t changes) {
  LOCKED(disk->cut_at = disk->changes + changes);
}

int csimulated_disk_is_off(csimulated_disk *disk) {
  LOCKED(int is_off = disk->is_off);
  return is_off;
}

void csimulated_disk_set_capacity(csimulated_disk *disk, int64_t bytes) {
  LOCKED(disk->capacity = bytes);
}

int64_t csimulated_disk_used(csimulated_disk *disk) {
  LOCKED(int64_t used = disk_used(disk));
  return used;
}

void csimulated_disk_set_read_only(csimulated_disk *disk, int is_read_only) {
  LOCKED(disk->is_read_only = is_read_only);
}

void csimulated_disk_set_lying(csimulated_disk *disk, int lies) { LOCKED(disk->lies = lies); }

void csimulated_disk_remember(csimulated_disk *disk) { LOCKED(disk->remembers = 1); }

uint64_t csimulated_disk_count(csimulated_disk *disk, csimulated_disk_counter counter) {
  LOCKED(uint64_t count = disk->counts[counter]);
  return count;
}

void csimulated_disk_fail(
    csimulated_disk *disk, csimulated_disk_call call, uint64_t after, int64_t times) {
  pthread_mutex_lock(&disk->lock);
  disk->failures[call].after = after;
  disk->failures[call].times = times;
  pthread_mutex_unlock(&disk->lock);
}

int csimulated_disk_damage(csimulated_disk *disk, const char *name, int64_t offset, int bit) {
  pthread_mutex_lock(&disk->lock);
  int done = 0;
  name_entry *entry = disk_entry(disk, name, 0);
  if (entry && entry->seen && offset >= 0 && offset < entry->seen->seen.size) {
    entry->seen->seen.bytes[offset] ^= (unsigned char)(1 << (bit & 7));
    if (offset < entry->seen->kept.size)
      entry->seen->kept.bytes[offset] ^= (unsigned char)(1 << (bit & 7));
    done = 1;
  }
  pthread_mutex_unlock(&disk->lock);
  return done;
}
