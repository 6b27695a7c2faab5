import RestAPI
import Testing

@testable import enum RestAPI.RestPolicy

@Suite struct DescriptionTests {
  /// It is made from the table that serves: whatever is there is in it, and nothing else.
  @Test func everyTableAndColumnIsDescribed() throws {
    let document = try #require(RestDescription.document(version: "1").object)
    let paths = try #require(document["paths"]?.object)
    #expect(Set(paths.keys) == Set(["/"] + Catalogue.tables.map { "/\($0.name)" }))
    let definitions = try #require(document["definitions"]?.object)
    for table in Catalogue.tables {
      let properties = try #require(definitions[table.name]?.object?["properties"]?.object)
      #expect(Set(properties.keys) == Set(table.columns.map(\.name)))
      let methods = try #require(paths["/\(table.name)"]?.object)
      var expected: Set<String> = ["get"]
      for method in [RestMethod.post, .patch, .delete]
      where RestPolicy.isWritable(table, by: method) {
        expected.insert(method.rawValue.lowercased())
      }
      #expect(Set(methods.keys) == expected, "\(table.name)")
    }
    // Every reference leads somewhere.
    var left = [RestJSON.object(document)]
    while let value = left.popLast() {
      switch value {
      case .list(let list): left += list
      case .object(let object):
        left += object.values
        guard let place = object["$ref"]?.text else { continue }
        let parts = place.split(separator: "/", maxSplits: 2).map(String.init)
        #expect(document[parts[1]]?.object?[parts[2]] != nil, "\(place)")
      default: break
      }
    }
  }

  /// What the description says of a condition is what is read.
  @Test func conditionsAreAsDescribed() throws {
    let document = try #require(RestDescription.document(version: "1").object)
    let parameters = try #require(document["parameters"]?.object)
    for table in Catalogue.tables {
      for column in table.columns {
        let told = parameters["rowFilter.\(table.name).\(column.name)"]?.object
        let words = try #require(told?["description"]?.text)
        #expect(Reading.refusal("GET", table.name, "\(column.name)=is.null") == nil)
        #expect(words.contains("is"), "\(column.name)")
      }
    }
  }
}
