/// How a loop learns that descriptors are ready: from one epoll descriptor, or a DispatchSource each.
///
/// Only `init` and `wake` may be called outside the loop. No watcher is called after `unwatch`, not even for events
/// that were already found, and the descriptor may be closed and reused at once.
protocol Poller: AnyObject {
    /// Starts to call `onReady` on the loop's queue whenever `find` would find something.
    func start(_ onReady: @escaping @Sendable () -> Void)

    func watch(_ descriptor: Int32, for interest: Interest, _ watcher: any Watcher) throws(SystemCallError)
    func change(_ descriptor: Int32, to interest: Interest)
    func unwatch(_ descriptor: Int32, isClosing: Bool)

    /// Returns how many are ready. A poller that can wait does so for at most `limit` milliseconds, or until `wake`.
    func find(within limit: Int32) -> Int

    /// Tells the watchers what was found.
    func tell(_ count: Int)

    /// Makes the loop run soon. Safe to call on any thread.
    func wake()

    /// Stops watching and releases all resources.
    func close()
}
