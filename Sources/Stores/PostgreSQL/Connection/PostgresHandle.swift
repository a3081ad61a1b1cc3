import CPQ
import EventLoop

/// A libpq connection. It is opened on a thread that may block, and schema statements run there too.
///
/// It has one owner and closes when the owner releases it.
///
/// This is safe because the owner uses it on one thread at a time.
struct PostgresHandle: ~Copyable, @unchecked Sendable {
    let raw: OpaquePointer
    private let address: PostgresAddress

    private init(_ raw: OpaquePointer, _ address: PostgresAddress) {
        self.raw = raw
        self.address = address
    }

    deinit { PQfinish(self.raw) }

    /// Opens a connection. It blocks: libpq resolves names and waits for each host up to `connect_timeout`.
    static func open(_ address: PostgresAddress) throws(PostgresError) -> PostgresHandle {
        let raw = address.withParameters { PQconnectdbParams($0, $1, 0) }
        guard let raw else { throw PostgresError(.notSent, .other("libpq has no memory")) }
        // Otherwise libpq prints notices to standard error.
        PQsetNoticeReceiver(raw, { _, _ in }, nil)
        let handle = PostgresHandle(raw, address)
        guard PQstatus(raw) == CONNECTION_OK else { throw Self.error(of: handle) }
        return handle
    }

    /// Closes the connection before it checks for descriptor exhaustion, because closing frees a descriptor.
    private static func error(of handle: consuming PostgresHandle) -> PostgresError {
        let message = handle.message
        _ = consume handle
        let advice =
            message.contains("unsupported startup parameter")
            ? " (perhaps because of a pooler: set postgresql.wake to poll, or postgresql.listen_url)" : ""
        return PostgresError(.notConnected, Descriptors.areExhausted ? .noDescriptors : .other(message + advice))
    }

    /// Runs a statement on a connection that no loop watches. It blocks.
    @discardableResult
    func ask(_ statement: PostgresStatement) throws(PostgresError) -> PostgresRows {
        let result = PostgresResult(
            statement.withParameters { PQexecParams(self.raw, statement.sql, $0, $1, $2, $3, $4, 1) })
        return try self.answer(result)
    }

    /// Runs several statements without parameters, as one transaction unless they say otherwise. It blocks.
    func run(_ sql: String) throws(PostgresError) {
        _ = try self.answer(PostgresResult(PQexec(self.raw, sql)))
    }

    /// Converts a libpq result.
    func answer(_ result: borrowing PostgresResult) throws(PostgresError) -> PostgresRows {
        switch PQresultStatus(result.raw) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK: return result.raw.map { PostgresRows($0) } ?? PostgresRows()
        default:
            guard let state = PQresultErrorField(result.raw, Self.sqlState).map({ String(cString: $0) }) else {
                throw PostgresError(.lost, .other(self.message))
            }
            let text = PQresultErrorField(result.raw, Self.primaryMessage).map { String(cString: $0) } ?? ""
            let cause = StorageError(state: state, message: Self.line(self.address.cleared(text)))
            throw PostgresError(.refused(state), cause)
        }
    }

    /// libpq's last error message, on one line and without secrets.
    var message: String { Self.line(self.address.cleared(String(cString: PQerrorMessage(self.raw)))) }

    /// PG_DIAG_SQLSTATE and PG_DIAG_MESSAGE_PRIMARY of postgres_ext.h, which are character constants there.
    private static let sqlState = Int32(UInt8(ascii: "C"))
    private static let primaryMessage = Int32(UInt8(ascii: "M"))

    private static func line(_ text: String) -> String {
        let words = text.split { $0.isWhitespace || $0.isNewline }
        return String(words.joined(separator: " ").prefix(300))
    }
}

/// A libpq result, freed when its owner releases it.
struct PostgresResult: ~Copyable {
    fileprivate let raw: OpaquePointer?

    init(_ raw: OpaquePointer?) { self.raw = raw }

    deinit { PQclear(self.raw) }
}
