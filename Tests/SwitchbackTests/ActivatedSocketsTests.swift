import Base
import Testing

@testable import Switchback

/// Which systemd socket serves which purpose (sd_listen_fds(3)).
@Suite struct ActivatedSocketsTests {
    typealias Place = ActivatedSockets.Place

    private static func places(_ count: String?, _ names: String?, pid: String? = "42") -> Result<
        [Place: Int32], OperatorError
    > {
        var variables: [String: String] = [:]
        variables["LISTEN_PID"] = pid
        variables["LISTEN_FDS"] = count
        variables["LISTEN_FDNAMES"] = names
        return Result { () throws(OperatorError) in
            try ActivatedSockets.places(variables, process: 42)
        }
    }

    @Test(
        arguments: [
            ("1", "app", [Place.app: 3]), ("1", "operations", [.operations: 3]),
            ("2", "app:operations", [.app: 3, .operations: 4]),
            ("2", "operations:app", [.operations: 3, .app: 4]),
            // One .socket unit names all of its sockets after itself.
            ("2", "switchback.socket:switchback.socket", [.app: 3, .operations: 4]),
            ("1", "switchback.socket", [.app: 3]),
            ("2", nil, [.app: 3, .operations: 4]), ("1", nil, [.app: 3]), ("1", "", [.app: 3]), ("0", nil, [:]),
            ("0", "", [:]),
            (nil, "app", [:]),
        ] as [(String?, String?, [Place: Int32])]) func `the sockets have their places`(
            _ count: String?, _ names: String?, _ places: [Place: Int32]
        ) throws
    {
        #expect(try Self.places(count, names).get() == places)
    }

    /// Variables for our parent process are not meant for us.
    @Test(arguments: ["41", nil, "", "042"]) func `sockets for another process are not used`(_ pid: String?) throws {
        #expect(try Self.places("2", "app:operations", pid: pid).get() == [:])
    }

    @Test(
        arguments: [
            ("two", nil, "LISTEN_FDS must be a number, not \"two\""),
            ("-1", nil, "LISTEN_FDS must be a number, not \"-1\""),
            ("3", nil, "LISTEN_FDS: 3 sockets for only two names, app and operations"),
            ("3", "app:operations:app", "LISTEN_FDS: 3 sockets for only two names, app and operations"),
            ("2", "app", "LISTEN_FDNAMES has 1 names for 2 sockets"),
            ("1", "app:operations", "LISTEN_FDNAMES has 2 names for 1 sockets"),
            ("2", "app:app", "LISTEN_FDNAMES must name app and operations, each once, not app:app"),
            ("2", "app:web", "LISTEN_FDNAMES must name app and operations, each once, not app:web"),
        ] as [(String, String?, String)]) func `wrong sockets are refused`(
            _ count: String, _ names: String?, _ text: String
        )
    {
        #expect(throws: OperatorError(text)) { try Self.places(count, names).get() }
    }
}
