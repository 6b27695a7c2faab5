enum PassagesPlaceholder {}
