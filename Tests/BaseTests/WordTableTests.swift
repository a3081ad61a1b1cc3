import Base
import Testing

@Suite struct WordTableTests {
    private static let table = WordTable(
        """
        …_status_…\tany status
        …_status_404\tgone\tnothing
        init_status_…\tof the resolver
        app_…\tof the app
        app_closed\tclosed
        empty\t\t
        """)

    @Test(
        arguments: [
            ("app_closed", ["closed"]), ("app_timeout", ["of the app"]), ("app_", ["of the app"]), ("app", nil),
            ("", nil),
            ("par_status_500", ["any status"]), ("par_status_404", ["gone", "nothing"]),
            ("par_status_", ["any status"]),
            ("_status_500", ["any status"]), ("init_status_4001", ["of the resolver"]),
            ("init_status_404", ["gone", "nothing"]),
            ("init_stat", nil), ("empty", ["", ""]), ("…_status_404", ["gone", "nothing"]),
        ] as [(String, [String]?)]) func `the word that fits best is found`(_ word: String, _ cells: [String]?)
    {
        #expect(Self.table.cells(of: word) == cells)
    }
}
