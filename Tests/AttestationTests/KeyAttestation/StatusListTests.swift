import Attestation
import AttestedPhones
import Base
import StrictJSON
import Testing

/// Google's status list: what is read, and what is no such list.
@Suite struct StatusListTests {
    private static func list(_ text: String) throws(FileError) -> StatusList {
        try StatusList(parsing: Array(text.utf8), writtenAt: Timestamp(seconds: Moment.now))
    }

    /// The form of the example in Android's documentation.
    private static let example = """
        {"entries": {
          "2c8cdddfd5e03bfc": {
            "status": "REVOKED", "expires": "2020-11-13", "reason": "KEY_COMPROMISE", "comment": "insecure system"
          },
          "c8966fcb2fbb0d7a": {"status": "SUSPENDED", "reason": "SOFTWARE_FLAW", "comment": "a bug"},
          "6681152659205225093": {"status": "REVOKED"},
          "00AB": {"status": "REVOKED"}
        }}
        """

    static let statuses: [(serialNumber: String, status: StatusList.Status?)] = [
        ("2c8cdddfd5e03bfc", .revoked), ("c8966fcb2fbb0d7a", .suspended), ("6681152659205225093", .revoked),
        ("ab", .revoked), ("00AB", nil), ("2c8cdddfd5e03bfd", nil), ("", nil),
    ]

    @Test(arguments: statuses)
    func `the status of a serial number is found`(_ serialNumber: String, _ status: StatusList.Status?) throws {
        #expect(try Self.list(Self.example).status(of: serialNumber) == status)
    }

    private static let malformed = "has an entry that is not a hexadecimal serial number with a status"

    static let refused: [(text: String, message: String)] = [
        ("", "is not JSON (endsEarly)"), ("{", "is not JSON (endsEarly)"), ("<html>", "is not JSON (unexpectedByte)"),
        ("[]", "has no object \"entries\""), ("{}", "has no object \"entries\""),
        (#"{"entries": []}"#, "has no object \"entries\""),
        (#"{"entries": {}}"#, "has no entries, and Google's list has many: download it again"),
        (#"{"entries": {"1": "REVOKED"}}"#, malformed), (#"{"entries": {"1": {}}}"#, malformed),
        (#"{"entries": {"": {"status": "REVOKED"}}}"#, malformed),
        (#"{"entries": {"0x1": {"status": "REVOKED"}}}"#, malformed),
        (#"{"entries": {"1": {"status": "REVOKED"}, "1": {"status": "SUSPENDED"}}}"#, "is not JSON (duplicateMember)"),
    ]

    @Test(arguments: refused) func `what is no status list is refused`(_ text: String, _ message: String) {
        #expect(throws: FileError(message)) { try Self.list(text) }
    }

    static let ages: [(seconds: Int, age: StatusList.Age)] = [
        (0, .fresh), (86_400, .fresh), (86_401, .old), (7 * 86_400, .old), (7 * 86_400 + 1, .tooOld),
        // The clock of a file server is ahead by a little, or the file was dated ahead to stay fresh.
        (-60, .fresh), (-61, .tooOld), (-30 * 86_400, .tooOld),
    ]

    @Test(arguments: ages) func `a list is as old as its file`(_ seconds: Int, _ age: StatusList.Age) throws {
        #expect(try Self.list(Self.example).age(at: Timestamp(seconds: Moment.now + seconds)) == age)
    }

    @Test func `a list of twenty thousand entries is read`() throws {
        let entries = (0..<20_000).map { "\"\(String($0, radix: 16))\": {\"status\": \"REVOKED\"}" }
        let list = try Self.list("{\"entries\": {\(entries.joined(separator: ","))}}")
        #expect(list.count == 20_000)
        #expect(list.status(of: "4e1f") == .revoked)
    }
}
