/// Loading as a command does it: what is wrong is printed, and ends it.
import ArgumentParser
import Switchback

extension ConfigurationLoader {
    /// The checked configuration, and what was read for it. Throws an exit code when every problem is printed.
    func loadForCommand() throws -> (loaded: Loaded, attempt: Attempt) {
        let attempt = self.load()
        switch attempt.outcome {
        case .success(let loaded): return (loaded, attempt)
        case .failure(let problems):
            Output.problems(problems.errors, in: self.path)
            throw ExitCode.failure
        }
    }
}
