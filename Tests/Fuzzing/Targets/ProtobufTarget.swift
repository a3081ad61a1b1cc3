import Traces

/// A message of Protocol Buffers, as a collector answers: it is read to its end, and nothing in it is made up.
enum ProtobufTarget {
    static func judge(_ input: [UInt8]) throws(Violation) -> Verdict {
        try require(TraceExport.refusedCount(in: input) >= 0, "fewer than no spans")
        guard let fields = ProtobufReader.fields(input) else { return .refused }
        var size = 0
        for field in fields {
            try require(field.number > 0, "a field without a number")
            guard case .bytes(let bytes) = field.value else {
                size += 2
                continue
            }
            size += 2 + bytes.count
        }
        try require(size <= input.count, "more than came")
        if let last = fields.last, case .bytes(let bytes) = last.value, !bytes.isEmpty {
            try require(ProtobufReader.fields(input.dropLast()) == nil, "it is complete without its end")
        }
        return .accepted
    }
}
