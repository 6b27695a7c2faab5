import Passages
public import Time

/// What a text that came in turns out to be: a function of the text, its sender, the time of its
/// receipt, what is known of posts and people, and the rules.
public enum Intake {
  /// Decides what a message is.
  ///
  /// - Parameters:
  ///   - text: What it says.
  ///   - sender: The number or the name it says it comes from.
  ///   - receivedAt: When it came in; the accepted times are counted from it, so that a message that
  ///     is processed again later is decided as it was.
  ///   - waiving: Rules that an operator has set aside for this message.
  public static func decide(
    text: String, sender: String, receivedAt: WallTime, directory: Directory, rules: CentralRules,
    waiving waiver: Waiver = []
  ) -> Decision {
    if H1Message.isMeant(by: text) {
      return heartbeat(
        text, sender: sender, receivedAt: receivedAt, directory: directory, rules: rules,
        waiving: waiver)
    }
    let message: V1Message
    do {
      let window = waiver.contains(.anyTime) ? nil : rules.window(at: receivedAt)
      message = try V1Message.decode(text, window: window)
    } catch {
      return .undecodable(reason(error, receivedAt: receivedAt))
    }
    let refusal = refusal(sender, message.checkpost, at: receivedAt, directory: directory)
    if rules.ingress == .allowlist, !waiver.contains(.anySender), let refusal {
      return .undecodable(refusal)
    }
    var warnings: [IntakeWarning] = []
    let post = directory.post(message.checkpost)
    if post == nil {
      warnings.append(.unknownPost)
    }
    if refusal != nil {
      warnings.append(rules.ingress == .allowlist ? .anySender : .unboundSender)
    }
    if waiver.contains(.anyTime), !rules.window(at: receivedAt).contains(message.recordedEpoch) {
      warnings.append(.anyTime)
    }
    let rangers = directory.rangers(
      at: message.checkpost, suffix: message.suffix, sender: PhoneNumber(sender))
    if rangers.count > 1 {
      warnings.append(.ambiguousRanger)
    } else if rangers.isEmpty, message.suffix != .unknown {
      warnings.append(.unknownRanger)
    }
    let passage = Passage(
      received: message, segment: post?.place?.segment,
      ranger: rangers.count == 1 ? rangers[0].name : nil)
    return .passage(
      passage, warnings: warnings, isProven: rules.trust == .number && refusal == nil)
  }

  private static func heartbeat(
    _ text: String, sender: String, receivedAt: WallTime, directory: Directory,
    rules: CentralRules, waiving waiver: Waiver
  ) -> Decision {
    let message: H1Message
    do {
      message = try H1Message.decode(text)
    } catch {
      return .undecodable(Reason(code: error.code, message: error.message))
    }
    let refusal = refusal(sender, message.checkpost, at: receivedAt, directory: directory)
    if rules.ingress == .allowlist, !waiver.contains(.anySender), let refusal {
      return .undecodable(refusal)
    }
    return .heartbeat(message, isProven: rules.trust == .number && refusal == nil)
  }

  /// Why `sender` may not speak for `post` at a moment; nil when it may.
  private static func refusal(
    _ sender: String, _ post: CheckpostCode, at time: WallTime, directory: Directory
  ) -> Reason? {
    guard let number = PhoneNumber(sender) else {
      return Reason(
        code: Reason.sender,
        message: "sender: \(shown(sender)) is no number, so it may speak for no post")
    }
    if directory.isBound(number, to: post, at: time) { return nil }
    if directory.isBound(number, to: post) {
      return Reason(
        code: Reason.sender,
        message: "sender: \(number) may speak for \(post), but not at this time; see its dates in"
          + " `checkpost central numbers`")
    }
    if directory.isKnown(number) {
      return Reason(
        code: Reason.sender,
        message: "sender: \(number) may speak for another post, and not for \(post)")
    }
    return Reason(
      code: Reason.sender,
      message: "sender: \(number) is bound to no post; import it as the number of \(post), its"
        + " ranger or its modem, if it is one")
  }

  private static func reason(_ error: V1Error, receivedAt: WallTime) -> Reason {
    var message = error.message
    if case .outsideWindow(let epoch, _) = error,
      abs(epoch - receivedAt.epochSeconds - nepalOffset) <= 60
    {
      message += "; it is ahead by 5 h 45 min, so it looks like Nepal's local time sent as UTC"
    }
    if case .outsideWindow = error {
      message += "; `checkpost central inbox run N --any-time` takes it all the same"
    }
    return Reason(code: error.code, message: message)
  }

  /// Seconds by which Nepal's clocks are ahead of UTC.
  private static let nepalOffset: Int64 = 20_700

  private static func shown(_ text: String) -> String {
    String(text.prefix(20)).debugDescription
  }
}
