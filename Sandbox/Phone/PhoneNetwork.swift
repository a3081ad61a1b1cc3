import Base
import Foundation
import StrictJSON
import SwitchbackClient
import Synchronization

/// The network of one phone: it passes the library's requests on, and can be lost. It also remembers what came back for
/// each login, because the workbench shows that; the library decides what it means.
final class PhoneNetwork: Sendable {
    /// What came back for one login.
    struct Record: Sendable {
        /// What the server last said about it.
        fileprivate(set) var answer: JSON.Object = [:]
        /// The problem code of the last response, if that was not about the login (RFC 9457).
        fileprivate(set) var problem: String?
        /// The response to the create.
        fileprivate(set) var created: PhoneRequest.Answer?
        /// Whether the server has deleted it.
        fileprivate(set) var isDeleted = false
        /// The links that the app has handed in, with the status of the response.
        fileprivate(set) var links: [String: Int] = [:]
        /// How many requests are over that were no polls.
        fileprivate(set) var toldCount = 0
        /// What the phone had done when the last of them was over.
        fileprivate var beats = 0
    }

    /// The request, or its response, does not arrive.
    private static let loss = OperatorError("the network is lost")

    /// Stands in the library's URLs before the path. The function that sends a request knows where the server is.
    fileprivate static let server = "http://server"
    static let url = URL(string: PhoneNetwork.server) ?? URL(fileURLWithPath: "/")

    private struct State {
        var records: [String: Record] = [:]
        /// The login by its nonce, and by its id.
        var owners: [String: String] = [:]
        var isBack: Timestamp?
        var losesNextAnswer = false
        /// The requests without a response.
        var open: [Int: Task<PhoneRequest.Answer, any Error>] = [:]
        var number = 0
        /// Rises with each thing that the library does after it has understood a response.
        var beats = 0
    }

    private let send: PhoneRequest.Send
    private let now: @Sendable () -> Timestamp
    private let news: PhoneNews
    private let state = Mutex(State())

    init(send: @escaping PhoneRequest.Send, now: @escaping @Sendable () -> Timestamp, news: PhoneNews) {
        self.send = send
        self.now = now
        self.news = news
    }

    // MARK: - Requests

    /// Says that the create with this nonce belongs to the login of this key.
    func expect(_ key: String, nonce: String) { self.state.withLock { $0.owners[nonce] = key } }

    func record(of key: String) -> Record { self.state.withLock { $0.records[key] } ?? Record() }

    func forget(_ key: String) {
        self.state.withLock { state in
            state.records[key] = nil
            state.owners = state.owners.filter { $0.value != key }
        }
    }

    /// Throws if there is no network, or no response.
    func answer(to request: HTTPRequest) async throws -> HTTPResponse {
        let call = PhoneRequest(request)
        self.beat()
        do {
            let answer = try await self.deliver(call)
            self.take(answer, to: call)
            return HTTPResponse(answer)
        } catch {
            self.take(nil, to: call)
            throw error
        }
    }

    private func deliver(_ call: PhoneRequest) async throws -> PhoneRequest.Answer {
        guard self.outage == nil else { throw Self.loss }
        let task = Task { try await self.send(call) }
        let number = self.state.withLock { state in
            state.number += 1
            state.open[state.number] = task
            return state.number
        }
        defer { self.state.withLock { $0.open[number] = nil } }
        let answer = try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
        let isLost = self.state.withLock { state in
            defer { state.losesNextAnswer = false }
            return state.losesNextAnswer
        }
        if isLost { throw Self.loss }
        return answer
    }

    private func take(_ answer: PhoneRequest.Answer?, to call: PhoneRequest) {
        let isNews = self.state.withLock { state in
            guard let key = call.nonceOrID.flatMap({ state.owners[$0] }) else { return false }
            var record = state.records[key] ?? Record()
            if let id = record.take(answer, to: call) { state.owners[id] = key }
            if call.method != .get {
                record.toldCount += 1
                record.beats = state.beats
            }
            defer { state.records[key] = record }
            return record.problem != state.records[key]?.problem || record.isDeleted
        }
        if isNews { self.news.tell() }
    }

    // MARK: - What the library does

    /// The library does something: it sends a request, sleeps, changes its store, or reports a state.
    func beat() {
        self.state.withLock { $0.beats += 1 }
        self.news.stir()
    }

    /// Whether more requests of this login than so many are over, and the library has understood the last response.
    func hasHeard(_ key: String, after toldCount: Int) -> Bool {
        self.state.withLock { state in
            guard let record = state.records[key] else { return false }
            return record.toldCount > toldCount && state.beats > record.beats
        }
    }

    // MARK: - Outages

    /// How long there is no network. Nil if there is one.
    var outage: Duration? {
        let now = self.now()
        return self.state.withLock { state in
            guard let end = state.isBack else { return nil }
            if now < end { return end - now }
            state.isBack = nil
            return nil
        }
    }

    /// Loses the network for this time, and cuts off what waits for a response.
    func lose(for duration: Duration) {
        let end = self.now() + duration
        let tasks = self.state.withLock { state in
            state.isBack = end
            return Array(state.open.values)
        }
        for task in tasks { task.cancel() }
    }

    /// Loses the next response, whose request arrives.
    func loseNextAnswer() { self.state.withLock { $0.losesNextAnswer = true } }
}

extension PhoneNetwork.Record {
    /// Returns the login's id when it becomes known.
    fileprivate mutating func take(_ answer: PhoneRequest.Answer?, to call: PhoneRequest) -> String? {
        if call.isCreate { self.created = answer }
        guard let answer, answer.status != 304 else { return nil }
        let members = (try? JSON(parsing: answer.body))?.object
        if let link = call.link { self.links[link] = answer.status }
        if call.method == .delete, answer.status == 204 {
            self.isDeleted = true
            return nil
        }
        guard (200..<300).contains(answer.status), let members, let id = members["id"]?.string else {
            self.problem = members?["code"]?.string ?? "status \(answer.status)"
            return nil
        }
        self.answer = members
        self.problem = nil
        return call.isCreate ? id : nil
    }
}

extension PhoneRequest {
    /// A request of the library's.
    fileprivate init(_ request: HTTPRequest) {
        let path = String(request.url.absoluteString.dropFirst(PhoneNetwork.server.count))
        self.init(Method(rawValue: request.method) ?? .get, path)
        self.fields = request.fields.sorted { $0.key < $1.key }.map { Parameter($0.key, $0.value) }
        self.body = request.body.map(Array.init) ?? []
    }

    fileprivate var isCreate: Bool { self.method == .post && self.path == "/v1/logins" }

    /// The nonce of a create, and the id of the login that another request is about.
    fileprivate var nonceOrID: String? {
        if self.isCreate { return (try? JSON(parsing: self.body))?["nonce"]?.string }
        let parts = self.path.split(separator: "/")
        return parts.count > 2 && parts[1] == "logins" ? String(parts[2]) : nil
    }

    /// The link that is handed in.
    fileprivate var link: String? {
        self.path.hasSuffix("/return") ? (try? JSON(parsing: self.body))?["url"]?.string : nil
    }
}

extension HTTPResponse {
    fileprivate init(_ answer: PhoneRequest.Answer) {
        let fields = Dictionary(answer.fields.map { ($0.name, $0.value) }) { first, _ in first }
        self.init(status: answer.status, fields: fields, body: Data(answer.body))
    }
}
