// Reads a YAML document as JSON.

import Foundation
import StrictJSON
import Yams

extension JSON {
    package struct NotJSON: Error {
        let value: String
    }

    package init(yaml text: String) throws {
        self = try Self.json(try Yams.load(yaml: text) ?? NSNull())
    }

    private static func json(_ value: Any) throws -> JSON {
        switch value {
        case is NSNull: return .null
        case let value as Bool: return .bool(value)
        case let value as Int: return .integer(value)
        case let value as Double: return .number(value)
        case let value as String: return .string(value)
        case let value as [Any]: return .array(try value.map { try Self.json($0) })
        case let value as [String: Any]:
            let members = value.sorted { $0.key < $1.key }
            return .object(JSON.Object(try members.map { ($0.key, try Self.json($0.value)) }))
        default: throw NotJSON(value: "\(value)")
        }
    }
}
