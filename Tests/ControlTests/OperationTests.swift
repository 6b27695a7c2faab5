import JSON
import Testing

@testable import Control

/// Requests and answers as they stand on the wire, where commands and services of two versions meet.
@Suite struct OperationTests {
  private func read(_ line: String) throws -> ServiceRequest {
    try ServiceRequest(try #require(ControlRequest(json: Array(line.utf8))))
  }

  @Test(arguments: [
    (#"{"op":"wake"}"#, ServiceRequest.wake), (#"{"op":"central_wake"}"#, .centralWake),
    (#"{"op":"status"}"#, .status), (#"{"op":"retry_now"}"#, .retryNow),
    (#"{"op":"modem_info"}"#, .modemInfo(Operations.ModemInfo())),
    (#"{"op":"modem_info","role":null,"more":1}"#, .modemInfo(Operations.ModemInfo())),
    (
      #"{"op":"modem_command","command":"AT+CSQ","timeout":30}"#,
      .modemCommand(Operations.ModemCommand("AT+CSQ", timeout: 30))
    ),
    (#"{"op":"modem_ussd","code":"*1#"}"#, .modemUSSD(Operations.ModemUSSD("*1#"))),
    (#"{"op":"modem_reset"}"#, .modemReset(Operations.ModemReset())),
    (#"{"op":"modem_reset","step":"reopen"}"#, .modemReset(Operations.ModemReset(step: "reopen"))),
    (#"{"op":"modem_trace","whole":false}"#, .modemTrace(Operations.ModemTrace(isWhole: false))),
    (
      #"{"op":"modem_send","text":"x","to":"+9779801000002","request":"a1"}"#,
      .modemSend(Operations.ModemSend("x", to: "+9779801000002", named: "a1"))
    ),
    (#"{"op":"secrets"}"#, .secrets),
    (
      #"{"op":"photo","upload":"a","at":3,"data":"ff0a","last":true}"#,
      .photo(Operations.Photo(upload: "a", at: 3, bytes: [0xFF, 0x0A], isLast: true))
    ),
    (
      #"{"op":"log_masks","plates":["BA1PA1"],"client_ids":[]}"#,
      .logMasks(Operations.LogMasks(plates: ["BA1PA1"], clientIDs: []))
    ),
    (
      #"{"op":"release_store","database":"1:2"}"#,
      .releaseStore(Operations.ReleaseStore(database: "1:2"))
    ),
    (
      #"{"op":"modem_send_withdraw","request":"a1"}"#,
      .modemSendWithdraw(Operations.ModemSendWithdraw("a1"))
    ),
  ])
  func whatCommandsAlwaysSentIsUnderstood(line: String, request: ServiceRequest) throws {
    #expect(try read(line) == request)
  }

  @Test func whoseModemIsMeantStandsBesideTheOthers() throws {
    var asked = Operations.ModemUSSD("*1#")
    asked.role = "node"
    asked.modem = "north"
    #expect(
      ControlRequest(asked).json
        == #"{"code":"*1#","modem":"north","op":"modem_ussd","role":"node"}"#)
    #expect(try read(ControlRequest(asked).json) == .modemUSSD(asked))
  }

  @Test func aCommandSendsWhatItAlwaysSent() {
    #expect(ControlRequest(Operations.Wake()).json == #"{"op":"wake"}"#)
    #expect(ControlRequest(Operations.ModemInfo()).json == #"{"op":"modem_info"}"#)
    #expect(
      ControlRequest(Operations.ModemCommand("AT", timeout: 30)).json
        == #"{"command":"AT","op":"modem_command","timeout":30}"#)
    #expect(
      ControlRequest(Operations.ModemSend("x", to: "+1", named: "a")).json
        == #"{"op":"modem_send","request":"a","text":"x","to":"+1"}"#)
  }

  @Test(arguments: [
    ("modem_command", "a command is missing"), ("modem_ussd", "a code is missing"),
    ("modem_send", "a number or a text is missing"),
  ])
  func whatIsMissingIsSaid(operation: String, words: String) {
    #expect(throws: ControlRefusal(code: "bad_request", message: words, exitCode: 64)) {
      try ServiceRequest(ControlRequest(operation))
    }
    #expect(throws: ControlRefusal(code: "bad_request", message: words, exitCode: 64)) {
      try ServiceRequest(ControlRequest(operation, ["command": 1, "code": 1, "to": 1, "text": []]))
    }
  }

  @Test func anUnknownOperationIsSaid() {
    #expect(
      throws: ControlRefusal(
        code: "unknown_operation",
        message: "the running service does not know dance; is it an older one?", exitCode: 69)
    ) {
      try ServiceRequest(ControlRequest("dance"))
    }
  }

  @Test func answersKeepTheirKeys() {
    #expect(JSONText.object(of: Operations.Wake.Answer()) == [:])
    #expect(JSONText.object(of: Operations.Wake.Answer(clock: "off")) == ["clock": "off"])
    #expect(JSONText.object(of: NothingToTell()) == [:])
    #expect(
      JSONText.object(of: ModemLines(lines: ["+CSQ: 20,99"], final: "OK"))
        == ["lines": ["+CSQ: 20,99"], "final": "OK"])
    #expect(
      JSONText.object(of: Operations.ModemUSSD.Answer(text: "1", asks: true))
        == ["text": "1", "asks": true])
    #expect(
      JSONText.object(of: Operations.ModemSend.Answer(references: [7]))
        == ["outcome": "accepted", "message_references": [7]])
    #expect(
      JSONText.object(of: Operations.ModemSendWithdraw.Answer(waits: false)) == ["waits": false])
    #expect(
      JSONText.object(of: Operations.LogMasks.Answer(plates: ["plate#1"], clientIDs: ["id#2"]))
        == ["plates": ["plate#1"], "client_ids": ["id#2"]])
    #expect(
      JSONText.object(
        of: Operations.Secrets.Answer(files: [
          .init(key: "modem.pin_file", path: "/p", message: "m", remedy: "r")
        ])) == ["files": [["key": "modem.pin_file", "path": "/p", "message": "m", "remedy": "r"]]])
    #expect(JSONText.object(of: Operations.ModemTrace.Answer(trace: "#")) == ["trace": "#"])
  }
}
