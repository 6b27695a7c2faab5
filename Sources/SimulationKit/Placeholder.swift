enum SimulationKitPlaceholder {}
