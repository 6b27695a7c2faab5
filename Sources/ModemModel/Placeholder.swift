enum ModemModelPlaceholder {}
