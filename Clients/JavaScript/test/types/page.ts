// A page in TypeScript compiles.
import { createSwitchback, SwitchbackError } from "../../index.js";
import type { LoginState, Provider } from "../../index.js";

const login = createSwitchback({ server: "https://login.example", app: "shop", log: (event) => console.log(event.name) });

function show(state: LoginState | null): string {
  switch (state?.code) {
    case undefined: return "Log in";
    case "paused": return "Continue";
    case "wrong_code": return `Tries left: ${state?.triesLeft ?? 0}`;
    case "finished": return state?.login?.identity?.name ?? state?.login?.reason?.code ?? "";
    case "failed": return `${state?.error?.code} ${state?.reference}`;
    default: return state?.message ?? "Wait";
  }
}

export async function begin(): Promise<void> {
  const stop: () => void = login.subscribe((state) => console.log(show(state)));
  const state = await login.resume({ signal: new AbortController().signal });
  const providers: Provider[] = await login.providers({ languages: ["da"] });
  try {
    if (!state) await login.logIn({ provider: providers[0]!.id, app_switch: false, parameters: { login_hint: "x" } });
  } catch (error) {
    if (error instanceof SwitchbackError) console.log(error.code, error.problem?.detail, error.reference);
  }
  await login.enterCode("123456");
  login.continueLogin();
  await login.cancel();
  await login.acknowledge();
  stop();
}
