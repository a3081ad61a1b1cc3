/// What a parser said of an input, once all properties held.
package enum Verdict: String, CaseIterable, Sendable {
    case accepted
    case refused
}
