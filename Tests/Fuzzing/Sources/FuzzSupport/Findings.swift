import Glibc

/// Stops the fuzzer with `words` when something that must hold does not.
public func require(_ holds: Bool, _ words: @autoclosure () -> String) {
  if !holds {
    found(words())
  }
}

/// Stops the fuzzer with `words`: it found something. libFuzzer keeps the input.
public func found(_ words: String) -> Never {
  // An optimised build drops the words of a failed precondition.
  let line = Array("found: \(words)\n".utf8)
  _ = write(2, line, line.count)
  abort()
}
