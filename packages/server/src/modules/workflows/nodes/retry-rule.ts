import type { NodeCall, NodeOutcome } from './node-kind.ts';

/** Why a call may be worth another try. */
export type RetryReason = 'network' | 'timeout' | '429' | '5xx';

const reasons: readonly RetryReason[] = ['network', 'timeout', '429', '5xx'];
const attemptsMax = 10;
const attemptsUsual = 4;
const backoffMax = 300;
/** A receiver that asks for more is asked again after this. */
const retryAfterMax = 3_600;

interface RetryRule {
  readonly attempts: number;
  readonly backoffSeconds: number;
  readonly on: readonly string[];
  /** Whether a call is not repeated of which nobody knows whether the receiver got it. */
  readonly failsOnUnknown: boolean;
}

/** The `retry` of a node; what is not said there is the usual. */
export function readRetryRule({ node }: Pick<NodeCall, 'node'>): RetryRule {
  const { attempts, backoffSeconds, on, onUnknown } = (node.config['retry'] ?? {}) as Readonly<Record<string, unknown>>;
  return {
    attempts: numberWithin(attempts, 1, attemptsMax, attemptsUsual),
    backoffSeconds: numberWithin(backoffSeconds, 0, backoffMax, 1),
    on: Array.isArray(on) ? on.map(String) : reasons,
    failsOnUnknown: onUnknown === 'fail',
  };
}

/** Which try of the call this is, from 1. */
export function tryNumber({ nodeRun }: Pick<NodeCall, 'nodeRun'>): number {
  return Math.max(1, nodeRun.tries);
}

/**
 * Another try, at the time that the receiver named or after twice the last wait; undefined if the node has had all its
 * tries, or does not try again for this reason.
 */
export function tryAgain(
  call: NodeCall,
  reason: RetryReason,
  message: string,
  retryAfter?: string,
): Extract<NodeOutcome, { kind: 'again' }> | undefined {
  const rule = readRetryRule(call);
  const number = tryNumber(call);
  if (number >= rule.attempts || !rule.on.includes(reason)) return undefined;
  if (rule.failsOnUnknown && (reason === 'timeout' || reason === 'network')) return undefined;
  const asked = retryAfter === undefined ? undefined : secondsOf(retryAfter, call.now);
  const seconds = asked ?? Math.min(backoffMax, rule.backoffSeconds * 2 ** (number - 1));
  return { kind: 'again', message, notBefore: new Date(call.now.getTime() + seconds * 1_000) };
}

/** `Retry-After`: seconds or a date. */
function secondsOf(retryAfter: string, now: Date): number | undefined {
  const seconds = /^\d+$/.test(retryAfter.trim())
    ? Number(retryAfter)
    : (new Date(retryAfter).getTime() - now.getTime()) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.min(retryAfterMax, Math.max(0, seconds));
}

/** A number of the config, within bounds. */
export function numberWithin(given: unknown, min: number, max: number, usual: number): number {
  return typeof given === 'number' && Number.isFinite(given) ? Math.min(max, Math.max(min, given)) : usual;
}
