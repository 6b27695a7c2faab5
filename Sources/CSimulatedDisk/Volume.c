// SQLite's way to the disks: a VFS that stands before the system's and serves the files of a disk itself
// (https://sqlite.org/vfs.html).
#include "Disk.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static sqlite3_vfs volume;
static sqlite3_vfs *beneath;

typedef struct {
  sqlite3_file base;
  csimulated_disk *disk;
  uint64_t life;
  name_entry *entry;
  char *name;
  file_node *node;
  int lock, is_temporary;
  shared_memory *shared;
  /// Locks of the shared memory that this connection shares, and has alone.
  unsigned shares, owns;
} open_file;

static int is_dead(const open_file *file) {
  return file->life != file->disk->life || file->disk->is_off;
}

/// Locks the disk; 0 when the connection is dead, with the disk left alone.
static int enter(open_file *file) {
  pthread_mutex_lock(&file->disk->lock);
  if (!is_dead(file)) return 1;
  pthread_mutex_unlock(&file->disk->lock);
  return 0;
}

static int leave(open_file *file, int result) {
  pthread_mutex_unlock(&file->disk->lock);
  return result;
}

static int on_read(sqlite3_file *base, void *bytes, int count, sqlite3_int64 offset) {
  open_file *file = (open_file *)base;
  if (!enter(file)) return SQLITE_IOERR_READ;
  if (disk_fails(file->disk, CSIMULATED_DISK_READ)) return leave(file, SQLITE_IOERR_READ);
  content *content = &file->node->seen;
  int64_t there = content->size - offset;
  if (there < 0) there = 0;
  if (there > count) there = count;
  if (there) memcpy(bytes, content->bytes + offset, (size_t)there);
  if (there == count) return leave(file, SQLITE_OK);
  memset((char *)bytes + there, 0, (size_t)(count - there));
  return leave(file, SQLITE_IOERR_SHORT_READ);
}

static int on_write(sqlite3_file *base, const void *bytes, int count, sqlite3_int64 offset) {
  open_file *file = (open_file *)base;
  if (!enter(file)) return SQLITE_IOERR_WRITE;
  csimulated_disk *disk = file->disk;
  int64_t growth = offset + count - file->node->seen.size;
  int result = SQLITE_OK, is_cut;
  if (disk->capacity >= 0 && growth > 0 && disk_used(disk) + growth > disk->capacity) {
    // As much as there is room for is written, as by write(2).
    disk->counts[CSIMULATED_DISK_WRITES_WITHOUT_SPACE]++;
    int64_t room = disk->capacity - disk_used(disk);
    count = (int)(count - growth + (room > 0 ? room : 0));
    result = SQLITE_FULL;
    if (count <= 0) return leave(file, result);
  }
  int begun = disk_begin(disk, WRITTEN, file->name, offset, count, bytes, &is_cut);
  if (begun) return leave(file, begun);
  node_write(file->node, offset, bytes, count);
  return leave(file, is_cut ? SQLITE_IOERR_WRITE : result);
}

static int on_truncate(sqlite3_file *base, sqlite3_int64 size) {
  open_file *file = (open_file *)base;
  if (!enter(file)) return SQLITE_IOERR_TRUNCATE;
  int is_cut;
  int begun = disk_begin(file->disk, TRUNCATED, file->name, size, 0, NULL, &is_cut);
  if (begun) return leave(file, begun);
  node_truncate(file->node, size);
  return leave(file, is_cut ? SQLITE_IOERR_TRUNCATE : SQLITE_OK);
}

static int on_sync(sqlite3_file *base, int flags) {
  (void)flags;
  open_file *file = (open_file *)base;
  if (!enter(file)) return SQLITE_IOERR_FSYNC;
  if (disk_fails(file->disk, CSIMULATED_DISK_SYNC)) {
    node_forget_changes(file->node);
    return leave(file, SQLITE_IOERR_FSYNC);
  }
  if (file->disk->lies) return leave(file, SQLITE_OK);
  int is_cut;
  int begun = disk_begin(file->disk, SYNCED, file->name, 0, 0, NULL, &is_cut);
  if (begun) return leave(file, begun);
  if (is_cut) return leave(file, SQLITE_IOERR_FSYNC);
  if (file->entry->seen == file->node) disk_sync(file->disk, file->entry);
  else node_keep(file->node);
  return leave(file, SQLITE_OK);
}

static int on_size(sqlite3_file *base, sqlite3_int64 *size) {
  open_file *file = (open_file *)base;
  if (!enter(file)) return SQLITE_IOERR_FSTAT;
  *size = file->node->seen.size;
  return leave(file, SQLITE_OK);
}

// Locks of the file, within this process (https://sqlite.org/lockingv3.html).

static void unlock(open_file *file, int level) {
  file_node *node = file->node;
  if (file->lock <= level) return;
  if (node->exclusive == file) node->exclusive = NULL;
  if (node->pending == file) node->pending = NULL;
  if (node->reserved == file) node->reserved = NULL;
  if (level == SQLITE_LOCK_NONE) node->sharing--;
  file->lock = level;
}

static int on_lock(sqlite3_file *base, int level) {
  open_file *file = (open_file *)base;
  if (!enter(file)) return SQLITE_IOERR_LOCK;
  file_node *node = file->node;
  if (file->lock >= level) return leave(file, SQLITE_OK);
  if (level == SQLITE_LOCK_SHARED) {
    if (node->pending || node->exclusive) return leave(file, SQLITE_BUSY);
    node->sharing++;
  } else if (level == SQLITE_LOCK_RESERVED) {
    if (node->reserved) return leave(file, SQLITE_BUSY);
    node->reserved = file;
  } else {
    if ((node->reserved && node->reserved != file) || (node->pending && node->pending != file))
      return leave(file, SQLITE_BUSY);
    node->pending = file;
    if (node->sharing > 1) {
      file->lock = SQLITE_LOCK_PENDING;
      return leave(file, SQLITE_BUSY);
    }
    node->exclusive = file;
  }
  file->lock = level;
  return leave(file, SQLITE_OK);
}

static int on_unlock(sqlite3_file *base, int level) {
  open_file *file = (open_file *)base;
  if (!enter(file)) return SQLITE_OK;
  unlock(file, level);
  return leave(file, SQLITE_OK);
}

static int on_check_reserved(sqlite3_file *base, int *result) {
  open_file *file = (open_file *)base;
  if (!enter(file)) return SQLITE_IOERR_CHECKRESERVEDLOCK;
  *result = file->node->reserved != NULL;
  return leave(file, SQLITE_OK);
}

static int on_control(sqlite3_file *base, int operation, void *argument) {
  (void)base, (void)operation, (void)argument;
  return SQLITE_NOTFOUND;
}

static int on_sector_size(sqlite3_file *base) {
  (void)base;
  return 4096;
}

static int on_characteristics(sqlite3_file *base) {
  (void)base;
  return SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}

// What the connections of a write-ahead log share.

static int on_shared_map(
    sqlite3_file *base, int number, int size, int makes, void volatile **region) {
  open_file *file = (open_file *)base;
  *region = NULL;
  if (!enter(file)) return SQLITE_IOERR_SHMMAP;
  if (!file->shared) {
    if (!file->node->shared) {
      file->node->shared = calloc(1, sizeof(shared_memory));
      if (!file->node->shared) return leave(file, SQLITE_NOMEM);
      file->node->shared->users = 1;
    }
    file->shared = file->node->shared;
    file->shared->users++;
  }
  shared_memory *shared = file->shared;
  if (number >= shared->regions) {
    if (!makes) return leave(file, SQLITE_OK);
    void **regions = realloc(shared->region, sizeof(void *) * (size_t)(number + 1));
    if (!regions) return leave(file, SQLITE_NOMEM);
    shared->region = regions;
    while (shared->regions <= number) {
      void *memory = calloc(1, (size_t)size);
      if (!memory) return leave(file, SQLITE_NOMEM);
      shared->region[shared->regions++] = memory;
    }
  }
  *region = shared->region[number];
  return leave(file, SQLITE_OK);
}

static int on_shared_lock(sqlite3_file *base, int first, int count, int flags) {
  open_file *file = (open_file *)base;
  if (!enter(file)) return SQLITE_IOERR_SHMLOCK;
  int *held = file->shared->held;
  for (int i = first; i < first + count && flags & SQLITE_SHM_LOCK; i++) {
    unsigned bit = 1u << i;
    if (flags & SQLITE_SHM_SHARED && !(file->shares & bit) && held[i] < 0)
      return leave(file, SQLITE_BUSY);
    if (flags & SQLITE_SHM_EXCLUSIVE && !(file->owns & bit) && held[i] != 0)
      return leave(file, SQLITE_BUSY);
  }
  for (int i = first; i < first + count; i++) {
    unsigned bit = 1u << i;
    if (flags & SQLITE_SHM_LOCK && flags & SQLITE_SHM_SHARED && !(file->shares & bit)) {
      held[i]++;
      file->shares |= bit;
    } else if (flags & SQLITE_SHM_LOCK && flags & SQLITE_SHM_EXCLUSIVE) {
      held[i] = -1;
      file->owns |= bit;
    } else if (flags & SQLITE_SHM_UNLOCK) {
      if (file->owns & bit) held[i] = 0;
      else if (file->shares & bit) held[i]--;
      file->owns &= ~bit;
      file->shares &= ~bit;
    }
  }
  return leave(file, SQLITE_OK);
}

static void on_shared_barrier(sqlite3_file *base) {
  (void)base;
  __sync_synchronize();
}

static void unmap(open_file *file) {
  shared_memory *shared = file->shared;
  if (!shared) return;
  for (int i = 0; i < SHARED_LOCKS; i++) {
    if (file->owns >> i & 1) shared->held[i] = 0;
    else if (file->shares >> i & 1) shared->held[i]--;
  }
  file->owns = file->shares = 0;
  file->shared = NULL;
  // The file's own share is the last one: what nobody has open is built anew.
  if (file->node->shared == shared && shared->users == 2) {
    file->node->shared = NULL;
    shared_let_go(shared);
  }
  shared_let_go(shared);
}

static int on_shared_unmap(sqlite3_file *base, int deletes) {
  (void)deletes;
  open_file *file = (open_file *)base;
  pthread_mutex_lock(&file->disk->lock);
  unmap(file);
  return leave(file, SQLITE_OK);
}

static int on_close(sqlite3_file *base) {
  open_file *file = (open_file *)base;
  csimulated_disk *disk = file->disk;
  pthread_mutex_lock(&disk->lock);
  unmap(file);
  if (file->life == disk->life) unlock(file, SQLITE_LOCK_NONE);
  node_let_go(file->node);
  free(file->name);
  pthread_mutex_unlock(&disk->lock);
  disk_let_go(disk);
  return SQLITE_OK;
}

static const sqlite3_io_methods methods = {
  .iVersion = 2, .xClose = on_close, .xRead = on_read, .xWrite = on_write,
  .xTruncate = on_truncate, .xSync = on_sync, .xFileSize = on_size, .xLock = on_lock,
  .xUnlock = on_unlock, .xCheckReservedLock = on_check_reserved, .xFileControl = on_control,
  .xSectorSize = on_sector_size, .xDeviceCharacteristics = on_characteristics,
  .xShmMap = on_shared_map, .xShmLock = on_shared_lock, .xShmBarrier = on_shared_barrier,
  .xShmUnmap = on_shared_unmap,
};

// Names.

/// What lies at that name in the file system: its bytes, or NULL when nothing does.
static unsigned char *outside(const char *name, int64_t *count) {
  *count = 0;
  FILE *file = fopen(name, "re");
  if (!file) return NULL;
  content all = {0};
  unsigned char part[4096];
  size_t got;
  while ((got = fread(part, 1, sizeof part, file)) > 0) content_write(&all, all.size, part, (int64_t)got);
  fclose(file);
  *count = all.size;
  return all.bytes;
}

/// Finds or makes the file; what the file system has at that name is taken over as it is.
static int find(csimulated_disk *disk, const char *name, int makes, name_entry **found) {
  name_entry *entry = *found = disk_entry(disk, name, 1);
  if (!entry) return SQLITE_NOMEM;
  if (entry->seen) return SQLITE_OK;
  int64_t count;
  unsigned char *bytes = entry->kept ? NULL : outside(name, &count);
  if (!bytes && !makes) return SQLITE_CANTOPEN;
  int is_cut;
  int begun = disk_begin(disk, MADE, name, 0, bytes ? count : 0, bytes, &is_cut);
  if (!begun) entry->seen = node_make();
  if (!begun && bytes) {
    node_write(entry->seen, 0, bytes, count);
    disk_sync(disk, entry);
  }
  free(bytes);
  if (!begun && !entry->seen) return SQLITE_NOMEM;
  return begun ? begun : is_cut ? SQLITE_IOERR : SQLITE_OK;
}

static int on_open(
    sqlite3_vfs *vfs, const char *name, sqlite3_file *base, int flags, int *found_flags) {
  (void)vfs;
  csimulated_disk *disk = name ? disk_of(name) : NULL;
  if (!disk) return beneath->xOpen(beneath, name, base, flags, found_flags);
  open_file *file = (open_file *)base;
  memset(file, 0, sizeof *file);
  pthread_mutex_lock(&disk->lock);
  int result = disk->is_off ? SQLITE_CANTOPEN
                            : find(disk, name, flags & SQLITE_OPEN_CREATE, &file->entry);
  if (!result) {
    file->disk = disk;
    file->life = disk->life;
    file->name = strdup(name);
    file->node = file->entry->seen;
    file->node->users++;
    file->base.pMethods = &methods;
    if (found_flags) *found_flags = flags;
  }
  pthread_mutex_unlock(&disk->lock);
  if (result) disk_let_go(disk);
  return result;
}

static int on_delete(sqlite3_vfs *vfs, const char *name, int syncs) {
  (void)vfs;
  csimulated_disk *disk = disk_of(name);
  if (!disk) return beneath->xDelete(beneath, name, syncs);
  pthread_mutex_lock(&disk->lock);
  name_entry *entry = disk_entry(disk, name, 0);
  int result = SQLITE_IOERR_DELETE_NOENT, is_cut = 0;
  if (entry && entry->seen) {
    result = disk_begin(disk, DELETED, name, syncs && !disk->lies, 0, NULL, &is_cut);
    if (!result) entry_delete(entry);
    if (!result && syncs && !disk->lies && !is_cut) disk_keep_names(disk);
    if (is_cut) result = SQLITE_IOERR_DELETE;
  }
  pthread_mutex_unlock(&disk->lock);
  disk_let_go(disk);
  return result;
}

static int on_access(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
  (void)vfs;
  csimulated_disk *disk = disk_of(name);
  if (!disk) return beneath->xAccess(beneath, name, flags, result);
  pthread_mutex_lock(&disk->lock);
  name_entry *entry = disk_entry(disk, name, 0);
  int is_off = disk->is_off;
  // An empty file counts as none, as with the system's.
  *result = entry && entry->seen && (flags != SQLITE_ACCESS_EXISTS || entry->seen->seen.size > 0);
  pthread_mutex_unlock(&disk->lock);
  disk_let_go(disk);
  return is_off ? SQLITE_IOERR_ACCESS : SQLITE_OK;
}

static void put_before(void) {
  beneath = sqlite3_vfs_find(NULL);
  volume = *beneath;
  volume.zName = "simulated";
  volume.pNext = NULL;
  if (volume.szOsFile < (int)sizeof(open_file)) volume.szOsFile = sizeof(open_file);
  volume.xOpen = on_open;
  volume.xDelete = on_delete;
  volume.xAccess = on_access;
  sqlite3_vfs_register(&volume, 1);
}

void volume_register(void) { pthread_once(&once, put_before); }
