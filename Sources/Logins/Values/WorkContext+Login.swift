// Connects the work that a task does with a login.

import Traces

extension TraceID {
    /// The trace of a login. Its bytes are those of the login's id, so every server knows it without asking.
    init?(_ id: LoginID) {
        guard let trace = id.withBytes({ TraceID($0) }) else { return nil }
        self = trace
    }

    /// The id of the login whose trace this is.
    package var login: LoginID? { LoginID(self.bytes) }
}

extension LoginID {
    /// The trace of the login; nil for an id that no secret has.
    package var trace: TraceID? { TraceID(self) }
}

extension WorkContext {
    /// Notes that the present work is about this login.
    static func note(_ id: LoginID) {
        guard let work = Self.current else { return }
        work.note(id)
    }

    func note(_ id: LoginID) {
        guard let trace = TraceID(id) else { return }
        self.note(login: trace) { ["switchback.login": .text("\(id)"), "switchback.reference": .text(id.reference)] }
    }

    /// Returns a part of the present work, for this login.
    static func part(_ name: String, of id: LoginID) -> WorkContext {
        let part = (Self.current ?? WorkContext()).part(name)
        part.note(id)
        return part
    }
}
