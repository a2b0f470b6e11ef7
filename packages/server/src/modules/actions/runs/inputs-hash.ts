import { createHash } from 'node:crypto';
import { isRecord } from '@portolan/contract/json-value';

export interface Bound {
  readonly action: string;
  /** Increases with every change of the action. */
  readonly actionVersion: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly blueprint: string | null;
  readonly entity: string | null;
  readonly requester: string;
}

/** The hash that a decision must name: SHA-256 of canonical JSON (sorted keys, similar to RFC 8785). */
export function hashInputs(bound: Bound): string {
  return `sha256:${createHash('sha256').update(canonical(bound)).digest('hex')}`;
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isRecord(value)) return JSON.stringify(value ?? null);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(',')}}`;
}
