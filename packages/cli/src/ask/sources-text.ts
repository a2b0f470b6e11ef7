import type { ReceiptRecord, Receipts } from '@portolan/contract/receipts';
import type { Output } from '../context.ts';
import { counted, oneLine, printable } from '../output.ts';

const sentenceCharactersMax = 160;
const valueCharactersMax = 80;

/** What an answer rests on, and which of its sentences rest on nothing that was read. `text` ends with what was checked. */
export function formatSources(receipts: Receipts, text: string, out: Pick<Output, 'isTerminal'>): string {
  const { units, records, length, truncated } = receipts;
  const checked = units.filter(({ status }) => status !== 'plain' && status !== 'hidden');
  const backed = checked.filter(({ status }) => status === 'supported' || status === 'linked').length;
  const base = text.length - length;
  const say = (unit: { readonly start: number; readonly end: number }): string =>
    oneLine(text.slice(base + unit.start, base + unit.end), sentenceCharactersMax);
  const used = [...new Set(units.flatMap(({ refs = [] }) => refs))].filter((ref) => Object.hasOwn(records, ref));
  const lines = [
    `${backed} of ${counted(checked.length, 'sentence')} backed by what was read${truncated ? ', of those that were checked' : ''}`,
    ...used.map((ref, at) => `[${at + 1}] ${formatRecord(records[ref] as ReceiptRecord)}`),
    ...checked.flatMap((unit) => {
      if (unit.status === 'unsupported') return [`not in what was read: ${say(unit)}`];
      if (unit.status === 'partly') return [`not in its source: ${(unit.missing ?? []).join(', ')} (${say(unit)})`];
      return [];
    }),
    ...units.flatMap((unit) => (unit.status === 'hidden' ? [`based on a record you may not read: ${say(unit)}`] : [])),
  ];
  return printable(lines.map((line) => `${line}\n`).join(''), out);
}

function formatRecord({ kind, blueprint, identifier, title, tool, readAt, values = {} }: ReceiptRecord): string {
  if (kind === 'hidden') return 'a record you may not read';
  const of = kind === 'entity' ? `${blueprint} ${identifier}` : `${identifier}`;
  const name =
    identifier !== undefined
      ? `${title ?? identifier} (${of})`
      : (title ?? `${kind === 'figures' ? 'figures' : 'answer'} of ${tool}`);
  const fields = Object.entries(values).map(([key, value]) => `${key}: ${oneLine(value, valueCharactersMax)}`);
  return [name, ...fields, ...(readAt === undefined ? [] : [`read ${readAt.slice(0, 16).replace('T', ' ')} UTC`])].join(
    ' · ',
  );
}
