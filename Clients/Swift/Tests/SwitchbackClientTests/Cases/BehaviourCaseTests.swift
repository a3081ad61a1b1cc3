import Foundation
import Testing

@testable import SwitchbackClient

/// The reader of the cases: what it does not know is a failure, or a case could hold nothing.
@Suite struct BehaviourCaseTests {
    static let wrong = [
        #"{"event": "started"}"#, #"{"effects": []}"#, #"{"event": "start", "link": "x"}"#,
        #"{"event": "start", "efects": []}"#, #"{"event": "start", "effects": [{"call": "creat"}]}"#,
        #"{"event": "start", "effects": [{"call": "create", "bdy": 1}]}"#,
        #"{"event": "start", "effects": [{"shows": "starting"}]}"#, #"{"event": "response", "response": {}}"#,
        #"{"event": "timer"}"#, #"{"event": "no_response"}"#, #"{"event": "no_response", "to": 1}"#, "1",
    ]

    @Test("a step with a name that nobody knows fails", arguments: wrong, ["login", "session"])
    func anUnknownName(_ step: String, _ reducer: String) throws {
        let row = try Self.row(step, reducer)
        // For a session `start` has other effects than these, which is noticed too.
        let isNoticed: Bool
        do { isNoticed = try !Self.differences(row).isEmpty } catch is BehaviourCase.FormatError { isNoticed = true }
        #expect(isNoticed)
    }

    static let right: [(step: String, reducer: String)] = [
        (
            #"{"event": "start", "effects": [{"must_store": {}}, {"show": "starting"}, {"call": "create"}]}"#,
            "login"
        ),
        (#"{"event": "start", "effects": [{"show": "signed_out", "because": "never"}]}"#, "session"),
    ]

    @Test("a case that says something else fails", arguments: right)
    func somethingElse(_ row: (step: String, reducer: String)) throws {
        #expect(try Self.differences(Self.row(row.step, row.reducer)) == [])
        let changedSteps = [
            row.step.replacingOccurrences(of: #""show""#, with: #""because": "gone", "show""#),
            row.step.replacingOccurrences(of: "[{", with: #"[{"show": "paused"}, {"#), #"{"event": "start"}"#,
        ]
        for step in changedSteps {
            #expect(try !Self.differences(Self.row(step, row.reducer)).isEmpty, "\(step)")
        }
    }

    @Test("only the cases of keys that a maker attests are left out") func casesThatAreLeftOut() {
        #expect(BehaviourCase.leftOut.mapValues(\.count) == ["maker_keys": 6])
        #expect(BehaviourCase.leftOut["maker_keys"]?.allSatisfy { $0.file == "session-maker-keys.json" } == true)
        #expect(throws: BehaviourCase.FormatError.self) {
            try BehaviourCase.read(#"{"reducer": "login", "needs": "x", "cases": []}"#)
        }
    }

    @Test("every file has cases, and each case its own name") func everyFileHasCases() {
        #expect(BehaviourCase.emptyFiles == [])
        let names = (BehaviourCase.all(for: "login") + BehaviourCase.all(for: "session")).map(\.testDescription)
        #expect(names.count == Set(names).count && names.count > 400)
    }

    private static func row(_ step: String, _ reducer: String) throws -> BehaviourCase {
        let text = #"{"reducer": "\#(reducer)", "cases": [{"name": "n", "rule": "r", "steps": [\#(step)]}]}"#
        return try #require(try BehaviourCase.read(text).first)
    }

    private static func differences(_ row: BehaviourCase) throws -> [String] {
        row.reducer == "login" ? try LoginCasePlayer.differences(row) : try SessionCasePlayer.differences(row)
    }
}
