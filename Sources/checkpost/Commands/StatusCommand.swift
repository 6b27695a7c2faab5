import ArgumentParser
import Control
import EventLoop
import Glibc
import Host
import Settings
import Time

/// `checkpost status`: how it stands, from the running service where there is one, and from the store.
struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show what works, what does not, what happens next, and what to do.",
    discussion: """
      What does not work stands first (!), then what works less well than it could (*), each since when, \
      until when, and with what helps. Without a running service the queue is shown from its database, \
      with what the settings lack; the exit code is 0 all the same.
      """)

  @Flag(help: "Show it again every two seconds until interrupted.")
  var watch = false

  @OptionGroup var settings: SettingsOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let loaded = try settings.load()
    let clocks = SystemClocks()
    guard watch else {
      let out = StandardOutput()
      try show(loaded, clocks, out)
      return try out.flush()
    }
    // A frame leaves in one piece, and an interruption between two: the terminal is left as it was.
    let signals = try SignalWatch()
    let out = StandardOutput(isImmediate: false)
    let screen = output.isJSON ? nil : WatchedScreen(STDOUT_FILENO)
    if let screen { try out.raw(screen.begin) }
    defer {
      if let screen {
        try? out.raw(screen.end)
        try? out.flush()
      }
    }
    repeat {
      if let screen {
        try out.raw(screen.frame(of: page(loaded, clocks)))
      } else {
        try show(loaded, clocks, out)
      }
      try out.flush()
    } while !signals.isToldToEnd(before: clocks.boot() + .seconds(2), clocks: clocks)
  }

  private func show(_ loaded: LoadedSettings, _ clocks: SystemClocks, _ out: StandardOutput) throws
  {
    if output.isJSON {
      try out.json(try ServiceStatus.read(loaded, clocks: clocks))
    } else {
      try out.lines(try page(loaded, clocks))
    }
  }

  private func page(_ loaded: LoadedSettings, _ clocks: SystemClocks) throws -> [ShownText] {
    // A pipe has no columns: lines are left whole, for who searches them.
    let columns = Terminal.isTerminal(STDOUT_FILENO) ? Terminal.columns(STDOUT_FILENO) : .max
    return StatusPage(
      try ServiceStatus.read(loaded, clocks: clocks), now: clocks.wall(), clock: .ofThisMachine,
      columns: columns, isColoured: Terminal.showsColours(STDOUT_FILENO)
    ).made()
  }
}

extension SignalWatch {
  /// Waits until `deadline`; whether a signal asked for the end before. One that asks to read the
  /// settings again asks a command for nothing.
  fileprivate func isToldToEnd(before deadline: BootInstant, clocks: any Clocks) -> Bool {
    while let request = wait(until: deadline, clocks: clocks) {
      if case .end = request { return true }
    }
    return false
  }
}
