import Passages
import SeededRandom
import Testing

@Suite struct ClientIDTests {
  /// The identities that the deployed server computes.
  static let table: [(body: String, identity: String)] = [
    ("V1|BNP-A|BA1PA1234|CAR|1709123456|9801", "903f6178-1d77-5a73-b651-63f83b997eb3"),
    ("V1|BNP-A|BA1PA1234|CAR|1709123456|4567", "dc136851-5076-5884-95f0-9a051d552b52"),
    ("V1|BNP-B|NA1JA5678|TRK|1769932800|1234", "6a9d55cb-8b97-582c-a21c-ccf579e7890b"),
    ("V1|BNP-A|BA1PA1234|ARK|1798761599|9876", "8a3307a8-1c55-514b-9897-338fdcf091f1"),
    ("V1|BNP-B|LU2KHA77|MCY|1767225600|0001", "7470099d-5eda-51d6-9147-bad913adf3a0"),
  ]

  @Test(arguments: table.indices) func identityOfABody(row: Int) throws {
    let (body, identity) = ClientIDTests.table[row]
    #expect(ClientID.content(canonicalBody: body).description == identity)
    let message = try V1Message.decode(body, window: nil)
    #expect(message.clientID.description == identity)
    #expect(message.clientID.version == 5)
  }

  @Test func identityDoesNotHangOnHowTheTextCame() throws {
    let sent = try V1Message.decode("V1|BNP-A|BA1PA1234|CAR|1709123456|9801", window: nil)
    for text in [
      " v1|bnp-a|ba1pa1234|car|1709123456|9801\r\n",
      "V1\u{A1}BNP-A\u{A1}BA1PA1234\u{A1}CAR\u{A1}1709123456\u{A1}9801",
      "V1 \u{A1}BNP-A \u{A1}BA1PA1234 \u{A1}CAR \u{A1}1709123456 \u{A1}9801",
      "V1 | BNP-A | BA1PA1234 | CAR | 1709123456 | 9801",
    ] {
      #expect(try V1Message.decode(text, window: nil).clientID == sent.clientID)
    }
  }

  @Test func anOldVehicleCodeStaysInTheIdentity() throws {
    let body = "V1|BNP-A|BA1PA1234|MTK|1709123456|9801"
    let message = try V1Message.decode(body, window: nil)
    #expect(message.vehicleType == .truck)
    #expect(message.body == body)
    #expect(message.clientID == ClientID.content(canonicalBody: body))
  }

  @Test func readsAndWritesUUIDs() throws {
    let text = "903f6178-1d77-5a73-b651-63f83b997eb3"
    #expect(ClientID(text)?.description == text)
    #expect(ClientID(text.uppercased())?.description == text)
    for wrong in [
      "", "903f6178", "903f6178-1d77-5a73-b651-63f83b997eb", text + "0",
      "903f61781d775a73b65163f83b997eb3", "903f6178-1d77-5a73-b651-63f83b997ebg",
      "903f6178-1d77-5a73-b651-63f83b997eb३", "--------------------------------------",
    ] {
      #expect(ClientID(wrong) == nil, "\(wrong)")
    }
  }

  @Test func aRandomIdentityHasVersionAndVariant() {
    var random = SplitMix64(seed: 4)
    for _ in 0..<100 {
      let identity = ClientID(random: random.next(), random.next())
      #expect(identity.version == 4)
      #expect("89ab".contains(Array(identity.description)[19]))
      #expect(ClientID(identity.description) == identity)
    }
  }

  @Test func ordersAsItsTextDoes() {
    var random = SplitMix64(seed: 5)
    for _ in 0..<200 {
      let left = ClientID(random: random.next(), random.next())
      let right = ClientID(random: random.next(), random.next())
      #expect((left < right) == (left.description < right.description))
    }
  }

  /// Computed apart from this program: anybody can find the name of a thing.
  @Test(arguments: [
    (
      "violation", "dc136851-5076-5884-95f0-9a051d552b52",
      "e22223c4-c640-8f3b-9576-3d5c082d9206"
    ),
    ("post", "BNP-A", "ac48f464-17dc-8d4c-8177-a8fc93ff65d7"),
  ])
  func derivedNames(_ kind: String, _ name: String, _ expected: String) {
    let derived = ClientID.derived(kind: kind, name: name)
    #expect(derived.description == expected)
    #expect(derived.version == 8)
  }
}
