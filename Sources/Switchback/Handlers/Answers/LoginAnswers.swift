/// Answers that show a login: JSON, its version as ETag, never to be stored.
import HTTPWire
import JOSE
import Logins

struct LoginAnswers: Sendable {
    let now: @Sendable () -> Timestamp
    private let json: LoginJSON
    /// Nil when no key for assertions is configured.
    private let assertions: AssertionSigner?

    init(_ json: LoginJSON, assertions: AssertionSigner?, now: @escaping @Sendable () -> Timestamp) {
        self.json = json
        self.assertions = assertions
        self.now = now
    }

    /// The most seconds that anything is held for.
    var longestWait: Int { self.json.polling.wait }

    func response(
        _ status: Status, _ view: LoginView, waited: Int? = nil, pollSecret: PollSecret? = nil
    ) async -> Response {
        var fields = self.fields(of: view, waited: waited)
        fields[.contentType] = "application/json"
        var object = self.json.object(view, at: self.now(), pollSecret: pollSecret)
        if view.result != nil, let assertion = await self.assertions?.assertion(view, at: self.now()) {
            object["assertion"] = .string(assertion)
        }
        return Response(status, fields: fields, body: JSON.object(object).encoded())
    }

    func notModified(_ view: LoginView, waited: Int?) -> Response {
        Response(.notModified, fields: self.fields(of: view, waited: waited), body: [])
    }

    /// How many seconds a request would rather wait than be answered at once (RFC 7240 §4.3), but no more than we hold.
    func wait(preferredBy request: Request) -> Int? {
        let preferred = Preference.wait(in: request.fields.all(.prefer)) ?? 0
        return preferred > 0 ? min(preferred, self.longestWait) : nil
    }

    private func fields(of view: LoginView, waited: Int?) -> Fields {
        var fields: Fields = [.cacheControl: "no-store"]
        fields[.etag] = EntityTag(version: view.version).description
        if let waited { fields[.preferenceApplied] = "wait=\(waited)" }
        return fields
    }
}
