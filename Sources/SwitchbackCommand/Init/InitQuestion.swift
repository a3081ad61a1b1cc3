import ServerConfiguration

/// The questions of `switchback init`, in their order. Each one has an option.
enum InitQuestion: String, CaseIterable {
    case broker
    case provider
    case publicURL = "public-url"
    case linkURL = "link-url"
    case app
    case appName = "app-name"
    case issuer
    case clientID = "client-id"
    case resolver
    case eidName = "eid-name"
    case iosAppID = "ios-app-id"
    case androidPackage = "android-package"
    case androidFingerprint = "android-fingerprint"

    typealias Answers = [InitQuestion: String]

    var option: String { "--\(self.rawValue)" }

    /// The line before the answer.
    func text(_ answers: Answers) -> String {
        let broker = Self.broker(answers)
        return switch self {
        case .broker:
            "Which broker?\n"
                + InitBroker.allCases.map { "  \($0.rawValue.padded(to: 16)) \($0.title)\n" }.joined()
                + "Broker"
        case .provider: "Which provider?\n\(Self.providers)Provider"
        case .publicURL: "URL of this server for browsers and the broker, as in https://login.example.com"
        case .linkURL where broker == .digid: "URL of links to the app, on another host, as in https://link.example.com"
        case .linkURL:
            "URL of links to the app, on another host, as in https://link.example.com (Enter for none: users type a code)"
        case .app: "Id of the app, as in shop"
        case .appName: "Name of the app as users know it"
        case .issuer:
            "Issuer of the broker (\(Self.provider(answers).map { "as in \($0.exampleIssuer)" } ?? broker?.issuerExample ?? ""))"
        case .clientID: "Client id at the broker"
        case .resolver: "URL of OneWelcome's two-step registration that resolves artifacts"
        case .eidName: "Name of the e-ID as users know it, as in MitID"
        case .iosAppID: "App id of the iOS app, as in ABCDE12345.com.example.shop (Enter for none)"
        case .androidPackage: "Package of the Android app, as in com.example.shop (Enter for none)"
        case .androidFingerprint: "SHA-256 fingerprint of the Android app's signing certificate"
        }
    }

    func isAsked(_ answers: Answers) -> Bool {
        switch self {
        case .broker, .publicURL, .linkURL, .app, .appName, .issuer, .clientID: true
        case .resolver: Self.broker(answers) == .digid
        case .provider, .eidName: Self.broker(answers) == .oidc
        case .iosAppID, .androidPackage: answers[.linkURL] != nil
        case .androidFingerprint: answers[.androidPackage] != nil
        }
    }

    /// The answer of somebody who presses Enter.
    func standard(_ answers: Answers) -> String? {
        switch self {
        case .appName: answers[.app].map { $0.prefix(1).uppercased() + $0.dropFirst() }
        case .provider: KnownProvider.other
        case .issuer: Self.provider(answers)?.fixedIssuer ?? Self.broker(answers)?.issuer
        case .eidName: Self.provider(answers)?.title
        case .broker, .publicURL, .linkURL, .app, .clientID, .resolver, .iosAppID, .androidPackage,
            .androidFingerprint:
            nil
        }
    }

    func isRequired(_ answers: Answers) -> Bool {
        switch self {
        case .linkURL: Self.broker(answers) == .digid
        // Without a broker or an app it is not known yet whether there is a default.
        case .issuer: Self.broker(answers) != nil
        case .appName: answers[.app] != nil
        case .iosAppID, .androidPackage: false
        case .broker, .provider, .publicURL, .app, .clientID, .resolver, .eidName, .androidFingerprint: true
        }
    }

    /// Returns what is wrong with an answer: the end of a sentence.
    func problem(of answer: String) -> String? {
        switch self {
        case .broker:
            InitBroker(rawValue: answer) == nil
                ? "must be one of \(InitBroker.allCases.map(\.rawValue).joined(separator: ", "))" : nil
        case .provider: Self.problem(ofProvider: answer)
        case .app:
            SettingKind.isName(answer) ? nil : "must be lowercase letters, digits and underscores, as in shop"
        case .publicURL: Self.problem(of: answer, as: "public_url")
        case .linkURL: Self.problem(of: answer, as: "link_url")
        case .appName: Self.problem(of: answer, as: "apps.*.name")
        case .issuer: Self.problem(of: answer, as: "brokers.*.issuer")
        case .clientID: Self.problem(of: answer, as: "brokers.*.client_id")
        case .resolver: Self.problem(of: answer, as: "brokers.*.resolver")
        case .eidName: Self.problem(of: answer, as: "providers.*.names")
        case .iosAppID: Self.problem(of: answer, as: "apps.*.ios.app_ids")
        case .androidPackage: Self.problem(of: answer, as: "apps.*.android[].package")
        case .androidFingerprint: Self.problem(of: answer, as: "apps.*.android[].sha256_cert_fingerprints")
        }
    }

    private static func problem(of answer: String, as setting: String) -> String? {
        SettingTable.all.first { $0.pattern.description == setting }?.problem(of: answer)
    }

    private static func problem(ofProvider answer: String) -> String? {
        guard answer != KnownProvider.other else { return nil }
        guard let knownProvider = KnownProvider.named(answer) else {
            return "must be one of \(KnownProvider.choices.joined(separator: ", "))"
        }
        return knownProvider.refusal.map { "cannot be \(knownProvider.name): \($0)" }
    }

    /// The providers that work, one a line.
    private static var providers: String {
        let usable = KnownProvider.all.filter { $0.refusal == nil }.map { ($0.name, $0.title) }
        return (usable + [(KnownProvider.other, "any other")]).map { "  \($0.padded(to: 20)) \($1)\n" }.joined()
    }

    static func provider(_ answers: Answers) -> KnownProvider? { KnownProvider.named(answers[.provider]) }

    static func broker(_ answers: Answers) -> InitBroker? { answers[.broker].flatMap(InitBroker.init(rawValue:)) }
}
