import EventLoop
import Foundation
import JSON
import ServerModel
import ServerSimulator
import TestSupport
import Testing
import Time

/// The program on a machine whose clock is half a century off, with everything else as it is.
@Suite(.enabled(if: ShiftedClock.isPossible, "needs a C compiler"))
struct YearsOffTests {
  /// It is recorded at once, nothing waits for decades or is thought to have, the clock is told of, and the
  /// passage arrives.
  @Test(.timeLimit(.minutes(15)), arguments: [-50, 50])
  func aPassageIsRecordedAndArrives(years: Int) throws {
    let world = try ServerWorld(
      sync: "spread: 0s, retry: fleet, pull: false", offlineFor: "1s", probeEvery: "5s")
    defer { world.end() }
    let clock = try ShiftedClock(years: years, in: world.files)
    func record(_ number: Int) throws -> String {
      let run = try Program.run(
        [
          "record", "--config", world.configuration, "--plate", "BA 1 PA \(number)", "--type",
          "car",
        ], environment: clock.environment)
      #expect(run.status == 0, "\(run.errors)")
      return try #require(run.lines.first)
    }
    var recorded = [try record(8_000)]
    let begun = SystemClocks().wall()
    let service = try ServiceProcess(world.configuration, environment: clock.environment)
    try service.read(untilEach: "\"modem_ready\"", "\"uploaded\"", "\"clock_off\"")
    recorded.append(try record(8_001))
    try service.read(until: "\"uploaded\"")
    let status = try Program.run(
      ["status", "--json", "--config", world.configuration], environment: clock.environment
    ).objects().first
    let alarms = status?["alarms"] as? [String] ?? []
    #expect(
      alarms.contains { $0.contains("clock") && $0.contains(years < 0 ? "behind" : "ahead") },
      "\(alarms)")

    // The line goes and comes: by the boot clock a text leaves, and the upload goes on.
    world.server.behave { $0.isAway = true }
    try service.read(until: "\"offline\"")
    let texted = try record(8_002)
    world.server.behave { $0.isAway = false }
    try service.read(until: "\"uploaded\"")
    recorded.append(texted)
    let queue = try world.queue()
    #expect(queue.count == recorded.count)
    #expect(queue.allSatisfy { $0["status"] as? String == "synced" })
    let rows = world.rows
    #expect(rows.count == recorded.count, "each is there once")
    for row in rows {
      let at = try #require(row["recorded_at"]?.text.flatMap { WallTime(rfc3339: $0) })
      // Of a clock that nobody keeps the server's time dates what it recorded; of another that is told with it.
      let isDated = years < 0 || !SystemClocks.isSynchronised
      let off = at - (isDated ? begun : begun + .seconds(clock.seconds))
      #expect(max(off, .zero - off) < .seconds(3_600), "\(at.rfc3339)")
    }
    if years > 0 {
      #expect(
        queue.contains { ($0["clock_skew_seconds"] as? Int ?? 0) > 49 * 365 * 86_400 }, "\(queue)")
    }
  }
}

/// A library that the program is started with, and that moves its wall clock alone.
struct ShiftedClock {
  let environment: [String: String]
  let seconds: Int64

  static let isPossible = exists("/usr/bin/cc")

  init(years: Int, in files: ProgramFiles) throws {
    let source = try files.write("shift.c", Self.source)
    let library = files.path("shift.so")
    let compiler = try ChildProcess(
      "/usr/bin/cc", ["-shared", "-fPIC", "-O1", "-o", library, source], hearing: .nothing,
      environment: ["PATH": "/usr/bin:/bin"])
    try #require(compiler.wait() == 0)
    seconds = Int64(years * 365 + years / 4) * 86_400
    environment = ["LD_PRELOAD": library, "CLOCK_SHIFT_SECONDS": "\(seconds)"]
  }

  private static let source = """
    #define _GNU_SOURCE
    #include <stdlib.h>
    #include <sys/syscall.h>
    #include <sys/time.h>
    #include <time.h>
    #include <unistd.h>

    static long shift(void) {
      const char *text = getenv("CLOCK_SHIFT_SECONDS");
      return text ? atol(text) : 0;
    }

    int clock_gettime(clockid_t id, struct timespec *time) {
      int status = (int)syscall(SYS_clock_gettime, id, time);
      if (status == 0 && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE))
        time->tv_sec += shift();
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
    """
}
