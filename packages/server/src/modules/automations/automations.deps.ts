import type { StartDeps } from '../actions/index.ts';

export interface AutomationsDeps extends StartDeps {
  readonly log: { warn(context: Readonly<Record<string, unknown>>, message: string): void };
}
