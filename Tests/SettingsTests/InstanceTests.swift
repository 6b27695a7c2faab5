import TestSupport
import Testing

@testable import Settings

/// Several services of one machine, each with what is its own.
@Suite struct InstanceTests {
  @Test(arguments: [
    ("/etc/checkpost/north.yaml", "north"), ("/etc/checkpost/checkpost.yaml", nil),
    ("/etc/checkpost/north.yml", nil), ("/etc/checkpost/North.yaml", nil),
    ("/etc/checkpost/a/north.yaml", nil), ("/tmp/north.yaml", nil),
    ("/etc/checkpost/bnp-a2.yaml", "bnp-a2"), ("/etc/checkpost/-.yaml", nil),
  ])
  func whichInstanceAFileIsOf(path: String, name: String?) {
    #expect(LoadedSettings.instance(of: path) == name)
    #expect(LoadedSettings.unit(of: path) == (name.map { "checkpost@\($0)" } ?? "checkpost"))
    if let name { #expect(LoadedSettings.path(ofInstance: name) == path) }
  }

  /// Nothing that an instance writes is another service's: no path is a default, each is in a directory that
  /// its unit makes.
  @Test func anInstanceHasPathsOfItsOwn() throws {
    var file = StarterFile()
    file.isNode = true
    file.isCentral = true
    file.post = "BNP-A"
    file.instance = "north"
    file.httpPort = 8_081
    let files = try TemporaryDirectory()
    let path = files.file("north.yaml")
    try files.write("north.yaml", file.yaml)
    let settings = try LoadedSettings.load(path: path, environment: [:]).settings
    let standard = Settings()
    let places: [(String?, String?)] = [
      (settings.node.database, standard.node.database),
      (settings.photoDirectory, standard.photoDirectory),
      (settings.central.database, standard.central.database),
      (settings.central.photos, standard.central.photos),
      (settings.log.file, standard.log.file), (settings.log.maskKeyFile, standard.log.maskKeyFile),
      (settings.control.socket, standard.control.socket),
    ]
    for (own, other) in places {
      #expect(own != other)
      let place = try #require(own)
      #expect(
        place.hasPrefix("/var/lib/checkpost/north/") || place.hasPrefix("/var/log/checkpost/north/")
          || place.hasPrefix("/run/checkpost-north/"), "\(place)")
    }
    #expect(settings.central.http.port == 8_081)
  }

  @Test func whatIsNotSetUpIsSaidWithWhatToDo() {
    let first = SettingsError.missing(path: LoadedSettings.standardPath)
    #expect(first.description.hasSuffix("Run: sudo checkpost config init"))
    let second = SettingsError.missing(path: "/etc/checkpost/north.yaml")
    #expect(second.description.hasSuffix("Run: sudo checkpost config init --instance north"))
    let other = SettingsError.missing(path: "/tmp/x.yaml")
    #expect(!other.description.contains("config init"))
  }
}
