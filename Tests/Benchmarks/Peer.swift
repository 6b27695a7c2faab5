import Glibc

/// Another program that sends texts through a modem, in one configuration of it.
struct Peer {
  /// The peer and how it is set.
  var name: String
  /// Where it is installed; nil when it is not.
  var program: String?
  /// What to install.
  var package: String
  /// How many texts it is given.
  var texts: Int
  /// Makes its directories and its configuration in a place, and tells its arguments.
  var arrange: @Sendable (Place, _ port: String) throws -> [String]
  /// Puts a text where it takes texts from.
  var hand: @Sendable (Place, _ number: Int, _ text: String) throws -> Void

  /// The peers as they come, and set to be as quick as they can be.
  static let all = [
    gammu("defaults", texts: 20), gammu("tuned", texts: 20, hurried),
    smstools("defaults", texts: 20),
    smstools("tuned", texts: 300, ["delaytime = 1", "trust_outgoing = yes"], unguarded),
  ]

  /// No sleep between two looks at the outbox, and nothing asked beside.
  private static let hurried = [
    "loopsleep = 0", "commtimeout = 1", "statusfrequency = 0", "checksecurity = 0",
    "checkbattery = 0", "checksignal = 0", "checknetwork = 0",
  ]

  /// Without listening to the line before each command, and without asking for the network.
  private static let unguarded = [
    "poll_faster = 1000", "detect_message_routing = no", "detect_unexpected_input = no",
    "check_network = 0",
  ]

  private static func gammu(_ setting: String, texts: Int, _ options: [String] = []) -> Peer {
    Peer(
      name: "gammu-smsd, \(setting)", program: installed("gammu-smsd"), package: "gammu-smsd",
      texts: texts,
      arrange: { place, port in
        for name in ["inbox", "outbox", "sent", "error"] { try place.makeDirectory(name) }
        let lines =
          [
            "[gammu]", "device = \(port)", "connection = at115200", "[smsd]", "service = files",
            "logfile = \(place.path("smsd.log"))", "inboxpath = \(place.path("inbox/"))",
            "outboxpath = \(place.path("outbox/"))", "sentsmspath = \(place.path("sent/"))",
            "errorsmspath = \(place.path("error/"))",
          ] + options
        try TextFile.write(lines.joined(separator: "\n") + "\n", to: place.path("smsdrc"))
        return ["-c", place.path("smsdrc")]
      },
      hand: { place, number, text in
        let name = "OUTC20260101_000000_\(1_000 + number)_\(Post.recipient)_sms0.txt"
        try TextFile.write(text, to: place.path("outbox/\(name)"))
      })
  }

  private static func smstools(
    _ setting: String, texts: Int, _ options: [String] = [], _ ofModem: [String] = []
  ) -> Peer {
    Peer(
      name: "smstools, \(setting)", program: installed("smsd"), package: "smstools", texts: texts,
      arrange: { place, port in
        let directories = ["outgoing", "checked", "incoming", "sent", "failed"]
        for name in directories { try place.makeDirectory(name) }
        let lines =
          ["devices = modem", "logfile = \(place.path("smsd.log"))", "terminal = yes"]
          + ["infofile = \(place.path("working"))", "pidfile = \(place.path("pid"))"]
          + directories.map { "\($0) = \(place.path($0))" } + options
          + ["[modem]", "device = \(port)", "incoming = yes", "baudrate = 115200"] + ofModem
        try TextFile.write(lines.joined(separator: "\n") + "\n", to: place.path("smsd.conf"))
        return ["-c", place.path("smsd.conf"), "-t"]
      },
      hand: { place, number, text in
        try TextFile.write(
          "To: \(Post.recipient.dropFirst())\n\n\(text)\n",
          to: place.path("outgoing/text-\(1_000 + number)"))
      })
  }

  private static func installed(_ name: String) -> String? {
    ["/usr/bin/", "/usr/sbin/", "/usr/local/bin/", "/usr/local/sbin/"].map { $0 + name }
      .first { access($0, X_OK) == 0 }
  }
}
