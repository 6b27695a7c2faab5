/// The indicators of a modem, as `AT+CIND=?` lists them (3GPP TS 27.007 8.9): `+CIEV: 8,1` is about the eighth.
public enum IndicatorNames {
  /// Their names in their order, in lower case: `battchg`, `signal` of
  /// `("battchg",(0-5)),("signal",(0-5))`. Some makers leave out the quotes or put blanks between.
  public static func ordered(in answer: some StringProtocol) -> [String] {
    answer.prefix(Limits.indicatorList)
      .split { !$0.isASCII || !($0.isLetter || $0.isNumber || $0 == "_") }
      .filter { $0.first?.isLetter == true }
      .map { $0.lowercased() }
  }
}
