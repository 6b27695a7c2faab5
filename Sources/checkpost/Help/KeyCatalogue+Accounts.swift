extension KeyCatalogue {
  static let ofAccounts: [Group] = [
    group(
      "central users list",
      """
      id The account's identifier, a UUID.
      login What is typed to sign in.
      name What people call it.
      role ranger, admin or service.
      checkpost The post that it serves at.
      phone Its number.
      active Whether it may sign in.
      sessions What it signed in for and is still open.
      created_at When it was made.
      """),
    group(
      "central users audit",
      """
      time When it happened.
      kind What happened, by a name that stays.
      login Whose account it is about.
      key What names the key that it is about.
      address Where the request came from.
      actor Who did it: an account, a key or a user of this machine; null where the account did it itself.
      detail What more there is to say, by a name that stays.
      """),
    group(
      "central keys add, list",
      """
      prefix What names the key.
      key The key itself, shown once.
      name What people call it.
      role anon, post or service.
      checkpost The post that it is for.
      created_at When it was made.
      valid_from From when on it counts; null for always.
      valid_until Until when it counts; null for ever.
      revoked_at When it was revoked.
      used_at When it was shown last, to the hour.
      valid Whether it counts now.
      """),
  ]
}
