import ModemModel
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
    case .wall: "wall_forward"
    case .serverUp(false): "server_down"
    case .revokeSessions: "sessions_revoked"
    case .otherWriter: "other_writer"
    case .fault(let fault, _): fault.name
    // Those of the disk are counted where they befall it.
    case .disk, .restart: nil
    case .record, .link, .plug, .crashAtPush, .server, .serverUp, .serverFault, .heal: nil
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
