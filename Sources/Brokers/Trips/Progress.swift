/// How a trip stands at its broker.
import Base

package enum Progress: Sendable {
    /// The person is not done.
    case pending(Hint?)
    /// We ask too often: five seconds more from now on (CIBA 11).
    case slowDown
    /// An answer as a browser would have brought it.
    case response([Parameter])
    /// A token answer.
    case answer(Secret)
}
