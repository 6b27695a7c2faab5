public import NodeCore
public import PhotoFiles

/// Where photographs are kept whose passages are about to be recorded.
public protocol PhotoKeeper {
  /// Keeps a photograph: it is on disk when this returns.
  ///
  /// - Throws: Why not. Its passage is recorded all the same.
  mutating func keep(_ photograph: Photograph) throws(PhotoNotKept) -> StoredPhoto

  /// Tells that no passage was recorded with these: it was known before, or refused. Those that no other
  /// passage has are removed.
  mutating func giveBack(_ names: [String])
}

/// Why a photograph is not kept beside its passage.
public struct PhotoNotKept: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong and what to do.
  public var words: String

  /// A reason in words.
  public init(_ words: String) {
    self.words = words
  }

  /// The same as ``words``.
  public var description: String { words }
}

/// A directory of photographs that this process writes into itself.
public struct DirectoryPhotos: PhotoKeeper {
  private let directory: PhotoDirectory
  private let known: ([String]) throws -> Set<String>
  private let demandRoom: (Photograph) throws -> Void
  /// From the first photograph on, until the process ends: its passage is recorded by then or never.
  private var hold: PhotoDirectory.Hold?

  /// Photographs of that directory.
  ///
  /// - Parameters:
  ///   - known: Which of these names belong to passages.
  ///   - demandRoom: Finds room for a photograph, or throws why there is none; nil for what the directory finds.
  public init(
    _ directory: PhotoDirectory, known: @escaping ([String]) throws -> Set<String>,
    demandRoom: ((Photograph) throws -> Void)? = nil
  ) {
    self.directory = directory
    self.known = known
    self.demandRoom = demandRoom ?? { try directory.demandRoom(for: $0) }
  }

  /// Writes a photograph into the directory.
  public mutating func keep(_ photograph: Photograph) throws(PhotoNotKept) -> StoredPhoto {
    do {
      // Whoever may not use the node's database hears that, and not what is wrong with the directory.
      try demandRoom(photograph)
      if hold == nil { hold = try directory.hold() }
      return try directory.keep(photograph)
    } catch {
      throw PhotoNotKept("\(error)")
    }
  }

  /// Removes those that no passage has. Where that cannot be told they stay, for the service to sweep.
  public func giveBack(_ names: [String]) {
    guard let known = try? known(names) else { return }
    for name in names where !known.contains(name) { try? directory.remove(name) }
  }
}
