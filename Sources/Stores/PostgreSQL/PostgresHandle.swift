/// One of libpq's connections: opened and, for the schema, asked on a thread that may block.
import CPQ
import EventLoop

/// Safe because whoever has it uses it from one thread at a time.
struct PostgresHandle: @unchecked Sendable {
    let raw: OpaquePointer
    private let address: PostgresAddress

    /// Blocks: libpq looks up names, and waits for each host up to `connect_timeout`.
    static func open(_ address: PostgresAddress) throws(PostgresFailure) -> PostgresHandle {
        let raw = address.withParameters { PQconnectdbParams($0, $1, 0) }
        guard let raw else { throw PostgresFailure(.notSent, .other("libpq has no memory")) }
        // Else libpq prints them.
        PQsetNoticeReceiver(raw, { _, _ in }, nil)
        guard PQstatus(raw) == CONNECTION_OK else {
            let message = Self.line(address.cleared(String(cString: PQerrorMessage(raw))))
            PQfinish(raw)
            let advice =
                message.contains("unsupported startup parameter")
                ? " (a pooler? set postgresql.wake to poll, or postgresql.listen_url)" : ""
            throw PostgresFailure(.notConnected, Descriptors.areExhausted ? .noDescriptors : .other(message + advice))
        }
        return PostgresHandle(raw: raw, address: address)
    }

    /// For connections that nobody watches. Blocks.
    @discardableResult
    func ask(_ statement: PostgresStatement) throws(PostgresFailure) -> PostgresAnswer {
        try self.answer(statement.withParameters { PQexecParams(self.raw, statement.sql, $0, $1, $2, $3, $4, 1) })
    }

    /// Several statements without parameters; they are one transaction unless they say otherwise. Blocks.
    func run(_ sql: String) throws(PostgresFailure) {
        _ = try self.answer(PQexec(self.raw, sql))
    }

    func close() { PQfinish(self.raw) }

    /// Takes what libpq has got, and frees it.
    func answer(_ result: OpaquePointer?) throws(PostgresFailure) -> PostgresAnswer {
        defer { PQclear(result) }
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK: return result.map { PostgresAnswer($0) } ?? PostgresAnswer()
        default:
            guard let state = PQresultErrorField(result, Self.sqlState).map({ String(cString: $0) }) else {
                throw PostgresFailure(.lost, .other(self.message))
            }
            let text = PQresultErrorField(result, Self.primaryMessage).map { String(cString: $0) } ?? ""
            let trouble = StoreTrouble(state: state, message: Self.line(self.address.cleared(text)))
            throw PostgresFailure(.refused(state), trouble)
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
