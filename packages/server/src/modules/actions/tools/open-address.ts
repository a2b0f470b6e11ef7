import { analyse, type JqValue, listTemplateBlocks, type PathRead, replaceSingleQuotes } from '@portolan/jq';
import { inputBlueprint } from '../inputs/form.ts';
import type { CheckedRun } from '../runs/start-run.ts';

/** Roots that callers cannot influence, so the address may contain them. */
const fixed = new Set<unknown>(['secrets', 'run', 'action']);

/**
 * The reason why the address of a run may differ from the one its author meant: its host is computed from inputs, or an
 * input contains an address. A model may have taken such a value from untrusted text, so the run becomes a draft. In
 * doubt the address counts as open.
 */
export function openAddress({ action, values }: Pick<CheckedRun, 'action' | 'values'>): string | undefined {
  const { invocationMethod: method, trigger } = action.definition;
  if (method.type !== 'WEBHOOK') return undefined;
  const { url } = method;
  const { properties } = trigger.userInputs;
  try {
    const blocks = listTemplateBlocks(url as JqValue);
    const hostEnd = endOfHost(url, blocks);
    for (const { expression, start } of blocks) {
      const { reads, isUnknown } = analyse(replaceSingleQuotes(expression));
      if (start < hostEnd) {
        if (isUnknown || reads.some(({ path }) => !fixed.has(path[0]))) return 'its host is worked out from inputs';
        continue;
      }
      for (const key of keysRead(reads, isUnknown, Object.keys(properties))) {
        const input = properties[key];
        const isOfEntity = input !== undefined && inputBlueprint(input) !== undefined;
        if (isOfEntity && reads.some(({ path }) => path[0] === 'inputs' && path.length > 2)) {
          return `a value of the entity "${key}" is part of its address`;
        }
        if (values[key] === input?.['default']) continue;
        if (holdsAddress(values[key])) return `the input "${key}" holds an address and is part of its own`;
      }
    }
    return undefined;
  } catch {
    return 'its address cannot be read';
  }
}

/** The end of host and port in an address template; template blocks count as text without slashes. */
function endOfHost(url: string, blocks: readonly { readonly start: number; readonly end: number }[]): number {
  let plain = url;
  for (const { start, end } of blocks) plain = plain.slice(0, start) + 'x'.repeat(end - start) + plain.slice(end);
  const head = /^[a-z][a-z0-9+.-]*:\/\//i.exec(plain)?.[0].length;
  const isBlockFirst = blocks.some(({ start }) => start < (head ?? 0));
  if (head === undefined || isBlockFirst) return /^\/(?!\/)/.test(plain) ? 0 : plain.length + 1;
  const rest = plain.slice(head).search(/[/?#\\]/);
  return rest < 0 ? plain.length + 1 : head + rest;
}

/** The inputs that expressions may read; all of them if that is unknown. */
function keysRead(reads: readonly PathRead[], isUnknown: boolean, all: readonly string[]): readonly string[] {
  const keys = new Set<string>();
  for (const { path } of isUnknown ? [{ path: [] }] : reads) {
    const [root, key] = path;
    if (typeof root === 'string' && root !== 'inputs') continue;
    if (root === 'inputs' && typeof key === 'string') keys.add(key);
    else return all;
  }
  return [...keys];
}

const address = /:\/\/|^[/\\]{2}|localhost|::|(?:\d{1,3}\.){3}\d{1,3}|[\p{L}\p{N}][.\u3002\uff0e\uff61]\p{L}{2,}/iu;

function holdsAddress(value: unknown): boolean {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return address.test(text) || address.test(decoded(text));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
