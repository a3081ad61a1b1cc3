/// Whoever is told, on the loop, that a descriptor is ready. It is told again for as long as the descriptor is.
package protocol Watcher: AnyObject, Sendable {
    func ready(_ readiness: Readiness)
}
