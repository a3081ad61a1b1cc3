import Testing

@testable import SwitchbackCommand

/// The first screen of a sandbox, and its error when a port is taken.
@Suite struct SandboxTourTests {
    @Test func `the tour fits on a screen`() throws {
        let plan = try #require(SandboxPlan(listen: "127.0.0.1:9000", publicURL: nil, port: nil))
        let lines = SandboxTour(plan).text.split(separator: "\n", omittingEmptySubsequences: false)
        // What stands after the last line end is no line.
        #expect(lines.count - 1 <= 12)
        #expect(lines.filter { $0.hasPrefix("   http") } == ["   http://localhost:9003/"])
        #expect(lines.filter { $0.hasPrefix("   curl") }.count == 1)
    }

    @Test(arguments: [("8080", "8090"), ("65528", "9000")])
    func `other ports are proposed`(_ port: String, _ other: String)
        throws
    {
        let plan = try #require(SandboxPlan(listen: nil, publicURL: nil, port: port))
        #expect(plan.portAdvice.contains("Try `PORT=\(other) make run`"))
        #expect(plan.portAdvice.contains("--listen 127.0.0.1:\(other)`"))
    }
}
