extension KeyCatalogue {
  static let ofThePost: [Group] = [
    group(
      "status",
      """
      alarms The same, each in one line.
      budget What may be texted.
      central Central's store.
      connectivity Whether the server is there.
      modems The modems of both roles.
      problems What is wrong; missing in the answers of an older service.
      queue The node's queue.
      service The service itself.
      """),
    group(
      "status: service",
      """
      answers False when it did not answer.
      reason Why it did not.
      running Whether it runs; null where nobody can tell.
      started_at When it started.
      version Its version.
      """),
    group(
      "status: queue",
      """
      database_bytes The size of the database.
      failed Passages whose upload was given up.
      free_bytes What is free on its file system.
      in_flight Passages that are being uploaded.
      last_text_at When the last text was accepted.
      next_text_at When it may go; null when that takes more than time.
      next_text_reason The same for people.
      next_text_waits_for What the next text waits for: `budget`, `no_gateway` and their like; \
      null when none waits, or it goes at once.
      oldest_pending_seconds How long the oldest passage that is pending has been so.
      parked Passages that are set aside.
      pending Passages that wait for their turn to be uploaded.
      read_only Whether its file system takes nothing.
      sending_since When the oldest of them was begun.
      synced Passages that the server has.
      text_undelivered Passages whose texts were not delivered.
      text_unknown Passages of which nobody knows whether their text left.
      texted Passages with an accepted text.
      texts_last_day Messages of the last 24 hours.
      texts_sending Texts that are with a modem.
      undated Passages without a time.
      waiting_for_text Passages that are or will be due for a text.
      """),
    group(
      "status: connectivity",
      """
      state `online`, `offline` or `unknown`.
      words The same with its reason.
      """),
    group(
      "status: budget",
      """
      day_used Messages of the last day.
      hour_used Messages of the last hour.
      minute_used Messages of the last minute.
      modems The modems in the order of the configuration.
      month_used Messages of the last 30 days.
      opens_in_seconds When the first budget opens again, if all are used up.
      per_day Messages a day.
      per_hour Messages an hour.
      per_minute Messages a minute.
      per_month Messages in 30 days.
      worst_day The most messages that can leave within any 24 hours.
      """),
    group(
      "status: budget.modems",
      """
      day_remaining Messages that are left within a day.
      hour_remaining Messages that are left within an hour.
      minute_remaining Messages that are left within a minute.
      month_remaining Messages that are left within 30 days.
      name What people call it.
      """),
    group(
      "status: modems; modem info",
      """
      access How it reaches that network.
      access_words The same in words, with what is to be said against it.
      can_send Whether a text that is handed in now would be sent.
      clock What it says of this machine's clock.
      deaf True when it tells nothing by itself at this port.
      imei The modem's own number.
      imsi The SIM's number.
      last_error What went wrong last, until it is well again.
      manufacturer The maker.
      model The model.
      name What it is called where the node has several.
      operator The network it is registered with.
      port The port, as it was opened or as the configuration names it.
      port_path Where the port was found.
      profile The name of the profile of its maker's modems.
      registration The registration in words.
      revision The version of its software.
      role Whose it is: `node`, `central`, or `by hand`.
      signal_dbm The strength of the signal in dBm.
      smsc The number of the service centre.
      state The state's name for scripts.
      state_words The state as operators read it.
      storage_leftovers How many of those in it are sent messages and drafts.
      storage_size Messages that fit into it.
      storage_used Messages in its storage.
      supply What its restarts say of its supply.
      """),
    group(
      "status: modems.clock",
      """
      ahead_s How far this machine's clock was ahead of it, in seconds.
      network_time The network's time.
      source Where that comes from.
      uncertainty_s How far it may be off, in seconds.
      verdict `agrees`, `ahead`, `behind` or `unknown`.
      words What is wrong, in words; null when nothing is known to be.
      """),
    group(
      "status: central; central init",
      """
      inbox Messages that came in.
      inbox_duplicates Messages of passages that had arrived before.
      inbox_undecodable Messages that nobody could read.
      passages Passages that arrived.
      posts Checkposts that are known.
      rangers Rangers that are known.
      segments Segments between them.
      """),
    group(
      "status: problems",
      """
      name The name in snake_case, which never changes: `disk_full`.
      remedy What helps; null where the reason says so itself, or nothing is to be done.
      severity How bad it is.
      since When it began, by the wall clock; null while nobody knows.
      subject Which one it is about, where there are several: a modem's name.
      until When it is over by the passing of time alone, by the wall clock as it is now; null \
      when it takes something else.
      what What is wrong, with its reason.
      """),
    group(
      "modem at, send, ussd, reset, trace",
      """
      begun That the step has begun.
      final The final result: `OK`.
      lines The lines before its final result.
      message_references The references by which the network will report of its parts.
      outcome `accepted`.
      step The step that was taken.
      """),
    group(
      "modem list",
      """
      auto Its turn when auto looks for a modem.
      description What it is.
      driver The kernel's driver.
      finding What kind of finding it is.
      holder The process that holds it.
      interface The number of the USB interface.
      kind What kind it is.
      left_alone Whether ModemManager leaves it alone.
      manufacturer The maker.
      permitted Whether this user may open it.
      port The port.
      product The product's name.
      product_id The product's number.
      serial_number Its serial number.
      socket The USB socket.
      stable_path A name that stays.
      subject What it is about, short.
      transport usb, or what else carries it.
      usb Vendor and product.
      use What the port is for.
      vendor_id The vendor's number.
      why Why it has that turn.
      words What is found, in words.
      """),
    group(
      "modem inbox",
      """
      error What is wrong, by a name that stays.
      index The place in the storage.
      message What is wrong, in words.
      message_reference The reference of the message.
      number The other side's number.
      pdu The PDU in hexadecimal digits.
      state How it stands.
      text The text.
      timestamp The network's time, with its own offset.
      type deliver, submit or status_report.
      """),
    group(
      "queue list, show, export, retry, park",
      """
      attempts How often an upload was tried.
      begun_at When it was handed to the modem.
      body The text, as it went or came.
      boot_id The start of the machine at which it was recorded.
      boot_seconds Seconds of the machine's running then.
      checkpost The code of the post.
      client_id The identity of the passage.
      content_client_id The identity by content, where another one is used.
      created_at When it came into the queue.
      delivery What the network said of its delivery.
      error What the modem or the network said.
      last_error Why the last try failed.
      message_references The references by which the network reports of its parts.
      modem The modem's name.
      outcome What came of it.
      outcome_at When that was known.
      outdated True when it is too old to be texted.
      parked_reason Why it is set aside.
      photo_path The photo's file.
      plate_number The plate, compact: `BA1PA1234`.
      plate_number_raw The plate as it was written.
      priority What goes first: the larger the sooner.
      queue_id The number in the queue.
      ranger The ranger.
      ranger_phone_suffix The last digits of the ranger's number.
      recipient To whom it went.
      recorded_at When the passage was recorded.
      segment The stretch of road.
      settled_by What settled an outcome that was unknown.
      status How it stands.
      text How its text stands.
      text_id The number of the text.
      texted Whether a text of it was accepted.
      texts The texts of the passage.
      undated True when its time cannot be right.
      v1 The V1 text.
      vehicle_type The type of the vehicle.
      """),
    group(
      "record",
      """
      client_id The identity of the passage.
      error What is wrong, by a name that stays.
      line The line of the file.
      message What is wrong, in words.
      outcome What came of it.
      queue_id The number in the queue.
      undated True when its time cannot be right.
      """),
  ]
}
