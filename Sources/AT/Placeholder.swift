enum ATPlaceholder {}
