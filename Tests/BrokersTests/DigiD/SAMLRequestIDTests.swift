import Base
import Testing

@testable import Brokers

/// The id of a SAML request that the resolver made: what we accept, and what has no id for us.
@Suite struct SAMLRequestIDTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let xml: String
        let id: String?

        init(_ xml: String, _ id: String?) { (self.xml, self.id) = (xml, id) }

        var testDescription: String { String(self.xml.prefix(60)) }
    }

    static let rows = [
        Row(#"<samlp:AuthnRequest ID="_r" Version="2.0">"#, "_r"), Row(#"<AuthnRequest ID="_r"/>"#, "_r"),
        Row(#"<samlp:AuthnRequest Version='2.0' ID='_r'></samlp:AuthnRequest>"#, "_r"),
        Row("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- ID=\"_x\" -->\n<p:AuthnRequest\r\n\tID = \"_r\" >", "_r"),
        Row("\u{FEFF}<p:AuthnRequest ID=\"a.b-c_D9\">", "a.b-c_D9"),
        // An attribute of another name, and text that looks like one.
        Row(#"<p:AuthnRequest xID="_x" Id="_x" x:ID="_x">"#, nil), Row(#"<p:AuthnRequest a=' ID="_x" '>"#, nil),
        Row(#"<p:AuthnRequest a=' ID="_x" ' ID="_r">"#, "_r"),
        // Only the first tag counts.
        Row(#"<p:AuthnRequest><p:AuthnRequest ID="_x">"#, nil), Row(#"<p:Response ID="_x">"#, nil),
        Row(#"<p:AuthnRequestX ID="_x">"#, nil), Row(#"<x><p:AuthnRequest ID="_x">"#, nil),
        // XML 1.0 §3.1: an attribute stands once, with white space before it.
        Row(#"<p:AuthnRequest ID="_r" ID="_x">"#, nil), Row(#"<p:AuthnRequest ID="_r"ID2="_x">"#, nil),
        Row(#"<p:AuthnRequest ID="_r">"#.replacing(">", with: ""), nil), Row(#"<p:AuthnRequest ID=_r>"#, nil),
        Row(#"<p:AuthnRequest ID="_r'>"#, nil), Row(#"<p:AuthnRequest ID="_r" / >"#, nil),
        Row(#"<p:AuthnRequest a="<" ID="_r">"#, nil), Row(#"<!DOCTYPE x><p:AuthnRequest ID="_r">"#, nil),
        Row(#"<!-- <p:AuthnRequest ID="_r">"#, nil), Row("", nil), Row("<", nil), Row("\u{FEFF}", nil),
        // Not an xs:ID in ASCII.
        Row(#"<p:AuthnRequest ID="">"#, nil), Row(#"<p:AuthnRequest ID="9r">"#, nil),
        Row(#"<p:AuthnRequest ID="_r&#x41;">"#, nil), Row(#"<p:AuthnRequest ID="_r x">"#, nil),
        Row(#"<p:AuthnRequest ID="_é">"#, nil), Row(#"<p:AuthnRequest ID="a:b">"#, nil),
        Row("<p:AuthnRequest ID=\"_\(String(repeating: "a", count: 255))\">", "_" + String(repeating: "a", count: 255)),
        Row("<p:AuthnRequest ID=\"_\(String(repeating: "a", count: 256))\">", nil),
    ]

    @Test(arguments: rows) func `only an ID beyond doubt is accepted`(_ row: Row) throws {
        #expect(SAMLRequestID.read(xml: Array(row.xml.utf8)) == row.id)
        let deflated = try #require(SAMLDeflate.compress(Array(row.xml.utf8)))
        #expect(SAMLRequestID.read(Base64.encode(deflated)) == row.id)
    }

    @Test func `what is not deflated or too large has no ID`() throws {
        let xml = Array(#"<p:AuthnRequest ID="_r">"#.utf8)
        let deflated = try #require(SAMLDeflate.compress(xml))
        #expect(SAMLRequestID.read(Base64.encode(xml)) == nil)
        #expect(SAMLRequestID.read(Base64.encode(deflated) + "%") == nil)
        #expect(SAMLRequestID.read(Base64.encode(deflated + [0])) == nil)
        #expect(SAMLRequestID.read(Base64.encode(deflated.dropLast())) == nil)
        let bomb = try #require(SAMLDeflate.compress(xml + [UInt8](repeating: 0x20, count: 64 * 1024)))
        #expect(bomb.count < 1000)
        #expect(SAMLRequestID.read(Base64.encode(bomb)) == nil)
    }

    @Test func `our own request has the ID that we gave it`() throws {
        let service = try DigiDStage.service()
        let request = AuthnRequest(
            id: AuthnRequest.makeID(), issuedAt: DigiDStage.now, service: service, level: .midden)
        #expect(SAMLRequestID.read(xml: Array(request.xml.utf8)) == request.id)
    }
}
