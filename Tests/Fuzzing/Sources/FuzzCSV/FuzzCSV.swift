import CSV
import FuzzSupport

/// Any bytes are records and faults, the same however the bytes are cut into reads.
@main
struct FuzzCSV {
  static func main() {
    Fuzzing.run { start, count in
      FuzzCSV.test(Input(start, count))
      return 0
    }
  }

  static func test(_ given: Input) {
    var input = given
    let piece = Int(input.byte()) + 1
    let bytes = input.all()

    var whole = CSVReader()
    let rows = whole.read(bytes) + whole.finish()
    var torn = CSVReader()
    var pieces: [CSVRow] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      pieces += torn.read(Array(rest.prefix(piece)))
      rest = rest.dropFirst(piece)
    }
    pieces += torn.finish()
    require(rows == pieces, "the same bytes in pieces are other records")
    let lines = rows.map(\.line)
    require(zip(lines, lines.dropFirst()).allSatisfy(<), "lines out of order")
    table(bytes)
  }
}

private func table(_ bytes: [UInt8]) {
  var table = CSVTable(requiring: ["plate"])
  do {
    for entry in try table.read(bytes) + table.finish() {
      switch entry {
      case .success(let record): _ = record["plate"]
      case .failure(let fault): require(!fault.reason.description.isEmpty, "a fault without words")
      }
    }
  } catch {
    require(!error.reason.description.isEmpty, "a fault without words")
  }
}
