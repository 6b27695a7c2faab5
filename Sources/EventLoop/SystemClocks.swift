import CLinux
import Glibc
public import Time

/// The machine's own clocks: `CLOCK_BOOTTIME`, which counts suspend and never jumps, and
/// `CLOCK_REALTIME`.
public struct SystemClocks: Clocks {
  /// The clocks of this machine; there is nothing to set up.
  public init() {}

  /// `CLOCK_BOOTTIME` as it is now, in nanoseconds since the machine started.
  public func boot() -> BootInstant {
    BootInstant(nanoseconds: SystemClocks.read(CLOCK_BOOTTIME))
  }

  /// `CLOCK_REALTIME` as it is now, in whole milliseconds.
  public func wall() -> WallTime {
    WallTime(milliseconds: SystemClocks.read(CLOCK_REALTIME) / 1_000_000)
  }

  /// `CLOCK_MONOTONIC` as it is now, in microseconds: the clock by which systemd goes.
  public func monotonic() -> Int64 {
    SystemClocks.read(CLOCK_MONOTONIC) / 1_000
  }

  /// The kernel's identity of this boot; the boot-time clock starts again when it changes. Empty
  /// where the kernel does not tell.
  public static func bootIdentity() -> String {
    SystemFile.firstLine("/proc/sys/kernel/random/boot_id") ?? ""
  }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

/// The memory of this process.
public enum ProcessMemory {
  /// Keeps the allocator to two arenas: by default it makes one for nearly every thread, which a
  /// service of a few sleeping threads has no use for.
  public static func limitArenas() {
    clinux_limit_arenas(2)
  }

  /// Keeps some free memory for what is needed next. By default 128 KiB are kept: a thread that takes more than that
  /// for each of many short transactions spends a fifth of its time with the kernel, on pages that come and go.
  public static func keepFree() {
    clinux_keep_free_memory(4 << 20)
  }

  /// Gives back the pages of the program that its start needed: most of it never runs again, and what does
  /// comes back page by page.
  public static func letGoOfText() {
    clinux_let_go_of_text()
  }
}
