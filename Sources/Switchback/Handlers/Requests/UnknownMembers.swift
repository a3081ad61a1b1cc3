/// What becomes of members of a body that this server does not know: an app may be newer than its server.
import HTTPWire

struct UnknownMembers: Equatable, Sendable {
    enum Handling: Equatable, Sendable {
        /// They are left out of account and named in the answer.
        case ignored
        /// The request is refused (`Prefer: handling=strict`, RFC 7240 §4.4).
        case refused
    }

    /// More are not named, so that an answer does not grow with the request.
    private static let namedAtMost = 16

    let handling: Handling
    /// The members that were ignored, in their order. `?` stands for those that are not written as a name.
    private(set) var names: [String] = []

    init(in request: Request) {
        self.handling = Preference.isStrict(in: request.fields.all(.prefer)) ? .refused : .ignored
    }

    /// Takes what is left of a body once every known member was read.
    mutating func take(_ left: [String]) throws(Problem) {
        guard let first = left.first else { return }
        guard self.handling == .ignored else { throw Problem(.unknownMember, member: first) }
        for name in left.map({ Problem.shown($0) ?? "?" }) where self.names.count < Self.namedAtMost {
            if !self.names.contains(name) { self.names.append(name) }
        }
    }
}
