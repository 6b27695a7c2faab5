enum CentralServicePlaceholder {}
