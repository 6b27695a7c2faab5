/// A part of a text that was accepted, by the reference that a report names.
public struct SentPart: Hashable, Sendable {
  /// The text.
  public var textID: TextID
  /// Which part of it, counted from 1.
  public var part: Int
  /// When the text was begun.
  public var begun: Moment

  /// A part of a text.
  public init(textID: TextID, part: Int, begun: Moment) {
    self.textID = textID
    self.part = part
    self.begun = begun
  }
}

/// A text without a reference that a report may be about.
public struct UnsettledText: Hashable, Sendable {
  /// Why nobody knows its reference.
  public enum State: Hashable, Sendable {
    /// Its outcome is still to come.
    case open
    /// Nobody knows whether it left.
    case unknown
    /// It was refused with an error that says little of what became of it.
    case doubtful
    /// Something else is known of it.
    case settled
  }

  /// The text.
  public var id: TextID
  /// Why nobody knows its reference.
  public var state: State
  /// When it was begun.
  public var begun: Moment
  /// What the references around it tell.
  public var around: ReferencesAround

  /// A text without a reference.
  public init(id: TextID, state: State, begun: Moment, around: ReferencesAround) {
    self.id = id
    self.state = state
    self.begun = begun
    self.around = around
  }
}

/// Which text with an unknown outcome a report is about.
public enum Settlement: Hashable, Sendable {
  /// It is about this one, as that shows.
  case text(TextID, SettlingRule)
  /// It is about none, or might be about several.
  case none
  /// No text can be meant but one that was refused: the modem's newest may be.
  case askNewest
}

extension ReceivedReport {
  /// Of the parts with its reference, newest first, the one that it is about: the reference is one
  /// octet and comes round.
  public func own(among parts: [SentPart]) -> SentPart? {
    parts.first { !isOlder(than: $0.begun) }
  }

  /// Which of the texts without a reference it is about, newest first.
  ///
  /// Such a text has no reference, since the modem's answer with it was lost. But modems count their
  /// references up: a report that fits no text with a reference is about the one without for which the
  /// count agrees. The same card may have sent texts that are not known here, by hand or in a
  /// telephone, so the count is asked even where there is only one; it tells nothing while no text of
  /// the modem has a reference.
  public func settlement(among texts: [UnsettledText]) -> Settlement {
    let possible = texts.filter { !isOlder(than: $0.begun) }
    let unknown = possible.filter { $0.state == .unknown }
    guard let first = unknown.first else { return possible.isEmpty ? .askNewest : .none }
    if possible.count == 1 {
      return first.around.agree(with: report.reference) == false
        ? .none : .text(first.id, .onlyText)
    }
    let fitting = unknown.filter { $0.around.agree(with: report.reference) == true }
    return fitting.count == 1 ? .text(fitting[0].id, .count) : .none
  }

  /// Whether it proves that the newest text of its modem was taken though it was refused: some modems
  /// give an error of their own although the network took the text.
  public func proves(_ newest: UnsettledText) -> Bool {
    newest.state == .doubtful && !isOlder(than: newest.begun)
      && newest.around.agree(with: report.reference) != false
  }
}
