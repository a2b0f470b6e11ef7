import type { CallFacts, CallInput, InputOrigin } from '../../../platform/tools/call-decision.ts';
import { isLiteral } from './asked-for.ts';
import type { ReadSoFar } from './run-label.ts';

/** The key of the entity among the origins of a call; no input can have it. */
const entityOrigin = '$entity';

export interface VouchedTexts {
  readonly question: string;
  readonly agentPrompt?: string | undefined;
  readonly lookedAt?: string | undefined;
}

/**
 * Where the value of each input stands, for people who decide. The question comes before what was read, because who asks
 * for a value meant it.
 */
export function findOrigins(
  { inputs, entity }: Pick<CallFacts, 'inputs' | 'entity'>,
  texts: VouchedTexts,
  { results }: Pick<ReadSoFar, 'results'>,
): Readonly<Record<string, InputOrigin>> {
  const named: readonly CallInput[] = entity ? [{ key: entityOrigin, value: entity.identifier, form: 'entity' }] : [];
  return Object.fromEntries([...inputs, ...named].map((input) => [input.key, findOrigin(input, texts, results)]));
}

function findOrigin(
  { value, form }: CallInput,
  { question, agentPrompt, lookedAt }: VouchedTexts,
  results: ReadSoFar['results'],
): InputOrigin {
  if (form === 'default') return { from: 'default' };
  if (isLiteral(value, question)) return { from: 'question' };
  if (lookedAt !== undefined && value === lookedAt) return { from: 'context' };
  if (agentPrompt !== undefined && isLiteral(value, agentPrompt)) return { from: 'agent' };
  const text = typeof value === 'string' ? JSON.stringify(value).slice(1, -1) : JSON.stringify(value);
  const shown = form === 'closed' ? undefined : results.find(({ content }) => content.includes(text));
  if (shown) return { from: 'read', tool: shown.tool, call: shown.call, authors: shown.authors };
  return { from: form === 'closed' ? 'closed' : 'model' };
}
