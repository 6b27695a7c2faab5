/// What is answered.
public struct RestAnswer: Hashable, Sendable {
  /// A field of the header.
  public struct Field: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// Its value.
    public var value: String

    /// A field.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The status of HTTP.
  public var status: Int
  /// The fields of the header, without those of the length and the connection.
  public var fields: [Field]
  /// The body.
  public var body: String

  /// An answer.
  public init(_ status: Int, _ fields: [Field] = [], body: String = "") {
    self.status = status
    self.fields = fields
    self.body = body
  }

  /// The value of a field, by its name in any case.
  public func field(_ name: String) -> String? {
    fields.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// An answer whose body is JSON.
  public static func json(
    _ status: Int, _ body: String, type: String = "application/json; charset=utf-8"
  ) -> RestAnswer {
    RestAnswer(status, [Field("Content-Type", type)], body: body)
  }

  /// A refusal.
  public init(_ error: RestError, isAnonymous: Bool) {
    func member(_ text: String?) -> RestJSON { text.map { .text($0) } ?? .null }
    let body: RestJSON = .object([
      "code": .text(error.code), "message": .text(error.message),
      "details": member(error.details), "hint": member(error.hint),
    ])
    self = .json(error.status(isAnonymous: isAnonymous), body.written)
  }
}
