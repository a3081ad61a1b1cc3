/// Something that the library did, for the app's log or metrics. It has no secret and nothing personal.
public struct LogEvent: Hashable, Sendable {
    /// What happened. A later version may have more.
    public struct Name: Coded {
        /// Such as `request`.
        public let code: String

        /// A request was sent: `call`, and `status` if there was a response.
        public static let request = Name(code: "request")
        /// The state of a login: `state`, and `action`, `status`, `reason` or `error` if there is one.
        public static let loginState = Name(code: "login_state")
        /// The state of a session: `state`, and `reason` if there is one.
        public static let sessionState = Name(code: "session_state")
        /// The server named something to open whose URL cannot be parsed, so the action reads as `wait`.
        public static let unreadableURL = Name(code: "unreadable_url")
        /// A login could not be stored.
        public static let notStored = Name(code: "not_stored")
    }

    /// What happened.
    public let name: Name
    /// The login's reference, if the event is of a login that has one.
    public let reference: String?
    /// Codes and numbers by name.
    public let attributes: [String: String]

    init(_ name: Name, reference: String?, _ attributes: [String: String?] = [:]) {
        self.name = name
        self.reference = reference
        self.attributes = attributes.compactMapValues(\.self)
    }
}

extension LogEvent: CustomStringConvertible {
    /// One line for a log: `request reference=K7QX-2M4P call=poll status=200`.
    public var description: String {
        let attributes = self.attributes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        return ([self.name.code] + (self.reference.map { ["reference=\($0)"] } ?? []) + attributes)
            .joined(separator: " ")
    }
}
