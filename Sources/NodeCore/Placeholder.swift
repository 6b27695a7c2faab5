enum NodeCorePlaceholder {}
