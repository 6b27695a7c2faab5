enum PassageStorePlaceholder {}
