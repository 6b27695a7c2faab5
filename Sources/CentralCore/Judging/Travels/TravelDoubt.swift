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
  /// Texts that nobody proved say that the vehicle was seen in between, or at an end at another time. They change
  /// nothing until an upload or a person confirms them.
  case contradictedByText = "contradicted_by_text"
  /// The vehicle went back from the exit as on an ordinary travel, so it may have turned there, or have left unseen and
  /// come again: not final until a person confirms it.
  case turned
  /// No vehicle is so fast: not final until a person confirms it.
  case impossibleSpeed = "impossible_speed"

  /// Whether a person has to look before anything with it is final; of ``byTextAlone`` an upload does as well.
  public var needsPerson: Bool {
    switch self {
    case .byTextAlone, .clocks, .turned, .impossibleSpeed: true
    case .longStay, .contradicted, .contradictedByText: false
    }
  }

  /// The doubt in words.
  public var words: String {
    switch self {
    case .byTextAlone: "an end rests on texts alone, whose sender can be forged"
    case .longStay: "it took so long that an exit which nobody saw explains it as well"
    case .clocks: "the clocks of the posts may be so wrong that there was nothing"
    case .contradicted: "reports of an end say different things"
    case .contradictedByText: "texts that nobody proved say otherwise"
    case .turned: "it may have turned at the exit, or have left unseen and come again"
    case .impossibleSpeed: "no vehicle is so fast"
    }
  }
}
