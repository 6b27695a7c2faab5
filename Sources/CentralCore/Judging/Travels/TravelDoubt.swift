/// What could make a judgement wrong although nothing that is known contradicts it. A person looks at it.
public enum TravelDoubt: String, CaseIterable, Hashable, Sendable, Codable {
  /// One end rests on texts alone, and who sent them is not proven: not final until an upload or a person
  /// confirms it.
  case byTextAlone = "by_text_alone"
  /// It took so long that an exit which nobody saw explains it as well.
  case longStay = "long_stay"
  /// The clocks of the posts may be so wrong that there was nothing: not final until a person confirms it.
  case clocks
  /// Reports of one end say different things, or somebody used its identity for something else.
  case contradicted

  /// The doubt in words.
  public var words: String {
    switch self {
    case .byTextAlone: "an end rests on texts alone, whose sender can be forged"
    case .longStay: "it took so long that an exit which nobody saw explains it as well"
    case .clocks: "the clocks of the posts may be so wrong that there was nothing"
    case .contradicted: "reports of an end say different things"
    }
  }
}
