import { AppError } from '../../platform/errors.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import type { StoredBlueprint } from '../blueprints/index.ts';
import { personRules, teamRules } from '../identity/index.ts';
import type { CatalogDeps } from './catalog.deps.ts';
import type { Pending } from './entity-write.ts';
import { personOf } from './people.ts';

/**
 * Leaves those items of `_user` and `_team` that the rules of users and teams allow; the others go to `failed`. Judged
 * in the order of the items, each after those before it.
 */
export async function permitPeople(
  deps: Pick<CatalogDeps, 'accountDomains'>,
  work: Work,
  blueprint: StoredBlueprint,
  pending: readonly Pending[],
  failed: Map<number, AppError>,
): Promise<readonly Pending[]> {
  const judge = await judgeOf(deps, work, blueprint, pending);
  if (!judge) return pending;
  const allowed: Pending[] = [];
  for (const item of pending) {
    try {
      await judge(item);
      allowed.push(item);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      failed.set(item.index, error);
    }
  }
  return allowed;
}

type Judge = (item: Pending) => unknown;

async function judgeOf(
  { accountDomains }: Pick<CatalogDeps, 'accountDomains'>,
  work: Work,
  { identifier }: StoredBlueprint,
  pending: readonly Pending[],
): Promise<Judge | undefined> {
  if (identifier === '_team') {
    const judge = await teamRules(
      work,
      pending.map(({ draft }) => draft.title ?? draft.identifier),
      '/title',
    );
    return ({ before, draft }) => judge(before && named(before), named(draft));
  }
  if (identifier !== '_user') return undefined;
  const judge = await personRules(
    work,
    pending.map(({ draft }) => draft.identifier),
    accountDomains(),
  );
  return ({ before, draft }) => judge(before && personOf(before), personOf(draft));
}

function named({ identifier, title }: { readonly identifier: string; readonly title: string | null }) {
  return { identifier, name: title ?? identifier };
}
