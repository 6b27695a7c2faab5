import Passages
import Time

/// Something that is on its way to the server.
struct UploadAttempt: Hashable, Sendable {
  /// What is being done for it just now.
  enum Step: Hashable, Sendable {
    /// Passages are handed over.
    case push
    /// The server is asked what it has under their identities: it said that it has one already, or did not
    /// say that it took them.
    case readBack
    /// A plate is set right.
    case correct
    /// The server says that it did that and does not show it: it is asked what it has.
    case findCorrected
    /// A photograph is handed over.
    case photo
    /// The server says that it keeps it and does not name it: it is asked whether it does.
    case findPhoto
    /// The server is told where it lies.
    case namePhoto
    /// The server says that it noted that and does not show it: it is asked what it has.
    case findNamed
  }

  /// What is on its way: several only where passages go as a batch.
  var uploads: [DueUpload]
  var step: Step
  /// What the server calls this place.
  var place: ServerPlace
  /// Since when the question is out.
  var since: BootInstant

  /// What a failure comes of, while that is found out by asking something else; what is on its way waits.
  enum Doubt: Hashable, Sendable {
    /// The line, or what was handed over: a probe tells.
    case line(ServerFailure)
    /// The server's names for this place, or its rules for what was handed over: the server is asked for the
    /// names, until it has told so often, or has failed to once more than so often.
    case place(ServerFailure, answers: Int, failures: Int)
  }

  /// What the server calls a photograph in its bucket.
  static func name(of upload: DueUpload) -> String? {
    guard let id = upload.serverID, let photo = upload.photo else { return nil }
    return "\(id).\(photo.suffix)"
  }

  /// A photograph as it is handed to the server; nil where it, or its name there, is not known.
  static func push(of upload: DueUpload) -> PhotoPush? {
    guard let name = name(of: upload), let photo = upload.photo else { return nil }
    return PhotoPush(
      name: name, path: photo.path, count: photo.count, contentType: photo.contentType)
  }
}

/// Something to ask for an upload, and on which of the two ways.
struct UploadCall: Hashable, Sendable {
  enum Way: Hashable, Sendable {
    /// Passages and corrections, one request at a time.
    case passages
    /// Photographs, beside them.
    case photos
  }

  var way: Way
  var call: ServerCall

  init(_ way: Way, _ call: ServerCall) {
    self.way = way
    self.call = call
  }
}

extension StoredOnServer {
  /// Whether this is the passage that was recorded here: the same post, plate and second. The kind of
  /// vehicle may differ, since a text says fewer kinds, and so may all that is added later.
  func isSame(as passage: Passage, at place: ServerPlace) -> Bool {
    checkpostID == place.checkpostID && StoredOnServer.compact(plate) == passage.plate.compact
      && recordedAt.epochSeconds == passage.recordedAt.epochSeconds
  }

  /// A plate as it is compared: capital letters and digits alone.
  static func compact(_ plate: String) -> String {
    String(plate.uppercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) })
  }
}
