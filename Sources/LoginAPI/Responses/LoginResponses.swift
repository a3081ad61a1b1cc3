import Base
import EventLoop
import HTTPWire
import Logins

/// Makes the responses that show a login: JSON, with the version as ETag, and never stored.
struct LoginResponses: Sendable {
    let now: @Sendable () -> Timestamp
    private let json: LoginJSON
    /// Nil if no key for assertions is configured.
    private let assertions: AssertionSigner?
    private let longPolls: LongPolls
    private let limits: RequestLimits
    /// Nil without an audit.
    private let audit: AuditDesk?
    private let delivered: @Sendable (LoginView) -> Void

    /// Calls `delivered` for each response that has the result.
    init(
        _ json: LoginJSON, assertions: AssertionSigner?, longPolls: LongPolls, limits: RequestLimits,
        audit: AuditDesk? = nil, now: @escaping @Sendable () -> Timestamp,
        delivered: @escaping @Sendable (LoginView) -> Void
    ) {
        self.json = json
        self.assertions = assertions
        self.longPolls = longPolls
        self.limits = limits
        self.audit = audit
        self.now = now
        self.delivered = delivered
    }

    /// The longest long poll, in seconds.
    var longestWait: Int { self.json.polling.wait }

    /// The seconds between two polls that do not wait.
    var interval: Int { self.json.polling.interval }

    /// Counts a response that is sent at once, before it is made. Each one with the result costs a signature and a line
    /// in the log, so all of them share one budget, whatever they respond to.
    func count(_ view: LoginView, on loop: EventLoop) throws(Problem) {
        guard view.result != nil else { return try self.limits.takePoll(of: view.id, at: loop.elapsed) }
        try self.limits.takeResult(of: view.id, at: loop.elapsed)
    }

    /// Returns the response to a request that acts on the login. It is counted if it has the result.
    nonisolated(nonsending) func response(
        to context: RequestContext, _ status: Status, _ view: LoginView, waited: Int? = nil,
        pollSecret: PollSecret? = nil, unknown: UnknownMembers? = nil
    ) async throws(Problem) -> Response {
        if view.result != nil { try self.count(view, on: context.loop) }
        return try await self.response(status, view, waited: waited, pollSecret: pollSecret, unknown: unknown)
    }

    /// For a poll, which was counted or has waited. Throws if the result cannot be recorded.
    nonisolated(nonsending) func response(
        _ status: Status, _ view: LoginView, waited: Int? = nil, pollSecret: PollSecret? = nil,
        for reader: ClientKind = .phone, unknown: UnknownMembers? = nil, isHead: Bool = false
    ) async throws(Problem) -> Response {
        var fields = self.fields(of: view, waited: waited, applied: unknown?.appliedPreference)
        fields[.contentType] = "application/json"
        let body = try await self.body(
            view, pollSecret: pollSecret, for: reader, ignored: unknown?.names ?? [], isHead: isHead)
        return Response(status, fields: fields, body: body)
    }

    /// For `HEAD` it is only made for its length (RFC 9110 §8.6), and the app does not get the result.
    nonisolated(nonsending) func body(
        _ view: LoginView, pollSecret: PollSecret? = nil, for reader: ClientKind = .phone, ignored: [String] = [],
        isHead: Bool = false
    ) async throws(Problem) -> [UInt8] {
        var assertion: String?
        if let result = view.result {
            if !isHead { try await self.audit?.recordDelivery(of: view, result) }
            assertion = await self.assertions?.assertion(view, at: self.now())
            if !isHead { self.delivered(view) }
        }
        return self.json.bytes(
            view, at: self.now(), pollSecret: pollSecret, after: self.longPolls.pauseForClients, assertion: assertion,
            for: reader, ignored: ignored)
    }

    func notModified(_ view: LoginView, waited: Int?) -> Response {
        Response(.notModified, fields: self.fields(of: view, waited: waited), body: [])
    }

    /// Returns how many seconds the request prefers to wait (RFC 7240 §4.3), at most `longestWait`; nil if it does not
    /// wait.
    func wait(preferredBy request: Request) -> Int? {
        let preferredWait = Preference.wait(in: request.fields.all(.prefer)) ?? 0
        return preferredWait > 0 ? min(preferredWait, self.longestWait) : nil
    }

    private func fields(of view: LoginView, waited: Int?, applied preference: String? = nil) -> Fields {
        var fields = Fields()
        fields.add(.cacheControl, CacheControl.unchanged)
        fields.add(.etag, EntityTag(version: view.version).description)
        let preferences = [waited.map { "wait=\($0)" }, preference].compactMap { $0 }
        if !preferences.isEmpty { fields.add(.preferenceApplied, preferences.joined(separator: ", ")) }
        return fields
    }
}

extension EntityTag {
    /// `W/"7"`: weak, because `expires_in` differs between responses of the same version.
    init(version: Int) { self.init(weak: String(version)) }

    /// The version that the tag names, also after a proxy has compressed the response. Nil if we made no such tag.
    var version: Int? {
        let text = self.opaqueWithoutCoding
        guard let version = Int(text), version >= 0, String(version) == text else { return nil }
        return version
    }
}
