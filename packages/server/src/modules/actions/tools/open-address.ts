import type { UserInputs } from '@portolan/contract/action-inputs';
import { analyse, type JqValue, listTemplateBlocks, type PathRead, replaceSingleQuotes } from '@portolan/jq';
import { inputBlueprint } from '../inputs/form.ts';
import type { CheckedRun } from '../runs/start-run.ts';

/** Of actions. */
const fixed = new Set<unknown>(['secrets', 'run', 'action']);

/** An address template of something that runs, and what of a form may end in it. */
export interface AddressOfForm {
  readonly url: string;
  readonly inputs: UserInputs['properties'];
  readonly values: Readonly<Record<string, unknown>>;
  /** Roots that callers cannot influence, so that even the host may come from them. */
  readonly fixed: ReadonlySet<unknown>;
  /** What a path reads: nothing that callers could influence, one input and whether inside of it, or anything. */
  readonly readOf: (
    path: PathRead['path'],
  ) => 'fixed' | 'anything' | { readonly key: string; readonly isInside: boolean };
}

/**
 * The reason why the address of a run may differ from the one its author meant: its host is computed from inputs, or an
 * input contains an address. A model may have taken such a value from untrusted text, so the run becomes a draft. In
 * doubt the address counts as open.
 */
export function openAddress({ action, values }: Pick<CheckedRun, 'action' | 'values'>): string | undefined {
  const { invocationMethod: method, trigger } = action.definition;
  if (method.type !== 'WEBHOOK') return undefined;
  const { properties: inputs } = trigger.userInputs;
  return openAddressOfForm({ url: method.url, inputs, values, fixed, readOf: readInAction });
}

function readInAction(path: PathRead['path']): ReturnType<AddressOfForm['readOf']> {
  const [root, key] = path;
  if (fixed.has(root)) return 'fixed';
  if (root === 'inputs' && typeof key === 'string') return { key, isInside: path.length > 2 };
  // the entity and the trigger are of the caller's choice, and hold no address that a model could have written
  return typeof root === 'string' && root !== 'inputs' ? 'fixed' : 'anything';
}

/** The same for any address that is filled in from a form. */
export function openAddressOfForm({
  url,
  inputs,
  values,
  fixed: fixedRoots,
  readOf,
}: AddressOfForm): string | undefined {
  try {
    const blocks = listTemplateBlocks(url as JqValue);
    const hostEnd = endOfHost(url, blocks);
    // for all blocks together: what is left unknown counts as open
    const effort = { stepsLeft: 20_000 };
    for (const { expression, start } of blocks) {
      const { reads, isUnknown } = analyse(replaceSingleQuotes(expression), { effort });
      if (start < hostEnd) {
        if (isUnknown || reads.some(({ path }) => !fixedRoots.has(path[0])))
          return 'its host is worked out from inputs';
        continue;
      }
      const found = reads.map(({ path }) => readOf(path));
      const isOpen = isUnknown || found.includes('anything');
      const named = found.flatMap((each) => (typeof each === 'object' ? [each] : []));
      const isInside = named.some((each) => each.isInside);
      for (const key of isOpen ? Object.keys(inputs) : new Set(named.map((each) => each.key))) {
        const input = inputs[key];
        if (isInside && input !== undefined && inputBlueprint(input) !== undefined) {
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
