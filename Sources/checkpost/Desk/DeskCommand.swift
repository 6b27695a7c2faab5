import ArgumentParser
import Control
import EventLoop
import Glibc
import Host
import Settings
import Text
import Time

/// `checkpost desk`: one prompt for a shift.
struct DeskCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "desk",
    abstract: "Record a shift's passages, one line each, with warnings as they come.",
    discussion: """
      A line is a plate and a vehicle: ba1pa1234 c. The vehicle is one or two letters, in English or Nepali, or \
      its name; without it the desk asks. A time may follow: 18:10. Three or more last digits alone are the \
      vehicle that is expected from the other post, or was here. = corrects the last passage (= ba1pa1235, = b), \
      u takes it back, l lists the last, i who is expected, w who is overdue, s says how it stands, ? tells \
      all of this, and q ends it. A vehicle that was too fast or too slow, or is overdue, is told at once, large \
      and with a bell. It fits 40 columns, and reads a pipe as well as a keyboard.
      """)

  /// How long nobody types before it looks for warnings.
  private static let looksEvery: Duration = .seconds(30)

  @OptionGroup var settings: SettingsOptions

  func run() throws {
    let loaded = try settings.load()
    let clocks = SystemClocks()
    let out = StandardOutput()
    var session = DeskSession(
      loaded, clocks: clocks, columns: out.isTerminal ? Terminal.columns(STDOUT_FILENO) : 80,
      isColoured: Terminal.showsColours(STDOUT_FILENO), out: out)
    do {
      try session.begin()
      try shift(&session, out, clocks)
    } catch {
      try? session.end()
      throw error
    }
    try session.end()
    try out.flush()
  }

  /// Takes line after line, until the shift ends.
  private func shift(
    _ session: inout DeskSession, _ out: StandardOutput, _ clocks: SystemClocks
  ) throws {
    let isTyped = Terminal.isTerminal(STDIN_FILENO)
    var reader = LineReader(limit: 1_024)
    while true {
      try out.flush()
      if isTyped { Diagnostics.prompt(session.prompt) }
      while isTyped, !reader.hasLine {
        let ready = PollLoop.wait(
          [Interest(descriptor: STDIN_FILENO)], until: clocks.boot() + DeskCommand.looksEvery,
          clocks: clocks)
        if ready.first?.isEmpty == false { break }
        try session.lookForOverdue()
        try out.flush()
      }
      guard let line = try reader.next() else { break }
      switch line {
      case .text(let text):
        guard try session.take(text) else { return }
      case .unreadable(let fault, _):
        Diagnostics.say(Diagnostics.notRecorded + "the line is \(fault)")
      }
    }
  }
}
