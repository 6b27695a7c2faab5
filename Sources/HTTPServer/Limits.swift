/// The bounds of this module. Whoever can reach the server can send it anything, so all of it is
/// bounded: 256 connections of which each may hold 8 KiB of header, 16 KiB of body (more where more is
/// expected) and 16 KiB of what was sent ahead of an answer.
enum Limits {
  /// Bytes of a request's body; a text in Twilio's form has some 1,500.
  static let bodyBytes = 16 * 1_024

  /// Bytes of a body with rows: some thousand passages.
  static let rowsBytes = 1_024 * 1_024

  /// Bytes of a body with a photograph, of which the bucket takes 2 MiB: who sends a larger one is told so.
  static let photographBytes = 3 * 1_024 * 1_024

  /// Bytes of bodies that are held at the same time, of rows and photographs; and of one who hands them in.
  static let heldBodyBytes = 64 * 1_024 * 1_024

  /// See ``heldBodyBytes``: more than eight photographs under way with one token are told to come again.
  static let heldBodyBytesOfOne = 16 * 1_024 * 1_024

  /// Bytes of answers that are held until they have left; and of one who asked for them.
  static let heldAnswerBytes = 48 * 1_024 * 1_024

  /// See ``heldAnswerBytes``.
  static let heldAnswerBytesOfOne = 12 * 1_024 * 1_024

  /// Bytes of an answer from which on it is counted among those, and that are written at once.
  static let countedAnswerBytes = 64 * 1_024

  /// Bytes of all header fields of a request together.
  static let headerBytes = 8 * 1_024

  /// Header fields of a request.
  static let headerFields = 64

  /// Bytes of the lines between the chunks of a body, besides ``chunkLineBytesOfByte`` for each of its bytes: a
  /// chunk of one byte has a line of three before it and a line end behind it.
  static let chunkLineBytes = 16 * 1_024

  /// See ``chunkLineBytes``.
  static let chunkLineBytesOfByte = 16

  /// Seconds that a whole header may take to arrive, from the opening of the connection, or from the
  /// header's first byte on one that was kept open; then the connection is closed.
  static let headerSeconds: Int64 = 5

  /// Seconds that a whole body may take to arrive, and a larger one a multiple of it
  /// (``BodyBound/patience``); then the connection is closed.
  static let bodySeconds: Int64 = 5

  /// Seconds from a request's end until its answer has left, the time on the way to the disk among
  /// them; then the connection is closed.
  static let answerSeconds: Int64 = 10

  /// Seconds that a request waits for the store, however often it asks something: whoever asked is told that it
  /// takes too long, before ``answerSeconds`` are over.
  static let storeSeconds: Int64 = 8

  /// Questions that are asked of the store at the same time.
  static let callsAtOnce = 4

  /// Seconds after which a connection is closed that was kept open and on which no request came.
  static let idleSeconds: Int64 = 15

  /// Seconds, and bytes, that are still taken and thrown away after an answer to a request that was not
  /// read whole: closing at once would let the system take the answer back.
  static let lingerSeconds: Int64 = 2
  static let lingerBytes = 256 * 1_024

  /// Bytes that are read from a connection at once.
  static let readBytes = 4 * 1_024

  /// Bytes of further requests that wait for the answer to the one before.
  static let heldBytes = 16 * 1_024

  /// Bytes that the system is asked to keep of a connection, each way.
  static let socketBytes = 32 * 1_024

  /// Connections that are open at the same time.
  static let connections = 256

  /// A connection that has waited for its request for so long gives way to a new one when there are no
  /// more. A request of somebody who means it is there sooner.
  static let givesWayAfterMilliseconds: Int64 = 1_000

  /// Time between looks for one that gives way.
  static let roomLookMilliseconds: Int64 = 100

  /// Proxies between a client and us whose word is looked at.
  static let forwardedHops = 8

  /// Addresses and keys of which is remembered how much they may still ask; twice as many at most.
  static let budgetRows = 4_096

  /// How long an address that signed well is remembered.
  static let genuineFor: Duration = .seconds(24 * 3_600)

  /// Parameters of a form.
  static let parameters = 64

  /// Refused requests that are written to the log within ``refusalWindow``; the others are counted.
  static let loggedRefusals = 10

  /// Of those of tables and photographs, of each code: clients try again, and ask for what there is not.
  static let loggedOfCode = 3

  /// See ``loggedRefusals``.
  static let refusalWindow: Duration = .seconds(60)

  /// Bytes of a photograph; a form around it has some more.
  static let photoBytes = 2 << 20

  /// Photographs of one list, and how far down it may begin.
  static let listed = 1_000

  /// See ``listed``.
  static let listedOffset = 100_000

  /// Seconds that an address of a photograph counts at most.
  static let linkSeconds: Int64 = 7 * 86_400

  /// Seconds that an address counts at which a photograph is handed in.
  static let uploadLinkSeconds: Int64 = 2 * 3_600

  /// Streams of changes that are open at the same time; and of one who reads them.
  static let streams = 32

  /// See ``streams``.
  static let streamsOfOne = 4

  /// Changes that a stream tells at once.
  static let streamChanges = 200

  /// Characters of a text in the body of a question to the photographs.
  static let storageText = 200

  /// Seconds between two looks for changes, and after which a stream says that it is there.
  static let streamLookSeconds: Int64 = 1

  /// See ``streamLookSeconds``: well within ``answerSeconds``.
  static let streamHereSeconds: Int64 = 4

  /// Seconds after which a stream looks again whether its reader may still read.
  static let streamEntrySeconds: Int64 = 15

  /// Seconds after which a stream ends; a reader who goes on begins another one behind the last change.
  static let streamSeconds: Int64 = 600

  /// Rows that a stream remembers to have told, so that it tells when they are gone.
  static let streamRows = 10_000

  /// Photographs of one account whose passages have not come, and bytes of them.
  static let waitingPhotographs = 100

  /// See ``waitingPhotographs``.
  static let waitingPhotographBytes = 64 * 1_024 * 1_024

  /// How often it is looked whether the passages of an account's photographs have come, while it hands in too many.
  static let waitingLookEvery: Duration = .seconds(60)

  /// Parts of a form with a photograph, and bytes of the head of one.
  static let multipartParts = 8

  /// See ``multipartParts``.
  static let multipartHeadBytes = 2_048

  /// Requests that wait for the store at the same time; more are told to come again.
  static let waitingCalls = 128

  /// Requests that wait until it is looked up who makes them.
  static let waitingLookUps = 256

  /// Entries of the audit log, the newest, in which it is looked where names signed in before a start.
  static let signInsLookedAt = 10_000

  /// Seconds after which whoever found too many passwords waiting is to try again.
  static let hashingRetrySeconds = 3
}
