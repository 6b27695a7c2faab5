import CentralCore
import Passages

extension EvidenceWords {
  /// Who recorded what a report says: whom it names, or whom the directory knows by the digits; where the digits
  /// are not those of the account that it came by, with the rangers whom they fit, and the account beside that.
  static func who(
    _ report: RecordEvidence.Report, in evidence: ViolationEvidence
  ) -> String? {
    let observation = report.observation
    guard let account = observation.ranger else { return report.ranger }
    let name = evidence.rangerNames[account] ?? account
    guard observation.suffix != .unknown, let digits = evidence.rangerDigits[account],
      digits != observation.suffix.digits
    else { return name }
    return "\(report.ranger ?? "…\(observation.suffix.digits)"), by the account of \(name)"
  }
}
