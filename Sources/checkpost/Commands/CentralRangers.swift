import Accounts
import ArgumentParser
import CentralCore
import Control
import EventLoop
import Host
import JSON
import Passages
import Settings
import Storage
import Time

/// `central rangers`: who writes passages down at which post.
struct CentralRangers: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rangers",
    abstract: "List the rangers of posts, by which digits texts name them, and their accounts.",
    discussion: """
      `central import --rangers` adds rangers and changes them; `central users` makes accounts. Where the \
      numbers of two rangers of a post end in the same four digits, a text alone does not tell which of them it \
      was: the number that it came from does, when it is one of theirs. A text of a passage of an earlier time \
      means who served there then, which --history lists.
      """)

  @Option(help: ArgumentHelp("Only those of one post.", valueName: "code"))
  var checkpost: String?

  @Flag(help: "List where rangers served before, too, and from when to when.")
  var history = false

  @OptionGroup var database: CentralDatabase
  @OptionGroup var output: OutputOptions
  @OptionGroup var spreadsheet: SpreadsheetOptions

  private struct Row {
    var ranger: Ranger
    var suffix: String
    var isShared: Bool
    var account: String?
  }

  private struct Service {
    var name: String
    var assignment: RangerAssignment
  }

  private static let sheet = Spreadsheet([
    "name", "phone", "checkpost", "suffix", "suffix_shared", "account",
  ])

  func run() throws {
    try spreadsheet.check(with: output)
    let only = try postArgument(checkpost)
    let store = try database.open(for: .reading)
    defer { try? store.close() }
    if history {
      let services = try Self.services(store).filter { only == nil || $0.assignment.post == only }
      return try Self.history.print(services, output, spreadsheet)
    }
    let rows = try Self.rows(store).filter { only == nil || $0.ranger.checkpost == only }
    let listing = Listing<Row>(
      ["name", "phone", "post", "digits", "account", ""], sheet: Self.sheet
    ) { row in
      [
        "name": .text(row.ranger.name), "phone": .text(row.ranger.phone.description),
        "checkpost": .text(row.ranger.checkpost.code), "suffix": .text(row.suffix),
        "suffix_shared": .flag(row.isShared), "account": row.account.map { .text($0) } ?? .null,
      ]
    } cells: { row in
      [
        row.ranger.name, row.ranger.phone.description, row.ranger.checkpost.code, row.suffix,
        row.account ?? "", row.isShared ? "same digits as another" : "",
      ]
    }
    try listing.print(rows, output, spreadsheet)
  }

  private static var history: Listing<Service> {
    let clock = LocalClock.ofThisMachine
    let zone = clock.zone(at: SystemClocks().wall())
    return Listing<Service>(
      ["name", "phone", "post", "digits", "since (\(zone))", "until"],
      sheet: Spreadsheet(["name", "phone", "checkpost", "suffix", "since", "until"])
    ) { row in
      [
        "name": .text(row.name), "phone": .text(row.assignment.phone.description),
        "checkpost": .text(row.assignment.post.code),
        "suffix": .text(row.assignment.suffix.digits),
        "since": row.assignment.since.map { .text($0.rfc3339) } ?? .null,
        "until": row.assignment.until.map { .text($0.rfc3339) } ?? .null,
      ]
    } cells: { row in
      [
        row.name, row.assignment.phone.description, row.assignment.post.code,
        row.assignment.suffix.digits, clock.cell(row.assignment.since),
        clock.cell(row.assignment.until),
      ]
    }
  }

  private static func services(_ store: any OpenedCentralStore) throws -> [Service] {
    var names: [PhoneNumber: String] = [:]
    for ranger in try store.rangers() { names[ranger.phone] = ranger.name }
    return try store.assignments().map { Service(name: names[$0.phone] ?? "", assignment: $0) }
  }

  private static func rows(_ store: any OpenedCentralStore) throws -> [Row] {
    let rangers = try store.rangers()
    let accounts = try store.readAccounts { rows throws(StorageError) in try rows.accounts() }
    var logins: [String: String] = [:]
    for account in accounts where account.isActive {
      if let phone = account.phone { logins[phone] = account.login.description }
    }
    func place(_ ranger: Ranger) -> String {
      "\(ranger.checkpost.code) \(PhoneSuffix(phoneNumber: ranger.phone.description).digits)"
    }
    let counts = Dictionary(grouping: rangers, by: place).mapValues(\.count)
    return rangers.map { ranger in
      Row(
        ranger: ranger, suffix: PhoneSuffix(phoneNumber: ranger.phone.description).digits,
        isShared: counts[place(ranger), default: 0] > 1, account: logins[ranger.phone.description])
    }.sorted { left, right in
      (left.ranger.checkpost, left.ranger.name, left.ranger.phone)
        < (right.ranger.checkpost, right.ranger.name, right.ranger.phone)
    }
  }
}
