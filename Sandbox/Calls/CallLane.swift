/// A party of a login, which is one lane of the timeline.
package enum CallLane: String, Sendable {
    case app
    case switchback
    case browser
    /// With the e-ID's own app and pages.
    case broker
}
