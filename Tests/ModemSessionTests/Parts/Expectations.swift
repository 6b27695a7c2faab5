import Testing

/// Compares what a call returned that changes its value, which `#expect` cannot make itself.
func expect<Value: Equatable>(
  _ value: Value, is wanted: Value, _ comment: Comment? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(value == wanted, comment, sourceLocation: sourceLocation)
}

/// The same where another value is wanted.
func expect<Value: Equatable>(
  _ value: Value, isNot unwanted: Value, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(value != unwanted, sourceLocation: sourceLocation)
}
