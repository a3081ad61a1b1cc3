"""The board as a table, and Grafana's JSON that is made from it. `$job`, `$provider` and `$__rate_interval` are Grafana's.
"""

import collections
import json

# `kind` is Grafana's name of a panel: timeseries, stat or bargauge. `queries` are pairs of a legend and an expression.
Panel = collections.namedtuple("Panel", "title unit kind what queries")

STAGES = 'switchback_login_stages_total{job=~"$job",provider=~"$provider"'
FAILED = ('reason=~"broker_.+|invalid_.+|interrupted|not_fresh|assurance_too_low|timeout_no_(result|token|identity)"')
RATE = "[$__rate_interval]"


def quantile(share, metric, by, more=""):
    return (f'histogram_quantile({share}, sum by ({by}, le) (rate({metric}_bucket{{job=~"$job"{more}}}{RATE})))')


BOARD = {
    "Logins": [
        Panel("Logins a second", "reqps", "timeseries", "Logins that begin, and logins that end well.", [
            ("created", f'sum(rate({STAGES},stage="created"}}{RATE}))'),
            ("completed", f'sum(rate({STAGES},stage="ended",reason="completed"}}{RATE}))')]),
        Panel("Share that ends well", "percentunit", "timeseries",
              "Of the logins that ended: completed ones, by provider. A user who cancels or leaves lowers it too.", [
                  ("{{provider}}", f'sum by (provider) (rate({STAGES},stage="ended",reason="completed"}}{RATE})) / '
                   f'sum by (provider) (rate({STAGES},stage="ended"}}{RATE}))')]),
        Panel("Failures by reason", "reqps", "timeseries",
              "Logins that end for a reason that is neither the user's nor the app's.", [
                  ("{{provider}} {{reason}}", f'sum by (provider, reason) (rate({STAGES},stage="ended",{FAILED}}}{RATE}))')]),
        Panel("Where logins are lost", "short", "bargauge",
              "Logins by stage, each counted once. The difference of two bars was lost between them.", [
                  ("{{stage}}", f'sum by (stage) (increase({STAGES}}}[1h]))')]),
        Panel("The same by platform and app", "percentunit", "timeseries", "Created logins that are delivered.", [
            ("{{app}} {{platform}}", f'sum by (app, platform) (rate({STAGES},stage="delivered"}}{RATE})) / '
             f'sum by (app, platform) (rate({STAGES},stage="created"}}{RATE}))')]),
        Panel("Seconds from start to end", "s", "timeseries", "The median and 19 of 20, of logins that completed.", [
            ("median", quantile(0.5, "switchback_login_duration_seconds", "provider", ',status="completed"')),
            ("19 of 20", quantile(0.95, "switchback_login_duration_seconds", "provider", ',status="completed"'))]),
        Panel("Waiting now", "short", "timeseries", "Logins that are not final, and apps that wait for them.", [
            ("pending logins", 'sum(switchback_pending_logins{job=~"$job"})'),
            ("held polls", 'sum(switchback_held_polls{job=~"$job"})')]),
        Panel("Callbacks that changed nothing", "reqps", "timeseries", "Forged, for another login, or too late.", [
            ("{{cause}}", f'sum by (cause) (rate(switchback_callbacks_ignored_total{{job=~"$job"}}{RATE}))')]),
    ],
    "Brokers": [
        Panel("Up", "short", "stat", "0: it does not answer, or refuses our credentials.", [
            ("{{broker}}", 'min by (broker) (switchback_broker_up{job=~"$job"})')]),
        Panel("Errors by their code", "reqps", "timeseries", "What brokers say, at the front and at the token endpoint.", [
            ("{{broker}} {{error}}", f'sum by (broker, error) (rate(switchback_broker_errors_total{{job=~"$job"}}{RATE}))')]),
        Panel("Requests by outcome", "reqps", "timeseries", "What became of requests to brokers.", [
            ("{{broker}} {{purpose}} {{outcome}}", "sum by (broker, purpose, outcome) "
             f'(rate(switchback_broker_requests_total{{job=~"$job"}}{RATE}))')]),
        Panel("Seconds of a request", "s", "timeseries", "19 of 20 requests are faster.", [
            ("{{broker}} {{purpose}}", quantile(0.95, "switchback_broker_request_duration_seconds", "broker, purpose"))]),
        Panel("Seconds in our queue", "s", "timeseries", "19 of 20 requests wait less. Users who have logged in wait here.", [
            ("{{broker}} {{queue}}", quantile(0.95, "switchback_broker_queue_duration_seconds", "broker, queue"))]),
        Panel("Connections in use", "short", "timeseries", "Of `limits.broker_connections`, and of the database's.", [
            ("{{pool}} {{broker}}", 'sum by (pool, broker) (switchback_pool_in_use{job=~"$job"})'),
            ("most {{pool}} {{broker}}", 'sum by (pool, broker) (switchback_pool_size{job=~"$job"})'),
            ("waiting {{pool}} {{broker}}", 'sum by (pool, broker) (switchback_pool_waiting{job=~"$job"})')]),
        Panel("Their clocks", "s", "timeseries", "Seconds that a broker's clock is ahead of ours.", [
            ("{{broker}}", 'max by (broker) (switchback_broker_clock_skew_seconds{job=~"$job"})')]),
    ],
    "Servers": [
        Panel("Requests", "reqps", "timeseries", "By route and status.", [
            ("{{route}} {{status}}", "sum by (route, status) "
             f'(rate(switchback_http_requests_total{{job=~"$job"}}{RATE}))')]),
        Panel("Seconds of a request", "s", "timeseries", "99 of 100 are faster. Routes that wait for a change are left out.", [
            ("{{route}}", quantile(0.99, "switchback_http_request_duration_seconds", "route",
                                   ',route!~"poll|done_state"'))]),
        Panel("Seconds of the store", "s", "timeseries", "99 of 100 operations are faster.", [
            ("{{operation}}", quantile(0.99, "switchback_store_duration_seconds", "operation"))]),
        Panel("Failures of the store", "reqps", "timeseries", "Operations that it could not do.", [
            ("{{operation}}", "sum by (operation) "
             f'(rate(switchback_store_failures_total{{job=~"$job"}}{RATE}))')]),
        Panel("Limits reached", "reqps", "timeseries", "Callers that were turned away, by limit.", [
            ("{{limit}}", f'sum by (limit) (rate(switchback_limits_reached_total{{job=~"$job"}}{RATE}))')]),
        Panel("Connections", "short", "timeseries", "Open ones, and the limit.", [
            ("{{instance}}", 'switchback_http_connections{job=~"$job"}'),
            ("limit of {{instance}}", 'switchback_limit{job=~"$job",limit="connections"}')]),
        Panel("Cores and memory", "short", "timeseries", "Cores that each server uses, and its memory in GB.", [
            ("cores of {{instance}}", f'rate(process_cpu_seconds_total{{job=~"$job"}}{RATE})'),
            ("GB of {{instance}}", 'process_resident_memory_bytes{job=~"$job"} / 1e9')]),
        Panel("File descriptors", "percentunit", "timeseries", "The share that is open.", [
            ("{{instance}}", 'process_open_fds{job=~"$job"} / process_max_fds{job=~"$job"}')]),
    ],
    "Sessions": [
        Panel("Steps", "reqps", "timeseries", "Renewals and unlocks, and what went wrong.", [
            ("{{step}}", f'sum by (step) (rate(switchback_session_steps_total{{job=~"$job"}}{RATE}))')]),
        Panel("Begun", "reqps", "timeseries", "Logins that became sessions.", [
            ("{{app}} {{level}}", f'sum by (app, level) (rate(switchback_sessions_begun_total{{job=~"$job"}}{RATE}))')]),
    ],
    "What will need you": [
        Panel("Days until a certificate ends", "d", "stat", "Renew it in time.", [
            ("{{use}} {{file}}", 'min by (use, file) (switchback_certificate_days_left{job=~"$job"})')]),
        Panel("Days of the oldest active key", "d", "stat", "By use. `switchback keys rotate` makes the next one.", [
            ("{{use}}", 'max by (use) (switchback_key_age_seconds{job=~"$job"}) / 86400')]),
        Panel("Configuration", "short", "stat", "Settings that wait for a restart; 1 if the last load succeeded; versions.", [
            ("waiting for a restart", 'max(switchback_config_settings_waiting_for_restart{job=~"$job"})'),
            ("last load", 'min(switchback_config_last_reload_successful{job=~"$job"})'),
            ("servers of {{version}}", 'count by (version) (switchback_build_info{job=~"$job"})')]),
        Panel("Keys", "short", "stat", "By use and phase.", [
            ("{{use}} {{phase}}", 'sum by (use, phase) (switchback_keys{job=~"$job"})')]),
    ],
}


def queries():
    """Each query with the title of its panel."""
    return [(f"{row}: {panel.title}", expression)
            for row, panels in BOARD.items() for panel in panels for _, expression in panel.queries]


def variable(name, query, label):
    return {"name": name, "label": label, "type": "query", "datasource": {"type": "prometheus", "uid": "${datasource}"},
            "query": query, "definition": query, "refresh": 2, "multi": True, "includeAll": True, "allValue": ".*",
            "current": {"selected": True, "text": ["All"], "value": ["$__all"]}}


def grafana():
    """The text of the file to import."""
    panels, top = [], 0
    for row, content in BOARD.items():
        panels.append({"id": len(panels) + 1, "type": "row", "title": row, "collapsed": False, "panels": [],
                       "gridPos": {"h": 1, "w": 24, "x": 0, "y": top}})
        top += 1
        for index, panel in enumerate(content):
            panels.append({
                "id": len(panels) + 1, "type": panel.kind, "title": panel.title, "description": panel.what,
                "datasource": {"type": "prometheus", "uid": "${datasource}"},
                "gridPos": {"h": 8, "w": 12, "x": 12 * (index % 2), "y": top + 8 * (index // 2)},
                "fieldConfig": {"defaults": {"unit": panel.unit, "min": None if "clock" in panel.title else 0},
                                "overrides": []},
                "options": {"legend": {"displayMode": "list", "placement": "bottom"}} if panel.kind == "timeseries"
                else {"reduceOptions": {"calcs": ["lastNotNull"]}},
                "targets": [{"refId": chr(65 + number), "expr": expression, "legendFormat": legend,
                             "instant": panel.kind != "timeseries", "range": panel.kind == "timeseries"}
                            for number, (legend, expression) in enumerate(panel.queries)]})
        top += 8 * ((len(content) + 1) // 2)
    return json.dumps({
        "title": "Switchback", "uid": "switchback", "tags": ["switchback"], "schemaVersion": 37, "version": 1,
        "editable": True, "refresh": "30s", "time": {"from": "now-6h", "to": "now"}, "timezone": "browser",
        "templating": {"list": [
            {"name": "datasource", "label": "Prometheus", "type": "datasource", "query": "prometheus"},
            variable("job", "label_values(switchback_build_info, job)", "Deployment"),
            variable("provider", 'label_values(switchback_login_stages_total{job=~"$job"}, provider)', "Provider")]},
        "annotations": {"list": []}, "panels": panels}, indent=1) + "\n"
