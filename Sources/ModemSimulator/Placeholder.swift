enum ModemSimulatorPlaceholder {}
