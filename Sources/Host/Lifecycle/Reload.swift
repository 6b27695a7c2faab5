/// Takes settings up that were read again.
enum Reload {
  /// What a part does to take them up, after nothing can go wrong any more.
  typealias Step = () -> Void

  /// Lets every part look first whether it can take them up, and then all take them up: what one of
  /// them refuses, none has.
  ///
  /// - Parameter parts: each throws what is wrong with the new settings. One that opens something has
  ///   to come last, since nobody closes it when another one refuses.
  static func apply(_ parts: [() throws -> Step]) throws {
    let steps = try parts.map { try $0() }
    for step in steps { step() }
  }
}
