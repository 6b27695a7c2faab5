import EventLoop
import Glibc
import Text
import Time

/// What the control server's thread does: accepts, reads requests, writes answers.
struct ControlLoop {
  /// An answer on its way to the connection that asked.
  struct Answer: Sendable {
    enum Content: Sendable {
      case line([UInt8])
      case stream(ControlStream)
    }

    var connection: UInt64
    var content: Content
  }

  private struct Connection {
    var descriptor: Descriptor
    var lines = LineBuffer(limit: Limits.controlRequestBytes)
    var requests: [LineBuffer.Line] = []
    var isAnswering = false
    /// What is told line by line; the connection is being answered for as long as that lasts.
    var stream: ControlStream?
    var output: [UInt8] = []
    /// When it last said something, or took something of a stream.
    var lastHeard: BootInstant

    /// Whether nothing is expected of the service, so that it is the connection's turn: to say
    /// something, or to read.
    var mayBeIdle: Bool { stream == nil ? !isAnswering : !output.isEmpty }
  }

  private let listener: Descriptor
  private let wakeup: Wakeup
  private let answers: Mailbox<Answer>
  private let clocks: any Clocks
  private let pulse: Pulse
  private let handler: ControlServer.Handler
  private var connections: [(id: UInt64, connection: Connection)] = []
  private var nextID: UInt64 = 0

  init(
    listener: Descriptor, wakeup: Wakeup, answers: Mailbox<Answer>, clocks: any Clocks,
    pulse: Pulse, handler: @escaping ControlServer.Handler
  ) {
    self.listener = listener
    self.wakeup = wakeup
    self.answers = answers
    self.clocks = clocks
    self.pulse = pulse
    self.handler = handler
  }

  /// Waits for something to do, and does it.
  mutating func turn() {
    let isFull = connections.count >= Limits.controlConnections
    var interests = [
      Interest(descriptor: wakeup.descriptor),
      Interest(descriptor: isFull ? -1 : listener.value),
    ]
    for (_, connection) in connections {
      interests.append(
        Interest(
          descriptor: connection.descriptor.value,
          readable: connection.requests.count < Limits.controlRequestsWaiting,
          writable: !connection.output.isEmpty))
    }
    // A connection that waits for its answer may be silent for as long as the answer takes.
    let idle = connections.lazy.filter { $0.connection.mayBeIdle }
    let deadline = idle.map { $0.connection.lastHeard + Limits.controlIdle }.min()
    let ready = pulse.sleeping(clocks) {
      PollLoop.wait(interests, until: deadline, clocks: clocks)
    }
    let now = clocks.boot()
    if !ready[0].isEmpty { wakeup.clear() }
    for (index, readiness) in ready.dropFirst(2).enumerated() where !readiness.isEmpty {
      handle(readiness, index, now)
    }
    if !ready[1].isEmpty { accept(now) }
    for answer in answers.drain() {
      take(answer, now)
    }
    for index in connections.indices {
      flush(index, now)
      feed(index, now)
      handOver(index)
    }
    connections.removeAll { _, connection in
      let isOver =
        connection.descriptor.value < 0
        || (now - connection.lastHeard >= Limits.controlIdle && connection.mayBeIdle)
      if isOver { connection.stream?.end() }
      return isOver
    }
  }

  /// Closes every connection.
  mutating func close() {
    // The last answers may have been given while the server was being stopped.
    for answer in answers.drain() {
      take(answer, clocks.boot())
    }
    for index in connections.indices {
      flush(index, clocks.boot())
      connections[index].connection.stream?.end()
      connections[index].connection.descriptor.close()
    }
    connections = []
    listener.close()
  }

  private mutating func accept(_ now: BootInstant) {
    let number = Glibc.accept(listener.value, nil, nil)
    guard number >= 0 else { return }
    _ = fcntl(number, F_SETFL, O_NONBLOCK)
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    nextID += 1
    connections.append((nextID, Connection(descriptor: Descriptor(owning: number), lastHeard: now)))
  }

  private mutating func handle(_ readiness: Readiness, _ index: Int, _ now: BootInstant) {
    guard readiness.contains(.readable) || readiness.contains(.hungUp) else { return }
    var buffer = [UInt8](repeating: 0, count: 16 * 1_024)
    let descriptor = connections[index].connection.descriptor
    let count = recv(descriptor.value, &buffer, buffer.count, 0)
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    guard count > 0 else {
      descriptor.close()
      return
    }
    connections[index].connection.lastHeard = now
    let lines = connections[index].connection.lines.takeAll(buffer[..<count])
    connections[index].connection.requests += lines
    if connections[index].connection.lines.skipped > Limits.controlSkippedBytes {
      descriptor.close()
    }
  }

  /// Hands the next request of a connection to the handler, when the one before is answered.
  private mutating func handOver(_ index: Int) {
    guard connections[index].connection.descriptor.value >= 0,
      !connections[index].connection.isAnswering,
      !connections[index].connection.requests.isEmpty
    else {
      return
    }
    let line = connections[index].connection.requests.removeFirst()
    connections[index].connection.isAnswering = true
    let id = connections[index].id
    let reply = ControlReply(
      send: { [answers] answer in
        answers.post(Answer(connection: id, content: .line(ControlLoop.line(of: answer))))
      },
      begin: { [answers] stream in
        if !answers.post(Answer(connection: id, content: .stream(stream))) { stream.end() }
      }, wake: { [wakeup] in wakeup.signal() })
    guard case .whole(let bytes) = line else {
      reply.refuse(
        "request_too_long",
        "the request is longer than \(Limits.controlRequestBytes) bytes; send less at once",
        exitCode: 64)
      return
    }
    if let request = ControlRequest(json: bytes) {
      handler(request, reply)
    } else {
      reply.refuse("not_a_request", "that is not a request; send one JSON object a line with an op")
    }
  }

  /// An answer as a line; one that is longer than whoever asked would read says so.
  private static func line(of answer: ControlAnswer) -> [UInt8] {
    let line = Array((answer.json + "\n").utf8)
    guard line.count > Limits.controlAnswerBytes else { return line }
    let refusal = ControlRefusal(
      code: "answer_too_long",
      message: "the answer is longer than \(Limits.controlAnswerBytes) bytes; ask for less at once")
    return Array((ControlAnswer.refused(refusal).json + "\n").utf8)
  }

  private mutating func take(_ answer: Answer, _ now: BootInstant) {
    guard let index = connections.firstIndex(where: { $0.id == answer.connection }) else {
      if case .stream(let stream) = answer.content { stream.end() }
      return
    }
    connections[index].connection.lastHeard = now
    switch answer.content {
    case .line(let line): write(line, to: index)
    case .stream(let stream):
      guard connections.count(where: { $0.connection.stream != nil }) < Limits.controlStreams else {
        stream.end()
        write(
          ControlLoop.line(
            of: .refused(
              ControlRefusal(
                code: "too_many_streams",
                message: "\(Limits.controlStreams) are told of events already; try again later",
                exitCode: ExitStatus.tryAgain.code))), to: index)
        return
      }
      write(ControlLoop.line(of: .done([:])), to: index)
      connections[index].connection.isAnswering = true
      connections[index].connection.stream = stream
    }
  }

  /// Ends the answer of a connection with a line.
  private mutating func write(_ line: [UInt8], to index: Int) {
    connections[index].connection.isAnswering = false
    guard connections[index].connection.output.count + line.count <= Limits.controlAnswerBytes
    else {
      connections[index].connection.descriptor.close()
      return
    }
    connections[index].connection.output += line
  }

  /// Tells a connection what its stream has, once all that was told before is on its way.
  private mutating func feed(_ index: Int, _ now: BootInstant) {
    while let stream = connections[index].connection.stream,
      connections[index].connection.output.isEmpty,
      connections[index].connection.descriptor.value >= 0
    {
      let batch = stream.take(Limits.controlStreamLines)
      guard !batch.lines.isEmpty || batch.end != nil else { return }
      for line in batch.lines {
        connections[index].connection.output += Array((line + "\n").utf8)
      }
      if let end = batch.end {
        connections[index].connection.stream = nil
        stream.end()
        write(ControlLoop.line(of: .refused(end)), to: index)
      }
      flush(index, now)
    }
  }

  private mutating func flush(_ index: Int, _ now: BootInstant) {
    let connection = connections[index].connection
    guard !connection.output.isEmpty, connection.descriptor.value >= 0 else { return }
    if let count = UnixSocket.send(connection.output[...], to: connection.descriptor) {
      connections[index].connection.output.removeFirst(count)
      if count > 0, connection.stream != nil { connections[index].connection.lastHeard = now }
    } else {
      connection.descriptor.close()
    }
  }
}
