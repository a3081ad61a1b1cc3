// The rules for the settings of tracing.

import OpenIDConnect

extension ConfigurationValidator {
    mutating func checkTracing() {
        let tracing = self.settings.server.tracing
        guard self.settings.isGiven(tracing.path(\.endpoint)) else {
            for path in [tracing.path(\.headers), tracing.path(\.caFile)] where self.settings.isGiven(path) {
                self.report(path, "has no effect without tracing.endpoint")
            }
            for broker in self.settings.scopes("brokers") where broker.boolean("send_traceparent") == true {
                self.report(broker, "send_traceparent", "needs tracing.endpoint")
            }
            return
        }
        if let text = tracing.endpoint {
            guard let url = EndpointURL(text) else {
                return self.report(
                    tracing.path(\.endpoint),
                    "must be the whole URL of a collector, as in http://127.0.0.1:4318/v1/traces or https://otel.example.com/v1/traces"
                )
            }
            if url.path.isEmpty || url.path == "/" {
                self.report(
                    tracing.path(\.endpoint), "has no path. Write the whole URL, which usually ends in /v1/traces")
            }
            if url.scheme == .http, !url.isLoopback, self.settings.isGiven(tracing.path(\.headers)) {
                self.warn(
                    tracing.path(\.headers),
                    "goes to another machine by plain http, where everybody on the way can read it. Use https in tracing.endpoint"
                )
            }
        }
        // The value is not quoted, because it is a secret.
        if let text = tracing.headers, TraceCollector.fields(text) == nil {
            self.report(
                tracing.path(\.headers),
                "must be name=value, and several separated by commas. In a value, write a comma as %2C and a percent sign as %25"
            )
        }
    }
}
