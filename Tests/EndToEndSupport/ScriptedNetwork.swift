/// The phone's network: real sockets, with the faults that requests meet on a train.
import Base
import Foundation
import HTTPWire
import SwitchbackClient
import Synchronization

package final class ScriptedNetwork: Sendable {
    package enum Fault: CaseIterable, Sendable {
        /// The server never receives the request.
        case requestLost
        /// The server handles the request, but the phone never gets the response.
        case answerLost
        /// A proxy reports that the server is unavailable.
        case unavailable
        /// A captive portal, such as a hotel's, responds with its own page.
        case hotelPage
    }

    /// The requests that an app sends.
    package enum Call: String, CaseIterable, Sendable {
        case create, poll, reportReturn, cancel, acknowledge

        package init(_ request: HTTPRequest) {
            switch (request.method, request.url.lastPathComponent) {
            case (_, "return"): self = .reportReturn
            case (_, "cancel"): self = .cancel
            case ("DELETE", _): self = .acknowledge
            case ("POST", _): self = .create
            default: self = .poll
            }
        }
    }

    private struct Lost: Error {}

    private struct State {
        var faults: [(call: Call, fault: Fault)] = []
        var calls: [Call] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// Makes the next `times` requests of this kind meet the fault.
    package func meet(_ fault: Fault, at call: Call, times: Int = 1) {
        self.state.withLock { $0.faults += Array(repeating: (call, fault), count: times) }
    }

    /// Whether every planned fault has occurred.
    package var isCalm: Bool { self.state.withLock { $0.faults.isEmpty } }

    package func count(of call: Call) -> Int { self.state.withLock { $0.calls.count { $0 == call } } }

    package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let call = Call(request)
        let fault: Fault? = self.state.withLock { state in
            state.calls.append(call)
            return state.faults.firstIndex { $0.call == call }.map { state.faults.remove(at: $0).fault }
        }
        switch fault {
        case .requestLost: throw Lost()
        case .unavailable: return HTTPResponse(status: 503, fields: ["Retry-After": "1"])
        case .hotelPage:
            return HTTPResponse(status: 200, fields: ["Content-Type": "text/html"], body: Data("<p>Welcome".utf8))
        case nil, .answerLost: break
        }
        let answer = try await TestClient.send(
            request.method, request.url.absoluteString, fields: request.fields.map { Parameter($0.key, $0.value) },
            body: Array(request.body ?? Data()), within: Int(request.timeout))
        guard fault == nil else { throw Lost() }
        var fields: [String: String] = [:]
        for field in answer.fields { fields[field.name.description] = field.value }
        return HTTPResponse(status: answer.status, fields: fields, body: Data(answer.body))
    }
}
