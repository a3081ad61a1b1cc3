import Foundation

@testable import SwitchbackClient

/// The phone of a case: its storage and its key, which work unless the case says otherwise.
struct CaseDevice {
    private var key: P256PublicKey?
    private var keyError: SessionKeyError?
    private(set) var storageWorks = true
    private var waits = false
    private var keyCount: UInt8
    /// The result that the case keeps back.
    private(set) var waiting: SessionReducer.Event?

    init(key: P256PublicKey?) {
        self.key = key
        self.keyCount = key == nil ? 0 : 1
    }

    /// Reads what a step says about the phone. It stays so.
    mutating func change(_ json: JSONValue?) throws {
        guard let json else { return }
        try json.check(["storage", "key"])
        switch json["storage"]?.string {
        case "fails"?: (self.storageWorks, self.waits) = (false, false)
        case "works"?: (self.storageWorks, self.waits) = (true, false)
        case "waits"?: self.waits = true
        case nil: break
        default: throw BehaviourCase.FormatError("unknown storage in \(json.text)")
        }
        switch json["key"]?.string {
        case "works"?: self.keyError = nil
        case "gone"?: self.key = nil
        case "other"?: self.key = Self.key(9)
        case "unavailable"?: self.keyError = .unavailable
        case "cancelled"?: self.keyError = .cancelled
        case "fails"?: self.keyError = .failed(code: 7)
        case nil: break
        default: throw BehaviourCase.FormatError("unknown key in \(json.text)")
        }
    }

    /// The key whose coordinates have this byte only.
    static func key(_ byte: UInt8) -> P256PublicKey? {
        P256PublicKey(uncompressedPoint: [4] + [UInt8](repeating: byte, count: 64))
    }

    /// Returns what the effect results in at once.
    mutating func perform(_ effect: SessionReducer.Effect) -> SessionReducer.Event? {
        let event = self.result(of: effect)
        guard self.waits, let event else { return event }
        self.waiting = event
        return nil
    }

    private mutating func result(of effect: SessionReducer.Effect) -> SessionReducer.Event? {
        switch effect {
        case .storeFirst(let number, _): return self.storageWorks ? .stored(number) : .storeFailed(number)
        case .findKey(let number, _, let mayMake):
            if let keyError { return .keyFailed(number, keyError) }
            if self.key == nil, mayMake {
                self.keyCount += 1
                self.key = Self.key(self.keyCount)
            }
            return self.key.map { .keyFound(number, $0) } ?? .keyFailed(number, .gone)
        case .removeKeys:
            self.key = nil
            return nil
        case .sign(let number, _, let text):
            if let keyError { return .keyFailed(number, keyError) }
            guard self.key != nil else { return .keyFailed(number, .gone) }
            return .signed(number, Data(SHA256.hash(Array(text.utf8))))
        case .store, .send, .abandon, .wake, .complete, .present: return nil
        }
    }
}
