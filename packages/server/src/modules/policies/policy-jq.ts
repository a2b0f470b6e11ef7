import type { ActionPolicy } from '@portolan/contract/action-policy';
import type { StoredJq } from '../../platform/check-stored-jq.ts';
import { isCallerTemplate } from './render-query.ts';

/** Everything in the policy of an action that is JQ: its conditions, and what its queries fill in. */
export function jqOfPolicy({ queries, conditions }: ActionPolicy, at: string): StoredJq[] {
  const use = 'policy' as const;
  return [
    ...templatesIn(queries, `${at}/queries`).map(([path, template]) => ({ use, path, template })),
    ...conditions.map((expression, index) => ({ use, path: `${at}/conditions/${index}`, expression })),
  ];
}

/** Texts that searches fill in by themselves are no JQ. */
function templatesIn(part: unknown, path: string): [string, string][] {
  if (typeof part === 'string') return isCallerTemplate(part) ? [] : [[path, part]];
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) => templatesIn(value, `${path}/${key}`));
}
