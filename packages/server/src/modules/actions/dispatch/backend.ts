import type { Actor } from '../../../platform/actor.ts';
import type { FollowedWork, StoredRun } from '../runs/run.ts';
import type { RenderedInvocation } from './render-invocation.ts';
import type { TemplateContext } from './template-context.ts';

export interface Delivery {
  readonly run: StoredRun;
  /** The actor of the run, with the rights of the action's last author; writes record the run. */
  readonly actor: Actor;
  readonly rendered: RenderedInvocation;
  readonly context: TemplateContext;
  readonly signal: AbortSignal;
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
