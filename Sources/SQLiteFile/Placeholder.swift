enum SQLiteFilePlaceholder {}
