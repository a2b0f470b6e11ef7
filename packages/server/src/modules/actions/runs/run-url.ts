import type { ActionsDeps } from '../actions.deps.ts';

export function runUrl({ publicUrl }: Pick<ActionsDeps, 'publicUrl'>, id: string): string {
  return `${publicUrl().replace(/\/+$/, '')}/runs/${encodeURIComponent(id)}`;
}
