/// What one poll asks: which version it has, and how long it would wait for another (RFC 7240, RFC 9110 §13.1.2).
import HTTPWire

struct PollQuestion: Equatable, Sendable {
    /// What it knows already; nil when it brings no validator.
    private let known: Known?
    /// How many seconds it is held at most; nil when it does not wait.
    let wait: Int?

    init(known: EntityTag.List? = nil, wait: Int? = nil) {
        self.known = known.map { Known($0) }
        self.wait = wait
    }

    private enum Known: Equatable {
        /// One tag of ours. Nearly all bring that, and thousands are kept while they wait: a number needs no memory.
        case version(Int)
        case tags(EntityTag.List)

        init(_ list: EntityTag.List) {
            if case .tags(let tags) = list, tags.count == 1, let version = Int(tags[0].opaque),
                tags[0].matchesWeakly(EntityTag(version: version))
            {
                self = .version(version)
            } else {
                self = .tags(list)
            }
        }

        func matches(_ version: Int) -> Bool {
            switch self {
            case .version(let known): known == version
            case .tags(let list): list.matches(EntityTag(version: version))
            }
        }
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
        let isKnown = self.known.map { $0.matches(version) }
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
