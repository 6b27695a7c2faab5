import Events

// What concerns the disk.
extension NodeLogMessages {
  /// That the disk was full, and the space that was held back for that is in use now.
  var ballastDropped: Event {
    make(
      "ballast_dropped", .error,
      "the disk of the node's database is full: the space held back for that is in use now, so that what"
        + " is under way comes to its end; make room on that disk")
  }

  /// That space is held back for a full disk from now on.
  var ballastHeld: Event {
    make("ballast_held", .info, "space is held back for the time that the disk is full")
  }
}
