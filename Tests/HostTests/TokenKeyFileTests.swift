import Crypto
import Foundation
import HTTPServer
import JSON
import Settings
import TestSupport
import Testing
import Tokens

@testable import Host

@Suite("The keys of access tokens, from files")
struct TokenKeyFileTests {
  private let directory: TemporaryDirectory
  private var loaded = LoadedSettings()

  init() throws {
    directory = try TemporaryDirectory()
    loaded.settings.central.database = directory.file("central.db")
  }

  private func algorithms(_ files: [String]) throws -> [String?] {
    var loaded = loaded
    loaded.settings.central.http.auth.keyFiles = files
    let keys = try AccountSettings(loaded).keys
    return keys.publicKeys["keys"]?.list?.map { $0["alg"]?.text } ?? []
  }

  @Test("one is made for its owner alone where none is named, and stays")
  func made() throws {
    _ = try AccountSettings(loaded)
    let path = directory.file("token.key")
    let first = try String(contentsOfFile: path, encoding: .utf8)
    #expect(first.wholeMatch(of: /[0-9a-f]{64}\n/) != nil)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    _ = try AccountSettings(loaded)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == first)
  }

  @Test("those that are named are taken, in PEM with its lines or as a secret")
  func named() throws {
    let curve = try directory.write(
      "curve.pem", P256.Signing.PrivateKey().pemRepresentation + "\n")
    let old = try directory.write("old.pem", P256.Signing.PrivateKey().pemRepresentation)
    let secret = try directory.write("secret", String(repeating: "s", count: 40) + "\n")
    #expect(try algorithms([curve, old, secret]) == ["ES256", "ES256"])
    #expect(try algorithms([secret]) == [])
    #expect(!FileManager.default.fileExists(atPath: directory.file("token.key")))
  }

  @Test("what is no key, or can be read by everybody, is told with its file")
  func wrong() throws {
    let pem = P256.Signing.PrivateKey().pemRepresentation
    let publicPEM = P256.Signing.PrivateKey().publicKey.pemRepresentation
    let files = [
      try directory.write("short", "tiger\n"), try directory.write("empty", ""),
      try directory.write("lines", "one secret that is long enough to be\none\n"),
      try directory.write("broken", "-----BEGIN PRIVATE KEY-----\nAAAA\n"),
      try directory.write("open", pem, permissions: 0o644), directory.file("missing"),
    ]
    for file in files {
      do {
        _ = try algorithms([file])
        Issue.record("\(file) was taken")
      } catch .secret(let problem) as SettingsError {
        #expect(problem.words.contains(file), "\(problem.words)")
        #expect(!problem.words.contains("tiger"))
      }
    }
    #expect(throws: SettingsError.self) {
      try algorithms([try directory.write("public", publicPEM)])
    }
    #expect(throws: SettingsError.self) {
      try algorithms(
        try (0..<9).map { try directory.write("k\($0)", String(repeating: "\($0)", count: 40)) })
    }
  }
}
