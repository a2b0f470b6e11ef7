import { isRecord } from '@portolan/contract/json-value';
import type { ActionRisk, CallInput } from '../../../platform/tools/call-decision.ts';
import { isLiteral } from './asked-for.ts';

/** What decides over a call that reads on another server: its arguments are a way out for what was read before. */
export interface LookupToDecide {
  readonly risk: ActionRisk;
  readonly inputs: readonly CallInput[];
  /** Whether the model was shown anything beside the question, its prompt, and answers of the same server. */
  readonly isDataShown: boolean;
  /** Texts that vouch for values that stand in them: the question, and the prompt of an agent. */
  readonly vouching: readonly string[];
  /** The identifier of the entity that the person looks at. */
  readonly lookedAt?: string | undefined;
  /** Texts of answers of the same server: what stands in them came from there. */
  readonly ownAnswers: readonly string[];
}

/** More closed values would spell out something. */
const closedMax = 8;
const listMax = 10;
const ownValueMax = 1_000;

/**
 * The arguments that keep the call from running; none if it may. After data was shown, a value has to be closed, to stand
 * in a text that vouches for it, to be what the person looks at, or to come from the same server.
 */
export function findCarriers(call: LookupToDecide): readonly string[] {
  const open = call.inputs.filter((input) => !isVouched(call, input));
  const closed = open.filter(({ form }) => form === 'closed');
  const areFew = call.risk !== 'strict' && closed.length <= closedMax;
  return (areFew ? open.filter(({ form }) => form !== 'closed') : open).map(({ key }) => key);
}

function isVouched(call: LookupToDecide, { value }: CallInput): boolean {
  if (value === null || value === '') return false;
  if ((typeof value === 'string' || typeof value === 'number') && isOwn(call, String(value))) return true;
  // the order and number of equal or empty values could spell out anything
  const leaves = Array.isArray(value) ? value : [value];
  if (leaves.length > listMax || new Set(leaves).size < leaves.length || leaves.includes('')) return false;
  return leaves.every((leaf) => !Array.isArray(leaf) && !isRecord(leaf) && stands(call, leaf));
}

function stands({ vouching, lookedAt }: LookupToDecide, value: unknown): boolean {
  return (lookedAt !== undefined && value === lookedAt) || vouching.some((text) => isLiteral(value, text));
}

function isOwn({ ownAnswers }: LookupToDecide, value: string): boolean {
  return value.length <= ownValueMax && ownAnswers.some((answer) => isLiteral(value, answer));
}
