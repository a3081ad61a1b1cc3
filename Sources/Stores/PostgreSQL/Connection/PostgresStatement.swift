/// A statement with its parameters. It is a transaction of its own.
struct PostgresStatement: Sendable {
    let sql: String
    /// The name under which a session keeps its plan. Nil if it is planned each time.
    let name: String?
    let parameters: [PostgresParameter]

    /// A statement that is planned each time, for its own values.
    init(_ sql: String, _ parameters: [PostgresParameter] = []) {
        self.sql = sql
        self.name = nil
        self.parameters = parameters
    }

    init(_ query: PostgresQuery, _ parameters: [PostgresParameter]) {
        self.sql = query.sql
        self.name = query.name
        self.parameters = parameters
    }
}

/// The conversion to the arrays that libpq expects.
extension PostgresStatement {
    /// Calls `body` with count, types, values, lengths and formats, as PQexecParams and PQsendQueryParams take them.
    func withParameters<Result>(
        _ body: (
            Int32, UnsafePointer<UInt32>, UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<Int32>,
            UnsafePointer<Int32>
        ) -> Result
    ) -> Result {
        let encoded = self.parameters.map(\.encoded)
        // One buffer contains all values. An empty value must not be a null pointer, because that means NULL.
        let buffer = encoded.flatMap(\.self) + [0]
        return buffer.withUnsafeBytes { bytes in
            var start = 0
            let values: [UnsafePointer<CChar>?] = encoded.map { value in
                defer { start += value.count }
                return bytes.baseAddress.map { ($0 + start).assumingMemoryBound(to: CChar.self) }
            }
            return body(
                Int32(encoded.count), self.parameters.map(\.type), values, encoded.map { Int32($0.count) },
                encoded.map { _ in 1 })
        }
    }
}

/// One parameter of a statement, in PostgreSQL's binary format.
enum PostgresParameter: Sendable {
    case bytes([UInt8])
    case integer(Int64)
    case boolean(Bool)
    case text(String)
    case bytesList([[UInt8]])
    case integerList([Int64])

    /// The object identifier of its type (catalog/pg_type.dat).
    var type: UInt32 {
        switch self {
        case .boolean: 16
        case .bytes: 17
        case .integer: 20
        case .text: 25
        case .bytesList: 1001
        case .integerList: 1016
        }
    }

    var encoded: [UInt8] {
        switch self {
        case .bytes(let bytes): bytes
        case .integer(let number): Self.bigEndian(number)
        case .boolean(let truth): [truth ? 1 : 0]
        case .text(let text): Array(text.utf8)
        case .bytesList(let items): Self.array(of: 17, items)
        case .integerList(let items): Self.array(of: 20, items.map(Self.bigEndian))
        }
    }

    /// Encodes an array with one dimension that starts at 1, without nulls (array_recv in arrayfuncs.c).
    private static func array(of type: Int32, _ items: [[UInt8]]) -> [UInt8] {
        let head = [items.isEmpty ? 0 : 1, 0, type] + (items.isEmpty ? [] : [Int32(clamping: items.count), 1])
        return head.flatMap(Self.bigEndian) + items.flatMap { Self.bigEndian(Int32(clamping: $0.count)) + $0 }
    }

    private static func bigEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
}

/// The text of a statement that runs often. A session plans it once, because planning costs more than the execution.
struct PostgresQuery: Sendable {
    let sql: String
    /// The name of the plan in a session. It is made from the text, so that one name can never mean two texts: an
    /// undeclared pooler might mix the sessions of several servers.
    let name: String

    init(_ sql: String) {
        self.sql = sql
        // FNV-1a
        let hash = sql.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        self.name = "switchback_\(String(hash, radix: 16))"
    }
}
