import Crypto
import EventLoop
import GSM
import Synchronization

/// Remembers on disk on which SIM cards a PIN was tried without being known to be right: a wrong one
/// is tried once for a card and a configuration, however often the service starts.
///
/// The file has a line for each: a hash of the card, and one of card and PIN. It is written before
/// the PIN is, and again when the PIN was right.
public final class PINMemory: Sendable {
  /// The file.
  public let path: String
  private let pin: String
  private let lock = Mutex(())

  /// A memory of one configured PIN, in the file at `path`, which need not be there.
  public init(path: String, pin: String) {
    self.path = path
    self.pin = pin
  }

  /// Notes that the PIN is about to be tried.
  ///
  /// - Parameters:
  ///   - card: The card's number; nil where it does not tell it.
  ///   - attemptsLeft: How many tries the card has left; nil where it does not tell. A card that has
  ///     all its three tries has lost none by an earlier one, whatever was noted.
  /// - Returns: Whether it may be tried; false too when it cannot be noted, as a try that is forgotten
  ///   is one too many, and when the card does not tell its tries and two other PINs were wrong: the
  ///   third may be its last.
  public func claim(card: String?, attemptsLeft: Int?) -> Bool {
    lock.withLock { _ in
      let mark = mark(of: card)
      var marks = read()
      guard let known = marks else { return false }
      if known.contains(mark) { return attemptsLeft.map { $0 >= PINMemory.allAttempts } ?? false }
      let tried = known.count { $0.hasPrefix(PINMemory.hash(of: card)) }
      if attemptsLeft == nil, tried >= PINMemory.allAttempts - 1 { return false }
      marks = Array(known.suffix(Limits.pinMarks - 1)) + [mark]
      return write(marks ?? [mark])
    }
  }

  /// Notes what became of it.
  public func tried(card: String?, isRight: Bool) {
    guard isRight else { return }
    lock.withLock { _ in
      let card = PINMemory.hash(of: card)
      guard let marks = read(), marks.contains(where: { $0.hasPrefix(card) }) else { return }
      // The card has all its tries again, whatever was tried before. Should that not be forgotten, its
      // own count of tries lets the PIN be tried again.
      _ = write(marks.filter { !$0.hasPrefix(card) })
    }
  }

  /// The tries of a card that lost none (3GPP TS 31.102: three).
  private static let allAttempts = 3

  private func mark(of card: String?) -> String {
    PINMemory.hash(of: card) + ":" + PINMemory.hash("\(card ?? "no number") \(pin)")
  }

  private static func hash(of card: String?) -> String {
    hash(card ?? "no number")
  }

  private static func hash(_ text: String) -> String {
    Hex.encode(Array(SHA256.hash(data: Array(text.utf8)))).lowercased()
  }

  /// What is noted; nil when it cannot be read, which is not the same as nothing.
  private func read() -> [String]? {
    do throws(SmallFile.Failure) {
      let content = try SmallFile.read(path, limit: Limits.pinMemoryBytes)
      return String(decoding: content.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    } catch {
      if case .missing = error { return [] }
      return nil
    }
  }

  private func write(_ marks: [String]) -> Bool {
    let text = marks.map { $0 + "\n" }.joined()
    return (try? SmallFile.replace(path, bytes: Array(text.utf8))) != nil
  }
}
