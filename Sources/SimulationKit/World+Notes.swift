import Time

/// What the world tells of itself.
extension World {
  /// Something happened: two runs of one seed note the same.
  mutating func note(_ words: String) {
    report.note(words)
    trace(words)
  }

  /// Something is not as it has to be.
  mutating func violate(_ invariant: Invariant, _ words: String) {
    report.violate(invariant, words)
    trace("VIOLATION: \(invariant.name): \(words)")
  }

  /// Tells whoever listens, with the seconds of the day.
  func trace(_ words: @autoclosure () -> String) {
    guard let listener = settings.trace else { return }
    let milliseconds = (clock.boot() - BootInstant.zero).wholeMilliseconds
    listener("\(milliseconds / 1_000).\(milliseconds % 1_000 / 100) \(words())")
  }
}
