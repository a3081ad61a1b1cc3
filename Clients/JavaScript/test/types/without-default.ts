// It must not compile (TS2366): a later version may have more states, so a page writes a default.
import type { LoginState } from "../../index.js";

export function show(state: LoginState): string {
  switch (state.code) {
    case "starting": case "in_progress": case "retrying": return "Wait";
    case "paused": return "Continue";
    case "wrong_code": return "Again";
    case "finished": return "Done";
    case "failed": return "Failed";
    case "in_other_window": case "handed_over": case "elsewhere": return "Look there";
  }
}
