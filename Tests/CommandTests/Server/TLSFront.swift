import Foundation
import TestSupport
import Testing

/// What speaks TLS in front of a server of this machine, with one certificate or another.
final class TLSFront {
  /// Who shows itself.
  enum Certificate: String {
    /// The server, by the authority that the node trusts.
    case right
    /// Another site, by the same authority.
    case elsewhere
    /// The server, by an authority that nobody trusts.
    case stranger
    /// The server, by nobody but itself.
    case alone
    /// The server, until yesterday.
    case late
  }

  let url: String
  private let process: ChildProcess

  /// Whether this machine has what it takes.
  static let isPossible = exists("/usr/bin/openssl") && exists("/usr/bin/python3")

  /// The file of the authority that vouches for the server, when the certificates are in `directory`.
  static func authority(in directory: String) -> String { "\(directory)/park.pem" }

  /// Makes the certificates, and returns the pin of the server's key.
  static func prepare(in directory: String) throws -> String {
    let made = try ChildProcess(
      "/bin/sh", ["-ec", script], environment: ["PATH": "/usr/bin:/bin", "PLACE": directory])
    let said = try made.lines.read(untilEach: [["PIN "]])
    return try #require(said.last).dropFirst(4).description
  }

  private static let script = """
    cd "$PLACE"
    new='-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
    authority() {
      openssl req -x509 $new -days 2 -subj "/CN=$1" -addext "subjectAltName=IP:127.0.0.1" \
        -keyout "$1.key" -out "$1.pem" 2>/dev/null
    }
    leaf() {
      openssl req $new -subj "/CN=$1" -keyout "$1.key" -out "$1.csr" 2>/dev/null
      echo "subjectAltName=$3" > "$1.ext"
      openssl x509 -req -in "$1.csr" -CA "$2.pem" -CAkey "$2.key" -CAcreateserial -days "$4" \
        -extfile "$1.ext" -out "$1.pem" 2>/dev/null
    }
    authority park; authority other; authority alone
    leaf right park IP:127.0.0.1 2
    leaf elsewhere park DNS:elsewhere.example 2
    leaf stranger other IP:127.0.0.1 2
    leaf late park IP:127.0.0.1 -1
    echo "PIN sha256//$(openssl x509 -in right.pem -noout -pubkey \
      | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | openssl base64)"
    """

  /// Stands in front of the server at a port, with the certificates of a directory.
  init(_ port: UInt16, _ directory: String) throws {
    process = try ChildProcess(
      "/usr/bin/python3", ["-c", Self.program, "\(port)", directory, "right", "1.2"])
    let said = try process.lines.read(untilEach: [["PORT "]])
    url = "https://127.0.0.1:\(try #require(said.last).dropFirst(5))"
  }

  /// Shows another certificate from now on, and lets go of everybody who saw the last one.
  func show(_ certificate: Certificate, oldest: String = "1.2") throws {
    process.say("\(certificate.rawValue) \(oldest)\n")
    _ = try process.lines.read(untilEach: [["USES "]])
  }

  func end() { process.kill() }

  private static let program = """
    import socket, ssl, sys, threading
    back, place = int(sys.argv[1]), sys.argv[2]
    context, guests = [None], set()

    def use(name, version):
        fresh = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        if version == "1.1":
            fresh.set_ciphers("ALL:@SECLEVEL=0")
            fresh.minimum_version = fresh.maximum_version = ssl.TLSVersion.TLSv1_1
        fresh.load_cert_chain(f"{place}/{name}.pem", f"{place}/{name}.key")
        context[0] = fresh
        for guest in list(guests):
            hang_up(guest)

    def hang_up(connection):
        try:
            connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def pump(source, target):
        try:
            while data := source.recv(65536):
                target.sendall(data)
        except OSError:
            pass
        hang_up(source)
        hang_up(target)

    def serve(raw):
        guests.add(raw)
        try:
            front = context[0].wrap_socket(raw, server_side=True)
            guests.add(front)
            rear = socket.create_connection(("127.0.0.1", back))
        except OSError:
            raw.close()
            return
        threading.Thread(target=pump, args=(rear, front), daemon=True).start()
        pump(front, rear)
        guests.discard(front)

    def accept(listener):
        while True:
            raw, _ = listener.accept()
            threading.Thread(target=serve, args=(raw,), daemon=True).start()

    use(*sys.argv[3:5])
    listener = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=accept, args=(listener,), daemon=True).start()
    print("PORT", listener.getsockname()[1], flush=True)
    for line in sys.stdin:
        use(*line.split())
        print("USES", line.strip(), flush=True)
    """
}
