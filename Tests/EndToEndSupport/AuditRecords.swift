import Foundation
import OpenAPIChecking
import StrictJSON
import TestSupport
import Testing

/// The lines of an audit file, each of which the published schema describes.
package struct AuditRecords: Sendable {
    private static let schema = Result {
        try JSON(parsing: Array(SourceFile.text("docs/reference/audit-record.schema.json").utf8))
    }

    package let text: String
    package let records: [JSON]

    /// Reads the file, and holds each record against the schema.
    package init(_ path: String) throws {
        self.text = try String(contentsOfFile: path, encoding: .utf8)
        self.records = try self.text.split(separator: "\n").map { try JSON(parsing: Array($0.utf8)) }
        let schema = try Self.schema.get()
        let checker = SchemaChecker(root: schema)
        for (index, record) in self.records.enumerated() {
            #expect(checker.problems(record, schema, at: "record \(index + 1)") == [])
        }
    }

    package var events: [String] { self.records.compactMap { $0["event"]?.string } }

    /// The events without the signatures, which come with time.
    package var happened: [String] { self.events.filter { $0 != "signed" } }

    /// The records of this kind, without what every record has. `who` is replaced by `somebody`, and must look like a
    /// pseudonym.
    package func members(of event: String) -> [JSON] {
        self.records.filter { $0["event"]?.string == event }.map { record in
            var members: JSON.Object = [:]
            for member in record.object ?? [:] where !Self.common.contains(member.name) {
                members[member.name] = member.name == "who" ? "somebody" : member.value
            }
            return .object(members)
        }
    }

    private static let common: Set = ["chain", "number", "time", "event", "previous"]

    /// Fails if one of these texts is in a record.
    package func expectNone(of secrets: [String?]) {
        for case let secret? in secrets where !secret.isEmpty {
            #expect(!self.text.contains(secret), "\(secret) is in the audit")
        }
    }
}
