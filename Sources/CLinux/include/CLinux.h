// The few calls of Linux that Swift's Glibc module does not show: they stand behind _GNU_SOURCE, or
// in headers it leaves out. One function each, nothing decided here.
#ifndef CHECKPOST_CLINUX_H
#define CHECKPOST_CLINUX_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

/// A non-blocking, close-on-exec eventfd, or -1 with errno set.
int clinux_eventfd(void);

/// A non-blocking, close-on-exec pseudo-terminal master that is unlocked, its other end's path in
/// `name`; or -1 with errno set.
int clinux_open_pseudo_terminal(char *name, size_t capacity);

/// A non-blocking, close-on-exec descriptor from which blocked signals are read; or -1 with errno set.
int clinux_signalfd(const sigset_t *signals);

/// The number of the next signal that waits at such a descriptor; 0 when none does.
int clinux_next_signal(int descriptor);

/// A close-on-exec descriptor that is readable once a child has ended; or -1 with errno set.
int clinux_watch_process(int process);

/// Names the calling thread (15 bytes at most).
void clinux_name_thread(const char *name);

/// A non-blocking, close-on-exec inotify descriptor that tells of files made, moved in or changed in
/// their permissions in `directory`; or -1 with errno set.
int clinux_watch_directory(const char *directory);

/// A non-blocking, close-on-exec inotify descriptor that tells when `path` is opened; or -1 with errno
/// set.
int clinux_watch_openings(const char *path);

/// TIOCEXCL: no further open of this terminal by ordinary users. 0, or -1 with errno set.
int clinux_terminal_exclusive(int descriptor);

/// Makes close() of a serial port not wait for bytes that never leave. 0, or -1 with errno set.
int clinux_serial_no_closing_wait(int descriptor);

/// The device and the inode of the file at `path`, as stat(2) tells them, or -1 with errno set. Its times are not
/// asked for: from Linux 6.13 on, whoever asks makes the next write note its time to the nanosecond, which costs
/// each commit of a database 20 us.
int clinux_file_identity(const char *path, uint64_t *device, uint64_t *inode);

/// Whether the kernel says that a time service keeps this machine's clock: 1, or 0.
int clinux_clock_is_synchronised(void);

/// A non-blocking, close-on-exec socket that the kernel tells of changes of links, addresses and routes; or -1
/// with errno set.
int clinux_watch_network(void);

/// Gives the calling thread a network of its own, without a link. 0, or -1 with errno set.
int clinux_own_network(void);

/// Keeps malloc to few arenas.
void clinux_limit_arenas(int count);

/// Keeps so many free bytes at the end of an arena, instead of giving back to the kernel what is asked for again at
/// once.
void clinux_keep_free_memory(int bytes);

/// Tells the kernel that the program's text and constants are not needed just now. What is used of them is
/// mapped again page by page, from the file or its cache.
void clinux_let_go_of_text(void);

#endif
