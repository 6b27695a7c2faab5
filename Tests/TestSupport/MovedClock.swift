public import Foundation

/// A library that programs are started with, and that moves their wall clock while they run: by as many seconds as
/// stand in a file. The boot clock stays, and nobody keeps the time unless the file says so.
public struct MovedClock {
  /// What a program's environment has to hold for it.
  public let environment: [String: String]
  private let path: String

  /// Whether this machine can build it.
  public static let isPossible = compiler != nil

  private static let compiler = ["/usr/bin/cc", "/usr/bin/clang"].first(where: exists)

  /// Builds it in a directory.
  ///
  /// - Parameter seconds: How far the clock is ahead of the right time; less than 0 is behind.
  public init(in directory: URL, ahead seconds: Int) throws {
    guard let compiler = Self.compiler else { throw TestFailure("there is no C compiler") }
    let source = directory.appendingPathComponent("moved.c").path
    let library = directory.appendingPathComponent("moved.so").path
    path = directory.appendingPathComponent("moved.clock").path
    try Data(Self.source.utf8).write(to: URL(fileURLWithPath: source))
    let compiling = try ChildProcess(
      compiler, ["-shared", "-fPIC", "-O1", "-o", library, source], hearing: .nothing,
      environment: ["PATH": "/usr/bin:/bin"])
    guard compiling.wait() == 0 else { throw TestFailure("\(source) does not compile") }
    environment = ["LD_PRELOAD": library, "CLOCK_FILE": path]
    try move(by: seconds)
  }

  /// Sets it so far ahead of the right time.
  ///
  /// - Parameter isKept: Whether a time service keeps it from now on.
  public func move(by seconds: Int, isKept: Bool = false) throws {
    // At once: no program sees half of it.
    try Data("\(seconds) \(isKept ? 1 : 0)\n".utf8).write(
      to: URL(fileURLWithPath: path), options: .atomic)
  }

  private static let source = """
    #define _GNU_SOURCE
    #include <fcntl.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/syscall.h>
    #include <sys/time.h>
    #include <sys/timex.h>
    #include <time.h>
    #include <unistd.h>

    static long moved(long *kept) {
      char text[64] = {0};
      const char *path = getenv("CLOCK_FILE");
      char *rest = text;
      long seconds = 0;
      int file = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC) : -1;
      if (file >= 0) {
        if (syscall(SYS_read, file, text, sizeof text - 1) > 0) seconds = strtol(text, &rest, 10);
        syscall(SYS_close, file);
      }
      *kept = strtol(rest, 0, 10);
      return seconds;
    }

    int clock_gettime(clockid_t id, struct timespec *time) {
      long kept;
      int status = (int)syscall(SYS_clock_gettime, id, time);
      if (status == 0 && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE))
        time->tv_sec += moved(&kept);
      return status;
    }

    int gettimeofday(struct timeval *restrict time, void *restrict zone) {
      struct timespec now;
      (void)zone;
      clock_gettime(CLOCK_REALTIME, &now);
      time->tv_sec = now.tv_sec;
      time->tv_usec = now.tv_nsec / 1000;
      return 0;
    }

    time_t time(time_t *kept) {
      struct timespec now;
      clock_gettime(CLOCK_REALTIME, &now);
      if (kept) *kept = now.tv_sec;
      return now.tv_sec;
    }

    int adjtimex(struct timex *state) {
      long kept;
      memset(state, 0, sizeof *state);
      moved(&kept);
      state->status = kept ? 0 : STA_UNSYNC;
      return kept ? TIME_OK : TIME_ERROR;
    }
    """
}
