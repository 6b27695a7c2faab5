import CFuzzer
import Glibc

/// libFuzzer, with the arguments of the program.
public enum Fuzzing {
  /// A test of one input: a function of C, which captures nothing.
  public typealias Test = @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt

  /// Hands made-up inputs to `test` until the time is over, and ends the program.
  public static func run(_ test: Test) -> Never {
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    exit(LLVMFuzzerRunDriver(&count, &arguments, test))
  }
}
