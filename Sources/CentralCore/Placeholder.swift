enum CentralCorePlaceholder {}
