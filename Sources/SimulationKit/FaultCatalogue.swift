/// A fault that a checkpost has to stand: under one number in tests, reports and words.
public struct CataloguedFault: Hashable, Sendable {
  /// Its number, without the F.
  public var number: Int
  /// What goes wrong.
  public var words: String
  /// What makes it in a simulated day, by name; empty where nothing does.
  public var names: [String]
  /// Why no simulated day has it; nil where one has.
  public var absence: String?

  private init(_ number: Int, _ words: String, names: [String], absence: String?) {
    self.number = number
    self.words = words
    self.names = names
    self.absence = absence
  }

  static func made(_ number: Int, _ words: String, by names: String...) -> CataloguedFault {
    CataloguedFault(number, words, names: names, absence: nil)
  }

  static func absent(_ number: Int, _ words: String, _ why: String) -> CataloguedFault {
    CataloguedFault(number, words, names: [], absence: why)
  }

  /// How often it befell, by what is counted under its names.
  public func count(in fired: [String: Int]) -> Int {
    names.reduce(0) { $0 + (fired[$1] ?? 0) }
  }
}

extension CataloguedFault {
  /// All of the disk, the clocks, the process, the modem and the way to the server.
  public static let all: [CataloguedFault] = storage + clocks + modem + network

  private static let disk = "the tests of the store have it"

  private static let storage: [CataloguedFault] = [
    .made(1, "the process is killed", by: "crash"),
    .made(2, "power is cut", by: "powerCut", "changeLost"),
    .made(3, "the disk is full", by: "diskFull"),
    .absent(4, "a read fails", disk),
    .made(5, "a write fails", by: "writeFailed"),
    .made(6, "a flush fails once", by: "syncFailed"),
    .made(7, "the disk becomes read-only", by: "readOnly"),
    .absent(8, "a page is corrupt", disk),
    .absent(9, "the database is missing or empty", disk),
    .absent(10, "an old backup is restored", "the tests of backup and restore have it"),
    .absent(11, "the disk is slow", "the virtual clock stands still while the disk works"),
    .absent(12, "another process holds the lock", "one process has the store in a simulated day"),
    .absent(13, "no inodes are left", disk),
  ]

  private static let clocks: [CataloguedFault] = [
    .made(14, "the wall clock jumps forward", by: "wall_forward"),
    .made(15, "the wall clock jumps back", by: "wall_back"),
    .made(
      16, "the machine starts in 1970, or at a time that was saved", by: "started_unset",
      "started_behind"),
    .made(17, "the time service steps during an item", by: "wall_right"),
    .absent(18, "two looks at the wall clock go backwards", "one look serves each moment"),
    .absent(19, "the machine sleeps", "the virtual clock is the one that goes on in sleep"),
    .made(20, "the kernel kills the process for memory", by: "crash"),
    .made(21, "the watchdog kills the process", by: "crash"),
    .absent(22, "the process is asked to end", "the tests of the program send the signals"),
    .absent(23, "two instances are started", "the tests of the program start them"),
    .absent(24, "an older program opens the database", "the tests of the schema have it"),
  ]

  private static let modem: [CataloguedFault] = [
    .made(25, "the modem does not answer", by: "modem_mute"),
    .made(26, "an answer comes after its time", by: "modem_answer_late"),
    .made(27, "the answer to a text that left is lost", by: "modem_answer_lost"),
    .absent(28, "garbage from the modem", "the tests of the session have it at every step"),
    .absent(29, "word of something else within an answer", "the tests of the session have it"),
    .made(30, "the modem echoes", by: "modem_echo"),
    .made(31, "no prompt comes", by: "modem_no_prompt"),
    .made(32, "the modem is unplugged", by: "unplug"),
    .made(33, "the modem restarts", by: "modem_restart"),
    .made(34, "the SIM is not ready", by: "sim_busy"),
    .made(35, "the modem refuses with a number", by: "modem_refuses"),
    .absent(36, "the store for incoming texts is full", "the tests of the session have it"),
    .made(37, "no registration, or texts that are lost", by: "modem_unregistered", "text_lost"),
    .made(38, "a text is delivered twice", by: "text_doubled"),
    .absent(39, "the time of an incoming text is wrong", "the tests of the codec have it"),
    .absent(40, "a text is delivered a day late", "a day ends when all texts have come"),
    .absent(41, "a part of what is written reaches the port", "the tests on real ports have it"),
  ]

  private static let network: [CataloguedFault] = [
    .made(42, "no route, or no name", by: "no_route", "no_name"),
    .absent(43, "no secure connection", "the tests over real HTTP have it"),
    .made(44, "no connection in time", by: "connect_timeout", "refused", "server_down"),
    .made(
      45, "a connection breaks before or after the server has done it", by: "reset_before",
      "reset_after", "silent", "silent_after", "other_writer"),
    .made(46, "an answer is cut off, or is no JSON", by: "truncated", "broken_json", "wrong_json"),
    .made(47, "an answer comes byte by byte, or never ends", by: "slow", "huge"),
    .made(
      48, "the server fails", by: "internal_error", "bad_gateway", "no_database", "pool_timeout",
      "deadlock", "statement_timeout", "disk_full", "origin_down", "paused", "database_timeout",
      "request_timeout"),
    .made(49, "too many requests", by: "busy", "busy_until", "busy_without_end", "busy_forever"),
    .made(
      50, "a captive portal, or another who answers", by: "portal", "portal_redirect",
      "portal_status", "redirect", "firewall"),
    .made(51, "the server has the passage already", by: "other_writer"),
    .made(52, "what a passage refers to is missing", by: "missing_reference"),
    .made(53, "the server's schema is another", by: "stale_schema"),
    .made(54, "the credential is refused", by: "expired", "key_revoked", "sessions_revoked"),
    .made(55, "the user may not add passages", by: "denied", "place_moved"),
    .made(56, "the server's database is read-only", by: "read_only"),
    .made(57, "the owner has to pay", by: "unpaid"),
    .made(58, "a request is too large", by: "too_large"),
    .made(59, "the server says that it did, and shows nothing", by: "dropped", "untold"),
    .made(60, "a proxy sends a request twice", by: "twice"),
    .made(61, "the line comes and goes", by: "line_lost"),
    .made(62, "large requests take long, or hang", by: "thin_line", "photo_too_slow"),
    .absent(63, "one of two addresses answers", "the client library chooses; nothing to decide"),
    .made(64, "the server's clock is wrong", by: "issued_in_future", "clock_ahead"),
  ]
}
