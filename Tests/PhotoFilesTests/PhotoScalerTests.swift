import EventLoop
import Glibc
import NodeCore
import TestSupport
import Testing
import Time

@testable import PhotoFiles

/// Photographs that are too large, made to fit by programs of the system. They are called as their manuals say;
/// what they do is played by scripts, since no machine has all of them.
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
      echo "$2 $3" >> \(files.file("log")); out=${5%%\\[*}; cp \(files.file("small.jpg")) "$out"
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
  @Test(arguments: ["", "exit 1", "echo nothing > ${5%%\\[*}", "kill -9 $$"])
  func whatCannotBeMadeToFitIsTooLarge(_ script: String) throws {
    let scaler = try scaler(script.isEmpty ? [:] : ["vipsthumbnail": script])
    #expect(fit(scaler) == .failure(.refused(path: large, .tooLarge)))
    #expect(fit(nil) == .failure(.refused(path: large, .tooLarge)))
    #expect(isTidy())
  }

  @Test func onlyPhotographsAreHandedOver() throws {
    let path = try files.write("a.zip", bytes: [UInt8](repeating: 1, count: Limits.photoBytes + 1))
    let scaler = try scaler(["vipsthumbnail": "echo called >> \(files.file("log"))"])
    #expect(scaler.scaled(path) == nil)
    #expect(scaler.scaled(files.path) == nil)
    #expect(scaler.scaled("/dev/zero") == nil)
    #expect(log.isEmpty)
  }
}
