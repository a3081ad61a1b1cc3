/// How a loop learns that descriptors are ready: one epoll descriptor, or a DispatchSource each.
///
/// Everything but `init` and `wake` is called on the loop only. A watcher is not called after `unwatch`, not even for what was
/// already known then, and the descriptor may be closed and used again at once.
protocol Poller: AnyObject {
    /// Begins to tell the loop, by `onReady` on its queue, that `find` would find something.
    func start(_ onReady: @escaping @Sendable () -> Void)

    func watch(_ descriptor: Int32, for interest: Interest, _ watcher: any Watcher) throws(SystemCallError)
    func change(_ descriptor: Int32, to interest: Interest)
    func unwatch(_ descriptor: Int32, isClosing: Bool)

    /// How many are ready. A poller that can waits for them so many milliseconds at most, or until `wake`.
    func find(within limit: Int32) -> Int

    /// Tells the watchers of what was found.
    func tell(_ count: Int)

    /// Makes the loop run soon. From any thread.
    func wake()

    /// Watches nothing from now on and gives back what it holds.
    func close()
}
