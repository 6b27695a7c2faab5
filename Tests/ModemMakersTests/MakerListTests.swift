import AT
import ModemDiscovery
import ModemMakers
import ModemModel
import Testing

/// Whether each maker that is known has all that a maker needs.
@Suite struct MakerListTests {
  private static let makers = MakerList.known.makers.map(\.name)

  private func maker(_ name: String) throws -> ModemMaker {
    try #require(MakerList.known.makers.first { $0.name == name })
  }

  @Test func noNameIsGivenTwice() {
    #expect(Set(Self.makers).count == Self.makers.count)
    let profiles = MakerList.known.makers.flatMap { $0.series.map(\.profile.name) }
    #expect(Set(profiles).count == profiles.count)
    #expect(!profiles.contains(MakerProfile.generic.name))
  }

  @Test("A maker's words are in lower case, as they are compared", arguments: makers)
  func wordsAreInLowerCase(name: String) throws {
    let maker = try maker(name)
    let words = maker.manufacturers + maker.models + maker.series.flatMap(\.models)
    for word in words { #expect(word == word.lowercased() && !word.isEmpty) }
  }

  @Test("A maker with a profile is recognised, and has one for every model", arguments: makers)
  func aMakerIsRecognised(name: String) throws {
    let maker = try maker(name)
    guard !maker.series.isEmpty else { return }
    #expect(maker.series.last?.models == [], "the last profile is for all other models")
    #expect(maker.series.dropLast().allSatisfy { !$0.models.isEmpty })
    for word in maker.manufacturers {
      let found = MakerList.known.recognise(manufacturer: word.uppercased(), model: "0")
      #expect(found.profile == maker.series.last?.profile)
      #expect(found.errors == maker.errors)
    }
    for model in maker.models {
      let found = MakerList.known.recognise(manufacturer: "INCORPORATED", model: model)
      #expect(maker.series.contains { $0.profile == found.profile }, "\(model)")
    }
  }

  @Test("Each profile of a maker has a simulated twin", arguments: makers)
  func eachProfileHasATwin(name: String) throws {
    for profile in try maker(name).series.map(\.profile) {
      let twins = ModemProfile.named.filter { twin in
        MakerList.known.recognise(
          manufacturer: twin.profile.manufacturer, model: twin.profile.model
        ).profile == profile
      }
      #expect(!twins.isEmpty, "none of ModemProfile.named is recognised as \(profile.name)")
      // What the twin's maker sets up, it takes.
      for twin in twins {
        let own = twin.profile.ownCommands + [twin.profile.quietedBy ?? ""]
        let settings = profile.settings.map { $0.dropFirst(2) }
        #expect(
          settings.isEmpty || settings.contains { line in own.contains { line.contains($0) } },
          "\(twin.name)")
      }
    }
  }

  @Test("Every line about USB is read", arguments: makers)
  func everyLineAboutUSBIsRead(name: String) throws {
    let usb = try maker(name).usb
    let table = DeviceTable([usb])
    let rows = usb.rows.split(separator: "\n").count { !$0.hasPrefix("=") && !$0.hasPrefix("~") }
    #expect(table.modems.count == rows)
    for device in usb.storageMode + usb.networkCards { #expect(USBID(device) != nil, "\(device)") }
    if !usb.classes.isEmpty { #expect(!table.makers.isEmpty) }
  }

  @Test func onlyWhoHasNumbersOrErrorsAloneGoesWithoutAProfile() {
    let without = MakerList.known.makers.filter { $0.series.isEmpty }.map(\.name)
    #expect(without == ["qualcomm", "others"])
  }

  @Test func allThatPutsATechnologyBackIsKnown() {
    let commands = Set(MakerList.known.accessSwitches.map(\.command))
    #expect(
      commands == [
        "AT+CNMP=", "AT+QCFG=\"nwscanmode\",", "AT^SYSCFG=", "AT^SYSCFGEX=", "AT+ZSNT=", "AT+WS46=",
      ])
  }

  @Test func linesOfAllMakersAreHeardAtOnce() {
    let lines = MakerList.known.lines
    #expect(lines.restarts.contains("RDY") && lines.restarts.contains("*ATREADY: 1"))
    #expect(Set(lines.restarts).count == lines.restarts.count)
    // What is noise to one and tells something with another tells it.
    #expect(lines.named["+QIND"]?.last == .noise)
    #expect(lines.named["+CIEV"] == [.storageFullEvent, .noise])
    for (name, rules) in lines.named { #expect(rules.count { $0 == .noise } <= 1, "\(name)") }
  }
}
