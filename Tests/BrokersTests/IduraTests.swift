import Testing

@testable import Brokers

/// Which e-IDs get Idura's app switch.
@Suite struct IduraTests {
    /// For each `acr`, what iOS and Android get.
    static let rows: [(acr: String, ios: String?, android: String?)] = [
        ("urn:grn:authn:dk:mitid:low", "appswitch:ios LINK", "appswitch:android LINK"),
        ("urn:grn:authn:dk:mitid:business", "appswitch:ios LINK", "appswitch:android LINK"),
        ("urn:grn:authn:se:frejaid", "appswitch:ios LINK", "appswitch:android LINK"),
        ("urn:grn:authn:se:bankid", "LINK", nil), ("urn:grn:authn:se:bankid:same-device", "LINK", nil),
        ("urn:grn:authn:no:bankid", nil, nil), ("urn:grn:authn:fi:all", nil, nil), ("dk:mitid:low", nil, nil),
        ("urn:grn:authn:", nil, nil),
    ]

    /// Sources: A1, B2.
    @Test(arguments: rows)
    func `only the e-IDs with an app get the app switch`(_ row: (acr: String, ios: String?, android: String?)) {
        var provider = Provider(id: "p", brokerID: "b", names: [:])
        provider.acrValues = [row.acr]
        for (platform, expected) in [(AuthorizationContext.Platform.ios, row.ios), (.android, row.android)] {
            var context = AuthorizationContext()
            context.platform = platform
            context.returnURL = "https://link.example/r/"
            let hint = Idura().parameters(for: provider, context).first?.value
            #expect(hint == expected?.replacing("LINK", with: "appswitch:resumeUrl:https://link.example/r/"))
            provider.acrValues.append("urn:grn:authn:se:frejaid")
            #expect(Idura().parameters(for: provider, context).isEmpty, "a chooser is no e-ID")
            provider.acrValues.removeLast()
        }
    }
}
