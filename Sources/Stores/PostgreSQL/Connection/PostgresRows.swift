import CPQ

/// The result rows of a statement, in binary format. Each read checks the length of the value.
struct PostgresRows: Sendable {
    private let rows: [[[UInt8]?]]

    init() { self.rows = [] }

    init(_ result: OpaquePointer) {
        self.rows = (0..<PQntuples(result)).map { row in
            (0..<PQnfields(result)).map { column in
                guard PQgetisnull(result, row, column) == 0, let start = PQgetvalue(result, row, column) else {
                    return nil
                }
                let count = Int(PQgetlength(result, row, column))
                return Array(UnsafeRawBufferPointer(start: start, count: count))
            }
        }
    }

    var count: Int { self.rows.count }
    var isEmpty: Bool { self.rows.isEmpty }

    func bytes(_ row: Int, _ column: Int) throws(StorageError) -> [UInt8] {
        guard self.rows.indices.contains(row), self.rows[row].indices.contains(column),
            let value = self.rows[row][column]
        else { throw .corrupt }
        return value
    }

    /// Reads an `int4` or an `int8`.
    func integer(_ row: Int, _ column: Int) throws(StorageError) -> Int64 {
        let bytes = try self.bytes(row, column)
        guard bytes.count == 4 || bytes.count == 8 else { throw .corrupt }
        let bits = bytes.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        return bytes.count == 4 ? Int64(Int32(truncatingIfNeeded: bits)) : Int64(bitPattern: bits)
    }

    func boolean(_ row: Int, _ column: Int) throws(StorageError) -> Bool {
        let bytes = try self.bytes(row, column)
        guard bytes.count == 1 else { throw .corrupt }
        return bytes[0] != 0
    }
}
