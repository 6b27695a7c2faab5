import Foundation
import ServerModel
import ServerSimulator
import Testing

/// What a node writes of its work with a server, read by somebody who should not know the vehicles.
@Suite(.ownThreads) struct LogPrivacyTests {
  /// A day in short: an upload, an outage with a text, a correction, a password that is wrong.
  /// No plate, number, identity, password, key or token stands whole in the log, and no text.
  @Test(.timeLimit(.minutes(15))) func aDayTellsNobodysVehicle() throws {
    let world = try ServerWorld("opposite_post_number: \"+9779801000077\"")
    defer { world.end() }
    let service = try ServiceProcess(world.configuration)
    var log = try service.read(until: "\"directory_learned\"")
    var clients = [try world.record(7_301)]
    log += try service.read(until: "\"uploaded\"")

    // No line: a text to the office, and one to the opposite post.
    world.server.behave { $0.isAway = true }
    log += try service.read(until: "\"offline\"")
    clients.append(try world.record(7_302))
    log += try service.read(until: "\"text_accepted\"")
    log += try service.read(until: "\"text_accepted\"")
    world.server.behave { $0.isAway = false }
    log += try service.read(until: "\"uploaded\"")

    // A plate that was mistyped, and goes behind its passage.
    let corrected = try Program.run([
      "queue", "correct", clients[0], "--plate", "BA 1 PA 7399", "--config", world.configuration,
    ])
    #expect(corrected.status == 0, "\(corrected.errors)")
    log += try service.read(until: "\"kind\":\"correction\"")

    // The server does not know the token any more, nor the password.
    world.server.withModel {
      $0.setPassword("another-1", of: "sita@bnp.local")
      $0.forgetSessions()
    }
    world.server.inject(InjectedFault(.expired, times: 1))
    clients.append(try world.record(7_303))
    log += try service.read(until: "\"credential_refused\"")
    world.server.withModel { $0.setPassword("east-gate-1", of: "sita@bnp.local") }
    service.end()

    #expect(log.split(separator: "\n").count > 20)
    for (number, client) in clients.enumerated() {
      #expect(!log.contains(client), "the identity of passage \(number)")
    }
    for plate in ["7301", "7302", "7303", "7399"] {
      for spelling in ["BA1PA\(plate)", "BA 1 PA \(plate)", "PA\(plate)"] {
        #expect(!log.contains(spelling), "\(spelling)")
      }
    }
    let others = [
      "9801000099", "9801000077", "9801000001", "east-gate-1", "model-anon-key",
      "V1|", "eyJ", "Bearer",
    ]
    for word in others { #expect(!log.contains(word), "\(word)") }
    // It tells of the passages all the same.
    #expect(log.contains("\"plate\":\""))
  }
}
