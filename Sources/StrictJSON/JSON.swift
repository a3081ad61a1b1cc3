import Base

/// A JSON value (RFC 8259).
package enum JSON: Sendable {
    case null
    case bool(Bool)
    /// A number without fraction and exponent that fits in an `Int`.
    case integer(Int)
    /// Any other number whose value a `Double` has exactly.
    case number(Double)
    /// Every other number, as it was written.
    case decimal(JSONDecimal)
    case string(String)
    case array([JSON])
    case object(Object)
}

extension JSON {
    package var isNull: Bool {
        guard case .null = self else { return false }
        return true
    }

    package var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The number if it is whole and fits in an `Int`, even if written `1.0` or `1e3`.
    package var integer: Int? {
        switch self {
        case .integer(let value): value
        case .number(let value): Int(exactly: value)
        case .null, .bool, .decimal, .string, .array, .object: nil
        }
    }

    /// The number, or the `Double` that is nearest to it.
    package var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        case .decimal(let value): value.nearest
        case .null, .bool, .string, .array, .object: nil
        }
    }

    package var string: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    package var array: [JSON]? {
        guard case .array(let value) = self else { return nil }
        return value
    }

    package var object: Object? {
        guard case .object(let value) = self else { return nil }
        return value
    }

    /// The member with this name, if this is an object that has one.
    package subscript(_ name: String) -> JSON? { self.object?[name] }
}

extension JSON: Equatable {
    /// Compares strings byte for byte (see `identical`), and objects without regard to order.
    package static func == (one: JSON, other: JSON) -> Bool {
        switch (one, other) {
        case (.null, .null): true
        case (.bool(let one), .bool(let other)): one == other
        case (.integer(let one), .integer(let other)): one == other
        case (.number(let one), .number(let other)): one == other
        case (.decimal(let one), .decimal(let other)): one == other
        case (.string(let one), .string(let other)): identical(one, other)
        case (.array(let one), .array(let other)): one == other
        case (.object(let one), .object(let other)): one == other
        case (.null, _), (.bool, _), (.integer, _), (.number, _), (.decimal, _), (.string, _), (.array, _),
            (.object, _):
            false
        }
    }
}

// MARK: - Strict reading, within limits

extension JSON {
    package struct Limits: Sendable {
        /// The largest number of bytes in a text.
        package var byteCount: Int
        /// The deepest nesting of arrays and objects.
        package var depth: Int

        package init(byteCount: Int = 1 << 20, depth: Int = 32) {
            self.byteCount = byteCount
            self.depth = depth
        }
    }

    package init(parsing bytes: [UInt8], limits: Limits = Limits()) throws(JSONError) {
        guard bytes.count <= limits.byteCount else { throw .tooLong }
        guard !bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { throw .byteOrderMark }
        var parser = JSONParser(bytes, depth: limits.depth)
        self = try parser.readText()
    }
}

// MARK: - Swift literals

// There is deliberately no literal for null: in `flag ? nil : value` the compiler would take `nil` for a JSON null, but
// the author meant to leave the member out.

extension JSON: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    package init(booleanLiteral value: Bool) { self = .bool(value) }

    package init(integerLiteral value: Int) { self = .integer(value) }

    package init(floatLiteral value: Double) { self = .number(value) }

    package init(stringLiteral value: String) { self = .string(value) }

    package init(arrayLiteral elements: JSON...) { self = .array(elements) }

    package init(dictionaryLiteral members: (String, JSON)...) { self = .object(JSON.Object(members)) }
}
