enum CentralStorePlaceholder {}
