import Foundation
import TestSupport
import Testing

/// `central users` and `central keys`, as an operator types them.
@Suite("Accounts and keys by commands", .ownThreads)
struct CentralAccountTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try directory.write("posts.csv", "code,name\nBNP-A,East\n")
    let outcome = try central(["import", "--posts", directory.file("posts.csv")])
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  private func central(_ arguments: [String], input: String = "") throws -> Program.Outcome {
    let configuration = directory.file("checkpost.yaml")
    if !FileManager.default.fileExists(atPath: configuration) {
      try directory.write(
        "checkpost.yaml",
        """
        roles:
          central: true
        central:
          database: \(directory.file("central.db"))
        log:
          file: null
          mask_key_file: null
        control:
          socket: \(directory.file("control.sock"))
        """)
    }
    let place = ["import"].contains(arguments[0]) ? 1 : 2
    var all = arguments
    all.insert(contentsOf: ["--config", configuration], at: min(place, all.count))
    return try Program.run(["central"] + all, input: input)
  }

  @Test(
    "an account is made, listed, disabled, enabled and signed out, and all of it is written down")
  func story() throws {
    let added = try central(
      ["users", "add", "Sita", "--name", "Sita K.C.", "--post", "BNP-A", "--phone", "9841114567"],
      input: "east-gate-1\n")
    #expect(added.status == 0, "\(added.errors)")
    #expect(added.lines == ["sita@bnp.local: may sign in as ranger"])
    let list = try central(["users", "list", "--json"]).objects()
    #expect(list.count == 1)
    #expect(list[0]["login"] as? String == "sita@bnp.local")
    #expect(list[0]["phone"] as? String == "+9779841114567")
    #expect(list[0]["checkpost"] as? String == "BNP-A")
    #expect(list[0]["active"] as? Bool == true)
    #expect(try central(["users", "disable", "sita"]).status == 0)
    #expect(try central(["users", "list"]).output.contains("disabled"))
    #expect(try central(["users", "enable", "sita@bnp.local"]).status == 0)
    #expect(try central(["users", "sign-out", "sita"]).status == 0)
    #expect(try central(["users", "set-password", "sita"], input: "west-gate-2\n").status == 0)
    let audit = try central(["users", "audit", "--json"])
    #expect(
      try audit.objects().map { $0["kind"] as? String } == [
        "password_set", "sessions_ended", "account_enabled", "account_disabled", "account_added",
      ])
    #expect(try audit.objects().allSatisfy { ($0["actor"] as? String)?.hasPrefix("uid ") == true })
    for outcome in [added, audit] {
      #expect(!outcome.output.contains("gate"))
      #expect(!outcome.errors.contains("gate"))
    }
    let file = try Data(contentsOf: URL(filePath: directory.file("central.db")))
    #expect(file.range(of: Data("east-gate".utf8)) == nil)
  }

  @Test("what cannot be an account is refused, and nothing is changed")
  func refused() throws {
    func add(_ arguments: [String], _ password: String = "east-gate-1\n") throws -> Int32 {
      try central(["users", "add"] + arguments, input: password).status
    }
    let sita = ["sita", "--name", "Sita", "--post", "BNP-A"]
    #expect(try add(sita, "short\n") == 65)
    #expect(try add(sita, "") == 64)
    #expect(try add(sita, "\u{1}2345678\n") == 65)
    #expect(try add(["sita", "--name", "Sita"]) == 64)
    #expect(try add(["si ta", "--name", "Sita", "--post", "BNP-A"]) == 64)
    #expect(try add(["sita", "--name", "Sita", "--post", "XYZ-9"]) == 65)
    #expect(try add(["sita", "--name", "Sita", "--role", "king"]) == 64)
    #expect(try add(sita + ["--phone", "nobody"]) == 64)
    #expect(try add(sita + ["--password", "east-gate-1"]) == 64)
    #expect(try central(["users", "list"]).lines.filter { $0.contains("sita") } == [])
    #expect(try add(sita) == 0)
    #expect(try add(sita) == 65)
    #expect(try central(["users", "disable", "ram"]).status == 65)
    #expect(try central(["users", "set-password", "ram"], input: "east-gate-1\n").status == 65)
  }

  @Test("a key is shown once, listed by its name and revoked for good")
  func keys() throws {
    let added = try central(["keys", "add", "--name", "dashboard", "--role", "service"])
    #expect(added.status == 0, "\(added.errors)")
    let text = try #require(added.lines.first)
    #expect(text.hasPrefix("cpk."))
    let prefix = String(text.split(separator: ".")[1])
    let list = try central(["keys", "list", "--json"])
    #expect(!list.output.contains(text))
    #expect(try list.objects().map { $0["prefix"] as? String } == [prefix])
    #expect(try list.objects().map { $0["valid"] as? Bool } == [true])
    let file = try Data(contentsOf: URL(filePath: directory.file("central.db")))
    #expect(file.range(of: Data(text.utf8)) == nil)
    let revoked = try central(["keys", "revoke", text])
    #expect(revoked.status == 0)
    #expect(!revoked.output.contains(text))
    #expect(try central(["keys", "revoke", prefix]).status == 65)
    #expect(try central(["keys", "list"]).output.contains("revoked"))
    #expect(try central(["keys", "add", "--name", "box", "--role", "post"]).status == 64)
    let box = ["keys", "add", "--name", "box", "--role", "post", "--post", "BNP-A"]
    let post = try central(box + ["--valid-from", "9999-01-01", "--json"])
    #expect(try post.objects()[0]["key"] is String)
    #expect(try central(["keys", "list"]).output.contains("not valid now"))
  }

  @Test("a key that could never count is not made, and times are taken in several forms")
  func datesOfKeys() throws {
    func add(_ dates: [String]) throws -> Program.Outcome {
      try central(["keys", "add", "--name", "box", "--role", "service"] + dates)
    }
    let past = try add(["--valid-until", "2020-01-01T00:00:00Z"])
    #expect(past.status == 64)
    #expect(past.errors.contains("is over already"))
    let crossed = try add(["--valid-from", "9000-01-02", "--valid-until", "9000-01-01"])
    #expect(crossed.status == 64)
    #expect(crossed.errors.contains("has to be later than --valid-from"))
    let nonsense = try add(["--valid-until", "tomorrow"])
    #expect(nonsense.status == 64)
    #expect(nonsense.errors.contains("2026-11-21 (midnight here)"))
    #expect(try central(["keys", "list", "--json"]).objects().isEmpty)
    for until in ["9000-01-01", "221845392000", "9000-01-01T00:00:00Z"] {
      #expect(try add(["--valid-until", until]).status == 0)
    }
    // Midnight of the machine, whose zone is UTC here.
    #expect(
      try central(["keys", "list", "--json"]).objects().map { $0["valid_until"] as? String }
        == Array(repeating: "9000-01-01T00:00:00Z", count: 3))
  }
}
