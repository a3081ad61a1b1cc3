import Base
import JOSE

/// Reads the records of one or several files, the oldest file first, and finds the first thing that is wrong: a pure
/// value.
package struct AuditVerifier: Sendable {
    /// A running server signs every minute. With this delay its next signature has surely come.
    static let patience = Duration.seconds(150)

    /// Empty if the audit's own keys are to be used.
    private let trustedKeys: [JWK]
    private var chains: [String: ChainProgress] = [:]
    private var copies: [String: RecordCopies] = [:]
    /// The chains in their order.
    private var order: [String] = []
    private var file = ""
    private var line = 0
    private var records = 0
    private var isFirstLine = true
    /// The chain that the first record follows, which is in no file before.
    private var earlier: (chain: String, place: AuditPlace)?
    private var notes: [AuditVerdict.Note] = []
    private var finding: AuditFinding?
    private var suspicion: Suspicion?
    /// A line that is no record. The next one may say why.
    private var torn: (place: AuditPlace, hash: String)?

    /// Records that do not stand where they should. They are missing, unless they come later.
    private struct Suspicion {
        let chain: String
        let numbers: ClosedRange<Int>
        let place: AuditPlace
        let number: Int
    }

    /// `keys` are the keys to trust. Without any, those that the audit names itself are used, and a note says so.
    package init(keys: [JWK] = []) { self.trustedKeys = keys }

    /// The time of the record in this line; nil if it is none. It is not verified.
    package static func time(of line: [UInt8]) -> Timestamp? { AuditLine(line)?.time }

    package mutating func beginFile(_ name: String) {
        self.file = name
        self.line = 0
    }

    /// Reads a line without its line end.
    package mutating func read(_ bytes: [UInt8]) {
        self.line += 1
        defer { self.isFirstLine = false }
        let place = AuditPlace(self.file, line: self.line)
        guard self.finding == nil else { return }
        guard let line = AuditLine(bytes) else {
            if self.suspicion != nil { return }
            self.settleTorn(before: nil)
            self.torn = (place, AuditChain.hash(bytes))
            return
        }
        if let suspicion = self.suspicion {
            guard line.chain == suspicion.chain, line.number == suspicion.numbers.lowerBound else { return }
            self.finding = .reordered(
                suspicion.place, number: suspicion.number, late: place, expected: line.number)
            return
        }
        self.settleTorn(before: line)
        guard self.finding == nil else { return }
        self.records += 1
        self.judge(line, bytes, at: place)
    }

    /// `rest` is what follows the last line end of the file.
    package mutating func endFile(rest: [UInt8]) {
        guard self.finding == nil, self.suspicion == nil, !rest.isEmpty else { return }
        self.finding = .cutOff(AuditPlace(self.file, line: self.line + 1), .insideRecord)
    }

    /// Returns what was found. `now` is the time to which a running server must have signed.
    package consuming func verdict(at now: Timestamp) -> AuditVerdict {
        self.settleTorn(before: nil)
        if self.finding == nil, let suspicion = self.suspicion {
            self.finding = .missing(chain: suspicion.chain, suspicion.numbers, before: suspicion.place)
        }
        if self.finding == nil { for chain in self.order { self.judgeEnd(of: chain, at: now) } }
        if self.finding == nil, self.trustedKeys.isEmpty {
            var keyIDs: [String] = []
            for chain in self.order {
                for keyID in (self.chains[chain]?.keys ?? []).compactMap(\.keyID) where !keyIDs.contains(keyID) {
                    keyIDs.append(keyID)
                }
            }
            if !keyIDs.isEmpty { self.notes.append(.ownKeys(keyIDs)) }
        }
        return AuditVerdict(
            finding: self.finding, notes: self.finding == nil ? self.notes : [], records: self.records,
            chains: self.order.count)
    }
}

// MARK: - One record

extension AuditVerifier {
    /// A server says when it starts whether the last line of the file was torn.
    private mutating func settleTorn(before line: AuditLine?) {
        guard let torn = self.torn else { return }
        self.torn = nil
        if let line, line.event == "started", line.number == 1, line.after?.torn == torn.hash {
            self.notes.append(.torn(torn.place))
        } else if self.finding == nil {
            self.finding = .changed(torn.place, .unreadable)
        }
    }

    private mutating func judge(_ line: AuditLine, _ bytes: [UInt8], at place: AuditPlace) {
        if let chain = self.chains[line.chain] {
            guard self.judge(line, after: chain, at: place) else { return }
            self.chains[line.chain]?.follow(line, at: place)
            self.copies[line.chain]?.append(line)
        } else {
            guard self.judgeFirst(line, at: place) else { return }
            self.chains[line.chain] = ChainProgress(line, at: place)
            self.copies[line.chain] = RecordCopies(line)
            self.order.append(line.chain)
        }
        if line.event == "signed" { self.judgeSignature(line, bytes, at: place) }
        if line.event == "gap" {
            let (dropped, refused) = (line.members["dropped"]?.integer ?? 0, line.members["refused"]?.integer ?? 0)
            self.notes.append(.gap(place, dropped: dropped, refused: refused))
        }
    }

    /// Returns whether the record follows the last one of its chain.
    private mutating func judge(_ line: AuditLine, after chain: ChainProgress, at place: AuditPlace) -> Bool {
        let next = chain.number + 1
        let follows = line.previous == chain.hash
        if line.number == next, follows {
            guard chain.closing != .chain else {
                self.finding = .changed(place, .afterEnd)
                return false
            }
            return true
        }
        if line.number == next {
            self.finding = .changed(place, .link(former: chain.place))
        } else if line.number > next {
            if follows {
                self.finding = .changed(place, .number)
            } else {
                self.suspicion = Suspicion(
                    chain: line.chain, numbers: next...(line.number - 1), place: place, number: line.number)
            }
        } else if self.copies[line.chain]?.contains(line) == true {
            self.finding = .doubled(place, number: line.number, chain: line.chain)
        } else {
            self.finding = .changed(place, .copy)
        }
        return false
    }

    /// Returns whether the record may be the first of its chain.
    private mutating func judgeFirst(_ line: AuditLine, at place: AuditPlace) -> Bool {
        if let earlier, earlier.chain == line.chain {
            self.finding = .reorderedChain(earlier.place, chain: earlier.chain, late: place)
            return false
        }
        if line.event == "started", line.number == 1, line.previous == nil {
            return line.after.map { self.judgeEnd(foundBy: $0, at: place) } ?? true
        }
        if line.event == "continued", place.line == 1, line.number > 1 {
            self.notes.append(.earlierFile(chain: line.chain, first: line.number))
            return true
        }
        let isOfOther = self.chains.values.contains { $0.hash == line.previous }
        if line.number == 1 || isOfOther {
            self.finding = .changed(place, .chain)
        } else {
            self.suspicion = Suspicion(
                chain: line.chain, numbers: 1...(line.number - 1), place: place, number: line.number)
        }
        return false
    }

    /// Compares the end of a chain with the end that a server found when it started.
    private mutating func judgeEnd(foundBy after: AuditTail, at place: AuditPlace) -> Bool {
        guard let former = self.chains[after.chain] else {
            guard self.isFirstLine else {
                self.finding = .missingChain(after.chain, before: place)
                return false
            }
            self.notes.append(.earlierFile(chain: after.chain, first: after.number + 1))
            self.earlier = (after.chain, place)
            return true
        }
        if after.number > former.number {
            self.finding = .cutOff(
                place, .foundByStart(chain: after.chain, number: former.number, found: after.number))
        } else if after.number < former.number || after.hash != former.hash {
            self.finding = .changed(place, .beforeStart(former: former.place))
        }
        self.chains[after.chain]?.isFoundByStart = true
        return self.finding == nil
    }

    private mutating func judgeSignature(_ line: AuditLine, _ bytes: [UInt8], at place: AuditPlace) {
        guard let chain = self.chains[line.chain] else { return }
        let verdict = self.signature(line, bytes, of: chain)
        switch verdict {
        case .valid: self.chains[line.chain]?.noteSignature(line.closing)
        case .broken: self.finding = .changed(place, .signature(signed: chain.signed?.place))
        case .unknownKey(let keyID): self.finding = .unknownKey(place, keyID: keyID)
        }
    }

    private enum SignatureVerdict {
        case valid
        case broken
        case unknownKey(String?)
    }

    private func signature(_ line: AuditLine, _ bytes: [UInt8], of chain: ChainProgress) -> SignatureVerdict {
        let keys = JWKSet(self.trustedKeys.isEmpty ? chain.keys : self.trustedKeys)
        guard let token = line.members["jws"]?.string, let jws = try? CompactJWS(parsing: token, isFromAnyone: true),
            jws.header.type == AuditChain.signatureType
        else { return .broken }
        let payload: [UInt8]
        do throws(SignatureError) {
            payload = try jws.verified(with: keys, allowing: [.es256]).payload
        } catch {
            return error == .unknownKey ? .unknownKey(jws.header.keyID) : .broken
        }
        let signedPayload = AuditChain.payload(
            chain: line.chain, number: line.number, previous: line.previous, time: line.time.rfc3339,
            closes: line.closing?.rawValue)
        // Nothing follows the last record and would find a change in it, so every byte of it must be right.
        let record = AuditChain.signature(
            chain: line.chain, number: line.number, previous: line.previous, closing: line.closing, token: token,
            at: line.time)
        return payload == signedPayload && record == bytes ? .valid : .broken
    }
}

// MARK: - The end

extension AuditVerifier {
    private mutating func judgeEnd(of name: String, at now: Timestamp) {
        guard self.finding == nil, let chain = self.chains[name] else { return }
        let unsigned = chain.number - (chain.signed?.number ?? chain.first - 1)
        switch chain.closing {
        case .chain: return
        case .file: return self.notes.append(.laterFile(chain: name, last: chain.number))
        case nil: break
        }
        guard !chain.isFoundByStart else {
            return self.notes.append(.killed(chain: name, last: chain.number, unsigned: unsigned))
        }
        let since = chain.signed?.at ?? chain.unsignedSince
        guard now - since <= Self.patience else {
            self.finding = .cutOff(chain.place, .noSignature(chain: name, number: chain.number, since: since))
            return
        }
        guard unsigned > 0 else { return }
        self.notes.append(.unsigned(chain: name, count: unsigned, since: chain.unsignedSince))
    }
}
