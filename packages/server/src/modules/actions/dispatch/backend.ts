import type { Actor } from '../../../platform/actor.ts';
import type { Followed, StoredRun } from '../runs/run.ts';
import type { Rendered } from './render-invocation.ts';
import type { TemplateContext } from './template-context.ts';

/** One delivery of a run to whoever executes it. */
export interface Delivery {
  readonly run: StoredRun;
  /** What the run acts as: with the rights of whoever saved the action, and the run noted on what is written. */
  readonly actor: Actor;
  readonly rendered: Rendered;
  readonly context: TemplateContext;
  readonly signal: AbortSignal;
}

/** What became of a delivery. A run that was accepted goes on until somebody reports on it. */
export type Outcome =
  | {
      readonly kind: 'accepted' | 'succeeded';
      readonly response?: unknown;
      readonly link?: string;
      readonly externalRunId?: string;
      readonly message?: string;
      /** Present where the platform itself looks how it goes on. */
      readonly follow?: Followed;
    }
  | {
      readonly kind: 'failed';
      /** A sentence for whoever reads the run. */
      readonly message: string;
      readonly response?: unknown;
      /** Whether trying again may help. */
      readonly canRetry: boolean;
    };

/** Speaks to one kind of executor. */
export type Backend = (delivery: Delivery) => Promise<Outcome>;

/** A failure that trying again does not mend. */
export function failed(message: string): Outcome {
  return { kind: 'failed', message, canRetry: false };
}

/** A truth, also where a template rendered to its text. */
export function isTrue(value: unknown): boolean {
  return value === true || (typeof value === 'string' && value.toLowerCase() === 'true');
}

/** JSON as JSON, anything else as its text; as much as a run keeps. */
export function contentOf(text: string): unknown {
  const kept = text.slice(0, 65_536);
  try {
    return JSON.parse(kept);
  } catch {
    return kept;
  }
}
