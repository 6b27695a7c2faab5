import Control
import EventLoop
public import Settings

/// The secrets of a configuration as whoever asks may know them: those that this user may not read are
/// judged by the running service, which reads them anyway and tells only whether they can be used.
public struct SecretJudgement {
  /// Why a service with these settings does not start.
  public private(set) var problems: [SettingProblem] = []
  /// Why a secret could not be judged at all; nil when all were.
  public private(set) var denied: String?

  /// Looks at the secrets, and asks the service about those that are its alone.
  public init(_ loaded: LoadedSettings) {
    let all = loaded.startProblems()
    problems = all.filter { !$0.isDenied }
    let files = loaded.secretFiles().filter { $0.problem?.isDenied == true }
    guard !files.isEmpty else { return }
    let told =
      (try? ControlClient(path: loaded.settings.control.socket))
      .flatMap { try? $0.ask(Operations.Secrets()) }?.files ?? []
    for file in files {
      guard let known = told.first(where: { $0.path == file.path && $0.key == file.key }) else {
        let right = MissingRight(at: file.path)
        denied =
          denied
          ?? "\(file.key): \(file.path) is not for this user to read"
          + (right.map { " (it \($0.owner))" } ?? "")
          + ", and no service that uses it answers; start the service, or "
          + (right?.remedy ?? "run this as its user")
        continue
      }
      if let message = known.message, var problem = file.problem {
        problem.words = message
        problem.remedy = known.remedy ?? problem.remedy
        problem.isDenied = false
        problems.append(problem)
      }
    }
  }
}
