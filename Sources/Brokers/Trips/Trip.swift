/// A login that is under way at a broker and has to be asked about: what it is called there, and when to ask.
///
/// Whoever has it can take the login for his own, so it is sealed wherever it is kept.
import Base
import OpenIDConnect
import StrictJSON

package struct Trip: Equatable, Sendable {
    package enum Kind: String, Sendable {
        /// Idura: the e-ID's app by a launch link.
        case launchLinks = "launch_links"
        /// Idura, without a browser.
        case headless
        /// CIBA (OpenID Connect Client-Initiated Backchannel Authentication).
        case backchannel = "ciba"
        /// An artifact that the app brings back.
        case artifact
    }

    /// What is kept of it, each under a name of ours.
    package enum Detail: String, CaseIterable, Sendable {
        /// What the broker calls it.
        case id
        /// URLs: where it is asked about, where its answer is, and where it is ended.
        case poll, complete, cancel
        /// DigiD's: the resolver's names for it, what was asked for, and the id of our request.
        case transaction, session, scope, request
    }

    package let kind: Kind
    package let details: [Detail: String]
    /// Milliseconds between two questions. Nil where it is only asked when the person is back.
    package let interval: Int?
    /// From when on there is nothing to ask.
    package let until: Timestamp

    package init(_ kind: Kind, _ details: [Detail: String], interval: Int?, until: Timestamp) {
        self.kind = kind
        self.details = details
        self.interval = interval
        self.until = until
    }

    /// The bytes that are sealed with an opening.
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

    /// Nil when the bytes are not what `encoded` made.
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

extension Trip: Unprinted {}
