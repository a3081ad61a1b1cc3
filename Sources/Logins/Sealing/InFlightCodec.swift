import Base
import Brokers

/// The byte format of the target of an authorization start.
enum InFlightCodec {
    static func write(_ target: AuthorizationStart.Target?, to writer: inout ByteWriter) {
        switch target {
        case nil:
            writer.write(UInt8(0))
        case .browser(let url)?:
            writer.write(UInt8(1))
            writer.write(url)
        case .app(let app)?:
            writer.write(UInt8(2))
            writer.write(app.universalLink)
            writer.write(app.customScheme)
            writer.write(app.androidPackage)
            writer.write(app.expiresAt?.milliseconds ?? -1)
        }
    }

    static func target(_ reader: inout ByteReader) throws(ByteReaderError) -> AuthorizationStart.Target? {
        switch try reader.readByte() {
        case 0: nil
        case 1: .browser(url: try reader.readString())
        case 2: .app(try Self.app(&reader))
        default: throw ByteReaderError()
        }
    }

    private static func app(_ reader: inout ByteReader) throws(ByteReaderError) -> AppTarget {
        var app = AppTarget(
            universalLink: try reader.readString(), customScheme: try reader.readOptionalString(),
            androidPackage: try reader.readOptionalString())
        let expiresAt: Int64 = try reader.readInteger()
        app.expiresAt = expiresAt < 0 ? nil : Timestamp(milliseconds: expiresAt)
        return app
    }
}
