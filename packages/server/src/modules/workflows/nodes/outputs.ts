import type { Reader } from '../../../platform/db/database.ts';
import { limits } from '../definitions/limits.ts';
import { NodeFailure } from './node-failure.ts';
import type { NodeCall } from './node-kind.ts';
import { renderShown } from './render-node.ts';
import { type RunContext, runContext } from './run-context.ts';
import { isWebAddress } from './web-address.ts';

const outputBytesMax = limits.outputBytesPerNode;

export type ShapedOutput =
  | {
      /** What the node gave; null where it is too large to be kept beside what its variables made of it. */
      readonly raw: unknown;
      /** What its variables made of it; null where there are none. */
      readonly output: unknown;
      readonly links: readonly string[];
    }
  /** Why the node fails after all, as a sentence. */
  | { readonly problem: string };

/** Applies the variables and links of a node that succeeded to what it gave, and checks that it can be kept. */
export async function shapeOutput(
  deps: { readonly database: Reader },
  call: NodeCall,
  raw: unknown,
): Promise<ShapedOutput> {
  const { variables, links } = call.node;
  const hasVariables = Object.keys(variables ?? {}).length > 0;
  try {
    const context = hasVariables || links?.length ? await runContext(deps, call) : undefined;
    const output = hasVariables && context ? applyVariables(call, context, raw) : null;
    const problem = sizeProblem(hasVariables ? output : raw, hasVariables);
    if (problem) return { problem };
    const isKept = !hasVariables || jsonBytes(raw) <= outputBytesMax;
    return { raw: isKept ? raw : null, output, links: context ? renderLinks(call, context, raw) : [] };
  } catch (error) {
    if (error instanceof NodeFailure) return { problem: error.message };
    throw error;
  }
}

/** Variables replace the output; they read what the node gave as `.result`. @throws NodeFailure */
function applyVariables({ node, now }: NodeCall, context: RunContext, raw: unknown): unknown {
  const { response = null } = (raw ?? {}) as { readonly response?: unknown };
  const given = { result: raw ?? null, response };
  return (renderShown({ variables: node.variables ?? {} }, context, now, given) as { variables: unknown }).variables;
}

function renderLinks({ node, now }: NodeCall, context: RunContext, raw: unknown): string[] {
  const { links } = renderShown({ links: node.links ?? [] }, context, now, { result: raw }) as { links: unknown[] };
  return links.flatMap((link) => (typeof link === 'string' && isWebAddress(link) ? [link] : []));
}

function sizeProblem(output: unknown, hasVariables: boolean): string | undefined {
  const bytes = jsonBytes(output);
  if (bytes <= outputBytesMax) return undefined;
  const what = hasVariables ? 'What its variables made' : 'Its output';
  return `${what} is ${bytes} bytes, and at most ${outputBytesMax} are kept: name what later steps need in "variables". What the step did is done`;
}

/** Bytes of a value as JSON; null and undefined count none. */
export function jsonBytes(value: unknown): number {
  return value === undefined || value === null ? 0 : Buffer.byteLength(JSON.stringify(value) ?? '');
}
