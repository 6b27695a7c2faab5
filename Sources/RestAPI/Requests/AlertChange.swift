/// What central's people change of alerts.
public enum AlertChange {
  /// Refuses a change of an alert that does not end it.
  public static func check(_ update: RestUpdate) throws(RestError) {
    for change in update.changes where change.value != .flag(true) {
      throw .absent("an alert that ended is not opened again; it is raised by what passes")
    }
  }
}
