import type { Start } from './attacker.ts';
import type { Step } from './steps.ts';

/** A way up that was once open. */
export interface KnownAttack {
  readonly name: string;
  readonly start: Start;
  /** Every step but the last is let through or refused, as the product likes; nothing is gained by any of them. */
  readonly steps: readonly Step[];
  /** How the last step is refused where it is a request; runs that it starts are looked at by what they did. */
  readonly refusal?: readonly [status: number, error: string];
  /** Tables in which nothing may be different afterwards. */
  readonly untouched: readonly string[];
}

export const principals = [
  'users',
  'team_members',
  'credentials',
  'api_tokens',
  'password_links',
  'sessions',
  'user_passwords',
];
export const beyond = [403, 'insufficient_scope'] as const;

export function machine(...scopes: string[]): Start {
  return { as: 'machine', scopes };
}

export function step(
  operation: string,
  method: string,
  path: string,
  body?: unknown,
  by: Step['by'] = 'attacker',
): Step {
  return { by, operation, method, path, ...(body === undefined ? {} : { body }) };
}
