/// Somebody who waits for a login to change.
///
/// An object rather than a closure, because thousands wait: the table of `Waiters` holds what is there anyway.
package protocol LoginWaiter: AnyObject, Sendable {
    /// Once for each waiting, on whatever thread.
    func wake(_ reason: Waiters.Reason)
}
