import GRDB

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A byte array as an SQLite value.
struct SQLiteBytes: DatabaseValueConvertible {
    let array: [UInt8]

    init(_ array: [UInt8]) { self.array = array }

    static func read(_ row: Row, _ index: Int) throws -> [UInt8] {
        guard let bytes = Self.fromDatabaseValue(row[index]) else { throw StorageError.corrupt }
        return bytes.array
    }

    var databaseValue: DatabaseValue { Data(self.array).databaseValue }

    static func fromDatabaseValue(_ value: DatabaseValue) -> SQLiteBytes? {
        switch value.storage {
        case .blob(let data): SQLiteBytes(Array(data))
        case .null, .int64, .double, .string: nil
        }
    }
}
