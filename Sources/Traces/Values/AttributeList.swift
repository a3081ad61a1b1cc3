import Tracing

/// The attributes of a span: a list, because a span of ours has at most a dozen, and each is written once and read once.
/// The dictionary of swift-distributed-tracing hashes every name.
package struct AttributeList: Sendable {
    package enum Value: Equatable, Sendable {
        case text(String)
        case number(Int64)
        case truth(Bool)
        case fraction(Double)
    }

    /// Most spans have no more.
    private static let usualCount = 8

    private(set) var items: [(name: String, value: Value)] = []

    var count: Int { self.items.count }

    /// Nil if it is not set.
    package subscript(name: String) -> Value? {
        get { self.items.first { $0.name == name }?.value }
        set {
            switch (self.items.firstIndex { $0.name == name }, newValue) {
            case (let index?, let value?): self.items[index].value = value
            case (let index?, nil): self.items.remove(at: index)
            case (nil, let value?):
                if self.items.isEmpty { self.items.reserveCapacity(Self.usualCount) }
                self.items.append((name, value))
            case (nil, nil): break
            }
        }
    }
}

extension AttributeList {
    mutating func add(_ others: AttributeList) {
        for (name, value) in others.items { self[name] = value }
    }
}

extension AttributeList: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, Value)...) {
        for (name, value) in elements { self[name] = value }
    }
}

// MARK: - swift-distributed-tracing

extension AttributeList {
    init(_ attributes: SpanAttributes) { attributes.forEach { self[$0] = Value($1) } }

    var spanAttributes: SpanAttributes {
        var attributes: SpanAttributes = [:]
        for (name, value) in self.items { attributes[name] = value.spanAttribute }
        return attributes
    }
}

extension AttributeList.Value {
    /// Nil for a list, because no span of ours has one.
    fileprivate init?(_ attribute: SpanAttribute) {
        switch attribute {
        case .int32(let number): self = .number(Int64(number))
        case .int64(let number): self = .number(number)
        case .double(let number): self = .fraction(number)
        case .bool(let truth): self = .truth(truth)
        case .string(let text): self = .text(text)
        case .stringConvertible(let value): self = .text(value.description)
        default: return nil
        }
    }

    fileprivate var spanAttribute: SpanAttribute {
        switch self {
        case .text(let text): .string(text)
        case .number(let number): .int64(number)
        case .truth(let truth): .bool(truth)
        case .fraction(let number): .double(number)
        }
    }
}
