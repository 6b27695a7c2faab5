import ArgumentParser

/// How many a list shows at most: one at least.
struct ListLimit: ExpressibleByArgument, Hashable {
  let count: Int

  /// So many.
  init(_ count: Int) {
    self.count = max(1, count)
  }

  init?(argument: String) {
    guard let count = Int(argument), count > 0 else { return nil }
    self.count = count
  }

  var defaultValueDescription: String { String(count) }
}
