/// Writes DER for tests.
package enum DER {
    package static func value(_ identifier: [UInt8], _ content: [UInt8]) -> [UInt8] {
        let length: [UInt8] =
            switch content.count {
            case 0..<0x80: [UInt8(content.count)]
            case 0x80..<0x100: [0x81, UInt8(content.count)]
            default: [0x82, UInt8(content.count >> 8), UInt8(content.count & 0xFF)]
            }
        return identifier + length + content
    }

    package static func boolean(_ value: Bool) -> [UInt8] { [1, 1, value ? 0xFF : 0] }

    package static func integer(_ value: Int) -> [UInt8] { Self.value([2], Self.digits(value)) }

    package static func enumerated(_ value: Int) -> [UInt8] { Self.value([10], Self.digits(value)) }

    package static func octets(_ bytes: [UInt8]) -> [UInt8] { Self.value([4], bytes) }

    package static let null: [UInt8] = [5, 0]

    package static func sequence(_ values: [UInt8]...) -> [UInt8] { Self.value([0x30], values.flatMap(\.self)) }

    package static func set(_ values: [[UInt8]]) -> [UInt8] { Self.value([0x31], values.flatMap(\.self)) }

    /// An explicit tag of the context.
    package static func tagged(_ number: Int, _ content: [UInt8]) -> [UInt8] {
        let identifier: [UInt8] =
            switch number {
            case 0..<31: [0xA0 | UInt8(number)]
            case 31..<128: [0xBF, UInt8(number)]
            default: [0xBF, 0x80 | UInt8(number >> 7), UInt8(number & 0x7F)]
            }
        return Self.value(identifier, content)
    }

    private static func digits(_ value: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = value
        repeat {
            bytes.insert(UInt8(rest & 0xFF), at: 0)
            rest >>= 8
        } while rest > 0
        return bytes[0] >= 0x80 ? [0] + bytes : bytes
    }
}
