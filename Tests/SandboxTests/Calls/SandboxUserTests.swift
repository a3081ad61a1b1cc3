import Base
import Testing

@testable import Sandbox

/// Tests the user of the sandbox's API, who presses the buttons of pages.
@Suite struct SandboxUserTests {
    private static let form = """
        <form method="post" action="/decision"><input type="hidden" name="login" value="l">
        <button name="decision" value="approve">Approve</button></form>
        """
    private static let donePage = #"<a href="http://links/r/?proof=c">Open the app</a><p class="code">123 456</p>"#

    /// The e-ID's page with a link, and what the user then has in hand. Nil if the page has no such link.
    @Test(
        arguments: [
            ("http://links/r/?login=a&amp;switch=b", true, "http://links/r/?login=a&switch=b"),
            ("http://links/r/?login=a&amp;switch=b", false, nil),
            ("http://elsewhere/r/", false, nil),
        ] as [(String, Bool, String?)]) func `the e-ID's app opens a link if the test wants it`(
            _ link: String, _ switches: Bool, _ expected: String?
        ) async throws
    {
        let end = try await Self.walk(link, switches)
        #expect(end.switchLink == expected)
        #expect((end.link, end.code) == ("http://links/r/?proof=c", "123456"))
    }

    @Test func `an e-ID's app without a link is a failure`() async throws {
        await #expect(throws: OperatorError.self) { try await Self.walk("http://elsewhere/r/", true) }
    }

    private static func walk(_ link: String, _ switches: Bool) async throws -> SandboxUser.End {
        let eIDPage = "\(Self.form)<p><a href=\"\(link)\">Return from the e-ID's app</a></p>"
        let user = SandboxUser(links: ["http://links"]) { request in
            SandboxUser.Answer(
                status: 200, fields: [], body: Array((request.isPost ? Self.donePage : eIDPage).utf8))
        }
        return try await user.walk(
            "http://broker/authorize",
            SandboxUser.Choice(person: nil, fault: nil, decision: "approve", switchesApps: switches))
    }
}
