import ArgumentParser
import Control
import EventLoop
import PassageFiles
import Passages
import Time

/// `checkpost sms encode`: the V1 text of a passage.
struct SMSEncode: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "encode", abstract: "Make the V1 text of a passage.")

  @Option(help: ArgumentHelp("The code of the post, such as BNP-A.", valueName: "code"))
  var checkpost: String

  @Option(help: ArgumentHelp("The plate, in Latin or Devanagari letters.", valueName: "plate"))
  var plate: String

  @Option(
    help: ArgumentHelp("The type: car, truck and so on, or its code.", valueName: "type"))
  var type: String

  @Option(
    name: [.customLong("at")], parsing: .unconditional,
    help: TimeOption.help("When it passed, by default now"))
  var time: String?

  @Option(
    help: ArgumentHelp(
      "The ranger's phone number, or its last four digits.", valueName: "number"))
  var phone: String?

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if let phone, let words = PhoneText.problem(with: phone) {
      throw ValidationError("--phone \(phone): \(words)")
    }
  }

  func run() throws {
    let out = StandardOutput()
    let message = try message()
    if output.isJSON {
      try out.json(DecodedMessage(message))
    } else {
      try out.line(message.body)
    }
    try out.flush()
  }

  private func message() throws -> V1Message {
    let (post, plate, type, moment) = (try post(), try vehicle(), try vehicleType(), try moment())
    do {
      return try V1Message(
        checkpost: post, plate: plate, vehicleType: type, recordedEpoch: moment.epochSeconds,
        suffix: PhoneSuffix(phoneNumber: phone))
    } catch {
      throw CommandFailure(.usage, "--at: \(error.message)")
    }
  }

  private func post() throws -> CheckpostCode {
    do {
      return try CheckpostCode(checkpost)
    } catch {
      throw CommandFailure(.usage, "--checkpost: \(error)")
    }
  }

  private func vehicle() throws -> Plate {
    do {
      return try Plate(plate)
    } catch {
      throw CommandFailure(.usage, "--plate: \(error)")
    }
  }

  private func vehicleType() throws -> VehicleType {
    guard let type = VehicleType(name: type) else {
      let names = VehicleType.allCases.map(\.rawValue).joined(separator: ", ")
      throw CommandFailure(.usage, "--type \(type): there are \(names)")
    }
    return type
  }

  private func moment() throws -> WallTime {
    guard let time else { return SystemClocks().wall() }
    let moment = try TimeOption.moment(time, "--at")
    guard moment.epochSeconds < TimeText.milliseconds else {
      throw CommandFailure(.usage, "--at \(time): \(TimeText.problem(with: time))")
    }
    return moment
  }
}
