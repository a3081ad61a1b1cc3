/// The version of this server.
package enum ServerVersion {
    package static let text = "0.1.0"
}
