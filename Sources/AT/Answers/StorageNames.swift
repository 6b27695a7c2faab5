/// The storages that a modem can read messages from, as `AT+CPMS=?` lists them (3GPP TS 27.005 3.2.2).
public enum StorageNames {
  /// The names of the first list, each once: `SM`, `ME` of `("SM","ME"),("SM"),("SM","MT")`.
  ///
  /// Some makers put a further pair of parentheses around all lists, and some leave out all of them:
  /// what is listed then is what can be read.
  public static func readable(in answer: some StringProtocol) -> [String] {
    var names: [String] = []
    var name = ""
    for character in answer.prefix(Limits.storageList) {
      if character.isASCII, character.isLetter || character.isNumber || character == "_" {
        name.append(character)
        continue
      }
      if let first = name.first, first.isLetter, !names.contains(name) { names.append(name) }
      name = ""
      if character == ")", !names.isEmpty { return names }
    }
    return names
  }
}
