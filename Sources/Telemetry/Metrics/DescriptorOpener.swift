/// The part of the server that needed a file descriptor. The raw value is its name in logs and metrics.
package enum DescriptorOpener: String, CaseIterable, Sendable {
    case listener, broker
}
