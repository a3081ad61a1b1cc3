/// How an array grows that has a part for each of many logins. An array that grows by itself doubles, so half of it may
/// be empty.
package enum ArrayGrowth {
    /// Returns the capacity to reserve when an array of `count` elements is full: an eighth more.
    package static func capacity(above count: Int) -> Int { count + max(4, count / 8) }
}
