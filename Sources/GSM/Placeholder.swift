enum GSMPlaceholder {}
