import Base
import OpenIDConnect
import Testing

@testable import Brokers

/// What DigiD's app sends and gets: parsed strictly, and written as the app's published source does.
@Suite struct AppToAppTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let json: String
        let outcome: AppToAppResponse.Outcome
        var relayState: String?

        var testDescription: String { self.json }
    }

    static let answers = [
        Row(json: #"{"SAMLart":"AAQA","RelayState":null}"#, outcome: .artifact("AAQA")),
        Row(json: #"{"SAMLart":"AAQA","RelayState":"s"}"#, outcome: .artifact("AAQA"), relayState: "s"),
        Row(json: #"{"SAMLart":"AAQA"}"#, outcome: .artifact("AAQA")),
        Row(
            json: #"{"RelayState":"s","SAMLart":"AA+/=","ErrorMessage":null}"#, outcome: .artifact("AA+/="),
            relayState: "s"),
        Row(json: #"{"SAMLart":"AAQA","RelayState":"","ErrorMessage":""}"#, outcome: .artifact("AAQA")),
        Row(json: #"{"SAMLart":"demo","RelayState":null}"#, outcome: .artifact("demo")),
        Row(json: #"{"ErrorMessage":"_by_user"}"#, outcome: .problem(.cancelled)),
        Row(json: #"{"SAMLart":null,"RelayState":null,"ErrorMessage":"timeout"}"#, outcome: .problem(.timeout)),
        Row(json: #"{"ErrorMessage":"not_activated"}"#, outcome: .problem(.notActivated)),
        Row(json: #"{"ErrorMessage":"icon_missing"}"#, outcome: .problem(.iconMissing)),
        Row(json: #"{"ErrorMessage":"cancelled"}"#, outcome: .problem(.other)),
        Row(json: #"{"ErrorMessage":"<script>"}"#, outcome: .problem(.other)),
        Row(
            json: #"{"SAMLart":"AAQA","RelayState":"s","ErrorMessage":"_by_user"}"#, outcome: .problem(.cancelled),
            relayState: "s"),
    ]

    @Test(arguments: answers) func `a response of the app is read in every spelling of base64`(_ row: Row) throws {
        let text = Base64.encode(Array(row.json.utf8))
        let plain = String(text.prefix { $0 != "=" })
        let spelt = [
            text, plain, text.replacing("+", with: " "),
            plain.replacing("+", with: "-").replacing("/", with: "_"),
        ]
        for text in spelt {
            let answer = try #require(AppToAppResponse(text))
            #expect(answer.outcome == row.outcome)
            #expect(answer.relayState == row.relayState)
        }
    }

    static let malformed = [
        "", "{}", "[]", "null", #""AAQA""#, #"{"SAMLart":null,"RelayState":null,"ErrorMessage":null}"#,
        #"{"SAMLart":""}"#, #"{"SAMLart":1}"#, #"{"SAMLart":"AAQA","RelayState":1}"#,
        #"{"SAMLart":"AAQA","RelayState":["s"]}"#, #"{"SAMLart":["AAQA"]}"#, #"{"ErrorMessage":{}}"#,
        #"{"SAMLart":"AAQA","SAMLart":"AAQB"}"#, #"{"SAMLart":"AAQA","RelayState":"a","RelayState":"b"}"#,
        #"{"SAMLart":"A A"}"#, #"{"SAMLart":"A\u0000"}"#, #"{"SAMLart":"Ä"}"#, #"{"SAMLart":"AAQA"} x"#,
        #"{"SAMLart":"AAQA""#, #"{"samlart":"AAQA"}"#, #"{"SAMLart":"AAQA","more":[[[[[[[[]]]]]]]]}"#,
        #"{"SAMLart":"\#(String(repeating: "A", count: 513))"}"#,
        #"{"SAMLart":"AAQA","more":"\#(String(repeating: "x", count: 9000))"}"#,
    ]

    @Test(arguments: malformed) func `a malformed response is refused`(_ json: String) {
        #expect(AppToAppResponse(Base64.encode(Array(json.utf8))) == nil)
    }

    @Test(arguments: ["%", "e30", "====", "e30===", "e30\n", "é", "e3 0", "!!!!"])
    func `what is no base64 is refused`(_ text: String) {
        #expect(AppToAppResponse(text) == nil)
    }

    /// No other parameter of the link is passed on, so no one can claim that a response is bound to a login.
    @Test func `only the response is received`() throws {
        let broker = DigiDStage().broker
        let text = Base64.encode(Array(#"{"SAMLart":"AAQA","RelayState":null}"#.utf8))
        let forged = [
            Parameter("app-app", text), Parameter("bound", ""), Parameter("state", "s"),
            Parameter("code", "c"), Parameter("error", "access_denied"),
        ]
        #expect(broker.normalized(forged).map { "\($0.name)=\($0.value)" } == ["code=AAQA"])
        let unread: [Broker.Parameters] = [[], [forged[0], forged[0]], Array(forged.dropFirst())]
        for parameters in unread {
            #expect(broker.normalized(parameters) == [Parameter("state", Parameter.unreadable)])
        }
    }

    @Test(arguments: [nil, "preprod1.digid.nl"])
    func `our own request has a link that opens the app`(_ host: String?) throws {
        let service = try DigiDStage.service()
        let request = AuthnRequest(
            id: "_id", issuedAt: Timestamp(seconds: 1_772_366_400), service: service, level: .midden)
        let state = String(repeating: "s", count: 64)
        let binding = try RedirectBinding(request, relayState: state)
        let link = AppToAppRequest(
            iconURL: service.iconURL, returnURL: DigiDStage.returnURL, binding: binding, host: host
        ).link(to: "https://app.digid.nl/digid-app")
        #expect(link.hasPrefix("https://app.digid.nl/digid-app?app-app="))
        #expect(!link.contains("%"), "DigiD's app does not decode it")
        #expect(link.utf8.count < 2000)

        let object = try #require(AppToAppText.object(String(link.split(separator: "app-app=")[1])))
        #expect(
            object.names == ["Icon", "ReturnUrl", "SAMLRequest", "SigAlg", "Signature", "RelayState"]
                + (host == nil ? [] : ["Host"]))
        #expect(object["ReturnUrl"]?.string == DigiDStage.returnURL)
        #expect(object["RelayState"]?.string == state)
        #expect(object["Host"]?.string == host)
        func escaped(_ name: String) -> String {
            (object[name]?.string ?? "").replacing("+", with: "%2B").replacing("/", with: "%2F")
                .replacing("=", with: "%3D").replacing(":", with: "%3A").replacing("#", with: "%23")
        }
        let signed = "SAMLRequest=\(escaped("SAMLRequest"))&RelayState=\(state)&SigAlg=\(escaped("SigAlg"))"
        let signature = try #require(object["Signature"]?.string.flatMap { Base64.decode($0) })
        #expect(service.key.publicKey.verify(signature, of: Array(signed.utf8), with: .rs256))
    }

    @Test func `the request has every part that DigiD requires`() throws {
        let service = DigiDService(
            entityID: "urn:a&\"b\"<c>", destination: "https://was.digid.nl/saml/idp/request_authentication",
            consumer: .url("https://shop.example/acs"), iconURL: "https://link.example/i.png", key: DigiDStage.key)
        let at = Timestamp(seconds: 1_772_366_400)
        let xml = AuthnRequest(id: "_x", issuedAt: at, service: service, level: .hoog).xml
        for part in [
            " ID=\"_x\" Version=\"2.0\" IssueInstant=\"2026-03-01T12:00:00Z\"", " ForceAuthn=\"false\"",
            " Destination=\"https://was.digid.nl/saml/idp/request_authentication\"",
            " AssertionConsumerServiceURL=\"https://shop.example/acs\"",
            "<saml:Issuer>urn:a&amp;&quot;b&quot;&lt;c&gt;</saml:Issuer>",
            "<samlp:RequestedAuthnContext Comparison=\"minimum\"><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:"
                + "ac:classes:SmartcardPKI</saml:AuthnContextClassRef></samlp:RequestedAuthnContext></samlp:AuthnRequest>",
        ] { #expect(xml.contains(part), "\(part)") }
        let indexed = AuthnRequest(
            id: "_x", issuedAt: at, service: try DigiDStage.service(), level: .basis
        ).xml
        #expect(indexed.contains(" AssertionConsumerServiceIndex=\"0\""))
        #expect(!indexed.contains("AssertionConsumerServiceURL"))
        #expect(AuthnRequest.makeID() != AuthnRequest.makeID())
    }

    @Test func `a deflated text has the expected bytes`() {
        #expect(SAMLDeflate.compress([]) == [3, 0])
        #expect(SAMLDeflate.compress(Array("aaaaaaaaaa".utf8)) == [0x4B, 0x4C, 0x84, 0x01, 0x00])
    }
}
