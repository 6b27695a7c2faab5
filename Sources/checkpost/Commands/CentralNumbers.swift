import ArgumentParser
import CentralCore
import Control
import EventLoop
import Glibc
import Host
import JSON
import Passages
import Settings
import Time

/// `central numbers`: who may speak for which post.
struct CentralNumbers: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "numbers",
    abstract: "List the numbers that may speak for posts, where each comes from, and its dates.",
    discussion: """
      `central import --numbers` adds numbers and changes their dates; to end one, give it a valid_until. \
      The number of a post's modem and those of its rangers need no line there.
      """)

  /// Where a number is from.
  private enum Source: String {
    case modem, ranger, imported, settings
  }

  @Option(help: ArgumentHelp("Only those of one post.", valueName: "code"))
  var checkpost: String?

  @OptionGroup var database: CentralDatabase
  @OptionGroup var output: OutputOptions
  @OptionGroup var spreadsheet: SpreadsheetOptions

  private static let sheet = Spreadsheet([
    "number", "checkpost", "source", "valid_from", "valid_until", "valid",
  ])

  func run() throws {
    try spreadsheet.check(with: output)
    let only: CheckpostCode?
    do {
      only = try checkpost.map { try CheckpostCode($0) }
    } catch {
      throw CommandFailure(.usage, "\(error)")
    }
    let rules = try CentralRules(try database.settings.load().settings.central)
    let store = try database.open(for: .reading)
    defer { try? store.close() }
    let all = try bindings(store, rules).filter { only == nil || $0.binding.post == only }
    let now = SystemClocks().wall()
    let zone = LocalClock.ofThisMachine.zone(at: now)
    let directory = Directory(
      posts: try store.posts(), rangers: try store.rangers(),
      bindings: rules.bindings + (try store.numbers()))
    // A line with dates counts for itself; that of a modem or a ranger where none of those names its number.
    func isValid(_ binding: SenderBinding, _ source: Source) -> Bool {
      switch source {
      case .imported, .settings: binding.isValid(at: now)
      case .modem, .ranger: directory.isBound(binding.number, to: binding.post, at: now)
      }
    }
    let listing = Listing<(binding: SenderBinding, source: Source)>(
      ["number", "post", "from", "valid from (\(zone))", "valid until", ""], sheet: Self.sheet
    ) { binding, source in
      [
        "number": .text(binding.number.description), "checkpost": .text(binding.post.code),
        "source": .text(source.rawValue),
        "valid_from": binding.validFrom.map { .text($0.rfc3339) } ?? .null,
        "valid_until": binding.validUntil.map { .text($0.rfc3339) } ?? .null,
        "valid": .flag(isValid(binding, source)),
      ]
    } cells: { binding, source in
      [
        binding.number.description, binding.post.code, source.rawValue,
        LocalClock.ofThisMachine.cell(binding.validFrom),
        LocalClock.ofThisMachine.cell(binding.validUntil),
        isValid(binding, source) ? "" : "not valid now",
      ]
    }
    try listing.print(all, output, spreadsheet)
  }

  private func bindings(
    _ store: any OpenedCentralStore, _ rules: CentralRules
  ) throws -> [(binding: SenderBinding, source: Source)] {
    let modems = try store.posts().compactMap { post in
      post.phone.map { (SenderBinding(number: $0, post: post.code), Source.modem) }
    }
    let rangers = try store.rangers().map {
      (SenderBinding(number: $0.phone, post: $0.checkpost), Source.ranger)
    }
    let imported = try store.numbers().map { ($0, Source.imported) }
    let all = modems + rangers + imported + rules.bindings.map { ($0, Source.settings) }
    return all.sorted { left, right in
      (left.0.post, left.0.number, left.1.rawValue) < (
        right.0.post, right.0.number, right.1.rawValue
      )
    }
  }
}
