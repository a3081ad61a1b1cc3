// Lets connections give way when too few places are left.

import HTTPWire

extension ConnectionTable {
    /// Lets connections of all loops give way if few places are left. Returns false while a new client must wait for
    /// them.
    @discardableResult
    func orderRoom() -> Bool {
        let (order, waits) = self.parts.admission.makeRoom(at: self.loop.now, loops: self.neighbors.count)
        guard let order else { return !waits }
        for neighbor in self.neighbors {
            // The server keeps the tables as long as there are connections.
            guard let table = neighbor.table else { continue }
            table.loop.execute { table.makeRoom(order) }
        }
        return !waits
    }

    /// Ends connections of this loop, and reports how many are about to close. Connections are handed to the loops in
    /// turn, so each loop has its part of every network's.
    func makeRoom(_ order: AdmissionControl.RoomOrder) {
        var networks: [IPAddress: Int] = [:]
        var candidates: [RoomPlan.Candidate] = []
        var leavingCount = 0
        for (index, connection) in self.connections.enumerated() {
            guard let connection, connection.isAdmitted else { continue }
            if connection.state.isLeaving {
                leavingCount += 1
            } else if let network = connection.network {
                networks[network, default: 0] += 1
                guard let (kind, waitTime) = connection.displacement() else { continue }
                candidates.append(
                    RoomPlan.Candidate(index: index, network: network, kind: kind, isFresh: waitTime < 1000))
            }
        }
        let plan = RoomPlan(networks: networks, candidates: candidates)
        let displacedConnections = plan.choose(
            AdmissionControl.RoomOrder(
                unused: order.unused - leavingCount, all: order.all - leavingCount, usual: order.usual)
        ).compactMap { self.connections[$0] }
        var displacedPolls: [IPAddress: Int] = [:]
        for connection in displacedConnections {
            guard let kind = connection.giveWay() else { continue }
            self.parts.observer.connectionDisplaced(kind)
            leavingCount += connection.state.isClosed ? 0 : 1
            if kind == .poll, let network = connection.network { displacedPolls[network, default: 0] += 1 }
        }
        self.parts.admission.noteRoom(leaving: leavingCount, held: displacedPolls, at: self.loop.now)
    }
}

extension Connection {
    /// The client's IPv4 address or /48. Nil if connections of its address are not counted, and none gives way.
    var network: IPAddress? { self.place == .counted ? self.peer?.network(48) : nil }

    /// How it can give way, and how many milliseconds it has waited; nil if it must not.
    func displacement() -> (kind: Displacement, waitTime: Int64)? {
        guard let kind = self.state.displacement(unsent: self.output.count) else { return nil }
        return (kind, self.waitTime)
    }

    /// The milliseconds since it began to wait for what comes next.
    var waitTime: Int64 {
        let now = self.table.loop.now
        return now - (self.timer.begin { self.table.parts.waits.limit(of: $0, sequence: $1) } ?? now)
    }

    /// Ends the connection, or asks the handler to respond early. Returns how; nil if a request has arrived meanwhile.
    func giveWay() -> Displacement? {
        guard let kind = self.state.displacement(unsent: self.output.count) else { return nil }
        switch kind {
        case .poll:
            self.state.giveWay()
            self.goneAction?(.placeNeeded)
            return kind
        case .silent, .idle:
            // Its request may have arrived while the loop was busy.
            self.ready(.readable)
            guard self.state.displacement(unsent: self.output.count) == kind else { return nil }
            self.close()
            return kind
        }
    }
}
