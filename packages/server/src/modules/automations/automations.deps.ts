import type { StartDeps } from '../actions/index.ts';

/** What the use cases of automations need: what actions need, and how a run is handed to its backend. */
export interface AutomationsDeps extends StartDeps {
  readonly log: { warn(context: Readonly<Record<string, unknown>>, message: string): void };
}
