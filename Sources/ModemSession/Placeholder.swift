enum ModemSessionPlaceholder {}
