extension KeyCatalogue {
  static let ofTheOffice: [Group] = [
    group(
      "log, and the events of the socket",
      """
      time When it happened.
      level How much it matters: debug, info, notice, warning, error.
      event The name of the event.
      subject What it is about, short.
      words What happened, in words.
      next What comes next.
      next_at When that comes.
      waiting Passages that wait for a text.
      client_id The identity of the passage, masked.
      plate The plate, masked.
      vehicle_type The kind of vehicle.
      recorded_at When the passage was recorded; missing where no clock told.
      delay_seconds How much later it came to central; below zero where the post's clock is ahead.
      channel How it came: upload, operator, text.
      ranger_digits The last digits of the phone number of the ranger who recorded it.
      text_id The number of the text.
      modem The modem's name; `central` for central's.
      to The number it is for, masked.
      from The sender; a number is masked.
      attempt The how-manieth text for its passage it is.
      code The code of the refusal: `CMS 38`.
      error_class What helps: soon, later, alert, permanent, destination, storage, done.
      command The command that a modem was given.
      error What the modem or the network answered.
      reason Why: where central refuses a text by a name that stays, otherwise in words.
      outage Why nothing of the server answers, by a name that stays: `no_link` and its like.
      impairment Why a server that is there takes nothing, by a name that stays: `credential`, `place` \
      and their like.
      travel_seconds How long a vehicle took over the segment, or has been on it.
      limit_seconds How long it should have taken at least or at most.
      entry_at When it came in.
      entry_from How that is known: `here`, `server` or `text`.
      exit_at When it left.
      exit_from How that is known.
      speed_kmh Its mean speed in whole kilometres an hour.
      sure False when the clocks of the posts may be too far apart for that, or nobody compared them.
      ending How the wait for a vehicle ended: at a post `seen`, `settled` or `expired`, at central `left`, \
      `seen_again`, `withdrawn` or `expired`.
      permanent Whether the server will never take it as it is.
      known Whether the server had it before.
      resolution What becomes of a passage that the server has with another content.
      done Passages that went.
      total Passages that waited when it began.
      took_seconds How long it took.
      checkpost The post as the server knows it.
      opposite The post at the other end of the segment.
      references The references of the text's parts.
      message_reference The reference that the report names.
      delivery What the network said of its delivery.
      status The status of the report (TP-ST).
      reference The number that the modem gave as a reference.
      reference_before The reference of the text before.
      reference_after The reference of the next text.
      part The number of the part.
      parts Parts of the long text.
      message_class The message class.
      gateway The place of the gateway's number in the configuration.
      recipient The place of a further recipient's number in the configuration.
      window The budget: minute, hour, day, month.
      used How many are used.
      limit How many are allowed.
      per_minute Messages a minute.
      per_hour Messages an hour.
      per_day Messages that a modem may send a day.
      per_month Messages in 30 days.
      worst_day The most messages that can leave within any 24 hours.
      needs_operator Whether waiting alone will hardly help.
      in_flight Uploads that the last end of the service broke off.
      unknown_texts Texts of which the last end of the service left unknown whether they left.
      photos Photographs that were removed.
      passages Passages that were removed, or taken in from the spool.
      put_down_at When passages were recorded that the spool held.
      clock_source By what the time is known: `ntp`, `server`, `network`, `rtc` or `none`.
      age_seconds How old the passage is.
      problem The name of the problem that began or ended.
      after_seconds After how long.
      last_number The number of the last passage that was recorded at the post that tells.
      synced_through Up to when everything of that post is on the server.
      missing Passages that it texted and that did not come.
      waiting_at_post Passages that wait at the post that tells, for a text or for the server.
      left_out Events that were not written singly.
      left_out_event What those are called.
      not_kept Messages that were not kept since that was told last.
      away_seconds How long the port has not been open.
      ahead_seconds How far the clock is ahead of the network's time, or the server's; negative when it is behind.
      step_seconds By how much the clock was set forward; negative when it was set back.
      mended Passages that got the right time.
      flagged Passages that left with a wrong time before it was known.
      seconds For how long.
      verdict What was found of the clock: agrees, ahead, behind.
      server_time The time that the server told.
      network_time The time that the clock was compared with.
      port The modem's port.
      model The modem's maker and model.
      registered Whether the network has registered the modem.
      registration How the network has registered the modem.
      step The step of the recovery.
      result What came of it.
      kind What kind it is.
      line What the modem said.
      restarts How often the modem started anew.
      reenumerations How often the modem left the bus and came back.
      under_voltage How often the modem told that its voltage is low.
      while_sending Restarts while a text was sent.
      storage The storage.
      index The message's place in the storage.
      messages How many messages.
      leftovers Sent messages and drafts among them.
      count How many.
      path The file.
      inbox_id The number in the inbox.
      violation The number of the violation, which `central violations show` takes.
      alert The number of the alert: the row of the entry.
      entry_post The post at which the vehicle was seen first.
      exit_post The post at which it was seen then.
      doubts What could make it wrong, by names that stay.
      change What was done: made, changed, retracted or renewed.
      cause Why it was judged: arrival, correction, directory or rules.
      revision Its number among the revisions of the violation.
      finality Whether something that comes later can change it.
      entered_at When the vehicle entered.
      due_at When it ought to have left.
      unheard Whether the other post has not reported since: `yes` or `no`.
      vehicles How many vehicles were judged.
      changed How many violations changed.
      reports Reports that were dropped.
      violations Violations that were dropped.
      photographs Photographs that were dropped.
      warnings What an operator should know of the passage, by names that stay.
      library The library.
      """),
    group(
      "sms decode",
      """
      client_id The identity of the passage.
      checkpost The code of the post.
      plate_number The plate, compact: `BA1PA1234`.
      plate_display The plate as people write it.
      vehicle_type The type of the vehicle.
      recorded_at When the passage was recorded.
      recorded_epoch The same in seconds since 1970.
      ranger_phone_suffix The last digits of the ranger's number.
      canonical The V1 text in its canonical form.
      error A stable name in snake_case.
      message What is wrong, in words.
      input What was handed in; null leaves the key out.
      """),
    group(
      "sms inbox",
      """
      id Its number.
      received_at When it came.
      kind What kind it is.
      times How often it came.
      modem The modem's name.
      from The sender.
      text The text.
      message_class The message class.
      delivery What the network said of its delivery.
      whole_id The message that its parts became.
      error What is wrong, by a name that stays.
      """),
    group(
      "pdu encode, decode",
      """
      type deliver, submit or status_report.
      smsc The service centre's number.
      number The other side's number.
      text The text.
      alphabet gsm7, 8bit or ucs2.
      data The data of an 8-bit message, in hexadecimal digits.
      timestamp The network's time, with its own offset.
      reference The reference of the message, or that of its parts.
      part Which part it is.
      parts The parts that were made, or how many there are.
      status What a report says of the delivery, as the network writes it.
      discharge When the network was done with it.
      number_type The type of the number.
      class The message class.
      part_reference The reference that the parts share.
      message_reference The reference of the message.
      pdu The PDU in hexadecimal digits.
      length Octets for AT+CMGS.
      error A stable name in snake_case.
      message What is wrong, in words.
      input What was handed in; null leaves the key out.
      """),
    group(
      "simulate",
      """
      event The name of the event.
      modem The modem, from 0 in the order of --number.
      port The port.
      place Where the shared network is: here, elsewhere, nowhere.
      storage The storage.
      index The place in the storage.
      command The command line.
      fault The fault.
      entry The line of the script.
      expected What the script has there.
      written What was written.
      message What is wrong, in words.
      from The sender.
      to The recipient.
      message_reference The reference of the message.
      message_id The number of the message in the network.
      at_ms Milliseconds since the simulation began.
      text The text.
      pdu The PDU in hexadecimal digits.
      code The code of the refusal.
      status What a report says of the delivery, as the network writes it.
      """),
    group(
      "central passages, inbox, import",
      """
      client_id The identity of the passage.
      plate_number The plate, compact: `BA1PA1234`.
      plate_display The plate as people write it.
      vehicle_type The type of the vehicle.
      checkpost The code of the post.
      recorded_at When the passage was recorded.
      ranger_phone_suffix The last digits of the ranger's number.
      source How it came.
      inserted_at When it became a row.
      id Its number.
      provider Who handed it in.
      from The sender.
      body The text, as it went or came.
      received_at When it came.
      state How it stands: received, part, report, heartbeat, decoded, duplicate or undecodable.
      times_received How often it came.
      segment The stretch of road.
      ranger The ranger.
      error What is wrong, by a name that stays.
      message What is wrong, in words.
      warnings What is strange about it and yet no error.
      table What was imported.
      imported Rows that were taken.
      refused Rows that were not.
      database The database.
      withdrawn_reason Why it was withdrawn: it never was, and is judged no more.
      unreadable Whether it cannot be read, and stands as another program wrote it.
      texts_taken Texts of before that were taken, as their senders may speak for a post now.
      row The number of its row.
      passage What names the passage for others, and never changes.
      channels How it came, each once: upload, operator, text.
      proven Whether it is proven of one report who sent it.
      first_received_at When the first report of it came.
      corrected Whether something of it was corrected.
      contradictions What reports of it differ in.
      partner_row The row at the other end of its travel; null where there is none.
      is_entry Whether it is the entry of that travel, and not the exit.
      """),
    group(
      "central rangers",
      """
      name What the ranger is called.
      phone The ranger's number.
      checkpost The post.
      suffix The last four digits of the number, by which texts name the ranger.
      suffix_shared Whether another ranger of the post has the same.
      account The login of the account with that number; null without one.
      """),
    group(
      "central numbers",
      """
      checkpost The post.
      number A number that may speak for a post.
      source Where it is from: modem, ranger, imported or settings.
      valid_from From when on it may; null for ever.
      valid_until Up to when it may; null for good.
      valid Whether it may now.
      """),
    group(
      "central forwards",
      """
      number The number of the passage.
      checkpost The post.
      client_id The identity that it is handed on under.
      recorded_at When it was recorded.
      reason Why it does not go, by a name that stays: `unknown_post`, `unknown_ranger`, `undated`, \
      `not_stored`, `server_fails`, `refused`.
      due_at When it is tried again; null of one that is set aside.
      attempts How often it was tried.
      retried With `--retry`: how many are tried again.
      """),
    group(
      "doctor",
      """
      check What was looked at.
      state good, warning, bad or skipped.
      words What was seen, in words.
      remedy What helps.
      modem The modem's name.
      """),
    group(
      "config check, print, init",
      """
      valid Whether it is valid.
      file The file.
      problems What is wrong.
      warnings What is strange about it and yet no error.
      line The line of the file.
      column The column in the file.
      key The setting.
      message What is wrong, in words.
      remedy What helps.
      value Its value.
      source Where it comes from.
      secret Dots, where it is a secret.
      kept Where a file went that set nothing.
      pin_files The files of PINs that were written.
      modems The ports of the modems that were found.
      """),
    group(
      "demo",
      """
      rows Rows of the file.
      recorded Passages that were recorded.
      repeated Rows of passages that were there.
      held Passages that wait until their time has come.
      refused Rows that were refused.
      texts_accepted Texts that the network accepted.
      passages Passages at the office.
      inbox Messages that came in.
      inbox_duplicates Messages of passages that had arrived before.
      inbox_undecodable Messages that nobody could read.
      travels Passages that paired.
      speeding Travels that were too fast.
      overstay Travels that took too long.
      whole Whether all arrived, and nothing else.
      """),
  ]
}
