import ArgumentParser

/// Which of the violations are listed, by whether a person confirmed them.
struct ConfirmationFilter: ParsableArguments {
  @Flag(help: "Only those that a person confirmed.")
  var confirmed = false

  @Flag(help: "Only those that nobody confirmed.")
  var unconfirmed = false

  /// Whether they have to be; nil where it does not matter.
  var isConfirmed: Bool? { confirmed == unconfirmed ? nil : confirmed }
}
