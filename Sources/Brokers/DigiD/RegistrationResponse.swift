import OpenIDConnect
import StrictJSON

/// The resolver's response to a step. `status` in its body says how the step went; the HTTP status does not.
struct RegistrationResponse: Sendable {
    /// In bytes. A part of the response is stored with the login.
    private static let limit = 64 * 1024

    let members: JSON.Object
    /// What its script returned: the object in `data`, which may come as a text.
    let data: JSON.Object

    /// Reads a response from the wire.
    init(_ response: ProviderResponse, to step: BrokerError.ResolverStep) throws(BrokerError) {
        do throws(ProviderResponseError) {
            try response.check(success: 200)
        } catch {
            throw BrokerError(error.isDenial ? .refused : .unavailable, .resolver(step, .refused(error)))
        }
        try self.init(response.body, to: step)
    }

    init(_ body: [UInt8], to step: BrokerError.ResolverStep) throws(BrokerError) {
        guard body.count <= Self.limit, let members = (try? JSON(parsing: body))?.object,
            let status = members["status"]?.integer
        else { throw BrokerError(.unavailable, .resolver(step, .refused(.malformed))) }
        // OneWelcome, custom registration: 2xxx is success, after 4xxx the user may try again, after 5xxx everything
        // has to start again.
        switch status {
        case 2000..<3000: break
        case 4000..<5000: throw BrokerError(.refused, .resolver(step, .refused(.status(status))))
        // A number that is no status must not get into the log: it could be a person's.
        case 0..<10_000: throw BrokerError(.unavailable, .resolver(step, .refused(.status(status))))
        default: throw BrokerError(.unavailable, .resolver(step, .refused(.malformed)))
        }
        self.members = members
        self.data = Self.object(members["data"])
    }

    private static func object(_ data: JSON?) -> JSON.Object {
        guard let text = data?.string else { return data?.object ?? JSON.Object() }
        return (try? JSON(parsing: Array(text.utf8)))?.object ?? JSON.Object()
    }

    /// The opaque id that must come back with the artifact. OneWelcome spells its name in two ways. Nil unless there is
    /// exactly one value.
    var sessionID: String? {
        let values = ["sessionId", "sessionID"].compactMap { self.named($0) }
        guard let first = values.first?.string, !first.isEmpty, values.allSatisfy({ $0 == .string(first) }) else {
            return nil
        }
        return first
    }

    /// Whether the response names a session, right or wrong.
    var namesSession: Bool {
        ["sessionId", "sessionID"].contains { self.named($0) != nil }
    }

    /// Returns a member of `data`, or beside it. `null` counts as absent.
    private func named(_ name: String) -> JSON? {
        [self.data[name], self.members[name]].compactMap(\.self).first { !$0.isNull }
    }

    /// The id that the third party's answer will name, in the response to the first step. Nil if the resolver names
    /// none. Not a text if it names two.
    var requestID: JSON? { self.only("requestId") }

    /// The request that DigiD answered (SAML Core 3.2.2), as the resolver read it there. Nil if the resolver does not
    /// say. Not a text if it says two. `null` counts as absent.
    var inResponseTo: JSON? { self.only("inResponseTo") }

    /// Returns a member of `data`, or beside it. `null` if both are there and differ.
    private func only(_ name: String) -> JSON? {
        let values = [self.data, self.members].compactMap { $0[name] }.filter { !$0.isNull }
        return values.allSatisfy { $0 == values.first } ? values.first : .null
    }

    /// The tokens beside `data`.
    private var tokens: JSON.Object { self.members["oauth_token"]?.object ?? JSON.Object() }

    /// Returns a member of `data`, or of the tokens beside it. Never a credential that lasts.
    func member(_ name: String) -> JSON? {
        Self.isLasting(name) ? nil : (self.data[name] ?? self.tokens[name]).map(Self.withoutLasting)
    }

    func text(_ name: String) -> String? { self.member(name)?.string.flatMap { $0.isEmpty ? nil : $0 } }

    /// A token that outlives the login. DigiD permits none, so no app gets it, whatever the configuration says.
    static let lasting = "refresh_token"

    /// Whether a member has this meaning, however its name is spelled.
    static func isLasting(_ name: String) -> Bool {
        name.lowercased().filter { $0 != "_" && $0 != "-" } == "refreshtoken"
    }

    /// Returns the value without such members, however deep they are.
    private static func withoutLasting(_ value: JSON) -> JSON {
        if let members = value.object {
            return .object(
                JSON.Object(members.filter { !Self.isLasting($0.0) }.map { ($0.0, Self.withoutLasting($0.1)) }))
        }
        return value.array.map { .array($0.map(Self.withoutLasting)) } ?? value
    }

    /// Whether the resolver made such a token, though none is permitted.
    var hasLastingToken: Bool {
        [self.members, self.data, self.tokens].contains { Self.hasLasting(.object($0)) }
    }

    private static func hasLasting(_ value: JSON) -> Bool {
        if let members = value.object {
            return members.contains { (Self.isLasting($0.0) && !$0.1.isNull) || Self.hasLasting($0.1) }
        }
        return value.array?.contains(where: Self.hasLasting) ?? false
    }

    /// Returns what the app continues with: of `data` only the members with these names.
    func registration(with names: [String]) -> Registration? {
        Registration(tokens: self.tokens, data: Self.picked(names, of: self.data))
    }

    /// Returns the response with no other members than these and those of `registration`.
    func retained(_ names: [String]) -> [UInt8] {
        var tokens = Self.picked(names, of: self.tokens)
        for (name, value) in Registration(tokens: self.tokens, data: [:])?.tokens ?? [:] { tokens[name] = value }
        let keptMembers: JSON.Object = [
            "status": 2000, "data": .object(Self.picked(names, of: self.data)), "oauth_token": .object(tokens),
        ]
        return JSON.object(keptMembers).encoded()
    }

    private static func picked(_ names: [String], of object: JSON.Object) -> JSON.Object {
        JSON.Object(
            names.filter { !Self.isLasting($0) }.compactMap { name in
                object[name].map { (name, Self.withoutLasting($0)) }
            })
    }
}

/// The two steps of OneWelcome's custom registration.
package enum RegistrationStep: String, CaseIterable, Sendable {
    case initiate = "init"
    case complete

    var purpose: ProviderRequest.Purpose {
        switch self {
        case .initiate: .start
        case .complete: .token
        }
    }
}
