/// How late it is on a loop: time since an arbitrary moment, the same on all loops.
import EventLoop

extension EventLoop {
    var elapsed: Duration { .milliseconds(self.now) }
}
