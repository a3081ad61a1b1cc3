/// One of several values, of which a later version of the server or of this library may have more.
///
/// It is a structure and no enumeration, so that a `switch` over it needs a `default`, and an app still compiles and
/// works when there is a new value. Compare it with the static members, and print `code`.
public protocol Coded: Hashable, Sendable, CustomStringConvertible {
    /// The value's name, as in `user_cancelled`. It never changes, and fits into logs.
    var code: String { get }
}

extension Coded {
    /// The code.
    public var description: String { self.code }
}
