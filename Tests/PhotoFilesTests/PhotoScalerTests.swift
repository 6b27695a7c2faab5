import EventLoop
import Foundation
import Glibc
import NodeCore
import SeededRandom
import TestSupport
import Testing
import Time

@testable import PhotoFiles

/// Photographs that are too large, made to fit by programs of the system. Where these are not on this machine, what
/// they do is played by scripts.
@Suite(.timeLimit(.minutes(15))) struct PhotoScalerTests {
  private let files: TemporaryDirectory
  private let large: String
  private let small = PhotoDirectoryTests.jpeg + [UInt8](repeating: 7, count: 1_000)

  init() throws {
    files = try TemporaryDirectory()
    large = try files.write(
      "large photo.jpg",
      bytes: PhotoDirectoryTests.jpeg + [UInt8](repeating: 0, count: Limits.photoBytes))
    try files.write("small.jpg", bytes: small)
    try files.write("tmp/.keep")
  }

  private func scaler(_ programs: [String: String]) throws -> PhotoScaler {
    try files.write("bin/.keep")
    for (name, script) in programs {
      try files.write("bin/\(name)", "#!/bin/sh\n\(script)\n", permissions: 0o755)
    }
    return PhotoScaler(
      path: "relative:\(files.file("bin")):/bin:/usr/bin", temporary: files.file("tmp"),
      clocks: SystemClocks())
  }

  private static func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  private var log: [String] {
    (try? files.text("log"))?.split(separator: "\n").map(String.init) ?? []
  }

  private func fit(_ scaler: PhotoScaler?) -> Result<Bool, PhotoFileError> {
    do throws(PhotoFileError) {
      let (photograph, isScaled) = try Photograph.fitting(large, by: scaler)
      #expect(photograph.bytes == small)
      return .success(isScaled)
    } catch {
      return .failure(error)
    }
  }

  private func isTidy() -> Bool {
    var names: [String] = []
    guard let directory = opendir(files.file("tmp")) else { return false }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    return names.sorted() == [".", "..", ".keep"]
  }

  @Test func vipsMakesItSmaller() throws {
    // -o OUT[Q=…]: the name ends where its options begin.
    let scaler = try scaler([
      "vipsthumbnail": """
      echo "$3 $4" >> \(files.file("log")); out=${6%%\\[*}; cp \(files.file("small.jpg")) "$out"
      """
    ])
    #expect(fit(scaler) == .success(true))
    #expect(log == ["--size 2560x2560>"])
    #expect(isTidy())
  }

  @Test func libjpegMakesItSmallerStepByStep() throws {
    let scaler = try scaler([
      "vipsthumbnail": "exit 1", "jpegtran": "cp \(files.file("small.jpg")).none $6",
      "djpeg": "echo $2 >> \(files.file("log")); cp $5 $4",
      // Only the smallest fits.
      "cjpeg": """
      if [ $(wc -l < \(files.file("log"))) -lt 3 ]; then cp $5 $4; else cp \(files.file("small.jpg")) $4; fi
      """,
    ])
    #expect(fit(scaler) == .success(true))
    #expect(log == ["1/1", "1/2", "1/4"])
    #expect(isTidy())
  }

  /// None is there, it fails, it writes no photograph, or it is ended by its own fault.
  @Test(arguments: ["", "exit 1", "echo nothing > ${6%%\\[*}", "kill -9 $$"])
  func whatCannotBeMadeToFitIsTooLarge(_ script: String) throws {
    let scaler = try scaler(script.isEmpty ? [:] : ["vipsthumbnail": script])
    #expect(fit(scaler) == .failure(.refused(path: large, .tooLarge)))
    #expect(fit(nil) == .failure(.refused(path: large, .tooLarge)))
    #expect(isTidy())
  }

  @Test func onlyPhotographsAreHandedOver() throws {
    let path = try files.write("a.zip", bytes: [UInt8](repeating: 1, count: Limits.photoBytes + 1))
    let scaler = try scaler(["vipsthumbnail": "echo called >> \(files.file("log"))"])
    #expect(try scaler.scaled(path) == nil)
    #expect(try scaler.scaled(files.path) == nil)
    #expect(try scaler.scaled("/dev/zero") == nil)
    #expect(log.isEmpty)
  }

  /// A camera still writes it: a program would make a photograph of it that is grey below the middle.
  @Test func whatIsNotWholeIsNotMadeSmaller() throws {
    let scaler = try scaler(["vipsthumbnail": "echo called >> \(files.file("log"))"])
    let whole = try Self.bytes(large)
    let end = try #require(whole.firstRange(of: [0xFF, 0xD9]))
    let path = try files.write(
      "cut.jpg", bytes: whole[..<end.lowerBound] + [UInt8](repeating: 0, count: Limits.photoBytes))
    #expect(throws: PhotoFileError.refused(path: path, .cutShort(.jpeg))) {
      try Photograph.fitting(path, by: scaler)
    }
    #expect(log.isEmpty && isTidy())
  }

  // MARK: The real programs

  private static func has(_ names: String...) -> Bool {
    names.allSatisfy { access("/usr/bin/\($0)", X_OK) == 0 }
  }

  /// A photograph of a camera that was held on its side: noise, which nothing makes small without losing some of it.
  private func makeLarge() throws -> (path: String, bytes: [UInt8]) {
    var random = SplitMix64(seed: 8)
    var block: [UInt8] = []
    for _ in 0..<8_191 { withUnsafeBytes(of: random.next()) { block += Array($0) } }
    let count = 1_600 * 1_200 * 3
    let pixels = [[UInt8]](repeating: block, count: count / block.count + 1).joined().prefix(count)
    let picture = try files.write("noise.ppm", bytes: Array("P6 1600 1200 255\n".utf8) + pixels)
    let made = files.file("made.jpg")
    let command = ChildCommand(
      ["/usr/bin/cjpeg", "-quality", "95", "-outfile", made, picture], timeout: .seconds(600))
    try #require(command.run(clocks: SystemClocks()) == .ended(code: 0))
    let orientation = try #require(JPEGOrientation(rawValue: 6))
    let bytes = orientation.noted(in: try Self.bytes(made))
    try #require(bytes.count > Limits.photoBytes)
    return (try files.write("made.jpg", bytes: bytes), bytes)
  }

  /// Width and height of a JPEG.
  private func size(_ bytes: [UInt8]) -> (Int, Int)? {
    var place = 2
    while place + 9 < bytes.count, bytes[place] == 0xFF {
      let length = Int(bytes[place + 2]) << 8 | Int(bytes[place + 3])
      if (0xC0...0xC2).contains(bytes[place + 1]) {
        return (
          Int(bytes[place + 7]) << 8 | Int(bytes[place + 8]),
          Int(bytes[place + 5]) << 8 | Int(bytes[place + 6])
        )
      }
      place += 2 + length
    }
    return nil
  }

  /// It is shown upright: turned, or with the word of how the camera was held.
  private func check(_ programs: [String], turns: Bool) throws {
    let (path, _) = try makeLarge()
    for name in programs {
      try FileManager.default.createSymbolicLink(
        atPath: files.file("bin/\(name)"), withDestinationPath: "/usr/bin/\(name)")
    }
    let scaler = PhotoScaler(
      path: files.file("bin"), temporary: files.file("tmp"), clocks: SystemClocks())
    let (photograph, isScaled) = try Photograph.fitting(path, by: scaler)
    #expect(isScaled && photograph.bytes.count <= Limits.photoBytes)
    let (width, height) = try #require(size(photograph.bytes))
    #expect(JPEGOrientation(of: photograph.bytes).rawValue == (turns ? 1 : 6))
    #expect(turns ? width < height : width > height, "\(width) by \(height)")
    #expect(isTidy())
  }

  @Test(
    .enabled(if: has("cjpeg", "djpeg", "jpegtran"), "libjpeg-turbo-progs is not installed"),
    arguments: [["jpegtran", "djpeg", "cjpeg"], ["djpeg", "cjpeg", "prlimit"]])
  func libjpegOfThisMachineMakesItSmaller(_ programs: [String]) throws {
    try files.write("bin/.keep")
    try check(programs, turns: false)
  }

  @Test(
    .enabled(if: has("cjpeg", "vips", "vipsthumbnail"), "libvips-tools is not installed"),
    arguments: [["vipsthumbnail", "prlimit"], ["vips"]])
  func vipsOfThisMachineMakesItSmaller(_ programs: [String]) throws {
    try files.write("bin/.keep")
    try check(programs, turns: true)
  }
}
