#define _GNU_SOURCE
#include "CLinux.h"

#include <sys/stat.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/serial.h>
#include <malloc.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/timex.h>
#include <unistd.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sched.h>
#include <sys/socket.h>

int clinux_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

int clinux_open_pseudo_terminal(char *name, size_t capacity) {
  int descriptor = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return -1;
  int failure = 0;
  if (grantpt(descriptor) != 0 || unlockpt(descriptor) != 0) {
    failure = errno;
  } else {
    failure = ptsname_r(descriptor, name, capacity);
  }
  if (failure != 0) {
    close(descriptor);
    errno = failure;
    return -1;
  }
  return descriptor;
}

int clinux_signalfd(const sigset_t *signals) {
  return signalfd(-1, signals, SFD_NONBLOCK | SFD_CLOEXEC);
}

int clinux_next_signal(int descriptor) {
  struct signalfd_siginfo info;
  return read(descriptor, &info, sizeof info) == sizeof info ? (int)info.ssi_signo : 0;
}

int clinux_watch_process(int process) {
  return (int)syscall(SYS_pidfd_open, process, 0);
}

void clinux_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

static int watch(const char *path, uint32_t events) {
  int descriptor = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (descriptor < 0) return -1;
  if (inotify_add_watch(descriptor, path, events) < 0) {
    int failure = errno;
    close(descriptor);
    errno = failure;
    return -1;
  }
  return descriptor;
}

int clinux_watch_directory(const char *directory) {
  return watch(directory, IN_CREATE | IN_MOVED_TO | IN_ATTRIB);
}

int clinux_watch_openings(const char *path) { return watch(path, IN_OPEN); }

int clinux_terminal_exclusive(int descriptor) { return ioctl(descriptor, TIOCEXCL); }

int clinux_serial_no_closing_wait(int descriptor) {
  struct serial_struct settings;
  if (ioctl(descriptor, TIOCGSERIAL, &settings) != 0) return -1;
  settings.closing_wait = ASYNC_CLOSING_WAIT_NONE;
  return ioctl(descriptor, TIOCSSERIAL, &settings);
}

void clinux_limit_arenas(int count) { mallopt(M_ARENA_MAX, count); }

void clinux_keep_free_memory(int bytes) {
  mallopt(M_TRIM_THRESHOLD, bytes);
  /* Set with it, since either of them ends that glibc fits both to what is freed. */
  mallopt(M_MMAP_THRESHOLD, bytes);
}

int clinux_file_identity(const char *path, uint64_t *device, uint64_t *inode) {
  struct statx status;
  if (statx(AT_FDCWD, path, 0, STATX_INO, &status) != 0) {
    return -1;
  }
  *device = makedev(status.stx_dev_major, status.stx_dev_minor);
  *inode = status.stx_ino;
  return 0;
}

int clinux_clock_is_synchronised(void) {
  struct timex state = {0};
  int answer = adjtimex(&state);
  // The kernel's own bound: whoever is off by more counts as not kept.
  return answer >= 0 && answer != TIME_ERROR && !(state.status & STA_UNSYNC) && state.maxerror < 16000000;
}

// The first object is the program itself. What may be written is not the file's any more, and stays.
static int let_go(struct dl_phdr_info *object, size_t size, void *context) {
  (void)size;
  (void)context;
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || (part->p_flags & PF_W)) continue;
    // Whole pages only: the next part may begin in the last one.
    uintptr_t begin = (object->dlpi_addr + part->p_vaddr + page - 1) & ~(page - 1);
    uintptr_t end = (object->dlpi_addr + part->p_vaddr + part->p_memsz) & ~(page - 1);
    if (begin < end) madvise((void *)begin, end - begin, MADV_DONTNEED);
  }
  return 1;
}

void clinux_let_go_of_text(void) { dl_iterate_phdr(let_go, NULL); }

int clinux_watch_network(void) {
  int number = socket(AF_NETLINK, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, NETLINK_ROUTE);
  if (number < 0) return -1;
  struct sockaddr_nl address = {.nl_family = AF_NETLINK};
  address.nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE |
                      RTMGRP_IPV6_ROUTE;
  if (bind(number, (struct sockaddr *)&address, sizeof address) < 0) {
    int error = errno;
    close(number);
    errno = error;
    return -1;
  }
  return number;
}

int clinux_own_network(void) { return unshare(CLONE_NEWNET); }
