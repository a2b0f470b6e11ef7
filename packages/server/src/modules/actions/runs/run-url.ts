import type { ActionsDeps } from '../actions.deps.ts';

/** The page of a run, for people. */
export function runUrl({ publicUrl }: Pick<ActionsDeps, 'publicUrl'>, id: string): string {
  return `${publicUrl().replace(/\/+$/, '')}/runs/${encodeURIComponent(id)}`;
}
