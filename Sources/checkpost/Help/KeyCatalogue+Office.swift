extension KeyCatalogue {
  static let ofTheOffice: [Group] = [
    group(
      "log, and the events of the socket",
      """
      client_id The identity of the passage.
      count How many.
      event The name of the event.
      from The sender.
      inbox_id The number in the inbox.
      kind What kind it is.
      leftovers Sent messages and drafts among them.
      level How much it matters: debug, info, notice, warning, error.
      library The library.
      messages How many messages.
      next What comes next.
      next_at When that comes.
      plate The plate, masked.
      reason Why, by a name that stays.
      step The step of the recovery.
      storage The storage.
      subject What it is about, short.
      text_id The number of the text.
      time When it happened.
      used How many are used.
      waiting Passages that wait for a text.
      while_sending Restarts while a text was sent.
      words What happened, in words.
      """),
    group(
      "sms decode",
      """
      canonical The V1 text in its canonical form.
      checkpost The code of the post.
      client_id The identity of the passage.
      error A stable name in snake_case.
      input What was handed in; null leaves the key out.
      message What is wrong, in words.
      plate_display The plate as people write it.
      plate_number The plate, compact: `BA1PA1234`.
      ranger_phone_suffix The last digits of the ranger's number.
      recorded_at When the passage was recorded.
      recorded_epoch The same in seconds since 1970.
      vehicle_type The type of the vehicle.
      """),
    group(
      "sms inbox",
      """
      delivery What the network said of its delivery.
      error What is wrong, by a name that stays.
      from The sender.
      id Its number.
      kind What kind it is.
      message_class The message class.
      modem The modem's name.
      received_at When it came.
      text The text.
      times How often it came.
      whole_id The message that its parts became.
      """),
    group(
      "pdu encode, decode",
      """
      alphabet gsm7, 8bit or ucs2.
      class The message class.
      data The data of an 8-bit message, in hexadecimal digits.
      discharge When the network was done with it.
      error A stable name in snake_case.
      input What was handed in; null leaves the key out.
      length Octets for AT+CMGS.
      message What is wrong, in words.
      message_reference The reference of the message.
      number The other side's number.
      number_type The type of the number.
      part Which part it is.
      part_reference The reference that the parts share.
      parts The parts that were made, or how many there are.
      pdu The PDU in hexadecimal digits.
      reference The reference of the message, or that of its parts.
      smsc The service centre's number.
      status What a report says of the delivery, as the network writes it.
      text The text.
      timestamp The network's time, with its own offset.
      type deliver, submit or status_report.
      """),
    group(
      "simulate",
      """
      at_ms Milliseconds since the simulation began.
      code The code of the refusal.
      command The command line.
      entry The line of the script.
      event The name of the event.
      expected What the script has there.
      fault The fault.
      from The sender.
      index The place in the storage.
      message What is wrong, in words.
      message_id The number of the message in the network.
      message_reference The reference of the message.
      modem The modem, from 0 in the order of --number.
      pdu The PDU in hexadecimal digits.
      place Where the shared network is: here, elsewhere, nowhere.
      port The port.
      status What a report says of the delivery, as the network writes it.
      storage The storage.
      text The text.
      to The recipient.
      written What was written.
      """),
    group(
      "central passages, inbox, import",
      """
      body The text, as it went or came.
      checkpost The code of the post.
      client_id The identity of the passage.
      database The database.
      error What is wrong, by a name that stays.
      from The sender.
      id Its number.
      imported Rows that were taken.
      inserted_at When it became a row.
      message What is wrong, in words.
      plate_display The plate as people write it.
      plate_number The plate, compact: `BA1PA1234`.
      provider Who handed it in.
      ranger The ranger.
      ranger_phone_suffix The last digits of the ranger's number.
      received_at When it came.
      recorded_at When the passage was recorded.
      refused Rows that were not.
      segment The stretch of road.
      source How it came.
      state How it stands: received, part, report, decoded, duplicate or undecodable.
      table What was imported.
      times_received How often it came.
      vehicle_type The type of the vehicle.
      warnings What is strange about it and yet no error.
      """),
    group(
      "doctor",
      """
      check What was looked at.
      modem The modem's name.
      remedy What helps.
      state good, warning, bad or skipped.
      words What was seen, in words.
      """),
    group(
      "config check, print, init",
      """
      column The column in the file.
      file The file.
      kept Where a file went that set nothing.
      key The setting.
      line The line of the file.
      message What is wrong, in words.
      modems The ports of the modems that were found.
      pin_files The files of PINs that were written.
      problems What is wrong.
      remedy What helps.
      secret Dots, where it is a secret.
      source Where it comes from.
      valid Whether it is valid.
      value Its value.
      warnings What is strange about it and yet no error.
      """),
    group(
      "demo",
      """
      inbox Messages that came in.
      inbox_duplicates Messages of passages that had arrived before.
      inbox_undecodable Messages that nobody could read.
      overstay Travels that took too long.
      passages Passages at the office.
      recorded Passages that were recorded.
      refused Rows that were refused.
      repeated Rows of passages that were there.
      rows Rows of the file.
      speeding Travels that were too fast.
      texts_accepted Texts that the network accepted.
      travels Passages that paired.
      whole Whether all arrived, and nothing else.
      """),
  ]
}
