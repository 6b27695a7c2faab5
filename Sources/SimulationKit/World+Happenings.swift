import ModemModel
import SeededRandom
import ServerModel
import Time

extension World.SimulationEvent {
  /// Whether it puts right what another took away: never left out.
  var isPlug: Bool {
    if case .plug = self { true } else { false }
  }

  /// The fault that it is, by its name in the list of faults; nil where it is none.
  var fault: String? {
    switch self {
    case .crash: "crash"
    case .link(false), .blip: "line_lost"
    case .unplug: "unplug"
    case .wall(let step): step < .zero ? "wall_back" : "wall_forward"
    case .wallRight: "wall_right"
    case .serverUp(false): "server_down"
    case .revokeSessions: "sessions_revoked"
    case .otherWriter: "other_writer"
    case .moveSegment, .assign(isHere: false): "place_moved"
    case .fault(let fault, _): fault.name
    // Those of the disk are counted where they befall it.
    case .disk, .restart: nil
    case .record, .link, .plug, .crashAtPush, .server, .serverUp, .serverFault, .heal, .checkModems,
      .dateByHand, .correct, .west,
      .struggle, .struggleEnds, .poison, .refuse, .refuseEnds, .assign, .checkOthers:
      nil
    }
  }
}

extension ModemFault {
  /// Its name in the list of faults, for those that a day draws.
  fileprivate var name: String? {
    switch self {
    case .mute: "modem_mute"
    case .refuse: "modem_refuses"
    case .loseAnswer: "modem_answer_lost"
    case .lateAnswer: "modem_answer_late"
    case .noPrompt: "modem_no_prompt"
    case .unregistered: "modem_unregistered"
    case .simBusy: "sim_busy"
    case .restart: "modem_restart"
    case .echo: "modem_echo"
    default: nil
    }
  }
}

extension World {
  /// The server says for a while that it can take nothing, and then the line goes: long enough for all
  /// attempts of a passage, or too short for a text.
  static func struggle(_ draws: inout SplitMix64) -> SimulationEvent {
    let faults: [ModelFault] = [.internalError, .noDatabase, .deadlock, .staleSchema, .readOnly]
    let isLong = draws.happens(percent: 60)
    return .struggle(
      faults[draws.draw(0...(faults.count - 1))],
      isLong
        ? draws.draw(.seconds(1_200), .seconds(2_700)) : draws.draw(.seconds(330), .seconds(900)),
      gap: draws.draw(.seconds(60), .seconds(290)))
  }
}
