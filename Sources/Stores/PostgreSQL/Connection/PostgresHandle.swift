/// One of libpq's connections: opened and, for the schema, asked on a thread that may block.
import CPQ
import EventLoop

/// It has one owner, and is closed when that one lets go of it.
///
/// Safe because its owner uses it from one thread at a time.
struct PostgresHandle: ~Copyable, @unchecked Sendable {
    let raw: OpaquePointer
    private let address: PostgresAddress

    private init(_ raw: OpaquePointer, _ address: PostgresAddress) {
        self.raw = raw
        self.address = address
    }

    deinit { PQfinish(self.raw) }

    /// Blocks: libpq looks up names, and waits for each host up to `connect_timeout`.
    static func open(_ address: PostgresAddress) throws(PostgresError) -> PostgresHandle {
        let raw = address.withParameters { PQconnectdbParams($0, $1, 0) }
        guard let raw else { throw PostgresError(.notSent, .other("libpq has no memory")) }
        // Else libpq prints them.
        PQsetNoticeReceiver(raw, { _, _ in }, nil)
        let handle = PostgresHandle(raw, address)
        guard PQstatus(raw) == CONNECTION_OK else { throw Self.error(of: handle) }
        return handle
    }

    /// The connection is closed before it is asked whether a descriptor is left.
    private static func error(of handle: consuming PostgresHandle) -> PostgresError {
        let message = handle.message
        _ = consume handle
        let advice =
            message.contains("unsupported startup parameter")
            ? " (a pooler? set postgresql.wake to poll, or postgresql.listen_url)" : ""
        return PostgresError(.notConnected, Descriptors.areExhausted ? .noDescriptors : .other(message + advice))
    }

    /// For connections that nobody watches. Blocks.
    @discardableResult
    func ask(_ statement: PostgresStatement) throws(PostgresError) -> PostgresAnswer {
        let result = PostgresResult(
            statement.withParameters { PQexecParams(self.raw, statement.sql, $0, $1, $2, $3, $4, 1) })
        return try self.answer(result)
    }

    /// Several statements without parameters; they are one transaction unless they say otherwise. Blocks.
    func run(_ sql: String) throws(PostgresError) {
        _ = try self.answer(PostgresResult(PQexec(self.raw, sql)))
    }

    /// What libpq has got, read.
    func answer(_ result: borrowing PostgresResult) throws(PostgresError) -> PostgresAnswer {
        switch PQresultStatus(result.raw) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK: return result.raw.map { PostgresAnswer($0) } ?? PostgresAnswer()
        default:
            guard let state = PQresultErrorField(result.raw, Self.sqlState).map({ String(cString: $0) }) else {
                throw PostgresError(.lost, .other(self.message))
            }
            let text = PQresultErrorField(result.raw, Self.primaryMessage).map { String(cString: $0) } ?? ""
            let cause = StorageError(state: state, message: Self.line(self.address.cleared(text)))
            throw PostgresError(.refused(state), cause)
        }
    }

    /// What libpq says last, in one line and without secrets.
    var message: String { Self.line(self.address.cleared(String(cString: PQerrorMessage(self.raw)))) }

    /// PG_DIAG_SQLSTATE and PG_DIAG_MESSAGE_PRIMARY of postgres_ext.h, which are characters there.
    private static let sqlState = Int32(UInt8(ascii: "C"))
    private static let primaryMessage = Int32(UInt8(ascii: "M"))

    private static func line(_ text: String) -> String {
        let words = text.split { $0.isWhitespace || $0.isNewline }
        return String(words.joined(separator: " ").prefix(300))
    }
}

/// What libpq has got for a statement, freed when its owner lets go of it.
struct PostgresResult: ~Copyable {
    fileprivate let raw: OpaquePointer?

    init(_ raw: OpaquePointer?) { self.raw = raw }

    deinit { PQclear(self.raw) }
}
