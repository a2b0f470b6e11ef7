import type { FollowedWork, StoredRun } from '../runs/run.ts';
import type { Errand } from './errand.ts';
import type { TemplateContext } from './template-context.ts';

/** The errand of a run of an action. */
export interface Delivery extends Errand {
  readonly run: StoredRun;
  readonly context: TemplateContext;
}

/** The result of a delivery. An accepted run continues until its end is reported. */
export type BackendOutcome =
  | {
      readonly kind: 'accepted' | 'succeeded';
      readonly response?: unknown;
      readonly link?: string;
      readonly externalRunId?: string;
      readonly message?: string;
      /** Set if the platform itself polls the work. */
      readonly follow?: FollowedWork;
      /** Whose programs may claim the work. */
      readonly installationId?: string;
    }
  | {
      readonly kind: 'failed';
      /** A sentence for readers of the run. */
      readonly message: string;
      readonly response?: unknown;
      /** Whether retrying may help. */
      readonly canRetry: boolean;
    };

export type Backend = (delivery: Delivery) => Promise<BackendOutcome>;

/** A failure that a retry does not fix. */
export function failed(message: string): BackendOutcome {
  return { kind: 'failed', message, canRetry: false };
}

/** True also for a template that rendered to the text `true`. */
export function isTrue(value: unknown): boolean {
  return value === true || (typeof value === 'string' && value.toLowerCase() === 'true');
}

/** Parses JSON, else keeps the text; both up to the size that a run stores. */
export function parseContent(text: string): unknown {
  const kept = text.slice(0, 65_536);
  try {
    return JSON.parse(kept);
  } catch {
    return kept;
  }
}
