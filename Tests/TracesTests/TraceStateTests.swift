import Testing

@testable import Traces

/// `tracestate` is passed on whole or, if it is too long, without its longest and last members (W3C Trace Context §3.3).
@Suite struct TraceStateTests {
    @Test(arguments: [
        (["rojo=00f067aa0ba902b7"], "rojo=00f067aa0ba902b7"),
        (["rojo=1,congo=t61rcWkgMzE"], "rojo=1,congo=t61rcWkgMzE"),
        (["rojo=1", "congo=2"], "rojo=1,congo=2"),
        (["  rojo=1 ,\tcongo=2\t"], "rojo=1,congo=2"),
        (["rojo=1,,congo=2"], "rojo=1,congo=2"),
        (["fw529a3039@dt=FfffffC"], "fw529a3039@dt=FfffffC"),
        (["a_-*/=!  ~"], "a_-*/=!  ~"),
        ([""], ""),
    ]) func `a valid list is passed on as it came`(_ lines: [String], _ expected: String) {
        #expect(TraceState(lines)?.description == expected)
    }

    @Test(arguments: [
        ["rojo"], ["=1"], ["rojo="], ["Rojo=1"], ["1rojo=1"], ["rojo=a=b"], ["rojo=a\u{1}"], ["rojo=ü"],
        ["rojo=1,rojo=2"], ["rojo=1", "rojo=2"], ["a@b@c=1"], ["@b=1"], ["a@=1"], ["a@1b=1"],
        [String(repeating: "a", count: 257) + "=1"], ["a=" + String(repeating: "b", count: 257)],
        [(0...32).map { "k\($0)=1" }.joined(separator: ",")],
    ]) func `a list with one malformed member counts for nothing`(_ lines: [String]) {
        #expect(TraceState(lines) == nil)
    }

    @Test func `thirty-two members are read`() {
        let text = (0..<32).map { "k\($0)=1" }.joined(separator: ",")
        #expect(TraceState([text])?.description == text)
    }

    @Test func `long members are left out first and then the last ones`() throws {
        let long = "long=" + String(repeating: "x", count: 200)
        let short = (0..<31).map { "k\($0)=0123456789" }
        let state = try #require(TraceState([([long] + short).joined(separator: ",")]))
        #expect(state.description.utf8.count <= TraceState.longest)
        #expect(!state.description.contains("long="))
        #expect(state.description.hasPrefix("k0=0123456789,k1="))
        let fits = "long=" + String(repeating: "x", count: 200)
        #expect(TraceState(["a=1,\(fits)"])?.description == "a=1,\(fits)")
    }
}
