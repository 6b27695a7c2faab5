import HTTPServer
import Testing

/// Vectors computed with the provider's own helper library.
struct SignatureTests {
  let parameters: [(name: String, value: String)] = [
    ("MessageSid", "SM00000000000000000000000000000000"), ("From", "+9779801234567"),
    ("To", "+15005550006"), ("Body", "V1|BNP-A|BA1PA1234|CAR|1709123456|4567"),
    ("NumMedia", "0"), ("FromCity", ""),
  ]
  let signature = "Rzb0lAg1dDHh29umgW80HIQIUx0="
  let url = "https://hooks.example.org/sms/twilio"

  func isValid(
    _ url: String, _ signature: String? = nil,
    _ parameters: [(name: String, value: String)]? = nil, tokens: [String] = ["12345"]
  ) -> Bool {
    TwilioSignature(tokens: tokens, publicURLs: [url])
      .isValid(signature ?? self.signature, parameters: parameters ?? self.parameters)
  }

  @Test func theVectorIsRight() {
    #expect(isValid(url))
    #expect(TwilioSignature.sign(url: url, parameters: parameters, token: "12345") == signature)
  }

  /// The example of the provider's own test file.
  @Test func theProvidersVectorIsRight() {
    let parameters: [(name: String, value: String)] = [
      ("CallSid", "CA1234567890ABCDE"), ("Digits", "1234"), ("From", "+14158675309"),
      ("To", "+18005551212"), ("Caller", "+14158675309"),
    ]
    let url = "https://mycompany.com/myapp.php?foo=1&bar=2"
    #expect(isValid(url, "RSOYDt4T1cUTdK1PDd93/VVr8B8=", parameters))
  }

  @Test func theOrderOfParametersDoesNotMatter() {
    #expect(isValid(url, nil, parameters.reversed()))
  }

  @Test func aValueThatStandsTwiceCountsOnce() {
    #expect(isValid(url, nil, parameters + [("NumMedia", "0")]))
    #expect(!isValid(url, nil, parameters + [("NumMedia", "1")]))
  }

  @Test(arguments: [
    "https://hooks.example.org:443/sms/twilio", "https://hooks.example.org/sms/twilio#rc=3",
    "https://hooks.example.org:443/sms/twilio#rc=3&rp=all",
  ])
  func theDefaultPortAndTheFragmentDoNotMatter(_ url: String) {
    #expect(isValid(url))
  }

  @Test func aSignatureOverTheURLWithItsPortIsTakenWhereItIsConfiguredWithout() {
    let withPort = TwilioSignature.sign(
      url: "https://hooks.example.org:443/sms/twilio", parameters: parameters, token: "12345")
    #expect(isValid(url, withPort))
    let plain = TwilioSignature.sign(
      url: "http://h:80/p", parameters: parameters, token: "12345")
    #expect(isValid("http://h/p", plain))
  }

  @Test(arguments: [
    "http://hooks.example.org/sms/twilio",
    "https://hooks.example.org/sms/twilio/", "https://hooks.example.org/sms/twilio?",
    "https://Hooks.example.org/sms/twilio", "https://hooks.example.org/sms/Twilio",
    "https://hooks.example.org:8443/sms/twilio/", "https://hooks.example.org:/sms/twilio",
    "https://hooks.example.org:x8443/sms/twilio", "",
  ])
  func anotherURLIsAnotherSignature(_ url: String) {
    #expect(!isValid(url))
  }

  /// As the provider's own library has it: a port that is configured may be left out of what is signed, one
  /// that is not configured may not be put in.
  @Test(arguments: [
    ("https://h:8443/p", "https://h:8443/p", true), ("https://h:8443/p", "https://h/p", true),
    ("https://h:8443/p?a=1:2", "https://h/p?a=1:2", true), ("https://h:8443", "https://h", true),
    ("https://h:80/p", "https://h/p", true), ("http://h:443/p", "http://h/p", true),
    ("https://h/p", "https://h:8443/p", false), ("https://h:8443/p", "https://h:443/p", false),
    ("https://h:8443/p", "https://h:9443/p", false),
    ("https://[::1]:8443/p", "https://[::1]/p", true),
    ("https://[::1]/p", "https://[::1]:443/p", true),
  ])
  func aPortOfItsOwnMayBeLeftOut(configured: String, signed: String, isTaken: Bool) {
    for algorithm in TwilioSignature.Algorithm.allCases {
      let signature = TwilioSignature.sign(
        url: signed, parameters: parameters, token: "12345", algorithm: algorithm)
      let signatures = TwilioSignature(tokens: ["12345"], publicURLs: [configured])
      #expect(
        signatures.isValid(signature, parameters: parameters, algorithm: algorithm) == isTaken)
    }
  }

  @Test func theHashIsTheOneThatTheHeaderAsksFor() {
    let stronger = "mhtKox5pZkx6ysAmacv5wtUUSl/ATlKgGclPDTLyaZo="
    let signatures = TwilioSignature(tokens: ["12345"], publicURLs: [url])
    #expect(signatures.isValid(stronger, parameters: parameters, algorithm: .sha256))
    #expect(!signatures.isValid(stronger, parameters: parameters))
    #expect(!signatures.isValid(signature, parameters: parameters, algorithm: .sha256))
    #expect(
      TwilioSignature.sign(url: url, parameters: parameters, token: "12345", algorithm: .sha256)
        == stronger)
  }

  @Test(
    arguments: [
      (nil, .sha1), ("", .sha1), ("key=k", .sha1), ("key=k,algorithm=", .sha1),
      ("key=webhooks_sharedkey_1,algorithm=HMAC_SHA256", .sha256),
      ("key=k, algorithm = hmac_sha256 ", .sha256), ("algorithm=HMAC_SHA1", .sha1),
      ("key=k,algorithm=HMAC_MD5", nil),
    ] as [(String?, TwilioSignature.Algorithm?)])
  func theHeaderNamesTheHash(header: String?, algorithm: TwilioSignature.Algorithm?) {
    #expect(TwilioSignature.Algorithm(settings: header) == algorithm)
  }

  @Test func emptyParametersCountAndSpacesAreKept() {
    #expect(!isValid(url, nil, parameters.filter { $0.name != "FromCity" }))
    let spaced = parameters.map { $0.name == "Body" ? ($0.name, $0.value + " ") : $0 }
    #expect(!isValid(url, nil, spaced))
  }

  @Test(arguments: [
    "", "Rzb0lAg1dDHh29umgW80HIQIUx0", "Rzb0lAg1dDHh29umgW80HIQIUw0=", "not base64!", "Rzb0",
    "Rzb0lAg1dDHh29umgW80HIQIUx0=Rzb0lAg1dDHh29umgW80HIQIUx0=",
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
  ])
  func anythingElseIsWrong(_ signature: String) {
    #expect(!isValid(url, signature))
  }

  @Test func bothTokensCountWhileOneIsChanged() {
    #expect(isValid(url, tokens: ["new", "12345"]))
    #expect(isValid(url, tokens: ["12345", "new"]))
    #expect(!isValid(url, tokens: ["new", "newer"]))
    #expect(!isValid(url, tokens: []))
  }

  @Test func anyOfTheConfiguredURLsCounts() {
    let signatures = TwilioSignature(tokens: ["12345"], publicURLs: ["https://old/x", url])
    #expect(signatures.isValid(signature, parameters: parameters))
  }

  /// Letters that look alike are sorted by their code points, not by how they look.
  @Test func parametersAreSortedByCodePoints() {
    let one: [(name: String, value: String)] = [
      ("e\u{301}", "1"), ("z", "2"), ("é", "3"), ("E", "4"),
    ]
    let signed = TwilioSignature.sign(url: url, parameters: one, token: "12345")
    #expect(isValid(url, signed, one.reversed()))
    let byHand = url + "E4" + "e\u{301}1" + "z2" + "é3"
    let plain = TwilioSignature.sign(url: byHand, parameters: [], token: "12345")
    #expect(signed == plain)
  }
}
