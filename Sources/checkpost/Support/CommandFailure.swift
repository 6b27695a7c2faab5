import Control
import EventLoop
import GSM
import Glibc
import HTTPServer
import Host
import Log
import ModemSimulator
import PassageFiles
import PostgreSQL
import Settings
import Storage

/// Why a command ends without having done what it was asked: an exit code and one line that says
/// what is wrong and what to do.
///
/// The errors of the layers below are sorted into exit codes here, and nowhere else.
struct CommandFailure: Error, Hashable, CustomStringConvertible {
  var status: ExitStatus
  /// What is wrong; what to do. One line.
  var message: String
  /// Whether a part of what was asked was done, and is told of.
  var isPartly = false

  init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }

  var description: String { message }

  /// The failure that an error of a layer below means for a command; nil for an error that is not
  /// known here.
  init?(_ error: any Error) {
    switch error {
    case let failure as CommandFailure: self = failure
    case .unreadable(let path, _) as SettingsError where MissingRight.isDenied(path):
      self.init(
        .noPermission, CommandFailure.denied("\(path): the configuration cannot be read", path))
    case let error as SettingsError: self.init(.configuration, error.description)
    case let error as StorageError
    where error.kind == .denied && MissingRight.isDenied(error.place):
      self.init(.noPermission, CommandFailure.denied(error.problem, error.place))
    case .noPermission(let path) as LogFileError where MissingRight.isDenied(path):
      self.init(.noPermission, CommandFailure.denied("\(path): no permission to use the log", path))
    case let error as MaskSource.Denied: self.init(.noPermission, error.description)
    case let error as RecordingSinks.NowhereToRecord:
      let storage = CommandFailure.denied(error.storage.problem, error.storage.place)
      self.init(
        .noPermission,
        "the service does not answer (\(error.service.problem)), and it cannot be kept for it in"
          + " \(error.spool). Start the service: sudo systemctl start checkpost. Without it: \(storage)"
      )
    case let error as SpoolError:
      self.init(
        .inputOutput,
        "the service does not answer, and \(error). Start the service: sudo systemctl start checkpost"
      )
    case let error as LinkError: self.init(error.status, error.description)
    case let error as StorageError: self.init(ExitStatus(error), error.description)
    case let error as ControlError: self.init(error.status, error.description)
    case let refusal as ControlRefusal:
      self.init(ExitStatus(code: refusal.exitCode), refusal.message)
    case let error as LogFileError: self.init(error.status, error.description)
    case let error as LogOpeningError: self.init(error.status, error.description)
    case let error as HTTPServerError: self.init(error.status, error.description)
    case let error as StarterError: self.init(error.status, error.description)
    case let error as PlateMasks.NoKey: self.init(.configuration, error.description)
    case let error as DirectModemError: self.init(.unavailable, error.description)
    case let error as InputFileError: self.init(error.status, error.description)
    case let error as PassageReader.TableFault: self.init(.badData, error.description)
    case let error as PassageRecording.BrokenOff:
      self.init(CommandFailure(error.recording)?.status ?? .inputOutput, error.description)
    case let error as PostgreSQLError: self.init(ExitStatus(error), error.description)
    case let error as PDUError: self.init(.badData, error.message)
    case .link(let error) as SimulatorError: self.init(error.status, error.description)
    case .linkTaken as SimulatorError: self.init(.usage, "\(error)")
    case .network(let error) as SimulatorError: self.init(error.status, error.description)
    default: return nil
    }
  }
}

extension CommandFailure {
  /// What is wrong, whose the file is, and which right is missing.
  private static func denied(_ problem: String, _ path: String) -> String {
    guard let right = MissingRight(at: path) else {
      return "\(problem); run this as the service's user, or as one of its group"
    }
    return "\(problem): it \(right.owner); \(right.remedy)"
  }
}

extension LinkError {
  /// The exit code of a command that cannot use a port.
  var status: ExitStatus {
    switch self {
    case .notFound, .gone, .noPort: .unavailable
    case .busy: .tryAgain
    case .permission: .noPermission
    case .isDirectory, .notATerminal: .usage
    case .system: .inputOutput
    }
  }
}

extension StarterError {
  /// The exit code of a command that begins no configuration.
  var status: ExitStatus {
    switch self {
    case .exists, .taken: .usage
    case .noPermission: .noPermission
    case .wrong: .configuration
    case .system: .inputOutput
    }
  }
}

extension InputFileError {
  /// The exit code of a command that cannot read a file.
  var status: ExitStatus {
    switch self {
    case .notOpened(_, EACCES): .noPermission
    case .notOpened, .isDirectory, .unreadable: .inputOutput
    case .tooLarge: .badData
    }
  }
}

extension NetworkError {
  /// The exit code of a command whose modems cannot be on a shared network.
  var status: ExitStatus {
    switch self {
    case .numberTaken, .notASocket, .pathTooLong, .missingDirectory: .usage
    case .permission: .noPermission
    case .noAnswer: .unavailable
    case .system: .inputOutput
    }
  }
}

extension ControlError {
  /// The exit code of a command that cannot reach the service, or of a service without its socket.
  var status: ExitStatus {
    switch self {
    case .notRunning, .noAnswer: .unavailable
    case .busy, .alreadyServed, .timedOut: .tryAgain
    case .notASocket, .missingDirectory, .pathTooLong: .configuration
    case .noPermission: .noPermission
    case .requestTooLong: .usage
    case .system: .system
    }
  }
}

extension LogFileError {
  /// The exit code of a command that cannot use the log.
  var status: ExitStatus {
    switch self {
    case .missing: .unavailable
    case .missingDirectory, .isDirectory, .isPipe: .configuration
    case .noPermission: .noPermission
    case .inUse: .tryAgain
    case .noStorage, .system: .inputOutput
    }
  }
}

extension LogOpeningError {
  /// The exit code of a service that cannot open its log.
  var status: ExitStatus {
    switch self {
    case .file(let error): error.status
    case .settings: .configuration
    }
  }
}

extension HTTPServerError {
  /// The exit code of a service that cannot listen.
  var status: ExitStatus {
    switch self {
    case .inUse, .socketInUse: .tryAgain
    case .notLocal, .notASocket, .noGroup: .configuration
    case .noPermission, .notInGroup: .noPermission
    case .system, .socket: .inputOutput
    }
  }
}
