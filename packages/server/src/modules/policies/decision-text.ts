import type { PermissionCheck } from '@portolan/contract/permission-explanations';
import type { SearchQuery } from '@portolan/contract/search-query';
import { type Actor, isAdmin } from '../../platform/actor.ts';
import type { Reader } from '../../platform/db/database.ts';
import { teamNames } from '../accounts/index.ts';
import { listBlueprintRows, policyIssues, referencesIn, type StoredBlueprint } from '../blueprints/index.ts';
import { allows, type GrantRule, grantRules, type NamedGrant, type Subject } from '../rights/index.ts';

export interface DecisionContext {
  readonly actor: Actor;
  readonly blueprint: StoredBlueprint;
  readonly blueprints: ReadonlyMap<string, StoredBlueprint>;
  /** Names by team reference; a deleted team has none. */
  readonly teamNames: ReadonlyMap<string, string>;
}

interface DecisionText {
  readonly allowed: boolean;
  readonly rule: PermissionCheck['rule'] | null;
  readonly grant: string | null;
  readonly why: string;
}

/** Disabled users are refused before any rule is evaluated. */
export const disabledCheck: PermissionCheck = {
  grant: '',
  rule: 'account',
  outcome: 'not_granted',
  why: 'the account is disabled',
};

export async function wordsFor(
  reader: Reader,
  { actor, blueprint }: Pick<DecisionContext, 'actor' | 'blueprint'>,
  ...subjects: readonly Subject[]
): Promise<DecisionContext> {
  const blueprints = new Map((await listBlueprintRows(reader, actor.orgId)).map((each) => [each.identifier, each]));
  const references = [...referencesIn(blueprint.rights), ...subjects.flatMap(({ teamRefs }) => teamRefs)];
  return {
    actor,
    blueprint,
    blueprints,
    teamNames: await teamNames(reader, actor.orgId, actor.model, references),
  };
}

/**
 * Rules in evaluation order up to the granting one. All rules of the first grant are listed; of the grants that imply
 * it, only configured rules.
 */
export function checkGrants(
  words: DecisionContext,
  grants: readonly NamedGrant[],
  subject: Subject,
): PermissionCheck[] {
  const [first] = grants;
  if (isAdmin(words.actor)) {
    const why = 'administrators may do everything';
    return [{ grant: first?.name ?? '', rule: 'role', outcome: 'granted', why }];
  }
  const checks: PermissionCheck[] = [];
  for (const named of grants) {
    for (const rule of grantRules) {
      const check = checkGrant(words, rule, named, subject);
      if (named !== first && check.outcome === 'not_set') continue;
      checks.push(check);
      if (check.outcome === 'granted') return checks;
    }
  }
  return checks;
}

export function toDecisionText(checks: readonly PermissionCheck[]): DecisionText {
  const last = checks.at(-1);
  if (last?.outcome === 'granted') {
    return { allowed: true, rule: last.rule, grant: last.grant, why: `${last.grant}: ${last.why}` };
  }
  const reasons = checks.filter(({ outcome, grant }) => outcome !== 'not_set' && grant === checks[0]?.grant);
  const why = reasons.map(({ grant, why: reason }) => (grant === '' ? reason : `${grant}: ${reason}`)).join('; ');
  return { allowed: false, rule: null, grant: null, why: why === '' ? 'no rule is set' : why };
}

function checkGrant(words: DecisionContext, rule: GrantRule, named: NamedGrant, subject: Subject): PermissionCheck {
  const isGranted = allows(words.actor, rule, named, subject);
  const { outcome, why } = { ...tellers[rule](words, named, subject, isGranted) };
  return { grant: named.name, rule, outcome: isGranted ? 'granted' : outcome, why };
}

type ExplainOutcome = (
  words: DecisionContext,
  named: NamedGrant,
  subject: Subject,
  isGranted: boolean,
) => { readonly outcome: Exclude<PermissionCheck['outcome'], 'granted'>; readonly why: string };

const tellers: Readonly<Record<GrantRule, ExplainOutcome>> = {
  role({ actor }, { grant }, _subject, isGranted) {
    const wanted = listed(grant.roles ?? []);
    if (!grant.roles?.length) return { outcome: 'not_set', why: 'no role is named' };
    const own = listed(actor.roles);
    return {
      outcome: 'not_granted',
      why: isGranted ? `has a role of ${wanted}` : `wants a role of ${wanted}; has ${own}`,
    };
  },
  ownedByTeam(words, { grant }, { teamRefs }, isGranted) {
    if (!grant.ownedByTeam) return { outcome: 'not_set', why: 'owners are not asked for' };
    const owners = listTeamNames(words, teamRefs);
    if (isGranted) return { outcome: 'not_granted', why: `is in a team that owns the entity: ${owners}` };
    const unknown = teamRefs.filter((reference) => reference.startsWith('?'));
    const ghosts = unknown.length > 0 ? `; ${listTeamNames(words, unknown)} resolved to no team and never grants` : '';
    return { outcome: 'not_granted', why: `is in none of the teams that own the entity: ${owners}${ghosts}` };
  },
  team(words, { grant }, _subject, isGranted) {
    if (!grant.teams?.length) return { outcome: 'not_set', why: 'no team is named' };
    const teams = listTeamNames(words, grant.teams);
    return { outcome: 'not_granted', why: isGranted ? `is in a team of ${teams}` : `is in no team of ${teams}` };
  },
  user(_words, { grant }, _subject, isGranted) {
    if (!grant.users?.length) return { outcome: 'not_set', why: 'no user is named' };
    return { outcome: 'not_granted', why: isGranted ? 'is named' : 'is not among the users that are named' };
  },
  policy({ blueprint, blueprints }, { grant }, _subject, isGranted) {
    if (grant.policy === undefined) return { outcome: 'not_set', why: 'there is no policy' };
    if (grant.ownedByTeam) return { outcome: 'ignored', why: 'the policy is ignored while ownedByTeam is set' };
    const issues = policyIssues(grant.policy as SearchQuery, blueprint, blueprints);
    if (issues.length > 0) {
      const first = issues.slice(0, 3).map(({ path, message }) => `${path}: ${message}`);
      return { outcome: 'broken', why: `the policy grants nothing: ${first.join(', ')}` };
    }
    return { outcome: 'not_granted', why: `the entity ${isGranted ? 'matches' : 'does not match'} the policy` };
  },
};

function listTeamNames({ teamNames }: DecisionContext, references: readonly string[]): string {
  return listed(references.flatMap((reference) => teamNames.get(reference) ?? []));
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.map((name) => `"${name}"`).join(', ');
}
