/// Every event there is, by its name, and what it means. Names never change: scripts and filters rely on
/// them.
public enum EventCatalogue {
  /// The kind of an event.
  public struct Entry: Hashable, Sendable {
    /// Its name in snake_case.
    public var name: String
    /// What it means, in one sentence.
    public var words: String

    fileprivate init(_ name: String, _ words: String) {
      self.name = name
      self.words = words
    }
  }

  /// All of them, those of one part of the program together.
  public static let entries: [Entry] =
    service + passages + texts + received + budgets + modems + storages + central + webhooks
    + signIns

  /// Their names, sorted.
  public static let names: [String] = entries.map(\.name).sorted()

  private static let service = [
    Entry("service_started", "The service runs, with these roles."),
    Entry(
      "store_released",
      "The service closed the node's database for a command that replaces it, and opens it again after."
    ),
    Entry("service_ended", "The service ended: cleanly, or for the reason given."),
    Entry("node_started", "The node looked through what its last run left."),
    Entry("settings_reloaded", "The configuration was read again and is in use."),
    Entry("settings_refused", "The configuration was read again and is wrong; the old one stays."),
    Entry("secrets_taken", "What the server is shown was written anew, and is in use."),
    Entry("secret_unusable", "A file of what the server is shown cannot be used."),
    Entry("loop_hangs", "A part of the service does not go on; systemd starts the service anew."),
    Entry("server_without_tls", "server.url goes without TLS, or is not asked since it would."),
    Entry("no_modem", "No modem is configured, so no text can leave."),
    Entry("no_gateway", "No number to text to is configured, so no text can leave."),
    Entry(
      "central_hears_nothing", "Central has no modem, no webhook and no API: nothing can come in."),
    Entry("http_without_proxy", "Other machines reach central's HTTP without TLS."),
    Entry("http_proxy_anybody", "Everybody's word for where a request came from is believed."),
    Entry("webhook_without_tls", "A provider calls without TLS: texts can be read and changed."),
    Entry("database_without_tls", "What central and its database say can be read on the way."),
    Entry(
      "log_gap", "Events are missing from the log's file or standard output, which took no more."),
    Entry("log_cut", "The log's file was full, could not be moved away, and was begun anew."),
    Entry("library_log", "A library had something to say."),
    Entry(
      "problem_began", "Something stands that somebody should know of: see `checkpost status`."),
    Entry("problem_ended", "A problem that stood is over."),
    Entry(
      "storage_awaited", "The storage cannot be used; the service waits for it before it starts."),
    Entry("storage_usable", "The storage can be used again; the service starts."),
    Entry("storage_failed", "The node's database cannot be written; nothing is texted meanwhile."),
    Entry("storage_works", "The node's database can be written again."),
    Entry("clock_off", "This machine's clock differs from the network's time, or the server's."),
    Entry(
      "clock_set",
      "This machine's clock was set while it ran; where somebody vouches for it, times that were read before are put"
        + " right."),
    Entry(
      "clock_wrong", "This machine's clock is behind what was recorded before, or was never set."),
    Entry(
      "times_mended",
      "Times that were read from a wrong clock were put right by what somebody told."),
    Entry("clock_right", "This machine's clock agrees with the network's time again."),
    Entry("online", "The server answers: nothing is texted."),
    Entry(
      "link_polled", "The kernel does not tell of the network link, so it is read now and then."),
    Entry("impaired", "The server is there and takes nothing; passages wait for it."),
    Entry("offline", "There is no connectivity: what has been pending for long enough is texted."),
    Entry("signed_in", "The server gave this node a session, or renewed it."),
    Entry("sign_in_failed", "The server gave no session; it is asked again."),
    Entry(
      "credential_refused",
      "The server does not take what this node shows; a person has to see to it."),
    Entry("directory_learned", "The server told what it calls this post, and of its segment."),
    Entry("directory_fault", "What the server tells of this post keeps passages from going."),
    Entry("sync_started", "A backlog begins to go to the server."),
    Entry("sync_progress", "How far a backlog has come."),
    Entry("sync_finished", "Everything that was due is on the server."),
    Entry("connectivity_unknown", "The server is being asked whether it is there."),
  ]

  private static let passages = [
    Entry("passage_recorded", "A passage is on disk at the post."),
    Entry(
      "spool_taken",
      "Passages that were recorded while the service did not answer are in the queue now."),
    Entry(
      "spool_unreadable", "A file in the spool is no batch of passages; it is kept for a person."),
    Entry("spool_waits", "Passages wait in the spool until the settings say which post this is."),
    Entry("passage_parked", "A passage is on hold until somebody sends it again."),
    Entry("passage_outdated", "A passage is too old to be texted; it stays in the queue."),
    Entry("uploaded", "The server has a passage, a photograph or a correction."),
    Entry("upload_missed", "The server did not take something this time; it is tried again."),
    Entry(
      "upload_failed", "The server does not take something, for good or until the line is back."),
    Entry("conflict_found", "The server has something else under the identity of a passage."),
    Entry("passage_dated", "The time of a passage is known that was recorded without one."),
    Entry(
      "passages_pruned",
      "Passages were removed that the server has, or that were withdrawn: for long, or since room is short."
    ),
    Entry(
      "photos_pruned",
      "Photographs were removed that the server has, since room is short; their passages stay."),
    Entry("photo_left_out", "A passage was recorded without its photograph."),
    Entry("photos_swept", "Photographs that belong to no passage were removed."),
    Entry("passage_arrived", "A passage arrived at the office and is a row now."),
    Entry("speeding_found", "A vehicle was faster over the segment than the limit allows."),
    Entry("overstay_found", "A vehicle took longer over the segment than is expected."),
    Entry("vehicle_overdue", "A vehicle ought to have left by now and was not seen here."),
    Entry("overdue_ended", "A vehicle that was overdue is not waited for any longer."),
    Entry(
      "store_salvaged",
      "The node's database was damaged: it is kept, and what could be read of it goes on."),
    Entry("ballast_dropped", "The disk was full: the space held back for that is in use."),
    Entry("ballast_held", "Space is held back for the time that the disk is full."),
    Entry("alert_withdrawn", "A passage was corrected, and a warning no longer counts."),
    Entry(
      "alert_command_failed", "The command that is to warn those on the spot did not end well."),
    Entry("heartbeat_arrived", "A post told by text that it lives, and what waits there."),
    Entry("passage_repeated", "A passage arrived again; there is one row of it."),
  ]

  private static let texts = [
    Entry("heartbeat_begun", "Nothing has left for long; a text tells that the post lives."),
    Entry("text_begun", "A text goes to the modem; the intent is on disk."),
    Entry("text_accepted", "The network accepted a text."),
    Entry("text_refused", "The network or the modem refused a text."),
    Entry("text_not_sent", "A text did not leave; it is tried again."),
    Entry("text_unknown", "Nobody knows whether a text left; it is not sent again by itself."),
    Entry("text_delivered", "The network says that a text was delivered."),
    Entry("text_delayed", "The network says that a text is still being delivered."),
    Entry("text_undelivered", "The network says that a text was not delivered."),
    Entry("text_expired", "No report on a text came while the network could keep it."),
    Entry("text_never_left", "What the modem kept shows that a text never left."),
    Entry("report_unmatched", "A report on a delivery belongs to no text of ours."),
    Entry("reports_given_up", "Reports that nothing could be made of are let go of."),
    Entry("manual_text_waits", "An operator's text waits for a modem."),
    Entry("manual_text_withdrawn", "An operator withdrew a text; it was not sent."),
    Entry("manual_text_refused", "An operator's text was not taken."),
    Entry("sending_held", "A modem's sending is paused for a while, after what is said."),
    Entry("sending_resumed", "A pause of a modem's sending is over."),
    Entry("gateway_rests", "A gateway's number is left alone for a while."),
    Entry(
      "recipient_rests",
      "A number that gets each passage beside central is left alone for a while; others go on."),
  ]

  private static let received = [
    Entry("text_received", "A text came in and is kept in the inbox."),
    Entry("text_part_received", "A part of a long text came in; the others are awaited."),
    Entry("text_parts_missing", "The other parts of a long text did not come."),
    Entry("data_received", "A message of data came in and is kept in the inbox."),
    Entry("indication_received", "The network says that a message waits elsewhere."),
    Entry(
      "text_undecodable", "A message came in that is no passage, or cannot be read; it is kept."),
    Entry(
      "inbox_crowded",
      "Texts that are no passage were not kept, as too many wait for an operator already."),
    Entry("text_part", "A part of a long text arrived at the office; the others are awaited."),
    Entry("status_report", "A status report arrived at the office."),
  ]

  private static let budgets = [
    Entry("budget", "How many texts may leave, in the worst case."),
    Entry("budget_nearly_used", "Few texts are left of a budget."),
    Entry("budget_exhausted", "A budget is used up; texts wait until it opens."),
    Entry("modem_no_credit_suspected", "A modem is refused as one without credit is."),
  ]

  private static let modems = [
    Entry("modem_ready", "A modem can send."),
    Entry(
      "modem_not_ready",
      "A modem cannot send, for the reason given; of a port that went away at the level debug."),
    Entry("modem_port_open", "A modem's port is open."),
    Entry("modem_port_closed", "A modem's port is closed, or went away."),
    Entry("modem_still_away", "A modem's port is not open for another hour."),
    Entry("modem_lacks_result", "A modem answers without the OK that ends an answer."),
    Entry("modem_refuses_all", "A modem refuses every text with one code; what is done about it."),
    Entry("modem_unfit", "What is at the port cannot serve as this modem."),
    Entry("modem_set_up", "A modem's own settings were changed as it needs them."),
    Entry("modem_registered", "The network let a modem in."),
    Entry("modem_unregistered", "A modem lost its network."),
    Entry("modem_denied", "The network does not let a modem in."),
    Entry("modem_choosing_network", "A modem looks for a network anew."),
    Entry("modem_access", "A modem reaches its network in another way: LTE, 3G, 2G."),
    Entry("modem_access_fallback", "Texts go over another access technology for a while."),
    Entry("modem_access_restored", "A modem has all its access technologies again."),
    Entry(
      "modem_other_domain", "Texts go over the other service of the network, packet or circuit."),
    Entry("sim_locked", "A SIM asks for a PIN or a PUK that is not known."),
    Entry(
      "modem_recovering", "A modem does not answer as it should; a step of its recovery begins."),
    Entry("modem_reset", "A modem's reset is over."),
    Entry("modem_ending_text", "A text that a modem was waiting for is ended first."),
    Entry("modem_texts_in_doubt", "Texts were on their way when a modem failed."),
    Entry("modem_deaf", "A modem tells nothing by itself at this port; it is asked instead."),
    Entry("modem_heard", "A modem tells again of what comes in."),
    Entry("modem_warns", "A modem warns: of its supply, its temperature, its end."),
    Entry("modem_supply", "A modem restarts as one does whose supply is too weak."),
    Entry("modem_line_too_long", "A line of a modem's was too long and was dropped."),
    Entry("modem_validity_refused", "A modem does not take how long a text is to be kept."),
    Entry("modem_reference_reduced", "A modem's references are counted in fewer digits."),
    Entry("modem_trace_kept", "What was last said on the line is kept in a file."),
    Entry("modem_trace_not_kept", "What was last said on the line could not be kept."),
  ]

  private static let storages = [
    Entry("modem_storage_full", "A modem's storage is full; it is emptied."),
    Entry("modem_storage_filling", "A modem's storage fills up with what is not ours."),
    Entry("modem_storage_unreachable", "A storage of a modem's cannot be looked at."),
    Entry("modem_messages_unreadable", "Messages in a modem cannot be read; they stay in it."),
    Entry("modem_message_damaged", "A message in a modem is no message any more."),
    Entry("modem_leftovers_deleted", "Sent messages and drafts were deleted from a modem."),
    Entry("modem_sweep_failed", "A look for stored texts failed; the next one is awaited."),
    Entry("modem_delete_failed", "A message could not be deleted from a modem."),
  ]

  private static let central = [
    Entry(
      "central_storage_failed",
      "The office's database cannot be written; texts stay where they are."),
    Entry("central_storage_saved", "What the office held was saved beside its database."),
    Entry("central_storage_works", "What comes in at the office is kept again."),
    Entry("violation_found", "A vehicle was too fast between two posts, or stayed for too long."),
    Entry("violation_changed", "What came later made another violation of one that was found."),
    Entry("violation_retracted", "What came later shows that there was no violation."),
    Entry("violation_final", "Nothing that comes later is expected to change a violation."),
    Entry("overdue_alert", "A vehicle that entered ought to have left by now."),
    Entry("overdue_resolved", "A vehicle that was waited for is waited for no more."),
    Entry("passages_forwarded", "Passages that central recognised are on another server."),
    Entry("forward_held", "A passage cannot be handed on to another server for now."),
    Entry("forward_failed", "Nothing can be handed on to another server; passages wait."),
    Entry("forward_works", "Passages are handed on to another server again."),
    Entry("judged_again", "What is there was judged again by a changed directory or numbers."),
    Entry(
      "changes_left_out",
      "One request to central's API changed so much that not every event of it is written singly."),
    Entry("old_dropped", "Central dropped what is older than it is to be kept."),
    Entry("directory_open_to_all", "Anybody may put other files in place of the service's."),
  ]

  private static let signIns = [
    Entry("account_signed_in", "Somebody signed in at central."),
    Entry("account_added", "Somebody made an account at central."),
    Entry("password_set", "An account of central has another password, set over HTTP."),
    Entry("account_signed_out", "Somebody signed out at central."),
    Entry("sign_in_refused", "Central refused a sign-in or a refresh token."),
    Entry("sign_in_slowed", "Central makes a sign-in wait after too many that were wrong."),
    Entry(
      "token_replayed",
      "A refresh token that was used up came back, so that two have it; central ended its session."),
    Entry("access_refused", "Central let a request in by no key and no token."),
    Entry("accounts_unreadable", "Central cannot look up who asks."),
  ]

  private static let webhooks = [
    Entry("webhook_off", "A provider called, and none is configured."),
    Entry("webhook_method", "A webhook was called by another method than its provider's."),
    Entry("webhook_type", "A webhook's content is of a kind that is not taken."),
    Entry("webhook_body", "A webhook's body is too large, or did not come."),
    Entry("webhook_form", "A webhook's body is no form."),
    Entry("webhook_signature", "A webhook's signature is wrong."),
    Entry("webhook_parameters", "A webhook lacks what a text needs."),
    Entry("webhook_storage", "A webhook's text could not be kept; the provider is to try again."),
    Entry(
      "webhook_crowded",
      "A webhook's text is no passage, and was not kept, as too many wait for an operator already."),
    Entry("http_request", "A request cannot be read as HTTP."),
    Entry("http_slow", "A connection that took too long was closed."),
    Entry("http_connections_full", "All connections are in use."),
    Entry("http_address_full", "An address has as many connections as it may have."),
    Entry("http_plain_secret", "A password, a key or a token came without TLS, and was refused."),
    Entry("http_too_many", "An address or a key asks more often than it may."),
    Entry(
      "api_refused", "A request for tables or functions was refused, with the code that is named."),
    Entry(
      "storage_refused", "A request for a photograph was refused, with the code that is named."),
    Entry("photographs_removed", "An admin or the service removed photographs over the API."),
    Entry(
      "api_failed", "A request of the API could not be answered because of the central's own state."
    ),
  ]
}
