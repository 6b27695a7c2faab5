enum NodeServicePlaceholder {}
