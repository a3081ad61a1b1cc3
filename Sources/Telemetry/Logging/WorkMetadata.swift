// What the lines of a piece of work have in common.

import Logging
import Logins
import Traces

extension Logger.MetadataProvider {
    /// What every line of a piece of work has: the request, the login, the trace, and the broker's name for our last
    /// request.
    static let work = Logger.MetadataProvider {
        guard let work = WorkContext.current else { return [:] }
        var metadata: Logger.Metadata = [:]
        if let request = work.requestID { metadata["request_id"] = "\(request)" }
        if let login = work.login?.login {
            metadata["login"] = "\(login)"
            metadata["reference"] = "\(login.reference)"
        }
        if let trace = work.trace { metadata["trace_id"] = "\(trace)" }
        if let request = work.brokerRequest { metadata["broker_request_id"] = "\(request)" }
        return metadata
    }
}
