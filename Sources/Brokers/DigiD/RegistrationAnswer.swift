/// What the resolver answers to a step: HTTP says that it was asked, `status` in the body how it went.
import OpenIDConnect
import StrictJSON

struct RegistrationAnswer: Sendable {
    /// It is kept with the login, and handed on to the app.
    private static let limit = 64 * 1024

    let members: JSON.Object
    /// What its script said: the object in `data`, which may come as a text.
    let data: JSON.Object

    /// An answer as it came over the wire.
    init(_ response: ProviderResponse, to step: RegistrationStep) throws(BrokerError) {
        do throws(ProviderResponseError) {
            try response.check(success: 200)
        } catch {
            throw BrokerError(error.isDenial ? .refused : .unavailable, "\(step.rawValue)_\(error.raw)")
        }
        try self.init(response.body, to: step)
    }

    init(_ body: [UInt8], to step: RegistrationStep) throws(BrokerError) {
        guard body.count <= Self.limit, let members = (try? JSON(parsing: body))?.object,
            let status = members["status"]?.integer
        else { throw BrokerError(.unavailable, "\(step.rawValue)_malformed") }
        // OneWelcome, custom registration: 2xxx went well, after 4xxx the person may try again, after 5xxx everything
        // begins anew.
        switch status {
        case 2000..<3000: break
        case 4000..<5000: throw BrokerError(.refused, "\(step.rawValue)_status_\(status)")
        default: throw BrokerError(.unavailable, "\(step.rawValue)_status_\(status)")
        }
        self.members = members
        self.data = Self.object(members["data"])
    }

    private static func object(_ data: JSON?) -> JSON.Object {
        guard let text = data?.string else { return data?.object ?? JSON.Object() }
        return (try? JSON(parsing: Array(text.utf8)))?.object ?? JSON.Object()
    }

    /// Opaque: what must come back with the artifact. OneWelcome writes it in two ways. Nil unless there is exactly one.
    var sessionID: String? {
        let found = ["sessionId", "sessionID"].compactMap { self.data[$0] ?? self.members[$0] }
        guard let first = found.first?.string, !first.isEmpty, found.allSatisfy({ $0 == .string(first) }) else {
            return nil
        }
        return first
    }

    /// Whether it says anything about a session, right or wrong.
    var namesSession: Bool {
        ["sessionId", "sessionID"].contains { self.data[$0] != nil || self.members[$0] != nil }
    }

    /// Which request DigiD's answer was to (SAML Core 3.2.2), as the resolver read it there. Nil where it does not say.
    var inResponseTo: JSON? { self.data["inResponseTo"] ?? self.members["inResponseTo"] }

    /// A member of `data`, or of the tokens beside it.
    func member(_ name: String) -> JSON? { self.data[name] ?? self.members["oauth_token"]?[name] }

    func text(_ name: String) -> String? { self.member(name)?.string.flatMap { $0.isEmpty ? nil : $0 } }

    /// The tokens and `data`, as they came.
    var registration: String? {
        var object = JSON.Object()
        for name in ["oauth_token", "data"] { object[name] = self.members[name] }
        return object.isEmpty ? nil : String(decoding: JSON.object(object).encoded(), as: UTF8.self)
    }
}
