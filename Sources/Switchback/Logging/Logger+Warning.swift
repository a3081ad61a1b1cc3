/// What the log says of a configuration that is taken, though somebody should look at it.
import Logging

extension Logger {
    package func log(_ warning: Configuration.Problem) {
        self.warning("configuration_warning", metadata: ["reason": "\(warning)"])
    }
}
