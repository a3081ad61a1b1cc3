/// The variables that a kubelet gives every container for each Service of its namespace (service links).
///
/// The Service of this server may well be called `switchback`, so its variables begin as ours do.
enum ServiceLink {
    /// `SWITCHBACK_SERVICE_HOST`, `SWITCHBACK_SERVICE_PORT_HTTP`, `SWITCHBACK_PORT_8080_TCP_ADDR`, and for a Service
    /// called `switchback-db` the same with `SWITCHBACK_DB_`. No setting is called so, but `reuse_port`, which is no URL:
    /// a test holds that.
    static func isOne(_ name: String, _ text: String) -> Bool {
        // Two underscores stand between the segments of a setting.
        guard !name.contains("__") else { return false }
        // Somebody may have meant a number by `SWITCHBACK_PORT`; a kubelet writes a URL there. With a Service called
        // `switchback-reuse` there is one in `SWITCHBACK_REUSE_PORT`.
        if name.hasSuffix("_PORT"), !name.hasSuffix("_SERVICE_PORT"), text.contains("://") { return true }
        let isNamedSo = name.wholeMatch(
            of: /[A-Z0-9_]+_(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT_[0-9]+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)/)
        return isNamedSo != nil
    }
}
