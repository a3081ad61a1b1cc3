/// One metric: its name, what it counts and in which unit, and its labels.
///
/// A metric of this server is a property of `MetricTable` and is written `Metric.loginsCreated`.
@dynamicMemberLookup
package struct Metric: Sendable {
    package enum Kind: String, Sendable {
        case counter
        case gauge
        case histogram
    }

    package let name: String
    package let kind: Kind
    /// One sentence, with the unit.
    package let help: String
    package let labels: [String]
    /// Upper bounds in seconds, in ascending order. Only for histograms.
    package let buckets: [Double]

    init(_ name: String, _ kind: Kind, _ help: String, labels: [String] = [], buckets: [Double] = []) {
        self.name = name
        self.kind = kind
        self.help = help
        self.labels = labels
        self.buckets = buckets
    }

    private static let table = MetricTable()
    /// A `Mirror` finds the properties, so that the table is the only list.
    package static let all = Mirror(reflecting: Self.table).children.compactMap { $0.value as? Metric }

    package static subscript(dynamicMember property: KeyPath<MetricTable, Metric>) -> Metric {
        self.table[keyPath: property]
    }

    /// The buckets for the time of one request to a broker or another server.
    static let requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
    /// The buckets for what this server does itself, which takes less than a millisecond if all is well.
    static let ownBuckets = [0.0005, 0.001, 0.0025] + Self.requestBuckets
    /// The buckets for what a user does.
    static let personBuckets = [1, 2, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600.0]
}

/// Every metric of this server, in the order of the exposition.
package struct MetricTable: Sendable {
    package let loginsCreated = Metric(
        "switchback_logins_created_total", .counter, "Logins that apps started.", labels: ["app", "provider"])
    package let clientLogins = Metric(
        "switchback_client_logins_total", .counter,
        "Logins that apps started, by the client library, its version and the app's version.",
        labels: ["app", "library", "version", "app_version"])
    package let loginsReplaced = Metric(
        "switchback_logins_replaced_total", .counter,
        "Logins that an app left for another one, by the provider that was left.", labels: ["app", "provider"])
    package let loginsFinished = Metric(
        "switchback_logins_finished_total", .counter, "Logins that became final, by status and reason.",
        labels: ["provider", "status", "reason"])
    package let loginStages = Metric(
        "switchback_login_stages_total", .counter,
        "Logins by the stages that they have reached, each login once, and by the reason for which they ended.",
        labels: ["stage", "app", "provider", "platform", "reason"])
    package let loginSteps = Metric(
        "switchback_login_steps_total", .counter,
        "Steps of logins between their start and their end, by the event's name.", labels: ["step", "provider"])
    package let loginDuration = Metric(
        "switchback_login_duration_seconds", .histogram, "Seconds from the start of a login until it became final.",
        labels: ["provider", "status"], buckets: Metric.personBuckets)
    package let callbacksIgnored = Metric(
        "switchback_callbacks_ignored_total", .counter,
        "Callbacks that changed no login: forged, for another login, or too late.", labels: ["cause"])
    package let pendingLogins = Metric(
        "switchback_pending_logins", .gauge,
        "Logins that are not final yet. Of servers that share a database, one reports them all, and the others 0.")
    package let longPolls = Metric(
        "switchback_held_polls", .gauge, "Long polls that are waiting now.")

    package let sessionsBegun = Metric(
        "switchback_sessions_begun_total", .counter, "Sessions that began, by what the app may do with them.",
        labels: ["app", "provider", "level"])
    package let sessionSteps = Metric(
        "switchback_session_steps_total", .counter,
        "Steps of sessions until they end, by the event's name.", labels: ["step", "app"])
    package let sessionsEnded = Metric(
        "switchback_sessions_ended_total", .counter, "Sessions that ended, by cause.", labels: ["app", "cause"])
    package let attestations = Metric(
        "switchback_attestations_total", .counter,
        "Attestations that phones sent or owed when a session began, by format and verdict.",
        labels: ["app", "format", "verdict"])
    package let statusListWrittenAt = Metric(
        "switchback_attestation_status_list_timestamp_seconds", .gauge,
        "When the file of attestation.status_list was written, in seconds since 1970.")

    package let httpRequests = Metric(
        "switchback_http_requests_total", .counter, "Requests that got a response, by route and status.",
        labels: ["route", "status"])
    package let httpDuration = Metric(
        "switchback_http_request_duration_seconds", .histogram,
        "Seconds from a request to its response, by route. Those of poll and done_state include the wait for a change.",
        labels: ["route"], buckets: Metric.ownBuckets)
    package let httpConnections = Metric(
        "switchback_http_connections", .gauge, "Connections that are open.")
    package let httpRefused = Metric(
        "switchback_http_refused_total", .counter,
        "Connections and requests that were refused before a route was found.",
        labels: ["cause"])

    package let limit = Metric(
        "switchback_limit", .gauge,
        "The limits of the configuration, by the names that switchback_limits_reached_total has; those of a rate for a minute.",
        labels: ["limit"])
    package let limitsReached = Metric(
        "switchback_limits_reached_total", .counter,
        "Times that a limit turned a caller away or made a connection or a login give way, by limit.",
        labels: ["limit"])
    package let descriptorsExhausted = Metric(
        "switchback_descriptors_exhausted_total", .counter,
        "Failures to open something because no file descriptor was left, by opener.", labels: ["opener"])

    package let storeDuration = Metric(
        "switchback_store_duration_seconds", .histogram, "Seconds that operations of the store took, by operation.",
        labels: ["operation"], buckets: Metric.ownBuckets)
    package let storeFailures = Metric(
        "switchback_store_failures_total", .counter, "Operations that the store could not do, by operation.",
        labels: ["operation"])
    package let poolSize = Metric(
        "switchback_pool_size", .gauge,
        "The most connections of a pool: store is the database's, openings and exchanges are a broker's.",
        labels: ["pool", "broker"])
    package let poolInUse = Metric(
        "switchback_pool_in_use", .gauge, "Connections of a pool that something uses now.", labels: ["pool", "broker"])
    package let poolWaiting = Metric(
        "switchback_pool_waiting", .gauge, "Statements or requests that wait for a connection of a pool.",
        labels: ["pool", "broker"])

    package let logLinesDropped = Metric(
        "switchback_log_lines_dropped_total", .counter,
        "Log lines that were dropped because their reader did not read them in time, or could not be written.")

    package let auditRecords = Metric(
        "switchback_audit_records_total", .counter,
        "Records of the audit that are written (written), that are lost (dropped), and steps that were refused because theirs could not be written (refused).",
        labels: ["outcome"])

    package let auditQueue = Metric(
        "switchback_audit_queue", .gauge, "Records of the audit that wait to be written.")

    package let traceSpans = Metric(
        "switchback_trace_spans_total", .counter,
        "Spans that a collector has taken (exported), that found no room in the queue (dropped), or that the collector does not want (refused).",
        labels: ["outcome"])

    package let brokerRequests = Metric(
        "switchback_broker_requests_total", .counter, "Requests to brokers, by purpose and outcome.",
        labels: ["broker", "purpose", "outcome"])
    package let brokerErrors = Metric(
        "switchback_broker_errors_total", .counter,
        "Errors that brokers returned for logins, by the broker's own code.", labels: ["broker", "error"])
    package let brokerRequestDuration = Metric(
        "switchback_broker_request_duration_seconds", .histogram, "Seconds that requests to brokers took.",
        labels: ["broker", "purpose"], buckets: Metric.requestBuckets)
    package let brokerQueueDuration = Metric(
        "switchback_broker_queue_duration_seconds", .histogram,
        "Seconds that requests to brokers waited in our own queue: openings begin a login, exchanges are all others.",
        labels: ["broker", "queue"], buckets: [0.001] + Metric.requestBuckets)
    package let brokerUp = Metric(
        "switchback_broker_up", .gauge,
        "1 when the last request to the broker got a response below 500 and it accepts our credentials, otherwise 0.",
        labels: ["broker"])
    package let brokerLastSuccess = Metric(
        "switchback_broker_last_success_timestamp_seconds", .gauge,
        "When the broker last sent a response below 500, in seconds since 1970.", labels: ["broker"])
    package let brokerMetadataAge = Metric(
        "switchback_broker_metadata_age_seconds", .gauge,
        "Seconds since the broker's discovery document was fetched.", labels: ["broker"])
    package let brokerKeysAge = Metric(
        "switchback_broker_keys_age_seconds", .gauge, "Seconds since the broker's keys were fetched.",
        labels: ["broker"])
    package let brokerClockSkew = Metric(
        "switchback_broker_clock_skew_seconds", .gauge,
        "Seconds that the broker's clock is ahead of ours, by its last response, give or take one.", labels: ["broker"])

    package let certificateDaysLeft = Metric(
        "switchback_certificate_days_left", .gauge,
        "Days until a certificate of ours ends: server certificates are for clients, client certificates for brokers.",
        labels: ["use", "file"])
    package let keys = Metric(
        "switchback_keys", .gauge, "Keys in files and automatic keys, by what they are for and their phase.",
        labels: ["use", "phase"])
    package let keyAge = Metric(
        "switchback_key_age_seconds", .gauge,
        "Seconds since the oldest active key of this use became active, or was made if it always was. An automatic key counts before the key in a file.",
        labels: ["use"])
    package let providerEnabled = Metric(
        "switchback_provider_enabled", .gauge,
        "1 while logins may begin with the provider, 0 while the configuration has switched it off.",
        labels: ["provider", "broker"])
    package let reloadSuccessful = Metric(
        "switchback_config_last_reload_successful", .gauge,
        "1 when the last load of a configuration succeeded, 0 when it was refused.")
    package let reloadedAt = Metric(
        "switchback_config_last_reload_success_timestamp_seconds", .gauge,
        "When a configuration was last loaded with success, in seconds since 1970.")
    package let reloads = Metric(
        "switchback_config_reloads_total", .counter,
        "Attempts to load the configuration again, by what caused them and what came of it.",
        labels: ["cause", "outcome"])
    package let settingsWaiting = Metric(
        "switchback_config_settings_waiting_for_restart", .gauge,
        "Settings whose values have changed since the start, and which are read only there.")

    package let buildInfo = Metric(
        "switchback_build_info", .gauge,
        "Always 1, with the version of this server as a label, and the commit if the build has said it.",
        labels: ["version", "commit"])

    package let processCPU = Metric(
        "process_cpu_seconds_total", .counter, "Seconds of user and system processor time that the process used.")
    package let processResidentMemory = Metric(
        "process_resident_memory_bytes", .gauge, "Bytes of memory that the process has in use.")
    package let processVirtualMemory = Metric(
        "process_virtual_memory_bytes", .gauge, "Bytes of address space that the process has.")
    package let processOpenDescriptors = Metric(
        "process_open_fds", .gauge, "File descriptors that are open.")
    package let processMaximumDescriptors = Metric(
        "process_max_fds", .gauge, "File descriptors that may be open.")
    package let processStart = Metric(
        "process_start_time_seconds", .gauge, "When the process started, in seconds since 1970.")
}
