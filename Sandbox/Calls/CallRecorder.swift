import Base
import HTTPServer
import HTTPWire
import StrictJSON
import Synchronization

/// Records the HTTP calls of logins between app, Switchback, browser and broker, for a timeline. It holds the newest
/// calls only, and shows them without their secrets. Only the visitor of a login gets its requests whole.
package final class CallRecorder: ExchangeRecorder {
    /// Whose calls somebody may see.
    enum CallAudience: Hashable, Sendable {
        /// Of every login of one visitor.
        case visitor(String)
        /// Of one login, for whoever knows its id.
        case login(String)
    }

    private static let lifetime = Duration.seconds(3600)
    /// Values that wait for their login to become known.
    fileprivate static let unassignedLimit = 200

    fileprivate struct Contents {
        var calls: [Int: RecordedCall] = [:]
        var number = 0
        var version = 0
        /// The calls without a response.
        var open: [ResponseHandle.Key: Int] = [:]
        /// The login's id, by a value that only its calls have, or by the mark of its id.
        var owners = ExpiringTable<String>(lifetime: CallRecorder.lifetime, limit: 100_000)
        var visitors = ExpiringTable<String>(lifetime: CallRecorder.lifetime, limit: 20_000)
        /// The link that a login begins with.
        var links = ExpiringTable<String>(lifetime: CallRecorder.lifetime, limit: 20_000)
        /// By the number of a call of an unknown login.
        var unassigned: [(number: Int, values: Set<String>)] = []
        var listeners: [Int: (audience: CallAudience, calls: AsyncStream<RecordedCall>.Continuation)] = [:]
        var listenerNumber = 0
    }

    private let limit: Int
    private let now: @Sendable () -> Timestamp
    /// Changes the responses to pages that are recorded.
    let colors = TabColors()
    private let ended: @Sendable (RecordedCall) -> Void
    private let contents = Mutex(Contents())

    /// `ended` gets every call with its response, whoever it belongs to.
    package init(
        limit: Int = 2000, now: @escaping @Sendable () -> Timestamp,
        ended: @escaping @Sendable (RecordedCall) -> Void = { _ in }
    ) {
        self.limit = limit
        self.now = now
        self.ended = ended
    }

    // MARK: - Recording

    func begin(_ request: Request, _ key: ResponseHandle.Key, from: CallLane, to: CallLane) {
        let (now, values) = (self.now(), CallLinks.values(of: request))
        let fields = request.fields.map { Parameter($0.name.description, $0.value) }
        let message = RecordedCall.Message(
            fields: CallRedaction.fields(fields),
            body: CallRedaction.body(request.body, type: request.fields[.contentType]))
        let method = request.method.rawValue
        let rule = CallRule.rule(of: method, request.target.path, from: from, to: to)
        let path = CallRedaction.target(request.target)
        let (limit, sentRequest) = (self.limit, SentRequest(request))
        self.change { contents in
            contents.number += 1
            let number = contents.number
            contents.calls[number] = RecordedCall(
                number: number, at: now, from: from, to: to, host: request.fields[.host] ?? "", method: method,
                path: path, rule: rule, request: message, sentRequest: sentRequest)
            contents.open[key] = number
            contents.forget(number - limit)
            return contents.assign(number, values, at: now)
        }
    }

    /// Returns the response that is sent.
    package func end(_ key: ResponseHandle.Key, _ response: Response) -> Response {
        self.record(response, key)
        return self.colors.end(key, response)
    }

    private func record(_ response: Response, _ key: ResponseHandle.Key) {
        let (now, values) = (self.now(), CallLinks.values(of: response))
        let message = RecordedCall.Message(
            fields: CallRedaction.fields(response.fields.map { Parameter($0.name.description, $0.value) }),
            body: CallRedaction.body(response.body, type: response.fields[.contentType]))
        let changedCalls = self.change { contents in
            guard let number = contents.open.removeValue(forKey: key), var call = contents.calls[number] else {
                return []
            }
            call.took = now - call.at
            // A played broker says with a status below 200 that it closes the connection in place of a response.
            call.isClosed = response.status.rawValue < 200
            if !call.isClosed { (call.response, call.status) = (message, response.status.rawValue) }
            switch call.to {
            case .broker: call.idToken = ReadToken.member("id_token", of: response)
            case .switchback: call.accessToken = ReadToken.member("access_token", of: response)
            case .app, .browser: break
            }
            contents.calls[number] = call
            if call.isCreate { contents.learn(response, at: now) }
            return contents.assign(number, values, at: now)
        }
        if let call = changedCalls.first { self.ended(call) }
    }

    /// Records that the client has left without a response.
    package func cutOff(_ key: ResponseHandle.Key) {
        let now = self.now()
        self.change { contents in
            guard let number = contents.open.removeValue(forKey: key), let call = contents.calls[number] else {
                return []
            }
            contents.calls[number]?.isCutOff = true
            contents.calls[number]?.took = now - call.at
            return [number]
        }
    }

    /// Makes a login a visitor's.
    func claim(_ login: String, by visitor: String) {
        let now = self.now()
        self.change { contents in
            _ = contents.visitors.insert(visitor, for: login, at: now)
            return contents.calls(for: .login(login), at: now).map(\.number)
        }
    }

    /// Changes the contents, and tells the listeners of the calls whose numbers it returns. Returns these calls.
    @discardableResult private func change(_ body: (inout Contents) -> [Int]) -> [RecordedCall] {
        let now = self.now()
        return self.contents.withLock { contents in
            let changedCalls = body(&contents).compactMap { contents.renew($0) }
            for (audience, calls) in contents.listeners.values {
                for call in changedCalls where contents.shows(call, to: audience, at: now) { calls.yield(call) }
            }
            return changedCalls
        }
    }

    // MARK: - Reading

    /// Returns the calls that this audience may see, the oldest first.
    func calls(for audience: CallAudience) -> [RecordedCall] {
        let now = self.now()
        return self.contents.withLock { $0.calls(for: audience, at: now) }
    }

    /// Returns the calls that have changed since `version`. Then comes each call when it begins, when it ends, and when
    /// its login becomes known, until `leave` gets the number.
    func listen(_ audience: CallAudience, after version: Int) -> (number: Int, calls: AsyncStream<RecordedCall>) {
        let now = self.now()
        let (stream, calls) = AsyncStream<RecordedCall>.makeStream()
        let number = self.contents.withLock { contents in
            contents.listenerNumber += 1
            contents.listeners[contents.listenerNumber] = (audience, calls)
            let changedCalls = contents.calls(for: audience, at: now).filter { $0.version > version }
            for call in changedCalls.sorted(by: { $0.version < $1.version }) { calls.yield(call) }
            return contents.listenerNumber
        }
        return (number, stream)
    }

    func leave(_ number: Int) {
        self.contents.withLock { $0.listeners.removeValue(forKey: number) }?.calls.finish()
    }

    /// Returns the link that this login begins with, as its app got it.
    func link(of login: String) -> String? {
        let now = self.now()
        return self.contents.withLock { $0.links.value(for: login, at: now) }
    }
}

extension CallRecorder.Contents {
    /// Gives a call that has changed its new version.
    fileprivate mutating func renew(_ number: Int) -> RecordedCall? {
        guard self.calls[number] != nil else { return nil }
        self.version += 1
        self.calls[number]?.version = self.version
        return self.calls[number]
    }

    /// Returns an audience's own calls, and after the first of them also the documents that brokers show everybody. The
    /// earlier ones were loaded for somebody else.
    fileprivate func calls(for audience: CallRecorder.CallAudience, at now: Timestamp) -> [RecordedCall] {
        let shownCalls = self.calls.values.filter { $0.isOfAll || self.owns($0, audience, at: now) }
        return Array(shownCalls.sorted { $0.number < $1.number }.drop { $0.login == nil })
    }

    fileprivate func shows(_ call: RecordedCall, to audience: CallRecorder.CallAudience, at now: Timestamp) -> Bool {
        guard call.isOfAll else { return self.owns(call, audience, at: now) }
        return self.calls.values.contains { $0.number < call.number && self.owns($0, audience, at: now) }
    }

    private func owns(_ call: RecordedCall, _ audience: CallRecorder.CallAudience, at now: Timestamp) -> Bool {
        guard let login = call.login else { return false }
        return switch audience {
        case .visitor(let visitor): self.visitors.value(for: login, at: now) == visitor
        case .login(let id): login == id
        }
    }

    /// Finds the call's login by its values, and the logins of earlier calls by what this one adds. Returns the numbers
    /// of the changed calls.
    fileprivate mutating func assign(_ number: Int, _ values: Set<String>, at now: Timestamp) -> [Int] {
        let knownValues = values.union(self.unassigned.filter { $0.number == number }.flatMap(\.values))
        guard let login = self.calls[number]?.login ?? self.owner(of: knownValues, at: now) else {
            self.unassigned.removeAll { $0.number == number }
            self.unassigned.append((number, knownValues))
            if self.unassigned.count > CallRecorder.unassignedLimit { self.unassigned.removeFirst() }
            return [number]
        }
        var (changedNumbers, new) = ([number], knownValues)
        self.calls[number]?.login = login
        self.unassigned.removeAll { $0.number == number }
        while !new.isEmpty {
            for value in new { _ = self.owners.insert(login, for: value, at: now) }
            let matches = self.unassigned.filter { !$0.values.isDisjoint(with: new) }
            new = []
            for (other, values) in matches {
                self.calls[other]?.login = login
                self.unassigned.removeAll { $0.number == other }
                changedNumbers.append(other)
                new.formUnion(values)
            }
        }
        return changedNumbers
    }

    private func owner(of values: Set<String>, at now: Timestamp) -> String? {
        for value in values {
            if let login = self.owners.value(for: value, at: now) { return login }
            if let mark = LoginMark(value), let login = self.owners.value(for: mark.text, at: now) { return login }
        }
        return nil
    }

    /// Takes the id of a login that was created.
    fileprivate mutating func learn(_ response: Response, at now: Timestamp) {
        guard let json = try? JSON(parsing: response.body), let id = json["id"]?.string, let mark = LoginMark(id) else {
            return
        }
        _ = self.owners.insert(id, for: mark.text, at: now)
        let next = json["next"]
        if let link = (next?["url"] ?? next?["universal_link"])?.string {
            _ = self.links.insert(link, for: id, at: now)
        }
    }

    fileprivate mutating func forget(_ number: Int) {
        guard self.calls.removeValue(forKey: number) != nil else { return }
        self.unassigned.removeAll { $0.number == number }
        if let key = self.open.first(where: { $0.value == number })?.key { self.open[key] = nil }
    }
}

extension RecordedCall {
    var isCreate: Bool { self.to == .switchback && self.method == "POST" && self.path == "/v1/logins" }

    /// Documents that a broker shows everybody.
    var isOfAll: Bool {
        self.login == nil && self.to == .broker
            && (self.path.hasSuffix("/jwks") || self.path.hasSuffix("/openid-configuration"))
    }
}
