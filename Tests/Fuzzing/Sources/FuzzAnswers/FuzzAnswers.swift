import AT
import FuzzSupport
import GSM
import ModemMakers

/// What is read out of single lines of a modem.
@main
struct FuzzAnswers {
  static func main() {
    Fuzzing.run { start, count in
      FuzzAnswers.test(Input(start, count))
      return 0
    }
  }

  static func test(_ given: Input) {
    var input = given
    let line = String(decoding: input.all(), as: UTF8.self)
    let parameters = Parameters(line)
    for place in -1...parameters.count {
      _ = parameters.text(place)
      _ = parameters.integer(place)
    }
    if let registration = Registration(answer: line) {
      require(!registration.words.isEmpty, "a registration without words")
    }
    if let level = SignalQuality(answer: line)?.decibelMilliwatts {
      require((-120...0).contains(level), "a signal of \(level) dBm")
    }
    if let use = StorageUse(answer: line) {
      require(use.used >= 0 && use.size >= 0, "a storage of less than nothing")
    }
    for family in [.standard] + MakerList.known.makers.map(\.errors) {
      if let error = ModemError(finalResult: line, family: family) {
        require(!error.words.isEmpty && !error.shortName.isEmpty, "an error without words")
        _ = error.advice
      }
    }
  }
}
