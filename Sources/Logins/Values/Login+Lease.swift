// How the holder of an exchange keeps it, and writes when it sends the code.

import Base

extension Login {
    /// Writes that the code waits for its turn in our own queue, and renews the lease. Returns false if another holder
    /// has taken over.
    mutating func holdCode(fencingToken: Int, at now: Timestamp) -> Bool {
        self.changeExchange(of: fencingToken) { exchange in
            // The callback counted the first try. A later holder counts its own only when it sends.
            if fencingToken == 1, exchange.tokenResponse == nil { exchange.tries = 0 }
            exchange.leaseUntil = now + Login.leaseDuration
            return true
        }
    }

    /// Counts a try of the code, before the holder with this fencing token sends it, and renews the lease. Returns false
    /// if the code may not be sent again, or if another holder has taken over.
    mutating func beginTry(fencingToken: Int, at now: Timestamp) -> Bool {
        self.changeExchange(of: fencingToken) { exchange in
            if fencingToken == 1, exchange.tokenResponse == nil {
                exchange.tries = max(1, exchange.tries)
            } else {
                guard exchange.canBeTried else { return false }
                exchange.tries += 1
            }
            exchange.leaseUntil = now + Login.leaseDuration
            return true
        }
    }

    /// Returns false if another holder has taken over, or if the exchange has ended.
    mutating func renewLease(fencingToken: Int, at now: Timestamp) -> Bool {
        self.changeExchange(of: fencingToken) { exchange in
            exchange.leaseUntil = now + Login.leaseDuration
            return true
        }
    }

    /// Leaves the exchange to the next holder at once.
    mutating func endLease(fencingToken: Int, at now: Timestamp) -> Bool {
        self.changeExchange(of: fencingToken) { exchange in
            exchange.leaseUntil = now
            return true
        }
    }

    private mutating func changeExchange(of fencingToken: Int, _ change: (inout Exchange) -> Bool) -> Bool {
        guard case .exchanging(var exchange) = self.state, exchange.fencingToken == fencingToken, change(&exchange)
        else {
            return false
        }
        self.state = .exchanging(exchange)
        return true
    }
}
