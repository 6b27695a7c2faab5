enum HTTPAPIPlaceholder {}
