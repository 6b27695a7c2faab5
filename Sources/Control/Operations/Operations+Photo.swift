extension Operations {
  /// A part of a photograph that is to be kept, so that a passage can be recorded with it. Parts come in
  /// order; with the last one the photograph is on disk, or refused.
  public struct Photo: ControlOperation {
    /// How far it has come.
    public struct Answer: Codable, Hashable, Sendable {
      /// Bytes that have come.
      public var received: Int
      /// The name that the photograph has in the service's directory, once all have.
      public var name: String?
      /// Its media type.
      public var type: String?

      /// An answer.
      public init(received: Int, name: String? = nil, type: String? = nil) {
        self.received = received
        self.name = name
        self.type = type
      }
    }

    /// Its name in a request.
    public static let name = "photo"
    /// What is wrong with a request that lacks something.
    public static let isMissing =
      "upload is a name, at a number of bytes, data hexadecimal digits, and last true or false"
    /// That the service cannot keep it just now, and that its passage is to be recorded without it.
    public static let notKept = "photo_not_kept"
    /// Bytes of one part, at most: a request has its bounds.
    public static let partBytes = 96 * 1_024

    /// What whoever sends it calls the photograph while it is on its way.
    public var upload: String
    /// Bytes that went before.
    public var at: Int
    /// The next ones, in hexadecimal digits.
    public var data: String
    /// Whether these are the last.
    public var last: Bool

    /// A part.
    public init(upload: String, at: Int, bytes: some Collection<UInt8>, isLast: Bool) {
      self.upload = upload
      self.at = at
      let digits = Array("0123456789abcdef".utf8)
      data = String(
        decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
      last = isLast
    }

    /// The bytes of the part; nil when they are none.
    public var bytes: [UInt8]? {
      let text = Array(data.utf8)
      guard text.count % 2 == 0 else { return nil }
      var bytes: [UInt8] = []
      bytes.reserveCapacity(text.count / 2)
      for place in stride(from: 0, to: text.count, by: 2) {
        guard let high = Photo.digit(text[place]), let low = Photo.digit(text[place + 1]) else {
          return nil
        }
        bytes.append(high << 4 | low)
      }
      return bytes
    }

    private static func digit(_ letter: UInt8) -> UInt8? {
      switch letter {
      case 0x30...0x39: letter - 0x30
      case 0x61...0x66: letter - 0x57
      default: nil
      }
    }
  }
}
