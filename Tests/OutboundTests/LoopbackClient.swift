import EventLoop
import Outbound
import TestSupport

/// Runs a test with a client that may talk to loopback, and closes everything afterwards.
func withClient(
    hosts: Set<String> = ["127.0.0.1", "localhost"],
    change: (inout OutboundSettings) -> Void = { _ in },
    _ body: (OutboundClient) async throws -> Void
) async throws {
    var settings = OutboundSettings(allowedHosts: hosts)
    settings.allowInsecureLoopback = true
    change(&settings)
    let loop = try EventLoop(name: "test")
    let client = try OutboundClient(loop: loop, settings: settings)
    var failure: (any Error)?
    do { try await body(client) } catch { failure = error }
    await client.close()
    loop.close()
    if let failure { throw failure }
}

/// Sends one request to a server, which is stopped afterwards.
func ask(
    _ server: FaultServer,
    _ request: (String) -> OutboundRequest = { OutboundRequest(url: $0) },
    change: (inout OutboundSettings) -> Void = { _ in }
) async throws -> Result<OutboundResponse, OutboundError> {
    defer { server.stop() }
    var outcome = Result<OutboundResponse, OutboundError>.failure(.cancelled)
    try await withClient(change: change) { client in
        do throws(OutboundError) {
            outcome = .success(try await client.send(request(server.url)))
        } catch {
            outcome = .failure(error)
        }
    }
    return outcome
}

extension Result where Success == OutboundResponse, Failure == OutboundError {
    var error: OutboundError? {
        switch self {
        case .success: nil
        case .failure(let error): error
        }
    }

    /// The case's name, for errors whose text may vary.
    var failure: String {
        switch self {
        case .success(let response): "\(response.status)"
        case .failure(let error): error.name
        }
    }
}

extension OutboundError {
    /// The name of the case, for errors whose text may vary.
    var name: String {
        switch self {
        case .unreachable: "unreachable"
        case .noDescriptors: "noDescriptors"
        case .timedOut: "timedOut"
        case .tooLarge: "tooLarge"
        case .certificate: "certificate"
        case .refused: "refused"
        case .closed: "closed"
        case .encoding: "encoding"
        case .broken: "broken"
        case .busy: "busy"
        case .cancelled: "cancelled"
        }
    }
}

extension OutboundResponse {
    var text: String { String(decoding: self.body, as: UTF8.self) }
}
