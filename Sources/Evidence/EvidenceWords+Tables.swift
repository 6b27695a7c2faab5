import CentralCore
import Passages
import Time

extension EvidenceWords {
  func reports(_ evidence: ViolationEvidence) -> EvidenceReport.Table {
    var rows: [[String]] = []
    for (name, records) in evidence.ends {
      for record in records {
        for report in record.reports {
          rows.append(row(report, of: name, in: evidence))
        }
        let more = record.times - Int64(record.reports.count)
        if more > 0 {
          rows.append([
            name, "\(more) more that told nothing new", "", clock.full(record.lastAt), "", "", "",
            "",
          ])
        }
      }
    }
    return EvidenceReport.Table(
      title: "Reports",
      columns: ["end", "how", "recorded", "came", "plate, type", "by", "clock", "identity"],
      rows: rows)
  }

  private func row(
    _ report: RecordEvidence.Report, of end: String, in evidence: ViolationEvidence
  ) -> [String] {
    let observation = report.observation
    let proof = observation.isProven ? "proven" : "not proven"
    let how =
      switch observation.channel {
      case .upload: "upload, \(proof)"
      case .operated: "operator, \(proof)"
      case .text:
        "text from \(report.sender ?? "?")" + (report.provider.map { " by \($0)" } ?? "")
          + ", \(proof)"
      }
    return [
      end, how, "\(observation.post) \(clock.full(observation.recordedAt))",
      clock.full(observation.receivedAt),
      "\(observation.plate.display), \(observation.vehicleType.rawValue)",
      EvidenceWords.who(report, in: evidence) ?? "…\(observation.suffix.digits)",
      quality(observation.clock),
      observation.clientID.description,
    ]
  }

  private func quality(_ clock: ClockQuality) -> String {
    switch clock {
    case .unknown: "not told"
    case .within(let seconds) where seconds >= ClockQuality.anySeconds: "nobody vouches for it"
    case .within(let seconds): "right to \(seconds) s"
    case .unset: "not set"
    }
  }

  func corrections(_ evidence: ViolationEvidence) -> EvidenceReport.Table {
    var rows: [[String]] = []
    for (name, records) in evidence.ends {
      for correction in records.flatMap(\.record.corrections) {
        let what = [
          correction.plate.map { "plate \($0.display)" },
          correction.vehicleType.map { "type \($0.rawValue)" },
          correction.post.map { "post \($0)" },
          correction.recordedAt.map { "time \(clock.full($0))" },
          correction.photoPath.map { $0.isEmpty ? "no photograph" : "photograph \($0)" },
          correction.withdrawal.map { "withdrawn: \($0)" },
        ].compactMap { $0 }
        rows.append([
          name, clock.full(correction.madeAt),
          correction.author.map { evidence.rangerNames[$0] ?? $0 } ?? "not told",
          what.joined(separator: ", "),
        ])
      }
    }
    return EvidenceReport.Table(
      title: "Corrections", columns: ["end", "when", "by", "what"], rows: rows)
  }

  func revisions(_ evidence: ViolationEvidence) -> EvidenceReport.Table {
    var rows: [[String]] = []
    var isConfirmed = false
    for revision in evidence.revisions {
      var what =
        revision.change.rawValue + (revision.wasFinal == .provisional ? "" : ", was final")
      if isConfirmed, revision.isOther {
        // Who had said that it is so said it of something else.
        what += ", was confirmed"
        isConfirmed = false
      }
      rows.append([
        "\(revision.number)", clock.full(revision.at), what, because(revision, evidence),
        (revision.after ?? revision.before).map(summary) ?? "",
      ])
      // A note is of the revision that stood when it was made.
      for note in evidence.notes where note.revision == revision.number {
        rows.append(row(note, evidence.violation.outcome))
        if note.kind == .confirmed { isConfirmed = true }
      }
    }
    return EvidenceReport.Table(
      title: "How it came to be so", columns: ["#", "when", "what", "because", "it said then"],
      rows: rows)
  }

  private func row(_ note: ViolationNote, _ outcome: ViolationOutcome?) -> [String] {
    let who = note.author.flatMap { $0.isEmpty ? nil : $0 } ?? "somebody"
    let (what, why) =
      switch note.kind {
      case .confirmed: ("confirmed", "\(who) looked at it")
      case .seen: ("seen", "\(who) has seen that it is not what it was when final")
      case .provisional: ("not final any more", "it has another doubt")
      case .reported:
        ("final", "the posts have reported past every time that could change it")
      case .unreported: ("final", "a post has not reported for too long to wait")
      case .outcome: ("outcome", "\(who) recorded it")
      }
    let said =
      note.kind == .outcome ? outcome.flatMap { $0.at == note.at ? words($0) : nil } ?? "" : ""
    return ["", clock.full(note.at), what, why, said]
  }

  private func because(_ revision: ViolationRevision, _ evidence: ViolationEvidence) -> String {
    let origins = evidence.origins(of: revision).map(origin)
    return because(revision.cause) + (origins.isEmpty ? "" : ": \(origins.joined(separator: "; "))")
  }

  /// A record by what it says and where it came from.
  private func origin(_ evidence: RecordEvidence) -> String {
    let place = evidence.record.place
    let texts = evidence.reports.filter { $0.observation.channel == .text }
      .compactMap(\.origin.inboxID).map { "text \($0) of the inbox" }
    let others = Set(evidence.record.observations.map(\.channel)).subtracting([.text])
      .map(\.rawValue).sorted()
    return (["\(place.post) \(clock.full(WallTime(epochSeconds: place.second)))"] + others + texts)
      .joined(separator: ", ")
  }

  private func because(_ cause: ViolationRevision.Cause) -> String {
    switch cause {
    case .arrival: "a passage came"
    case .correction: "a passage was corrected or withdrawn"
    case .directory: "a post, a segment or a ranger was imported or changed"
    case .rules: "the numbers by which is judged were changed"
    }
  }

  private func summary(_ finding: ViolationFinding) -> String {
    let entry = clock.full(WallTime(epochSeconds: finding.entry.earliest))
    let exit = clock.full(WallTime(epochSeconds: finding.exit.earliest))
    return
      "\(finding.kind.rawValue): \(finding.entry.post) \(entry) to \(finding.exit.post) \(exit),"
      + " \(finding.seconds) s where \(finding.limitSeconds) s"
      + (finding.kind == .speeding ? " are the least" : " are the most") + doubts(finding)
  }

  /// What could make it wrong, so that a change of that alone shows.
  private func doubts(_ finding: ViolationFinding) -> String {
    finding.doubts.isEmpty
      ? "; nothing in doubt" : "; in doubt: \(finding.doubts.map(\.words).joined(separator: ", "))"
  }
}

extension ViolationRevision {
  /// Whether it says something else of the vehicle, and not of the doubts alone.
  fileprivate var isOther: Bool {
    guard var found = before, let after, change == .changed else { return true }
    found.doubts = after.doubts
    return found != after
  }
}
