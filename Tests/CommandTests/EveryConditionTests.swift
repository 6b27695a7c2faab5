import Control
import Doctor
import Events
import Host
import JSON
import Testing
import Text
import Time

@testable import checkpost

/// A lasting condition is a state: whatever keeps a passage, a photograph, a correction, a text or a verdict is
/// told in every view, with what, since when and what helps, and nothing says that all is well.
@Suite(.ownThreads) struct EveryConditionTests {
  /// Made where the part lives that finds them: `StorageStartTests`, `ServiceLogTests`, `WrongClockTests`.
  private static let elsewhere: Set = [
    "starting", "log_incomplete", "clock_wrong", "clock_skewed", "spool_unreadable", "spool_waits",
  ]

  private func status(_ condition: EveryCondition) -> ServiceStatus {
    var status = ServiceStatus(
      service: ServiceReport(startedAt: EveryCondition.wall.rfc3339, version: "1"))
    status.tell(condition.problems)
    return status
  }

  private func page(_ condition: EveryCondition, columns: Int) -> [String] {
    StatusPage(
      status(condition), now: EveryCondition.wall, clock: .utc, columns: columns, isColoured: false
    ).made().map(\.text)
  }

  @Test func nothingIsWrongWithANodeAndACentralAgainstWhichNothingIsKnown() {
    #expect(EveryCondition.node("", "") { _, _, _ in }.problems == [])
    #expect(EveryCondition.central("", "") { _ in }.problems == [])
  }

  @Test func everyProblemOfTheCatalogueHasACondition() {
    let made = Set(EveryCondition.all.map(\.problem))
    #expect(
      Set(ProblemCatalogue.entries.map(\.name)).subtracting(made).subtracting(Self.elsewhere)
        .sorted()
        == [])
    #expect(ProblemCatalogue.entries.count == Set(ProblemCatalogue.entries.map(\.name)).count)
    #expect(made.count > 50)
  }

  @Test func eachConditionIsToldInEachView() throws {
    for condition in EveryCondition.all {
      let about = "\(condition.problem): \(condition.words)"
      let problem = try #require(
        condition.problems.first { $0.name == condition.problem }, "\(about) is not told")
      let entry = try #require(ProblemCatalogue.entry(problem.name), "\(about) is in no catalogue")
      #expect(entry.severities.contains(problem.severity), "\(about)")
      #expect(problem.remedy?.isEmpty == false, "\(about) has no remedy")
      let status = status(condition)
      #expect(!status.isWell, "\(about)")
      #expect(StatusPage.summary(status).words != "all is well", "\(about)")
      #expect(status.headline != "" && !status.headline.contains("all is well"), "\(about)")
      // The exit status of `doctor` is that of its findings.
      let finding = Finding("service", problem)
      #expect(finding.state == (problem.severity == .critical ? .bad : .warning), "\(about)")
      #expect(finding.remedy == problem.remedy, "\(about)")
      #expect(condition.health == entry.health, "\(about): /healthz")
      if let event = entry.event {
        #expect(EventCatalogue.names.contains(event), "\(about): \(event) is no event")
      }
    }
  }

  /// The remedy is there whole, however narrow the terminal is.
  @Test(arguments: [40, 80]) func theRemedyIsNeverCut(columns: Int) throws {
    for condition in EveryCondition.all {
      let lines = page(condition, columns: columns)
      #expect(lines.allSatisfy { ForeignText.width($0) <= columns }, "\(condition.problem)")
      let words = lines.joined(separator: " ").split(separator: " ")
      for problem in condition.problems {
        let remedy = try #require(problem.remedy).split(separator: " ")
        let text = words.joined(separator: " ").replacing(" ", with: "")
        #expect(
          text.contains(remedy.joined()), "\(condition.problem): \(problem.remedy ?? "") is cut")
      }
    }
  }

  @Test func noRemedyOpensAnythingToOthers() {
    let all =
      EveryCondition.all.flatMap(\.problems).compactMap(\.remedy)
      + ProblemCatalogue.entries.map(\.remedy)
    #expect(all.count > 100)
    for remedy in all {
      for bad in ["o+r", "o+w", "o+x", "a+r", "a+w", "644", "666", "755", "777", "everybody read"] {
        #expect(!remedy.contains(bad), "\(remedy)")
      }
    }
  }

  /// What is printed with `--filter theTable`: each condition, and what each view says.
  @Test func theTable() throws {
    var lines = ["condition | status | doctor | exit | /healthz | log"]
    for condition in EveryCondition.all {
      let problem = try #require(condition.problems.first { $0.name == condition.problem })
      let isCritical = problem.severity == .critical
      let entry = ProblemCatalogue.entry(problem.name)
      lines.append(
        [
          condition.words, "\(isCritical ? "!" : "*") \(problem.what)",
          isCritical ? "BAD" : "warn", isCritical ? "69" : "0", condition.health?.rawValue ?? "ok",
          entry?.event ?? "problem_began",
        ].joined(separator: " | "))
      #expect(!page(condition, columns: 200)[0].contains("all is well"))
    }
    print(lines.joined(separator: "\n"))
  }

  // MARK: The headline is derived

  @Test func whatIsStuckIsNotWellThoughNoProblemNamesIt() {
    var status = ServiceStatus(service: ServiceReport(startedAt: "", version: "1"))
    status.tell([])
    #expect(status.isWell)
    var queue = QueueReport()
    queue.stuck = 3
    status.queue = queue
    #expect(!status.isWell)
    #expect(StatusPage.summary(status).words.hasPrefix("works, 3 stuck"))
  }

  /// One that the server does not take for now is not stuck: the list that is named has to show it.
  @Test func whatIsGivenUpForNowIsNamedByTheListThatHasIt() {
    var status = ServiceStatus(service: ServiceReport(startedAt: "", version: "1"))
    status.tell([])
    var queue = QueueReport()
    queue.failed = 2
    status.queue = queue
    #expect(
      StatusPage.summary(status).words == "works, 2 failed (checkpost queue list --status failed)")
    queue.stuck = 1
    status.queue = queue
    #expect(
      StatusPage.summary(status).words == "works, 1 stuck (checkpost queue list --status stuck)")
  }
}
