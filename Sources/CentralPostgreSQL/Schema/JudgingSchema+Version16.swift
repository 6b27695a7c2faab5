/// What version 16 has beside the ones before, in the order in which it is run: the orders in which millions of passages
/// are read.
extension JudgingSchema {
  static let version16 = [orders]

  private static let orders = #"""
    -- Those of a post are listed by the time that was recorded, and nothing else asks for them by their post.
    DROP INDEX IF EXISTS passages_post;
    CREATE INDEX passages_post ON passages (post, recorded_at, row_number);
    """#
}
