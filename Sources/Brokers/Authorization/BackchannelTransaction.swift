import Base
import OpenIDConnect
import StrictJSON

/// A backchannel transaction: a login that runs at a broker and that we poll, with its id there and the times to poll.
///
/// Anyone who has it can take over the login, so it is encrypted wherever it is stored.
package struct BackchannelTransaction: Equatable, Sendable {
    package enum Kind: String, Sendable {
        /// Idura: the e-ID's app by a launch link.
        case launchLinks = "launch_links"
        /// Idura, without a browser.
        case headless
        /// CIBA (OpenID Connect Client-Initiated Backchannel Authentication).
        case backchannel = "ciba"
        /// An artifact that the app returns with.
        case artifact
    }

    /// What we store of it, each under a name of ours.
    package enum Detail: String, CaseIterable, Sendable {
        /// The broker's id of it.
        case id
        /// URLs: where to poll it, where its response is, and where to cancel it.
        case poll, complete, cancel
        /// DigiD: the resolver's ids for it, the requested scope, and the id of our request.
        case transaction, session, scope, request
    }

    package let kind: Kind
    package let details: [Detail: String]
    /// Milliseconds between two polls. Nil if we only poll when the user is back.
    package let interval: Int?
    /// The time from which there is nothing to poll.
    package let until: Timestamp

    package init(_ kind: Kind, _ details: [Detail: String], interval: Int?, until: Timestamp) {
        self.kind = kind
        self.details = details
        self.interval = interval
        self.until = until
    }

    /// The bytes that are encrypted with an authorization attempt.
    package func encoded() -> [UInt8] {
        let details = self.details.sorted { $0.key.rawValue < $1.key.rawValue }
            .map { ($0.key.rawValue, JSON.string($0.value)) }
        var object: JSON.Object = [
            "kind": .string(self.kind.rawValue), "details": .object(JSON.Object(details)),
            "until": .integer(Int(self.until.milliseconds)),
        ]
        if let interval = self.interval { object["interval"] = .integer(interval) }
        return JSON.object(object).encoded()
    }

    /// Returns nil for bytes that `encoded` did not make.
    package init?(encoded bytes: [UInt8]) {
        guard let json = try? JSON(parsing: bytes), let kind = json["kind"]?.string.flatMap(Kind.init),
            let details = json["details"]?.object, let until = json["until"]?.integer
        else { return nil }
        let texts = details.compactMap { member in
            Detail(rawValue: member.name).flatMap { name in member.value.string.map { (name, $0) } }
        }
        self.init(
            kind, Dictionary(texts) { first, _ in first }, interval: json["interval"]?.integer,
            until: Timestamp(milliseconds: Int64(until)))
    }
}

extension BackchannelTransaction: RedactedDescription {}

/// The state of a backchannel transaction at its broker.
package enum BackchannelProgress: Sendable {
    /// The user is not done.
    case pending(Hint?)
    /// We poll too often: wait five seconds longer from now on (CIBA 11).
    case slowDown
    /// An authorization response, as a browser would have delivered it.
    case response([Parameter])
    /// A token response.
    case tokenResponse(BrokerAnswer)
}
