/// Foreign text made fit for a log line: printable ASCII only, and short.
func printable(_ text: String) -> String {
    let shown = text.utf8.prefix(200).map { (0x20...0x7e).contains($0) ? $0 : UInt8(ascii: "?") }
    return String(decoding: shown, as: UTF8.self)
}
