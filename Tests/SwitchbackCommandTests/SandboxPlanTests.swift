import ServerConfiguration
import Testing

@testable import SwitchbackCommand

/// The configuration of a sandbox.
@Suite struct SandboxPlanTests {
    /// Links lead to the pages of a server. No link leads to the pages inside a hybrid app, and `check` refuses one.
    @Test(
        arguments: [
            ([], []), (["http://localhost:3000"], ["http://localhost:3000/"]),
            (["https://shop.localhost:8443"], ["https://shop.localhost:8443/"]),
            (["https://a.example", "http://localhost:3000"], ["https://a.example/", "http://localhost:3000/"]),
            (["capacitor://localhost", "https://localhost", "https://shop.localhost"], []),
        ] as [([String], [String])])
    func `each app has a link to each page`(_ origins: [String], _ prefixes: [String]) throws {
        var plan = try #require(SandboxPlan(listen: "127.0.0.1:9000", publicURL: nil, port: nil))
        plan.origins = origins
        let apps = try plan.configuration(secret: "abc123", publicFolder: nil).apps
        #expect(apps.count == 4)
        for app in apps {
            #expect(app.origins == origins)
            #expect(Array(app.returnPrefixes.dropFirst()) == prefixes)
            #expect(app.pagePrefix == prefixes.first)
        }
    }
}
