import Control
import Events
import Foundation
import TestSupport
import Testing

@testable import checkpost

@Suite(.ownThreads) struct HelpTests {
  private static let commands: [CommandDescription] = {
    func flat(_ command: CommandDescription) -> [CommandDescription] {
      [command] + command.subcommands.flatMap(flat)
    }
    return (try? CommandDescription.program()).map(flat) ?? []
  }()

  @Test func everyTopicIsTold() throws {
    let topics = try Program.run(["help", "topics"])
    #expect(topics.status == 0)
    for topic in HelpTopic.allCases {
      #expect(topics.output.contains("checkpost help \(topic.rawValue)"))
      let outcome = try Program.run(["help", topic.rawValue])
      #expect(outcome.status == 0)
      #expect(outcome.lines.count > 5, "\(topic)")
    }
    let events = try Program.run(["help", "events"]).output
    for name in EventCatalogue.names { #expect(events.contains(name)) }
  }

  @Test func theParsersOwnHelpStays() throws {
    #expect(try Program.run(["help", "record"]).output.contains("USAGE: checkpost record"))
    #expect(try Program.run(["help"]).status == 0)
    let unknown = try Program.run(["help", "nonsense"])
    #expect(unknown.status == 64)
    #expect(unknown.errors.contains("help nonsense: there is no such command or topic"))
    #expect(HelpRequest(["events"]) == nil)
    #expect(try Program.run(["help", "man"]).errors.contains("name a directory by --directory"))
    #expect(HelpRequest(["help", "man", "--directory", "x"]) == .manual(directory: "x"))
  }

  @Test func thereIsAPageForEachCommand() throws {
    let files = try ProgramFiles()
    let outcome = try Program.run(["help", "man", "--directory", files.path("man")])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let names = Set(try FileManager.default.contentsOfDirectory(atPath: files.path("man")))
    #expect(outcome.lines.count == names.count)
    let program = try CommandDescription.program()
    #expect(program.subcommands.count > 10)
    for command in program.subcommands { #expect(names.contains("checkpost-\(command.name).1")) }
    for name in ["checkpost.1", "checkpost.yaml.5", "checkpost-reference.7"] {
      #expect(names.contains(name))
    }
    for name in names {
      let text = try String(contentsOfFile: files.path("man/\(name)"), encoding: .utf8)
      #expect(text.hasPrefix(".TH \""))
      let requests = text.split(separator: "\n").filter { $0.hasPrefix(".") }
        .map { $0.prefix { $0 != " " } }
      let known: Set<Substring> = [
        ".TH", ".nh", ".ad", ".SH", ".SS", ".PP", ".TP", ".nf", ".fi",
      ]
      #expect(Set(requests).subtracting(known).isEmpty, "\(name)")
      #expect(!text.split(separator: "\n").contains { $0.hasPrefix("'") }, "\(name)")
    }
  }

  @Test func everyOptionStandsInItsPage() throws {
    let pages = try ManualPages.all()
    for command in Self.commands {
      let page = try #require(
        pages.first {
          $0.fileName
            == (command.parents.isEmpty
              ? "checkpost.1" : "checkpost-\((command.parents + [command.name])[1]).1")
        })
      for name in command.ownArguments.flatMap(\.names) {
        #expect(page.text.contains(ManualPage.escaped(name)), "\(command.path) \(name)")
      }
      #expect(page.text.contains(ManualPage.escaped(command.name)))
    }
  }

  @Test func aPageObeysNothingThatStandsInIt() {
    var page = ManualPage("x", section: 1, version: "1", abstract: "made up.")
    page.prose(".SH no\n'br\n\n  a\\b\n\n  c\nd")
    #expect(page.text.contains("made up\n") && !page.text.contains("made up."))
    #expect(
      page.text.hasSuffix("\\&.SH no\n\\(aqbr\n.PP\n.nf\n  a\\eb\n\n  c\n.fi\nd\n"),
      "\(page.text)")
  }

  @Test func completionsKnowEveryCommandAndOption() throws {
    for shell in ["bash", "zsh", "fish"] {
      let script = try Program.run(["--generate-completion-script", shell])
      #expect(script.status == 0)
      for command in Self.commands {
        #expect(script.output.contains(command.name), "\(shell) \(command.path)")
        for name in command.arguments.flatMap(\.names) where name.hasPrefix("--") {
          #expect(script.output.contains(name.dropFirst(2)), "\(shell) \(command.path) \(name)")
        }
      }
    }
  }

  @Test func theReferenceIsWhatTheProgramSays() throws {
    let path = "\(Self.root)/Documentation/Reference.md"
    let page = try String(contentsOfFile: path, encoding: .utf8)
    #expect(
      page == Reference.markdown,
      "renew it: swift run checkpost help reference > Documentation/Reference.md")
  }

  @Test func everyExitCodeIsExplainedOnce() {
    let codes = ExitStatus.all.map(\.status.code)
    #expect(codes == [0, 64, 65, 69, 71, 74, 75, 77, 78])
  }

  @Test func namesAreThereOnce() {
    #expect(Set(EventCatalogue.names).count == EventCatalogue.names.count)
    for group in KeyCatalogue.groups {
      #expect(Set(group.keys.map(\.name)).count == group.keys.count, "\(group.title)")
      #expect(group.keys.allSatisfy { !$0.words.isEmpty }, "\(group.title)")
    }
  }

  private static let root = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
}
