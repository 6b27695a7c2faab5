extension Operations {
  /// How do the modems stand?
  public struct ModemInfo: ModemOperation {
    /// Those that are meant.
    public typealias Answer = ModemsReport

    /// Its name in a request.
    public static let name = "modem_info"
    /// Whose modems; nil for those of both.
    public var role: String?
    /// The name of one; nil for all.
    public var modem: String?

    /// All modems.
    public init() {}
  }

  /// Write a command line to a modem.
  public struct ModemCommand: ModemOperation {
    /// What the modem answered.
    public typealias Answer = ModemLines

    /// Its name in a request.
    public static let name = "modem_command"
    /// What is wrong when there is none.
    public static let isMissing = "a command is missing"
    /// The command line.
    public var command: String
    /// How long to wait for its end, in seconds.
    public var timeout: Int64?
    /// Whose modem.
    public var role: String?
    /// Its name.
    public var modem: String?

    /// A command line.
    public init(_ command: String, timeout: Int64? = nil) {
      self.command = command
      self.timeout = timeout
    }
  }

  /// Ask the network by USSD.
  public struct ModemUSSD: ModemOperation {
    /// What the network said.
    public struct Answer: Codable, Hashable, Sendable {
      /// The network's words.
      public var text: String
      /// Whether it asks for an answer.
      public var asks: Bool

      /// What the network said.
      public init(text: String, asks: Bool) {
        self.text = text
        self.asks = asks
      }
    }

    /// Its name in a request.
    public static let name = "modem_ussd"
    /// What is wrong when there is none.
    public static let isMissing = "a code is missing"
    /// The code, such as `*123#`.
    public var code: String
    /// Whose modem.
    public var role: String?
    /// Its name.
    public var modem: String?

    /// A code.
    public init(_ code: String) {
      self.code = code
    }
  }

  /// Have a modem start anew.
  public struct ModemReset: ModemOperation {
    /// The step that was taken.
    public typealias Answer = ModemLines

    /// Its name in a request.
    public static let name = "modem_reset"
    /// The step's name; nil for the best there is.
    public var step: String?
    /// Whose modem.
    public var role: String?
    /// Its name.
    public var modem: String?

    /// A step.
    public init(step: String? = nil) {
      self.step = step
    }
  }

  /// What was last said on the line?
  public struct ModemTrace: ModemOperation {
    /// The dialogue.
    public struct Answer: Codable, Hashable, Sendable {
      /// The trace as its file has it.
      public var trace: String

      /// A trace.
      public init(trace: String) {
        self.trace = trace
      }
    }

    /// Its name in a request.
    public static let name = "modem_trace"
    /// Whether numbers and texts are shown.
    public var whole: Bool?
    /// Whose modem.
    public var role: String?
    /// Its name.
    public var modem: String?

    /// The trace, masked or whole.
    public init(isWhole: Bool) {
      whole = isWhole
    }
  }

  /// Send a text of an operator's.
  public struct ModemSend: ModemOperation {
    /// That the network took it.
    public struct Answer: Codable, Hashable, Sendable {
      /// `accepted`; `waiting` when it is kept, and goes after the service's next start.
      public var outcome: String
      /// The number of the text, which the events of its delivery carry; nil where no node keeps it.
      public var textID: Int64?
      /// The references by which the network will report of its parts.
      public var messageReferences: [Int]

      private enum CodingKeys: String, CodingKey {
        case outcome
        case textID = "text_id"
        case messageReferences = "message_references"
      }

      /// A text that the network took.
      public init(references: [Int], textID: Int64? = nil) {
        outcome = "accepted"
        messageReferences = references
        self.textID = textID
      }

      /// A text that goes after the next start.
      public init(keptAs textID: Int64) {
        outcome = Answer.waiting
        messageReferences = []
        self.textID = textID
      }

      /// The outcome of a text that is kept.
      public static let waiting = "waiting"
    }

    /// Its name in a request.
    public static let name = "modem_send"
    /// What is wrong when one is not there.
    public static let isMissing = "a number or a text is missing"
    /// The recipient's number.
    public var to: String
    /// The text.
    public var text: String
    /// What whoever asks calls it, to withdraw it by.
    public var request: String?
    /// Whose modem.
    public var role: String?
    /// Its name.
    public var modem: String?

    /// A text.
    public init(_ text: String, to number: String, named request: String? = nil) {
      self.text = text
      to = number
      self.request = request
    }
  }

  /// Do not send a text of an operator's after all.
  public struct ModemSendWithdraw: ModemOperation {
    /// What became of that.
    public struct Answer: Codable, Hashable, Sendable {
      /// Whether it still waited.
      public var waits: Bool

      /// What became of it.
      public init(waits: Bool) {
        self.waits = waits
      }
    }

    /// Its name in a request.
    public static let name = "modem_send_withdraw"
    /// What it was called.
    public var request: String?
    /// Its number, where it is meant by that.
    public var textID: Int64?
    /// Whose modem.
    public var role: String?
    /// Its name.
    public var modem: String?

    private enum CodingKeys: String, CodingKey {
      case request, role, modem
      case textID = "text_id"
    }

    /// A text by its name.
    public init(_ request: String) {
      self.request = request
    }

    /// A text by its number.
    public init(textID: Int64) {
      self.textID = textID
    }
  }
}

/// What a modem answered to a command line.
public struct ModemLines: Codable, Hashable, Sendable {
  /// The lines before its final result.
  public var lines: [String]
  /// The final result: `OK`.
  public var final: String

  /// An answer.
  public init(lines: [String], final: String) {
    self.lines = lines
    self.final = final
  }
}
