import type { CallFacts, CallInput } from '../../../platform/tools/call-decision.ts';

/** A text that vouches for what it asks: the question, or the prompt of an agent. */
export interface AskingText {
  readonly text: string;
  /** `blueprint/identifier` of entities that it names exactly, if no other of their blueprint is named beside them. */
  readonly namedAlone: ReadonlySet<string>;
}

/** The part of a call that a text can ask for. */
export type AskedCall = Pick<CallFacts, 'names' | 'entity' | 'inputs' | 'isDestructive'> & {
  /** Closed values must stand in the text too. */
  readonly isStrict: boolean;
};

/**
 * Whether a text asks for a call in so many words: it orders the action by name, and every input stands in it, is the
 * form's default, is a closed value, or is an entity that it names exactly and alone. In doubt it does not.
 */
export function isAskedFor(call: AskedCall, asking: AskingText): boolean {
  if (!ordersAny(asking.text, call.names)) return false;
  const { entity } = call;
  if (entity && !asking.namedAlone.has(`${entity.blueprint}/${entity.identifier}`)) return false;
  const isClosedEnough = !call.isDestructive && !call.isStrict;
  return call.inputs.every((input) => isInputAskedFor(input, asking, isClosedEnough));
}

/** Whether a text orders something by one of its names. */
export function ordersAny(text: string, names: readonly string[]): boolean {
  return names.some((name) => orders(text, name));
}

function isInputAskedFor({ form, value, blueprint }: CallInput, asking: AskingText, isClosedEnough: boolean): boolean {
  if (form === 'default' || (form === 'closed' && isClosedEnough)) return true;
  const leaves = leavesOf(value);
  if (form === 'entity') {
    return leaves.every((leaf) => typeof leaf === 'string' && asking.namedAlone.has(`${blueprint}/${leaf}`));
  }
  return leaves.every((leaf) => isLiteral(leaf, asking.text));
}

/** The values inside a value; keys of objects count, because they can hold text too. */
function leavesOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  if (typeof value !== 'object' || value === null) return [value];
  return Object.entries(value).flatMap(([key, each]) => [key, ...leavesOf(each)]);
}

/** Whether a value stands in a text as it is, and not as a part of a longer word. */
export function isLiteral(value: unknown, text: string): boolean {
  if (value === null || value === undefined || value === '') return true;
  const wanted = plain(String(value));
  // blanks and forms of letters that the text does not have could spell out something
  const given = String(value);
  if (wanted !== given && (given !== given.trim() || !text.includes(given))) return false;
  const within = plain(text);
  for (let at = within.indexOf(wanted); at >= 0; at = within.indexOf(wanted, at + 1)) {
    const [before = '', after = ''] = [within.slice(0, at).slice(-1), within.slice(at + wanted.length)];
    // a point ends a sentence, or goes on as in 1.5
    if (!/[\p{L}\p{N}_-]/u.test(before) && !/^(?:[\p{L}\p{N}_-]|[.,:/@][\p{L}\p{N}])/u.test(after)) return true;
  }
  return false;
}

function plain(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim();
}

/** Words that may stand before the name of an action in an order. */
const leadIns = new Set(
  `a action again also and an can could execute first for go i just launch like me need next now perform please run
   self service start the then to trigger us use want will would you`.split(/\s+/),
);
const negations = new Set('avoid cannot dont except instead neither never no nor not unless without'.split(' '));
const polite = new Set(['can', 'could', 'please', 'will', 'would']);

/** Whether one of the text's sentences orders the action: its name stands first, or after words like "please run". */
function orders(text: string, name: string): boolean {
  const wanted = words(name);
  if (wanted.length === 0) return false;
  return sentences(text).some((sentence) => {
    const all = words(sentence);
    if (/n['\u2019]t\b/i.test(sentence) || all.some((word) => negations.has(word))) return false;
    const [first = ''] = all;
    if (/\?\s*$/.test(sentence) && !polite.has(first)) return false;
    return clauses(sentence).some((clause) => {
      const said = words(clause);
      const at = said.findIndex((_, index) => wanted.every((word, offset) => said[index + offset] === word));
      return at >= 0 && said.slice(0, at).every((word) => leadIns.has(word));
    });
  });
}

function sentences(text: string): string[] {
  return text.split(/(?<=[.!?])(?=\s)|[\n;]+/u).filter((part) => part.trim() !== '');
}

function clauses(sentence: string): string[] {
  return sentence.split(/,(?=\s)|:(?=\s)|\b(?:and|then)\b/u);
}

/** Folds case, separators and accents. */
export function words(text: string): string[] {
  const folded = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
  return folded.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}
