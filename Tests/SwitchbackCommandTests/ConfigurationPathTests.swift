import Testing

@testable import SwitchbackCommand

/// Which configuration file a command reads.
@Suite struct ConfigurationPathTests {
    typealias Row = (option: String?, variable: String?, path: String?)

    static let rows: [Row] = [
        (nil, nil, nil), ("a.yaml", nil, "a.yaml"), (nil, "b.yaml", "b.yaml"), ("a.yaml", "b.yaml", "a.yaml"),
        // An image sets the variable, and a container of it may need no file.
        (nil, "", nil), ("a.yaml", "", "a.yaml"),
    ]

    @Test(arguments: Self.rows) func `the option comes first and an empty variable names no file`(row: Row) {
        let environment = row.variable.map { ["SWITCHBACK_CONFIG": $0] } ?? [:]
        #expect(ConfigurationOptions.path(row.option, environment) == row.path)
    }
}
