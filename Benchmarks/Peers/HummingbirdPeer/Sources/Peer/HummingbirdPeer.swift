import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// `HummingbirdPeer PORT`: create, long poll and cancel of a login, on Hummingbird.
@main enum HummingbirdPeer {
    private static let prefer = HTTPField.Name("prefer")

    static func main() async throws {
        guard CommandLine.arguments.count == 2, let port = Int(CommandLine.arguments[1]) else { exit(1) }
        let logins = Logins()
        let router = Router()
        router.post("v1/logins") { request, context -> Response in
            let body = try await request.decode(as: Create.self, context: context)
            return try self.response(.created, logins.create(body))
        }
        router.get("v1/logins/:id") { request, context -> Response in
            let (id, secret) = try self.access(request, context)
            let row = try logins.login(id, secret)
            let known = request.headers[.ifNoneMatch] == "W/\"\(row.version)\""
            if known, let prefer = self.prefer, request.headers[prefer] != nil {
                await logins.wait(for: id, from: row.version)
            }
            return try self.response(.ok, logins.answer(id, logins.login(id, secret)))
        }
        router.post("v1/logins/:id/cancel") { request, context -> Response in
            let (id, secret) = try self.access(request, context)
            return try self.response(.ok, logins.cancel(id, secret))
        }
        var logger = Logger(label: "peer")
        logger.logLevel = .error
        let app = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: port), backlog: 4096),
            logger: logger)
        try await app.runService()
    }

    private static func access(
        _ request: Request, _ context: BasicRequestContext
    ) throws -> (id: [UInt8], secret: SymmetricKey) {
        guard let id = context.parameters.get("id").flatMap({ Bytes.decode($0) }),
            let shown = request.headers[.authorization],
            shown.hasPrefix("Bearer "), let secret = Bytes.decode(shown.dropFirst(7))
        else { throw HTTPError(.unauthorized) }
        return (id, SymmetricKey(data: secret))
    }

    private static func response(_ status: HTTPResponse.Status, _ answer: Answer) throws -> Response {
        let body = try JSONEncoder().encode(answer)
        var headers: HTTPFields = [.contentType: "application/json", .cacheControl: "no-store"]
        headers[.eTag] = "W/\"\(answer.version)\""
        return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: body)))
    }
}
