import Control
import Host
import Settings

/// Finds out what a post or an office begins with: from the options of `config init`, and by asking
/// for what they leave out.
struct StarterInterview {
  /// What the machine is.
  enum Role: String, CaseIterable {
    case node
    case central
    case both
  }

  /// What options said already.
  struct Given {
    var role: Role?
    var post: String?
    var gateways: [String] = []
    var modem: String?
    var centralModem: String?
    var pinFile: String?
    var centralPINFile: String?
    var numbers: [String] = []
  }

  /// What came of it.
  struct Outcome {
    var file = StarterFile()
    /// PINs that were told, each with the file it belongs into.
    var pins: [(path: String, pin: Secret)] = []
    /// The modem that is plugged in, for each role that has one.
    var modems: [PluggedModems.Modem] = []
  }

  let given: Given
  let plugged: PluggedModems
  let writer: StarterWriter
  /// Nil where nobody can be asked.
  let questions: Questions?

  /// Asks what is missing.
  ///
  /// - Throws: ``CommandFailure`` when something is missing that nobody can be asked for.
  func outcome() throws -> Outcome {
    var outcome = Outcome()
    let role = try given.role ?? askRole()
    outcome.file.isNode = role != .central
    outcome.file.isCentral = role != .node
    if outcome.file.isNode {
      outcome.file.post = try given.post ?? askPost()
      outcome.file.gateways = try given.gateways.isEmpty ? askGateways() : given.gateways
      outcome.file.modem = try modem(
        "modem", given.modem, given.pinFile, whose: role == .both ? "the post's" : "the",
        &outcome)
    }
    if outcome.file.isCentral {
      outcome.file.centralModem = try modem(
        "central-modem", given.centralModem, given.centralPINFile,
        whose: role == .both ? "the office's" : "the", &outcome)
      outcome.file.numbers = try given.numbers.isEmpty ? askNumbers() : given.numbers
    }
    return outcome
  }

  private func required(_ option: String) throws -> Questions {
    guard let questions else {
      throw CommandFailure(
        .usage, "\(option) is missing, and nobody can be asked: standard input is no terminal")
    }
    return questions
  }

  private func askRole() throws -> Role {
    try required("--role").value(
      "Is this a post that records and sends (node), the office that receives (central), or both?"
        + " [node]"
    ) { answer in
      if answer.isEmpty { return .success(.node) }
      return Role(rawValue: answer.lowercased()).map { .success($0) }
        ?? .failure(Questions.Fault(words: "\(answer): there are node, central and both"))
    }
  }

  private func askPost() throws -> String {
    try required("--post").value("The code of this post, such as BNP-A:") { answer in
      let code = answer.uppercased()
      return StarterFile.fault(of: code, for: "node.checkpost").map {
        .failure(Questions.Fault(words: $0))
      } ?? .success(code)
    }
  }

  private func askGateways() throws -> [String] {
    guard let questions else { return [] }
    return try list(
      "The number of the office's modem, to which passages are texted, such as +9779801234567 (empty:"
        + " not known yet):", "node.gateway", questions)
  }

  private func askNumbers() throws -> [String] {
    guard let questions else { return [] }
    return try list(
      "Whose texts are passages: each post's number and code, such as +9779801234567=BNP-A (empty:"
        + " later, by checkpost central import):", "central.ingress.numbers", questions)
  }

  private func list(_ question: String, _ key: String, _ questions: Questions) throws -> [String] {
    try questions.value(question) { answer in
      let entries = answer.split { $0 == " " || $0 == "," }.map(String.init)
      for entry in entries {
        if let words = StarterFile.fault(of: entry, for: key) {
          return .failure(Questions.Fault(words: words))
        }
      }
      return .success(entries)
    }
  }

  /// Which modem a role has, and the PIN of its SIM.
  private func modem(
    _ name: String, _ chosen: String?, _ pinFile: String?, whose: String, _ outcome: inout Outcome
  ) throws -> StarterFile.Modem {
    var modem = StarterFile.Modem()
    let taken = outcome.modems
    let free = plugged.modems.filter { !taken.contains($0) }
    if let chosen {
      modem.port = chosen
    } else if free.count > 1, let questions {
      modem.port = try choose(among: free, questions, whose)
    } else if let only = free.first {
      modem.port = only.choice
    }
    if let found = free.first(where: { $0.choice == modem.port || $0.path == modem.port }) {
      outcome.modems.append(found)
    }
    if let pinFile {
      modem.pinFile = pinFile
    } else if let pin = try askPIN(whose) {
      let path = writer.pinPath(of: name)
      modem.pinFile = path
      outcome.pins.append((path, pin))
    }
    return modem
  }

  private func choose(
    among modems: [PluggedModems.Modem], _ questions: Questions, _ whose: String
  ) throws -> String {
    let names = modems.enumerated().map { "\($0.offset + 1) \($0.element.name)" }
    return try questions.value(
      "Which is \(whose) modem: \(names.joined(separator: ", "))? [1]"
    ) { answer in
      guard let number = answer.isEmpty ? 1 : Int(answer), modems.indices.contains(number - 1)
      else {
        return .failure(Questions.Fault(words: "\(answer): is none of 1 to \(modems.count)"))
      }
      return .success(modems[number - 1].choice)
    }
  }

  private func askPIN(_ whose: String) throws -> Secret? {
    guard let questions else { return nil }
    return try questions.value(
      "The PIN of \(whose) modem's SIM (empty: it asks for none):", isSecret: true
    ) { answer in
      if answer.isEmpty { return .success(nil) }
      guard (4...8).contains(answer.utf8.count),
        answer.utf8.allSatisfy({ (0x30...0x39).contains($0) })
      else { return .failure(Questions.Fault(words: "a PIN has 4 to 8 digits")) }
      return .success(Secret(answer))
    }
  }
}
