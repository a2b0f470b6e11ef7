import type { Gold } from './question.ts';

export type Grade = 'right' | 'refused' | 'asked' | 'wrong';

const refusal = /^I did not answer this\./;
const question = /^(?:Which do you mean|Did you mean)\b/;

/** What an answer comes to; who asks back or refuses is never wrong, and right only where that was called for. */
export function grade(answer: string, gold: Gold): Grade {
  const isRefusal = refusal.test(answer);
  const isQuestion = question.test(answer);
  if (gold.kind === 'ask') return isQuestion ? 'right' : isRefusal ? 'refused' : 'wrong';
  if (gold.kind === 'refuse') return isRefusal ? 'right' : isQuestion ? 'asked' : 'wrong';
  if (isRefusal) return 'refused';
  if (isQuestion) return 'asked';
  return isRight(answer, gold) ? 'right' : 'wrong';
}

function isRight(answer: string, gold: Exclude<Gold, { kind: 'ask' | 'refuse' }>): boolean {
  switch (gold.kind) {
    case 'number':
      return boldNumber(answer) === gold.value;
    case 'set':
      return isSet(answer, gold.identifiers);
    case 'says': {
      const said = marked(resultOf(answer));
      return said.length === new Set(gold.texts).size && gold.texts.every((text) => said.includes(text));
    }
    case 'groups':
      return isSame(groupsIn(answer), gold.groups);
  }
}

/** Long lists are cut: then the number must be right and all that is shown must belong. */
function isSet(answer: string, wanted: readonly string[]): boolean {
  const shown = [...answer.matchAll(/^- (?:\*\*.*?\*\* \()?`([^`]+)`/gm)].map(([, identifier]) => identifier as string);
  const isWhole = shown.length === wanted.length;
  return (
    (isWhole || boldNumber(answer) === wanted.length) &&
    shown.every((each) => wanted.includes(each)) &&
    (isWhole || shown.length === 25)
  );
}

function boldNumber(answer: string): number | undefined {
  const match = /\*\*(-?[\d.,]+)(?: [^*]*)?\*\*/.exec(answer);
  return match ? Number((match[1] as string).replaceAll(',', '')) : undefined;
}

/** The answer after the understood query, which stands before the first colon. */
function resultOf(answer: string): string {
  return answer.slice(answer.indexOf(': ') + 1);
}

/** The time of a moment; the questions ask for days. */
const momentTime = /(?<=^\d{4}-\d\d-\d\d) \d\d:\d\d UTC$/;

function marked(text: string): string[] {
  return [
    ...new Set(
      [...text.matchAll(/\*\*(.+?)\*\*/g)].map(([, value]) =>
        (value as string).replaceAll('\\', '').replace(momentTime, ''),
      ),
    ),
  ];
}

function groupsIn(answer: string): Record<string, number> {
  const lines = [...answer.matchAll(/^- (.+): \*\*(\d+)\*\*$/gm)];
  return Object.fromEntries(lines.map(([, value, count]) => [(value as string).replaceAll('\\', ''), Number(count)]));
}

function isSame(a: Readonly<Record<string, number>>, b: Readonly<Record<string, number>>): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}
