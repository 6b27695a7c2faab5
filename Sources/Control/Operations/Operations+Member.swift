// What members of the service's group are told in place of files that are the service's alone.

extension Operations {
  /// How does the log show these plates and passages? The key of its masks stays with the service.
  public struct LogMasks: ControlOperation {
    /// The masks, in the order of what was asked for.
    public struct Answer: Codable, Hashable, Sendable {
      /// How the plates are shown.
      public var plates: [String]
      /// How the identities are shown.
      public var clientIDs: [String]

      private enum CodingKeys: String, CodingKey {
        case clientIDs = "client_ids"
        case plates
      }

      /// Masks.
      public init(plates: [String], clientIDs: [String]) {
        self.plates = plates
        self.clientIDs = clientIDs
      }
    }

    /// Its name in a request.
    public static let name = "log_masks"
    /// What is wrong with a request that cannot be read.
    public static let isMissing = "plates and client_ids are lists of names"
    /// Plates in their compact form.
    public var plates: [String]
    /// Identities of passages.
    public var clientIDs: [String]

    private enum CodingKeys: String, CodingKey {
      case clientIDs = "client_ids"
      case plates
    }

    /// Plates and identities.
    public init(plates: [String], clientIDs: [String]) {
      self.plates = plates
      self.clientIDs = clientIDs
    }
  }

  /// Can the secrets be used that the settings of the service name? Only that is told, for each file.
  public struct Secrets: ControlOperation {
    /// The files that the service looked at.
    public struct Answer: Codable, Hashable, Sendable {
      /// A file that holds a secret.
      public struct File: Codable, Hashable, Sendable {
        /// The setting that names it.
        public var key: String
        /// Where it lies.
        public var path: String
        /// What is wrong with it; nil when it can be used.
        public var message: String?
        /// What helps.
        public var remedy: String?

        /// A file.
        public init(key: String, path: String, message: String? = nil, remedy: String? = nil) {
          self.key = key
          self.path = path
          self.message = message
          self.remedy = remedy
        }
      }

      /// The files.
      public var files: [File]

      /// Files that were looked at.
      public init(files: [File]) {
        self.files = files
      }
    }

    /// Its name in a request.
    public static let name = "secrets"

    /// Nothing more to say.
    public init() {}
  }
}
