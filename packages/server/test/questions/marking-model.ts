import { isRecord } from '@portolan/contract/json-value';
import type { MockModelServer, ReceivedRequest, ScriptedCall } from '../mock-model-server.ts';
import { createRandom } from './seeded-random.ts';

/** A sentence that the model says, with what is so of it. */
export interface SaidSentence {
  readonly text: string;
  readonly kind: 'true' | 'other record' | 'other value' | 'invented thing';
  /** The reference that backs it. */
  readonly ref: string;
}

interface Shown {
  readonly ref: string;
  readonly title: string;
  readonly identifier: string;
  readonly facts: readonly (readonly [key: string, value: string | number])[];
}

const recordsMax = 6;
const inventedName = 'Quorum Vault';

/**
 * A model that reads what the planner read for a question, and says sentences of its own about it: of ten, about four with
 * the right mark, three without, and three that are wrong in one way each.
 */
export function createMarkingModel(server: MockModelServer, callsOf: ReadonlyMap<string, readonly ScriptedCall[]>) {
  const said = new Map<string, readonly SaidSentence[]>();
  const random = createRandom(11);
  server.respondWith(({ body }: ReceivedRequest) => {
    const messages = body.messages as { role: string; content: unknown }[];
    const question = textOf(messages.find(({ role }) => role === 'user')?.content);
    const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => jsonIn(textOf(content)));
    const next = callsOf.get(question)?.[results.length];
    if (next) return { calls: [next] };
    const sentences = results.flatMap((result) => sentencesAbout(result, random));
    said.set(
      question,
      sentences.map(({ sentence }) => sentence),
    );
    return { text: sentences.map(({ sentence, mark }) => sentence.text + mark).join('\n\n') || 'I found nothing.' };
  });
  return said;
}

interface Marked {
  readonly sentence: SaidSentence;
  readonly mark: string;
}

function sentencesAbout(result: unknown, random: ReturnType<typeof createRandom>): Marked[] {
  const shown = recordsIn(result).slice(0, recordsMax);
  const all = shown.flatMap((record, at) => {
    const other = shown[at === 0 ? 1 : 0];
    return record.facts.slice(0, 2).map((fact): Marked => {
      const mark = `[^${record.ref}]`;
      const say = (kind: SaidSentence['kind'], text: string): SaidSentence => ({ kind, text, ref: record.ref });
      const share = random.below(10);
      if (share < 4) return { sentence: say('true', sentenceOf(record.title, fact)), mark };
      if (share < 7) return { sentence: say('true', sentenceOf(record.title, fact)), mark: '' };
      if (share === 7 && other)
        return { sentence: say('other record', sentenceOf(record.title, fact)), mark: `[^${other.ref}]` };
      if (share === 8) return { sentence: say('other value', sentenceOf(record.title, changed(fact))), mark };
      return { sentence: say('invented thing', sentenceOf(inventedName, fact)), mark };
    });
  });
  if (!isRecord(result) || typeof result['total'] !== 'number' || typeof result['_ref'] !== 'string') return all;
  const ref = result['_ref'];
  const sentence: SaidSentence = { kind: 'true', text: `There are ${result['total']} in all.`, ref };
  return [{ sentence, mark: `[^${ref}]` }, ...all];
}

function sentenceOf(title: string, [key, value]: Shown['facts'][number]): string {
  const words = key
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
  return `The ${words} of ${title} is ${value}.`;
}

function changed([key, value]: Shown['facts'][number]): Shown['facts'][number] {
  if (typeof value === 'number') return [key, value + 1];
  return [key, /^\d{4}-\d\d-\d\d$/.test(value) ? '1999-12-31' : 'Zanzibar'];
}

function recordsIn(value: unknown): Shown[] {
  if (Array.isArray(value)) return value.flatMap(recordsIn);
  if (!isRecord(value)) return [];
  const { _ref: ref, identifier, title } = value;
  if (typeof ref !== 'string' || !ref.startsWith('r') || typeof identifier !== 'string')
    return Object.values(value).flatMap(recordsIn);
  if (typeof title !== 'string' || title.split(' ').length > 8) return [];
  const parts = [value['properties'], value['relations']].filter(isRecord);
  const facts = parts.flatMap((part) => Object.entries(part)).flatMap(([key, each]) => factOf(key, each));
  return [{ ref, title, identifier, facts: facts.length > 0 ? facts : [['identifier', identifier]] }];
}

function factOf(key: string, value: unknown): Shown['facts'] {
  if (typeof value === 'number' && Number.isInteger(value)) return [[key, value]];
  if (typeof value !== 'string' || value.length > 40) return [];
  const [day] = /^\d{4}-\d\d-\d\d(?=T|$)/.exec(value) ?? [];
  if (day !== undefined) return [[key, day]];
  return /^[A-Za-z][\w .-]*$/.test(value) ? [[key, value]] : [];
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content)
    ? content.map((part) => (isRecord(part) ? String(part['text'] ?? '') : '')).join('')
    : '';
}

/** The result between its fences. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  } catch {
    return undefined;
  }
}
