/// How a maker's modems show themselves on USB, as data.
public struct USBNumbers: Hashable, Sendable {
  /// Modems whose ports are told apart by the number of their USB interface.
  ///
  /// A line `= VENDOR NAME` begins what follows; with `~` in place of `=` it is one who makes much else
  /// beside modems. A device's line is its product, its ports and, behind `|`, its name. A port is a
  /// letter and the interface in hexadecimal, `*` for all of them: `A` takes commands, `S` does so too but
  /// is not the first choice, `P` is for a data connection, `G` tells positions, `D` is for diagnosis, `V`
  /// carries voice, `X` is of no use here. A device without ports is a modem of which only that is known.
  public var rows = ""
  /// Ports that are told apart by the class of their interface, whatever the product.
  ///
  /// A line `= VENDOR NAME` begins what follows: the letter of a use, and the subclasses and protocols
  /// in hexadecimal that have it, of the maker's own class (`ff`).
  public var classes = ""
  /// Devices that still show the CD-ROM with their Windows driver; usb_modeswitch turns them into modems.
  public var storageMode: [String] = []
  /// Devices that are network cards with a web page, and have no port for commands.
  public var networkCards: [String] = []

  /// Nothing on USB.
  public init() {}
}
