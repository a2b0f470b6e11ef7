import type { Output } from './context.ts';

export { oneLine } from '@portolan/evaluation';

/**
 * Removes control characters except tab and newline for a terminal, because answers, titles and errors come from models
 * and other users and could contain escape sequences. Files and pipes get the text unchanged.
 */
export function printable(text: string, output: Pick<Output, 'isTerminal'>): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is left out
  return output.isTerminal ? text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '') : text;
}

export function dim(text: string, output: Pick<Output, 'hasColor'>): string {
  return output.hasColor ? `\u001b[2m${text}\u001b[22m` : text;
}

/** Columns as wide as their longest cell, two spaces apart, without trailing spaces. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = head.length > 0 ? [head, ...rows] : rows;
  const widths = (all[0] ?? []).map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  const lines = all.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

/** `1 entity`, `2 entities`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
