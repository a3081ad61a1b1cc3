import Base
import EndToEndSupport
import Foundation

/// The id of an app's login, as the store has it.
enum LoginName {
    static func bytes(_ app: PhoneApp) -> Data? { app.id.flatMap { Base64URL.decode($0) }.map { Data($0) } }
}
