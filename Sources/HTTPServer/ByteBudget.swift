import Synchronization

/// How many bytes of bodies and answers are held in memory at the same time: of all together, and of each who asks, so
/// that nobody keeps the others out.
final class ByteBudget: Sendable {
  private struct State {
    var all = 0
    var byOwner: [String: Int] = [:]
  }

  private let most: Int
  private let mostOfOne: Int
  private let state = Mutex(State())

  /// - Parameters:
  ///   - most: Bytes of all together.
  ///   - mostOfOne: Bytes of each who asks.
  init(most: Int, ofOne mostOfOne: Int) {
    self.most = most
    self.mostOfOne = mostOfOne
  }

  /// How many bytes are held.
  var held: Int { state.withLock { $0.all } }

  /// A share without a byte, which grows as bytes come.
  func share(of owner: String) -> Share { Share(self, owner) }

  fileprivate func take(_ count: Int, of owner: String) -> Bool {
    state.withLock { state in
      let own = state.byOwner[owner] ?? 0
      guard count <= most - state.all, count <= mostOfOne - own else { return false }
      state.all += count
      state.byOwner[owner] = own + count
      return true
    }
  }

  fileprivate func give(_ count: Int, of owner: String) {
    state.withLock { state in
      state.all -= count
      let own = (state.byOwner[owner] ?? 0) - count
      state.byOwner[owner] = own > 0 ? own : nil
    }
  }

  /// What one request has of it, until nobody holds it any more.
  final class Share: Sendable {
    private let budget: ByteBudget
    private let owner: String
    private let count = Mutex(0)

    fileprivate init(_ budget: ByteBudget, _ owner: String) {
      self.budget = budget
      self.owner = owner
    }

    /// Takes so many bytes more; false where there is no room for them, and then none is taken.
    func grow(by more: Int) -> Bool {
      guard budget.take(more, of: owner) else { return false }
      count.withLock { $0 += more }
      return true
    }

    deinit {
      let all = count.withLock { $0 }
      if all > 0 { budget.give(all, of: owner) }
    }
  }
}
