/// Which requests and logins are traced, and where their spans go.
package final class TracingSettings: SettingGroup {
    package enum Parents: String, CaseIterable, Sendable {
        case `continue`
        case link
    }

    package let endpoint = Setting<String?>(
        "tracing.endpoint", optional: .text, atStart: true,
        "The URL of a collector that takes spans by OTLP over HTTP, as in http://127.0.0.1:4318/v1/traces. Without it nothing is traced."
    )
    package let ratio = Setting<Double>(
        "tracing.ratio", .ratio, default: 1, atStart: true,
        "The share of logins, and of requests that belong to no login, that are traced. A request whose traceparent says so is traced or not whatever the share is, unless tracing.parents is link."
    )
    package let parents = Setting<Parents>(
        "tracing.parents", .choice, default: .continue, atStart: true,
        "What a request's traceparent (W3C Trace Context) does: continue puts the request's spans into the caller's trace, with a link to the login's; link leaves them in the login's trace, with a link to the caller's span. Use link if callers whom you do not trust should not decide what is traced."
    )
    package let headers = Setting<String?>(
        "tracing.headers", optional: .text, secret: true, atStart: true,
        "Header fields for the collector, such as a token: name=value, separated by commas, with values in percent-encoding, as in OTEL_EXPORTER_OTLP_HEADERS. Set it with a variable or its file rather than here."
    )
    package let caFile = Setting<String?>(
        "tracing.ca_file", optional: .file, atStart: true,
        "A file with the only certificate authorities to trust for the collector, in PEM. Without it the server trusts those of the system."
    )
    package let serviceName = Setting<String>(
        "tracing.service_name", .text, default: "switchback", atStart: true,
        "The name of this service in traces (service.name).")

    package static let declared = TracingSettings()
}
