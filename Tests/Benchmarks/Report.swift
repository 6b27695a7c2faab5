import Glibc

/// A figure beside what it is measured against.
struct Figure {
  /// What is measured.
  var name: String
  /// What came out, with its unit.
  var measured: String
  /// What it is held against: a floor of the same run, or a peer.
  var against: String
  var reference: String
  /// How many times the floor it takes; nil where that says nothing.
  var ratio: Double?
  /// Nil where it is only shown: it is not ours to be good or bad.
  var target: String?
  var isMet: Bool
}

/// The table, a line at a time: aligned columns, and notes below a line that needs them.
struct Report {
  private var met = 0
  private var missed: [String] = []

  /// Begins a table of what is measured in `place`.
  init(_ place: Place) {
    show("Flushes to disk are measured in \(place.directory).")
    show(
      line("what", "measured", "against", "", "times", "target", "").trimmed)
  }

  mutating func add(_ figure: Figure) {
    if figure.target != nil {
      if figure.isMet { met += 1 } else { missed.append(figure.name) }
    }
    show(
      line(
        figure.name, figure.measured, figure.against, figure.reference,
        figure.ratio.map { Format.number($0, places: 2) } ?? "", figure.target ?? "",
        figure.target == nil ? "" : figure.isMet ? "met" : "MISSED"
      ).trimmed)
  }

  func note(_ words: String) {
    show("  " + words)
  }

  func end() {
    show("\(met) of \(met + missed.count) targets are met")
    for name in missed { show("missed: \(name)") }
  }

  /// Shows a line at once, also where the output is no terminal.
  private func show(_ line: String) {
    print(line)
    fflush(nil)
  }

  private func line(
    _ name: String, _ measured: String, _ against: String, _ reference: String, _ ratio: String,
    _ target: String, _ verdict: String
  ) -> String {
    let columns = [
      Format.left(name, 42), Format.right(measured, 11), " ", Format.left(against, 33),
      Format.right(reference, 11), Format.right(ratio, 6), " ", Format.left(target, 17), verdict,
    ]
    return columns.joined(separator: " ")
  }
}

/// Numbers and columns as text.
enum Format {
  /// `1.53 M/s`.
  static func rate(_ perSecond: Double) -> String {
    number(perSecond / 1e6, places: 2) + " M/s"
  }

  /// Nanoseconds as `12.3 us` or `4.56 ms`.
  static func time(_ nanoseconds: Double) -> String {
    nanoseconds < 1e6
      ? number(nanoseconds / 1e3, places: 1) + " us" : number(nanoseconds / 1e6, places: 2) + " ms"
  }

  static func number(_ value: Double, places: Int) -> String {
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let scaled = Int64((value * scale).rounded())
    guard places > 0 else { return "\(scaled)" }
    let digits = "\(scaled.magnitude)"
    let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    return (scaled < 0 ? "-" : "") + padded.dropLast(places) + "." + padded.suffix(places)
  }

  /// Kilobytes as `4.2 MB`.
  static func megabytes(_ kilobytes: Int) -> String {
    number(Double(kilobytes) / 1_000, places: 1) + " MB"
  }

  static func left(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
