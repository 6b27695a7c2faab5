import Accounts
import ArgumentParser
import CentralCore
import Control
import Host
import JSON
import Passages
import Settings
import Storage

/// `central rangers`: who writes passages down at which post.
struct CentralRangers: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rangers",
    abstract: "List the rangers of posts, by which digits texts name them, and their accounts.",
    discussion: """
      `central import --rangers` adds rangers and changes them; `central users` makes accounts. Where the \
      numbers of two rangers of a post end in the same four digits, a text alone does not tell which of them it \
      was: the number that it came from does, when it is one of theirs.
      """)

  @Option(help: ArgumentHelp("Only those of one post.", valueName: "code"))
  var checkpost: String?

  @OptionGroup var database: CentralDatabase
  @OptionGroup var output: OutputOptions
  @OptionGroup var spreadsheet: SpreadsheetOptions

  private struct Row {
    var ranger: Ranger
    var suffix: String
    var isShared: Bool
    var account: String?
  }

  private static let sheet = Spreadsheet([
    "name", "phone", "checkpost", "suffix", "suffix_shared", "account",
  ])

  func run() throws {
    try spreadsheet.check(with: output)
    let only = try postArgument(checkpost)
    let store = try database.open(for: .reading)
    defer { try? store.close() }
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
