enum SerialPortsPlaceholder {}
