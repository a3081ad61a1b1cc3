/// A parser's result for an input after all properties were checked.
package enum Verdict: String, CaseIterable, Sendable {
    case accepted
    case refused
}
