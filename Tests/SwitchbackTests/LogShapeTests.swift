import ServerConfiguration
import Telemetry
import Testing

@testable import Switchback

/// The shape of log lines depends on whether a terminal shows them.
@Suite struct LogShapeTests {
    static let shapes: [(LogSettings.Format, terminal: Bool, LineLogHandler.Shape)] = [
        (.auto, true, .text), (.auto, false, .json), (.text, false, .text), (.text, true, .text), (.json, true, .json),
        (.json, false, .json),
    ]

    @Test(arguments: Self.shapes) func `the shape of lines is chosen`(
        _ format: LogSettings.Format, _ terminal: Bool, _ shape: LineLogHandler.Shape
    ) {
        #expect(LogOutput.shape(format, isTerminal: terminal) == shape)
    }
}
