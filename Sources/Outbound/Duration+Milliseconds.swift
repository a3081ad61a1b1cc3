/// Time as libcurl takes it.
extension Duration {
    /// At least 1, because 0 means "no limit" to libcurl; at most a day.
    var wholeMilliseconds: Int {
        let milliseconds = self / .milliseconds(1)
        return Int(min(max(milliseconds.rounded(.up), 1), 86_400_000))
    }
}
