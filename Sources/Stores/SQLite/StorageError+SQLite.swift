// Maps SQLite's result codes to our errors (sqlite.org/rescode.html).

import EventLoop
import GRDB

extension StorageError {
    init(_ error: any Error) {
        guard let error = error as? DatabaseError else {
            self = error as? StorageError ?? .other("\(type(of: error))")
            return
        }
        switch error.resultCode {
        case .SQLITE_FULL: self = .full
        case .SQLITE_READONLY, .SQLITE_PERM: self = .readOnly
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .locked
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .corrupt
        case .SQLITE_CANTOPEN where Descriptors.areExhausted, .SQLITE_IOERR where Descriptors.areExhausted:
            self = .noDescriptors
        // We never log the statement, because its arguments are the stored data.
        default: self = .other("SQLite \(error.extendedResultCode.rawValue): \(error.message ?? "no message")")
        }
    }
}
