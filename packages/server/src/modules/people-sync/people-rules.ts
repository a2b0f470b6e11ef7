import { AppError } from '../../platform/errors.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import type { Allowed, Owned } from '../access/index.ts';
import { permitPerson, permitTeam, personRules, teamRules } from '../accounts/index.ts';
import type { StoredBlueprint } from '../blueprints/index.ts';
import { personOf, teamOf, teamsOfUser } from './sync-people.ts';

/** Domains in which service accounts may have their addresses. */
interface AccountDomains {
  readonly accountDomains: () => readonly string[];
}

/**
 * Leaves those items of `_user` and `_team` that the rules of users and teams allow and that give nobody more than the
 * author has; the others go to `failed`. Judged in the order of the items, each after those before it.
 */
export async function permitPeople(
  deps: AccountDomains,
  work: Work,
  blueprint: StoredBlueprint,
  items: readonly Owned[],
  failed: Map<number, AppError>,
): Promise<readonly Allowed[]> {
  const judge = await judgeOf(deps, work, blueprint, items);
  if (!judge) return items;
  const allowed: Allowed[] = [];
  for (const item of items) {
    try {
      allowed.push({ ...item, ...(await judge(item)) });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      failed.set(item.index, error);
    }
  }
  return allowed;
}

type Judge = (item: Owned) => Promise<Pick<Allowed, 'person' | 'team'>>;

async function judgeOf(
  { accountDomains }: AccountDomains,
  work: Work,
  blueprint: StoredBlueprint,
  items: readonly Owned[],
): Promise<Judge | undefined> {
  const { identifier } = blueprint;
  if (identifier === '_team') {
    const judge = await teamRules(
      work,
      items.map(({ draft }) => teamOf(draft).title),
      '/title',
    );
    return async ({ before, draft }) => {
      const team = await permitTeam(work, teamOf(draft), before?.identifier);
      judge(before && named(before), named(draft));
      return { team };
    };
  }
  if (identifier !== '_user') return undefined;
  const judge = await personRules(
    work,
    items.map(({ draft }) => draft.identifier),
    accountDomains(),
  );
  return async ({ before, draft, ownTeamRefs = before?.ownTeamRefs ?? [] }) => {
    const teamKeys = await teamsOfUser(work, blueprint, { relations: draft.relations, ownTeamRefs });
    const person = await permitPerson(work, { ...personOf(draft), teamKeys });
    await judge(before && personOf(before), personOf(draft));
    return { person };
  };
}

function named(entity: Parameters<typeof teamOf>[0]) {
  const { identifier, title } = teamOf(entity);
  return { identifier, name: title };
}
