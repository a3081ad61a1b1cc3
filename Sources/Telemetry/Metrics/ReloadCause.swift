/// What made a running server read its configuration again.
package enum ReloadCause: String, CaseIterable, Sendable {
    /// SIGHUP.
    case signal
    /// A file has changed.
    case file
    /// A key has become active, which changes the order of its list.
    case key
}
