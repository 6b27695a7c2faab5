/// What a post tells by text after it has been silent: `H1|<checkpost>|<last>|<through>|<waiting>|<texted>`.
///
/// 61 characters and 66 septets of the GSM alphabet at most, so it always fits one short message. It is
/// never a passage, and no passage ever reads as one.
public struct H1Message: Hashable, Sendable {
  /// The post that tells.
  public let checkpost: CheckpostCode
  /// The number of the last passage that was recorded there; 0 before the first.
  public let lastNumber: Int64
  /// Up to when everything that was recorded there is on the server, in whole seconds since 1970; nil
  /// where the post's clock is not set.
  public let syncedThrough: Int64?
  /// Passages that are not on the server.
  public let waiting: Int64
  /// Passages that left as a text, ever. The centre compares how this grows with what came.
  public let texted: Int64

  /// A message of values.
  ///
  /// - Throws: `H1Error` that names the value which cannot be said.
  public init(
    checkpost: CheckpostCode, lastNumber: Int64, syncedThrough: Int64?, waiting: Int64,
    texted: Int64
  ) throws(H1Error) {
    guard Limits.counts.contains(lastNumber) else { throw .lastNumber("\(lastNumber)") }
    if let syncedThrough, !Limits.epochs.contains(syncedThrough) {
      throw .syncedThrough("\(syncedThrough)")
    }
    guard Limits.counts.contains(waiting) else { throw .waiting("\(waiting)") }
    guard Limits.counts.contains(texted) else { throw .texted("\(texted)") }
    self.checkpost = checkpost
    self.lastNumber = lastNumber
    self.syncedThrough = syncedThrough
    self.waiting = waiting
    self.texted = texted
  }

  /// The text in its canonical form.
  public var body: String {
    let through = syncedThrough.map { "\($0)" } ?? H1Message.unknown
    return "H1|\(checkpost)|\(lastNumber)|\(through)|\(waiting)|\(texted)"
  }

  /// Whether a text says that it is a heartbeat, of whatever version and however broken the rest is.
  public static func isMeant(by text: String) -> Bool {
    guard text.utf8.count <= Limits.bodyBytes else { return false }
    return H1Error.isVersion(Canonical.fields(text)[0])
  }

  /// Reads a heartbeat. White space around it, small letters and broken delimiters are put right as those
  /// of a V1 text are.
  ///
  /// - Throws: `H1Error` that names the field and what is wrong with it.
  public static func decode(_ text: String) throws(H1Error) -> H1Message {
    guard text.utf8.count <= Limits.bodyBytes else { throw .tooLong(text.utf8.count) }
    let fields = Canonical.fields(text)
    guard fields[0] == "H1" else { throw .version(fields[0]) }
    guard fields.count == 6 else { throw .fieldCount(fields.count) }
    let post: CheckpostCode
    do {
      post = try CheckpostCode(fields[1])
    } catch {
      throw .checkpost(fields[1])
    }
    guard let last = count(fields[2]) else { throw .lastNumber(fields[2]) }
    var through: Int64?
    if fields[3] != unknown {
      guard fields[3].utf8.count == 10, let time = digits(fields[3]) else {
        throw .syncedThrough(fields[3])
      }
      through = time
    }
    guard let waiting = count(fields[4]) else { throw .waiting(fields[4]) }
    guard let texted = count(fields[5]) else { throw .texted(fields[5]) }
    return try H1Message(
      checkpost: post, lastNumber: last, syncedThrough: through, waiting: waiting, texted: texted)
  }

  /// What stands for a time that nobody knows.
  private static let unknown = "-"

  /// A count in its one spelling: digits without a zero before them.
  private static func count(_ text: String) -> Int64? {
    guard text == "0" || text.utf8.first != UInt8(ascii: "0"), let number = digits(text),
      Limits.counts.contains(number)
    else { return nil }
    return number
  }

  private static func digits(_ text: String) -> Int64? {
    text.utf8.allSatisfy(\.isDigit) ? Int64(text) : nil
  }
}
