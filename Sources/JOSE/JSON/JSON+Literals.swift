/// JSON values written as Swift literals.

// There is none for null on purpose: in `flag ? nil : value` the compiler would take `nil` for a JSON null, where the
// writer meant to leave the member out.

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
