/// What one poll asks: which version it has, and how long it would wait for another (RFC 7240, RFC 9110 §13.1.2).
import HTTPWire

struct PollQuestion: Equatable, Sendable {
    /// What it knows already; nil when it brings no validator.
    let known: EntityTag.List?
    /// How many seconds it is held at most; nil when it does not wait.
    let wait: Int?

    init(known: EntityTag.List? = nil, wait: Int? = nil) {
        self.known = known
        self.wait = wait
    }

    enum Answer: Equatable, Sendable {
        /// 200 with the login.
        case login
        /// 304.
        case notModified
        /// Not yet: look again when it may have changed.
        case hold
    }

    /// What a look at the login says. `isTimeLeft` is false once the poll has been held for as long as it may be.
    func answer(version: Int, isFinal: Bool, isTimeLeft: Bool) -> Answer {
        let isKnown = self.known.map { $0.matches(EntityTag(version: version)) }
        let mayHold = self.wait != nil && isTimeLeft && !isFinal
        switch isKnown {
        case false?: return .login
        case true?: return mayHold ? .hold : .notModified
        case nil: return mayHold ? .hold : .login
        }
    }
}

extension EntityTag {
    /// `W/"7"`: weak, because the seconds that are left differ from answer to answer.
    init(version: Int) { self.init(weak: String(version)) }
}
