public import PhotoFiles
public import Settings

extension PhotoDirectory {
  /// The directory of the node's photographs, by its settings.
  public init(_ settings: Settings) {
    self.init(
      settings.photoDirectory, beside: settings.node.database,
      capacity: Int64(settings.storage.capacity))
  }
}
