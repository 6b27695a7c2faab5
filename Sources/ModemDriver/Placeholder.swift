enum ModemDriverPlaceholder {}
