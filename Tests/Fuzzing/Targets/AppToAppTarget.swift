import Base
import Brokers
import OpenIDConnect

/// What DigiD's app returns, or a third party's: an accepted response has one meaning, in our own words, and only its
/// own content binds it.
///
/// The input is the JSON or the value of DigiD's parameter, or a question mark and the query of a third party's link.
enum AppToAppTarget {
    private static let problems: Set<String> = ["cancelled", "timeout", "not_activated", "icon_missing", "other"]

    private static let broker = Self.broker(nil)
    private static let thirdParty = Self.broker(
        ThirdPartyApps(links: [], artifactParameter: "artefactId", proof: .callbackLink))

    private static func broker(_ apps: ThirdPartyApps?) -> DigiDBroker {
        var settings = DigiDSettings(
            id: "digid", issuer: "https://ow.example", resolver: "https://ow.example/digid", clientID: "c",
            clientSecret: Secret("s"), returnURL: "https://link.example/callback/digid")
        settings.thirdPartyApps = apps
        return DigiDBroker(
            settings,
            fetch: { _ async throws(FetchError) in throw .unreachable("a fuzz target asks nobody") },
            now: { Timestamp(seconds: 1_772_366_400) })
    }

    static func judge(_ input: [UInt8]) throws(Violation) -> Verdict {
        if input.first == UInt8(ascii: "?") { return try self.judge(query: input.dropFirst()) }
        let text: String
        if input.first == UInt8(ascii: "{") {
            text = Base64.encode(input)
        } else {
            guard let given = String(validating: input, as: UTF8.self) else { return .refused }
            text = given
        }
        // The other parameters are ignored.
        let received = self.broker.normalized([
            Parameter("bound", ""), Parameter("app-app", text), Parameter("code", "c"), Parameter("state", "s"),
            Parameter("error", "e"),
        ])
        if received.count == 1, received[0].name == "state" {
            try require(received[0].isUnreadable, "a state of what cannot be read")
            return .refused
        }
        try self.check(received, longest: 512)
        return .accepted
    }

    private static func judge(query: ArraySlice<UInt8>) throws(Violation) -> Verdict {
        let fields = FormInput.received(query)
        let received = self.thirdParty.normalized(fields)
        if received.count == 1, received[0].name == "state", received[0].isUnreadable { return .refused }
        guard !fields.contains(where: { $0.name == "app-app" }) else {
            try self.check(received, longest: 512)
            return .accepted
        }
        try self.check(received, longest: 4096)
        for (ours, theirs) in [("code", "artefactId"), ("state", "state")] {
            let given = fields.filter { $0.name == theirs }.map(\.value)
            let taken = received.filter { $0.name == ours }.map(\.value)
            try require(given.count <= 1, "one of two")
            try require(taken.isEmpty || taken == given, "another value than the link's")
        }
        return .accepted
    }

    private static func check(_ received: Broker.Parameters, longest: Int) throws(Violation) {
        func values(_ name: String) -> [String] { received.filter { $0.name == name }.map(\.value) }
        try require(Set(received.map(\.name)).count == received.count, "a repeated parameter")
        try require(values("code").count + values("error").count == 1, "neither an artifact nor a problem, or both")
        try require(values("bound").count == values("state").count, "bound by nothing")
        try require(values("state").allSatisfy { !$0.isEmpty }, "an empty state")
        try require(values("error").allSatisfy(self.problems.contains), "the app's own words")
        for artifact in values("code") {
            let bytes = Array(artifact.utf8)
            try require((1...longest).contains(bytes.count), "an artifact of another length")
            try require(bytes.allSatisfy { (0x21...0x7E).contains($0) }, "an artifact of other characters")
        }
    }
}
