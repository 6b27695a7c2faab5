/// What a port of a Huawei stick is for: the class of its interface tells, the same for all that the
/// maker has made, however their interfaces are numbered.
enum HuaweiPorts {
  /// The use of a port; nil when the class says nothing of it.
  static func use(of interface: USBInterface) -> PortUse? {
    guard interface.classCode == 0xFF else { return nil }
    switch (interface.subclass, interface.protocolCode) {
    case (0x01, 0x02), (0x02, 0x02), (0x02, 0x12), (0x03, 0x12), (0x01, 0x32):
      return .at
    case (0x01, 0x01), (0x02, 0x01), (0x03, 0x01), (0x01, 0x31):
      return .ppp
    case (0x01, 0x03), (0x02, 0x03), (0x01, 0x33):
      return .diagnostic
    case (0xFF, 0xFF):
      return old(interface.number)
    default:
      return nil
    }
  }

  /// Sticks from before the classes: the first port is for data. The third takes commands where there
  /// are three, and the second is for diagnosis; where there are two, it is the second.
  private static func old(_ number: UInt8) -> PortUse? {
    switch number {
    case 0: .ppp
    case 1: .atSecondary
    case 2: .at
    default: nil
    }
  }
}
