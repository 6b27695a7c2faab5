extension KeyCatalogue {
  static let ofThePost: [Group] = [
    group(
      "status",
      """
      service The service itself.
      queue The node's queue.
      connectivity Whether the server is there.
      sync What the way to the server is doing; null without a server.
      warnings What rangers were warned of; null where vehicles are not matched.
      budget What may be texted.
      modems The modems of both roles.
      central Central's store.
      problems What is wrong; missing in the answers of an older service.
      alarms The same, each in one line.
      """),
    group(
      "status: service",
      """
      running Whether it runs; null where nobody can tell.
      answers False when it did not answer.
      reason Why it did not.
      started_at When it started.
      version Its version.
      configuration The configuration file that it was started with: whose answer this is.
      process The number of its process.
      roles The roles that are enabled there: node, central.
      checkpost The code of its post.
      """),
    group(
      "status: queue",
      """
      waiting Passages that wait for their turn.
      sending Passages that are with a modem or on their way to the server.
      sent Passages whose text the network took, and whose report or upload is still to come.
      done Passages for which nothing more is to be done.
      stuck Passages for which somebody has to decide.
      oldest_waiting_seconds How long the passage that waits for a text the longest has done so.
      pending Passages that wait for their turn to be uploaded.
      in_flight Passages that are being uploaded.
      synced Passages that the server has.
      failed Passages whose upload was given up.
      waiting_for_text Passages that are or will be due for a text.
      texted Passages with an accepted text.
      text_undelivered Passages whose texts were not delivered.
      text_unknown Passages of which nobody knows whether their text left.
      parked Passages that are on hold.
      undated Passages without a time.
      texts_sending Texts that are with a modem.
      sending_since When the oldest of them was begun.
      next_text_waits_for What the next text waits for: `budget`, `no_gateway` and their like; \
      null when none waits, or it goes at once.
      next_text_reason The same for people.
      next_text_at When it may go; null when that takes more than time.
      texts_last_day Messages of the last 24 hours.
      oldest_pending_seconds How long the oldest passage that is pending has been so.
      last_text_at When the last text was accepted.
      database_bytes The size of the database.
      free_bytes What is free on its file system.
      read_only Whether its file system takes nothing.
      """),
    group(
      "status: connectivity",
      """
      state `online`, `impaired` (it is there and takes nothing), `offline` or `unknown`.
      words The same with its reason.
      reason Why it is not online: `no_link`, `captive_portal`, `credential`, `place` (the server \
      does not know this post) and their like.
      since Since when it is offline or impaired.
      texts_from From when on that lets passages leave as texts, where that is to come.
      """),
    group(
      "status: sync; sync now",
      """
      state `off`, `idle`, `syncing`, `retrying` or `error`.
      reason Why, for people; null where the state says all.
      until When it goes on by itself; null when that takes more than time.
      done Passages that went since it began.
      total Passages that waited when it began.
      waiting Passages, photographs and corrections that the server does not have and that go by \
      themselves.
      refused Those that it refused for good.
      last_error Why it did not take something that it still does not have, as it was met last.
      last_error_at When.
      level `full_online`, `core_offline` or `sms_last_resort`.
      last_synced_at When the server last had everything that was due.
      last_pulled_at When passages of the opposite post were last pulled.
      checkpost The post as the server knows it.
      opposite The post at the other end of the segment; of several segments all of them, with commas between.
      """),
    group(
      "status: warnings",
      """
      overdue Vehicles that ought to have left by now and were not seen here.
      vehicles The first three of them, with plates; `overdue` lists all.
      overdue_since When the one of them came in that has been on the segment the longest.
      last_kind What was warned of last: `speeding`, `overstay` or `overdue`.
      last_at When.
      """),
    group(
      "status: budget",
      """
      minute_used Messages of the last minute.
      per_minute Messages a minute.
      hour_used Messages of the last hour.
      per_hour Messages an hour.
      day_used Messages of the last day.
      per_day Messages a day.
      month_used Messages of the last 30 days.
      per_month Messages in 30 days.
      worst_day The most messages that can leave within any 24 hours.
      opens_in_seconds When the first budget opens again, if all are used up.
      modems The modems in the order of the configuration.
      """),
    group(
      "status: budget.modems",
      """
      name What people call it.
      minute_remaining Messages that are left within a minute.
      hour_remaining Messages that are left within an hour.
      day_remaining Messages that are left within a day.
      month_remaining Messages that are left within 30 days.
      """),
    group(
      "status: modems; modem info",
      """
      role Whose it is: `node`, `central`, or `by hand`.
      name What it is called where the node has several.
      state The state's name for scripts.
      state_words The state as operators read it.
      port The port, as it was opened or as the configuration names it.
      port_path Where the port was found.
      registration The registration in words.
      can_send Whether a text that is handed in now would be sent.
      manufacturer The maker.
      model The model.
      revision The version of its software.
      profile The name of the profile of its maker's modems.
      imei The modem's own number.
      imsi The SIM's number.
      smsc The number of the service centre.
      operator The network it is registered with.
      access How it reaches that network.
      access_words The same in words, with what is to be said against it.
      supply What its restarts say of its supply.
      signal_dbm The strength of the signal in dBm.
      storage_used Messages in its storage.
      storage_size Messages that fit into it.
      storage_leftovers How many of those in it are sent messages and drafts.
      storages How full each of its storages is that was told of.
      deaf True when it tells nothing by itself at this port.
      last_error What went wrong last, until it is well again.
      clock What it says of this machine's clock.
      """),
    group(
      "status: modems.clock",
      """
      network_time The network's time.
      source Where that comes from.
      uncertainty_s How far it may be off, in seconds.
      ahead_s How far this machine's clock was ahead of it, in seconds.
      verdict `agrees`, `ahead`, `behind` or `unknown`.
      words What is wrong, in words; null when nothing is known to be.
      """),
    group(
      "status: central; central init",
      """
      posts Checkposts that are known.
      segments Segments between them.
      rangers Rangers that are known.
      passages Passages that arrived.
      inbox Messages that came in.
      inbox_undecodable Messages that nobody could read.
      inbox_duplicates Messages of passages that had arrived before.
      violations Violations that stand.
      alerts Vehicles that have been inside for too long.
      judges_again Whether something is yet to be judged again.
      heard Every post, and when it was last heard of.
      refused What its HTTP server refused since the service started.
      forwards How handing passages on to another server stands.
      judged What was done and found since the service started.
      database_bytes The size of the database.
      free_bytes What is free on its file system.
      """),
    group(
      "status: central, forwards",
      """
      forwarded Passages that the server has.
      waiting Passages that are new, or wait.
      set_aside Passages that a person has to see to.
      """),
    group(
      "status: central, judged",
      """
      texts Passages of which a text told first.
      repeated Texts of passages that were there.
      refused Texts that are no passage, and wait for an operator.
      over_rate Those among them that were more than their sender may send.
      not_kept Messages that were not kept, as too many wait for an operator.
      paired Pairs that were found.
      parted Pairs that are none any more.
      overdue Vehicles that were told to be overdue.
      overdue_ended Of these, those that are waited for no longer.
      violations Speeding and overstays, by kind.
      kind The kind.
      found That were found, also such as were retracted before.
      changed That are others by now.
      retracted That later data disproved.
      final That became final.
      latency How long messages took from their arrival until they were judged, in classes.
      most_ms At most so many milliseconds; missing for all that took longer.
      count How many.
      """),
    group(
      "central migrate",
      """
      steps What was done, or would be, in words.
      dry_run Whether nothing was changed.
      down Whether the schema was taken out.
      version The version of the schema that is there; null where there is none.
      needed The version that this program needs.
      complete Whether nothing is left to do.
      rows Rows of the deployed table of passages.
      partitions How the tables that grow fastest are kept: none or month.
      """),
    group(
      "status: central, refused",
      """
      event The name of the log's event.
      code The code that was answered, of an event that has several.
      count How often.
      """),
    group(
      "status: central, heard",
      """
      code Its code.
      name Its name; null of a post that nobody imported.
      last_at When the last passage of it came; null while none has.
      heard_at When anything of it came last, whichever way; missing while nothing did.
      signed_in_at When somebody of it last signed in, renewed that, or showed its key.
      device_at When one of its devices last told over HTTP how far it is.
      device_waiting Passages that were not here then, as that device told.
      heartbeat_at When it last told by text that it lives; missing while it never did.
      last_number The number of the last passage that was recorded there, as it then told.
      synced_through Up to when everything of it was on the server then.
      waiting Passages that were not on the server then.
      missing Passages that it texted and that did not come.
      """),
    group(
      "status: problems",
      """
      name The name in snake_case, which never changes: `disk_full`.
      subject Which one it is about, where there are several: a modem's name.
      severity How bad it is.
      count How many things it is about: passages, messages, posts; null where they are not counted.
      what What is wrong, with its reason.
      remedy What helps; null where the reason says so itself, or nothing is to be done.
      since When it began, by the wall clock; null while nobody knows.
      until When it is over by the passing of time alone, by the wall clock as it is now; null \
      when it takes something else.
      """),
    group(
      "modem at, send, ussd, reset, trace",
      """
      outcome `accepted`, or `waiting` when the text goes after the service's next start.
      text_id The number of the text, which the events of its delivery carry.
      message_references The references by which the network will report of its parts.
      lines The lines before its final result.
      final The final result: `OK`.
      step The step that was taken.
      begun That the step has begun.
      """),
    group(
      "modem texts",
      """
      text_id The number of the text, which the events of its delivery carry.
      to The number it goes to.
      text What it says.
      state `waiting`, `sending`, `accepted`, `refused`, `not_sent`, `unknown` or `withdrawn`.
      queued_at When it was asked for.
      changed_at When it came to where it stands; missing while it waits.
      reason Why it was not accepted.
      message_references The references by which the network reports of its parts.
      delivery What the network reported of it.
      """),
    group(
      "modem info: storages",
      """
      storage Its name: `SM` is that of the SIM.
      used Messages in it.
      size Messages that fit into it.
      leftovers How many of those in it are sent messages and drafts that others left.
      undeletable How many of those in it could not be deleted.
      """),
    group(
      "modem list",
      """
      finding What kind of finding it is.
      subject What it is about, short.
      words What is found, in words.
      description What it is.
      kind What kind it is.
      socket The USB socket.
      usb Vendor and product.
      vendor_id The vendor's number.
      product_id The product's number.
      port The port.
      transport usb, or what else carries it.
      interface The number of the USB interface.
      left_alone Whether ModemManager leaves it alone.
      permitted Whether this user may open it.
      use What the port is for.
      driver The kernel's driver.
      holder The process that holds it.
      stable_path A name that stays.
      auto Its turn when auto looks for a modem.
      why Why it has that turn.
      manufacturer The maker.
      product The product's name.
      serial_number Its serial number.
      """),
    group(
      "modem inbox",
      """
      pdu The PDU in hexadecimal digits.
      index The place in the storage.
      state How it stands.
      type deliver, submit or status_report.
      number The other side's number.
      timestamp The network's time, with its own offset.
      text The text.
      message_reference The reference of the message.
      error What is wrong, by a name that stays.
      message What is wrong, in words.
      """),
    group(
      "queue list, show, export, retry, park, correct, conflicts",
      """
      queue_id The number in the queue.
      client_id The identity of the passage.
      plate The plate as people read it: `BA 1 PA 1234`.
      plate_number The plate, compact: `BA1PA1234`.
      plate_number_raw The plate as it was written.
      vehicle_type The type of the vehicle.
      checkpost The code of the post.
      recorded_at When the passage was recorded.
      ranger_phone_suffix The last digits of the ranger's number.
      status How it stands.
      attempts How often an upload was tried.
      texted Whether a text of it was accepted.
      text How its text stands.
      created_at When it came into the queue.
      v1 The V1 text.
      priority What goes first: the larger the sooner.
      text_id The number of the text.
      recipient The number it went to.
      to Whose that is: `centre`, `opposite`, or the number of a further recipient.
      recipients show: who gets it as a text, each with to, state, text_attempts, text_refusals, and \
      where there is one next_text_at, parked_reason, last_attempt_at and last_error.
      uploads show: what goes to the server, each with kind (`passage`, `photo`, `correction`, \
      `withdrawal`), status, stuck, attempts, and where there is one last_attempt_at, last_error, \
      next_at, synced_at, old_plate, new_plate, old_vehicle_type, new_vehicle_type, reason and bytes.
      kind alerts: speeding, overstay or overdue; uploads: what it is.
      stuck uploads: whether it was given up for good, so that only `queue retry` moves it.
      last_attempt_at When it was last tried.
      next_at uploads: when it is tried next.
      synced_at When the server first had it.
      old_plate uploads: of a correction the plate that was recorded.
      new_plate uploads: of a correction the right plate.
      old_vehicle_type uploads: of a correction the type that was recorded.
      new_vehicle_type uploads: of a correction the right type.
      bytes uploads: the size of a photograph.
      reason uploads: of a withdrawal why.
      remedy By which command a person moves what nothing else moves.
      on_hold_reason Why somebody put all of it on hold: nothing of it goes.
      withdrawn_at When it was withdrawn: it never was.
      withdrawn_reason Why.
      corrects The number of the passage that this one was recorded in place of.
      text_due_at When its text is due.
      heartbeat true where it tells that the post lives; missing otherwise.
      body The text, as it went or came.
      begun_at When it was handed to the modem.
      outcome What came of it.
      message_references The references by which the network reports of its parts.
      content_client_id The identity by content, where another one is used.
      segment The stretch of road.
      ranger The ranger.
      photo_path The photo's file.
      photo_left_out show: why the passage was recorded without the photograph that was taken; missing where \
      there is nothing to say.
      clock_source By what its time was known: `ntp`, `server`, `network`, `rtc` or `none`.
      clock_skew_seconds How far this machine's clock was ahead when it was recorded, as is known from the \
      server, the network or a clock that was set later; negative when it was behind. Where `clock_source` is \
      `server` or `network` the time was put right by it.
      alerts show: what rangers were warned of about it, with kind, words and raised_at.
      words alerts: the warning as the log has it.
      raised_at alerts: when it was found.
      last_error Why the last try failed.
      outdated True when it is too old to be texted.
      undated True when its time cannot be right.
      parked_reason Why no text goes for it.
      outcome_at When that was known.
      error What the modem or the network said.
      settled_by What settled an outcome that was unknown.
      modem The modem's name.
      delivery What the network said of its delivery.
      texts The texts of the passage.
      boot_id The start of the machine at which it was recorded.
      boot_seconds Seconds of the machine's running then.
      state How it stands: `waiting`, `sending`, `sent`, `done` or `stuck`.
      state_reason Why, by a name that stays: `waits_for_text`, `handed_on` and their like.
      upload_attempts How often an upload was tried; the same as attempts.
      text_attempts Texts for it that left or may have.
      text_refusals Texts for it that were refused.
      handed_on_at When it was marked as handed on.
      next_text_waits_for show, list: what its next text waits for, as in status, or `service_stopped`.
      next_text_reason show: the same for people.
      next_text_at show, list: when it may go; null when that takes more than time.
      done retry, park, correct, date, withdraw, conflicts: whether it was done.
      message retry, park, correct, date, withdraw, conflicts: what was done, or why nothing was.
      server_id conflicts: the server's name of the passage.
      server_plate_number conflicts: the plate that the server has.
      server_vehicle_type conflicts: the type of the vehicle that the server has.
      server_recorded_at conflicts: when the passage was, as the server has it.
      found_at conflicts: when that was found.
      resolution conflicts: which counts; null while a person has to decide.
      """),
    group(
      "backup, restore",
      """
      path The file that was written.
      passages Passages in it.
      unsynced Those that the server does not have.
      photos Those with a photograph.
      photo_directory Where the photographs are.
      kept Where the database is that was replaced.
      lost Passages that it had, and that neither the server nor the restored one has.
      """),
    group(
      "overdue; record: alerts; status: warnings.vehicles",
      """
      kind `overdue`, `speeding` or `overstay`.
      plate_number The plate, compact.
      plate_display The plate as it is read out.
      vehicle_type The type of the vehicle; missing when unknown.
      segment What people call the segment.
      entry_checkpost Where it came in; missing when unknown.
      entry_at When it came in.
      entry_from How that is known: `here`, `server`, or `text`, whose number can be forged.
      exit_checkpost Where it left.
      exit_at When it left; missing for one that is overdue.
      client_id The passage by which it was found.
      travel_seconds How long it took, or had been inside when it was found.
      limit_seconds How long it should have taken at least (`speeding`) or at most.
      speed_kmh How fast it was on average; missing for one that is overdue.
      limit_kmh How fast the limit is; missing for one that is overdue.
      due_at When it should have been out at the latest; for one that is overdue.
      sure Whether it would be the same if the clocks were as far apart as they may be.
      doubt_seconds How far the posts' clocks may be apart; missing when nobody compared them.
      raised_at When it was found.
      ending How one that was overdue ended: `seen`, `settled` or `expired`; missing while it stands.
      """),
    group(
      "record",
      """
      client_id The identity of the passage.
      outcome `recorded`, `already_recorded`, or `kept`: the service does not answer, and takes it in \
      when it runs.
      queue_id The number in the queue; missing while it is kept.
      kept_in The directory in which it waits for the service.
      plate_number The plate, compact.
      plate_display The plate as it is read out.
      vehicle_type The type of the vehicle.
      checkpost The post.
      recorded_at When it passed.
      next Of one passage, where it goes next: `server`, `text`, `time` (once its time is known), `done`, \
      `withdrawn` or `none`.
      next_at When, where that is to come.
      next_reason What it waits for.
      warnings Of one passage, what a person should look at: a list of `name` (`same_vehicle`, \
      `letter_in_number`, `unknown_post`, `time_in_future`) and `message`.
      alerts What rangers have to be warned of: a list with the keys of `overdue`.
      error What is wrong, by a name that stays.
      message What is wrong, in words.
      line The line of the file.
      undated True when its time cannot be right.
      """),
  ]
}
