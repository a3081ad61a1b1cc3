import Base
import Testing

@testable import SwitchbackCommand

/// What `switchback init` asks, and what it says when nobody can answer.
@Suite struct InitQuestionnaireTests {
    static let idura: InitQuestion.Answers = [
        .broker: "idura", .publicURL: "https://login.example.com", .app: "shop", .clientID: "me",
        .issuer: "https://example.idura.broker",
    ]

    static let refused: [(change: InitQuestion.Answers, error: String)] = [
        ([.broker: "ldap"], "--broker must be one of signaturgruppen, idura, vipps, digid, oidc"),
        ([.publicURL: "login.example.com"], "--public-url must be https://host"),
        ([.app: "My shop"], "--app must be lowercase letters, digits and underscores, as in shop"),
        ([.clientID: "a\nb"], "--client-id contains a control character"),
        ([.iosAppID: "ABCDE12345.com.example.shop"], "--ios-app-id has no effect with the other answers"),
        ([.eidName: "MitID"], "--eid-name has no effect with the other answers"),
        ([.provider: "auth0"], "--provider has no effect with the other answers"),
        ([.broker: "oidc", .provider: "auth1"], "--provider must be one of entra, "),
        ([.broker: "oidc", .provider: "linkedin"], "--provider cannot be linkedin: LinkedIn puts no `nonce` into"),
        ([.broker: "oidc", .provider: "entra-common"], "--provider cannot be entra-common: its discovery names"),
        ([.linkURL: "https://link.example.com", .iosAppID: "shop"], "--ios-app-id must be the team's ten letters"),
    ]

    @Test(arguments: refused) func `a wrong option is refused`(_ change: InitQuestion.Answers, _ error: String) {
        let (_, thrown) = Self.completed(Self.idura.merging(change) { $1 }, ask: nil)
        #expect(thrown?.hasPrefix(error) == true, "\(thrown ?? "")")
    }

    static let missing: [(answers: InitQuestion.Answers, options: String)] = [
        ([:], "--broker, --public-url, --app, --client-id"),
        ([.broker: "vipps"], "--public-url, --app, --client-id"),
        ([.broker: "digid", .app: "shop"], "--public-url, --link-url, --issuer, --client-id, --resolver"),
        ([.broker: "oidc", .app: "shop", .clientID: "me"], "--public-url, --issuer, --eid-name"),
        ([.broker: "oidc", .provider: "auth0", .app: "shop", .clientID: "me"], "--public-url, --issuer"),
        ([.broker: "oidc", .provider: "google", .app: "shop", .clientID: "me"], "--public-url"),
        (
            Self.idura.merging([.linkURL: "https://link.example.com", .androidPackage: "com.example.shop"]) { $1 },
            "--android-fingerprint"
        ),
    ]

    @Test(arguments: missing) func `without a terminal the command names what is missing`(
        _ answers: InitQuestion.Answers, _ options: String
    ) {
        let (_, thrown) = Self.completed(answers, ask: nil)
        #expect(thrown?.hasPrefix("missing \(options): ") == true, "\(thrown ?? "")")
    }

    @Test func `options are enough without a terminal`() {
        let (answers, thrown) = Self.completed(Self.idura, ask: nil)
        #expect(thrown == nil && answers == Self.idura.merging([.appName: "Shop"]) { $1 })
    }

    /// An empty line takes the default, or leaves out what is not required. A wrong answer is asked again.
    @Test func `on a terminal the command asks`() {
        let typed = [
            "", "no broker", "signaturgruppen", "http//x", "https://login.example.com", "", "shop", "", "", "id-1",
        ]
        var lines = typed.makeIterator()
        var texts: [String] = []
        let (answers, thrown) = Self.completed([:]) { text in
            texts.append(text)
            return lines.next()
        }
        #expect(thrown == nil && lines.next() == nil)
        #expect(
            answers == [
                .broker: "signaturgruppen", .publicURL: "https://login.example.com", .app: "shop", .appName: "Shop",
                .issuer: "https://netseidbroker.dk/op", .clientID: "id-1",
            ])
        #expect(texts.count == typed.count)
        #expect(texts.filter { $0.hasPrefix("It must be ") }.count == 2)
        #expect(texts.contains { $0.hasSuffix("[Shop]: ") })
    }

    /// The provider decides the issuer, where all customers have the same one, and the name of the e-ID.
    @Test func `on a terminal the command asks for the provider`() {
        let typed = ["oidc", "linkedin", "google", "https://login.example.com", "", "shop", "", "", "id-1", ""]
        var lines = typed.makeIterator()
        var texts: [String] = []
        let (answers, thrown) = Self.completed([:]) { text in
            texts.append(text)
            return lines.next()
        }
        #expect(thrown == nil && lines.next() == nil)
        #expect(
            answers == [
                .broker: "oidc", .provider: "google", .publicURL: "https://login.example.com", .app: "shop",
                .appName: "Shop", .issuer: "https://accounts.google.com", .clientID: "id-1", .eidName: "Google",
            ])
        #expect(texts[1].contains("  google               Google\n") && texts[1].hasSuffix("Provider [other]: "))
        #expect(!texts[1].contains("linkedin") && texts[2].hasPrefix("It cannot be linkedin: "))
    }

    @Test func `the end of the input ends the questions`() {
        #expect(Self.completed([:]) { _ in nil }.thrown == "the input ended, and nothing was written")
    }

    private static func completed(
        _ answers: InitQuestion.Answers, ask: InitQuestionnaire.Ask?
    ) -> (answers: InitQuestion.Answers, thrown: String?) {
        var questionnaire = InitQuestionnaire(answers, ask: ask)
        do throws(OperatorError) {
            try questionnaire.complete()
            return (questionnaire.answers, nil)
        } catch {
            return (questionnaire.answers, error.description)
        }
    }
}
