import { AppError } from '../../platform/errors.ts';
import { isSameJson } from '../../platform/same-json.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import type { DraftWithTeams, PermittedWrite } from '../access/index.ts';
import { permitPerson, permitTeam, permitTeamRename, personRules, teamRules } from '../accounts/index.ts';
import type { StoredBlueprint } from '../blueprints/index.ts';
import { teamsOfUser, toNamedTeam, toPersonState } from './sync-people.ts';

/** Domains in which service accounts may have their addresses. */
interface AccountDomains {
  readonly accountDomains: () => readonly string[];
}

/**
 * Leaves those items of `_user` and `_team` that the rules of users and teams allow and that give nobody more than the
 * author has; the others go to `failed`. Judged in the order of the items, each after those before it.
 */
export async function userAndTeamRules(
  deps: AccountDomains,
  work: Work,
  blueprint: StoredBlueprint,
  items: readonly DraftWithTeams[],
  failed: Map<number, AppError>,
): Promise<readonly PermittedWrite[]> {
  const judge = await createJudge(deps, work, blueprint, items);
  if (!judge) return items;
  const allowed: PermittedWrite[] = [];
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

type PersonCheck = (item: DraftWithTeams) => Promise<Pick<PermittedWrite, 'person' | 'team'>>;

async function createJudge(
  { accountDomains }: AccountDomains,
  work: Work,
  blueprint: StoredBlueprint,
  items: readonly DraftWithTeams[],
): Promise<PersonCheck | undefined> {
  const { identifier } = blueprint;
  if (identifier === '_team') {
    const judge = await teamRules(
      work,
      items.map(({ draft }) => toNamedTeam(draft).title),
      '/title',
    );
    return async ({ before, draft }) => {
      const team = await permitTeam(work, toNamedTeam(draft), before?.identifier);
      judge(before && named(before), named(draft));
      if (before && !isSameJson(named(before), named(draft))) await permitTeamRename(work, before.identifier);
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
    const person = await permitPerson(work, { ...toPersonState(draft), teamKeys });
    await judge(before && toPersonState(before), toPersonState(draft));
    return { person };
  };
}

function named(entity: Parameters<typeof toNamedTeam>[0]) {
  const { identifier, title } = toNamedTeam(entity);
  return { identifier, name: title };
}
