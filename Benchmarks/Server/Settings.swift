import Base
import Foundation
import KeyFiles
import BenchmarkSupport

/// The servers' settings. They raise the limits that would stop one client with thousands of connections.
enum Settings {
    /// Makes a P-256 certificate that is valid for one day, for this run only.
    static func certificate(in folder: String) throws {
        _ = try Command.output(
            "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=localhost "
                + "-addext subjectAltName=IP:127.0.0.1 -keyout \(folder)/tls.key -out \(folder)/tls.pem 2>/dev/null")
    }

    static func switchback(
        _ port: UInt16, operations: UInt16, in folder: String, store: String, isTLS: Bool
    ) throws {
        try SystemFile.create("\(folder)/server.key", try KeyGenerator.file(.server))
        let store = store == "sqlite" ? "sqlite\nsqlite: {path: \(folder)/switchback.db}" : store
        let yaml = """
            public_url: http\(isTLS ? "s" : "")://127.0.0.1:\(port)
            \(isTLS ? "tls: {certificate: \(folder)/tls.pem, key: \(folder)/tls.key}" : "")
            listen: 127.0.0.1:\(port)
            operations_listen: 127.0.0.1:\(operations)
            store: \(store)
            server_keys: [\(folder)/server.key]
            login_lifetime: 3600
            drain_delay: 0
            poll: {wait: 120}
            limits:
              connections: 20000
              connections_per_address: 20000
              create_per_address_per_minute: 0
              create_per_app_per_minute: 0
              pending_logins: 2000000
              idle_time: 3600
            log: {level: error}
            apps: {demo: {name: Demo, release: immediate}}
            brokers:
              main: {kind: oidc, issuer: "http://127.0.0.1:9", client_id: us, client_secret: secret, allow_insecure_loopback: true}
            providers:
              demo: {broker: main, names: {en: Demo}, prompt: login}
            """
        try yaml.write(toFile: "\(folder)/switchback.yaml", atomically: true, encoding: .utf8)
    }

    /// nchan is nginx's module for long polls.
    static func nginx(_ port: UInt16, in folder: String, isTLS: Bool) throws {
        let tls =
            "ssl_certificate \(folder)/tls.pem; ssl_certificate_key \(folder)/tls.key; ssl_session_tickets on; ssl_protocols TLSv1.2 TLSv1.3;"
        let text = """
            load_module \(Peer.nchanPath);
            daemon off;
            master_process off;
            worker_processes 1;
            worker_rlimit_nofile 20000;
            pid \(folder)/nginx.pid;
            error_log \(folder)/error.log;
            events { worker_connections 30000; }
            http {
                access_log off;
                keepalive_requests 1000000000;
                keepalive_timeout 3600;
                client_body_temp_path \(folder)/body;
                proxy_temp_path \(folder)/proxy;
                fastcgi_temp_path \(folder)/fastcgi;
                uwsgi_temp_path \(folder)/uwsgi;
                scgi_temp_path \(folder)/scgi;
                nchan_shared_memory_size 1024m;
                server {
                    listen 127.0.0.1:\(port) \(isTLS ? "ssl" : "") backlog=4096;
                    \(isTLS ? tls : "")
                    location / { return 200 "ok"; }
                    location ~ ^/sub/(.+)$ { nchan_subscriber longpoll; nchan_channel_id $1; nchan_subscriber_timeout 300; }
                    location ~ ^/pub/(.+)$ { nchan_publisher; nchan_channel_id $1; nchan_message_buffer_length 1; }
                }
            }
            """
        try text.write(toFile: "\(folder)/nginx.conf", atomically: true, encoding: .utf8)
    }
}
