import Glibc
import Settings

/// Which ports the services of one machine listen at, as their configurations say.
public enum ListeningPorts {
  /// A port for the HTTP server of a central whose configuration is to be written; nil where the default is free.
  ///
  /// - Parameter path: that configuration: the others lie beside it.
  public static func free(beside path: String) -> Int? {
    let standard = Settings().central.http.port
    let taken = ports(beside: path)
    guard taken.contains(standard) else { return nil }
    return (standard + 1..<standard + 1_000).first { !taken.contains($0) }
  }

  private static func ports(beside path: String) -> Set<Int> {
    guard let slash = path.lastIndex(of: "/"), let directory = opendir(String(path[..<slash]))
    else { return [] }
    defer { closedir(directory) }
    var ports: Set<Int> = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      let other = "\(path[...slash])\(name)"
      guard name.hasSuffix(".yaml"), other != path,
        let loaded = try? LoadedSettings.load(path: other, environment: [:])
      else { continue }
      let central = loaded.settings.central
      if loaded.settings.roles.central, central.http.enabled, central.http.socket == nil {
        ports.insert(central.http.port)
      }
    }
    return ports
  }
}
