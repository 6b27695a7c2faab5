import ModemModel
import SeededRandom
import ServerModel
import Time

/// What a day has in store.
extension World {
  /// Everything that is to happen, drawn beforehand. What is left out changes no draw of the others.
  mutating func plan() {
    var draws = random.fork()
    func moment(_ draws: inout SplitMix64) -> BootInstant {
      .zero + draws.draw(.seconds(1), settings.lasts)
    }
    for number in 0..<settings.passages { schedule(.record(number), at: moment(&draws)) }
    for _ in 0..<settings.outages {
      plan(.link(draws.happens(percent: 50)), at: moment(&draws))
      plan(.serverUp(draws.happens(percent: 70)), at: moment(&draws))
    }
    if settings.poisonsAmongMany { plan(.link(false), at: .zero + settings.lasts / 2) }
    for _ in 0..<settings.faults {
      let modem = draws.draw(0...settings.nodeModems)
      let at = moment(&draws)
      if draws.happens(percent: 20) {
        plan(.unplug(modem: modem), at: at)
        plan(.plug(modem: modem), at: at + draws.draw(.seconds(1), .seconds(900)))
      } else {
        plan(.fault(World.fault(&draws), modem: modem), at: at)
      }
    }
    for _ in 0..<settings.serverFaults {
      let fault = ModelFault.allCases[draws.draw(0...(ModelFault.allCases.count - 1))]
      let times = draws.draw(1...6)
      // Half of them wait for passages: most requests are none.
      let injected =
        draws.happens(percent: 50)
        ? InjectedFault(fault, times: times, areas: [.tables], methods: ["POST"])
        : InjectedFault(fault, times: times)
      plan(.serverFault(injected), at: moment(&draws))
    }
    if settings.serverFaults > 0, draws.happens(percent: 20) {
      plan(.revokeSessions, at: moment(&draws))
    }
    for _ in 0..<settings.crashes { plan(.crash, at: moment(&draws)) }
    if draws.happens(percent: 30) {
      let step = draws.draw(.zero, .seconds(7_200))
      let at = moment(&draws)
      plan(.wall(step), at: at)
    }
    for _ in 0..<settings.powerCuts { plan(.disk(World.powerCut(&draws)), at: moment(&draws)) }
    for _ in 0..<settings.diskFaults { plan(.disk(World.diskFault(&draws)), at: moment(&draws)) }
    for _ in 0..<settings.crashesAtPush { plan(.crashAtPush, at: moment(&draws)) }
    for _ in 0..<settings.blips {
      let at = moment(&draws)
      plan(.blip(draws.draw(.seconds(1), .seconds(20))), at: at)
    }
    for _ in 0..<settings.otherWriters { plan(.otherWriter, at: moment(&draws)) }
    for _ in 0..<settings.struggles {
      let at = moment(&draws)
      plan(World.struggle(&draws), at: at)
    }
    for _ in 0..<settings.wallJumps {
      let at = moment(&draws)
      plan(.wall(World.jump(&draws)), at: at)
      plan(.wallRight, at: at + draws.draw(.seconds(1), .seconds(1_800)))
    }
    if settings.startsUnset {
      plan(.wall(WallTime(epochSeconds: 0) - clock.truth()), at: .zero)
      plan(.wallRight, at: moment(&draws))
    }
    for _ in 0..<settings.corrections { plan(.correct, at: moment(&draws)) }
    for _ in 0..<settings.westPassages { plan(.west, at: moment(&draws)) }
    for _ in 0..<settings.lostAnswers {
      plan(.fault(.loseAnswer, modem: 0), at: moment(&draws))
    }
    let bars: [ModelFault] = [
      .firewall, .resetBefore, .badGateway, .internalError, .statementTimeout, .poolTimeout,
    ]
    for _ in 0..<settings.poisons {
      let number = draws.draw(0...(settings.passages - 1))
      plan(.poison(number, bars[draws.draw(0...(bars.count - 1))]), at: .zero)
    }
    for _ in 0..<settings.refusals {
      let fault: ModelFault = draws.happens(percent: 60) ? .denied : .missingReference
      let lasts = draws.draw(.seconds(600), .seconds(5_400))
      plan(.refuse(fault, lasts), at: moment(&draws))
    }
    for _ in 0..<settings.moves {
      let at = moment(&draws)
      let lasts = draws.draw(.seconds(60), .seconds(2_400))
      if draws.happens(percent: 50) {
        plan(.moveSegment, at: at)
      } else {
        plan(.assign(isHere: false), at: at)
        add(.assign(isHere: true), at: at + lasts)
      }
    }
    if let behind = settings.startsBehind {
      plan(.wall(.zero - behind), at: .zero)
      plan(.wallRight, at: moment(&draws))
      report.fired["started_behind", default: 0] += 1
    }
    add(.heal, at: .zero + settings.trouble)
    add(.checkOthers, at: .zero + settings.trouble + Limits.othersArrive)
    add(.checkModems, at: .zero + settings.trouble + Limits.modemsReturn)
  }

  /// Plans something that a day may also do without.
  private mutating func plan(_ event: SimulationEvent, at moment: BootInstant) {
    let isLeftOut = settings.without.contains(report.planned)
    report.planned += 1
    schedule(event, at: moment, isLeftOut: isLeftOut)
  }

  private mutating func schedule(
    _ event: SimulationEvent, at moment: BootInstant, isLeftOut: Bool = false
  ) {
    let order = random.next()
    if isLeftOut || moment > .zero + settings.trouble, !event.isPlug { return }
    eventQueue.add(event, at: moment, order: order)
  }

  private static func fault(_ draws: inout SplitMix64) -> ModemFault {
    switch draws.draw(0...8) {
    case 0: .mute(draws.draw(.seconds(1), .seconds(600)))
    case 1: .refuse(code: [38, 42, 500, 331][draws.draw(0...3)], times: draws.draw(1...4))
    case 2: .loseAnswer
    case 3: .lateAnswer(draws.draw(.seconds(1), .seconds(300)))
    case 4: .noPrompt
    case 5: .unregistered(draws.draw(.seconds(5), .seconds(900)))
    case 6: .simBusy(draws.draw(.seconds(1), .seconds(20)))
    case 7: .restart
    default: .echo
    }
  }

  mutating func add(_ event: SimulationEvent, at moment: BootInstant) {
    eventQueue.add(event, at: moment, order: random.next())
  }
}
