import { type ChecklistItem, type ChecklistItemId, checklistItemIds } from '@portolan/contract/checklist';
import { type ChecklistFacts, entitiesWanted } from './checklist.store.ts';
import type { Safety } from './find-safety.ts';

/** The share of entities that have an owner when owners count as done. */
const ownedShare = 0.8;
/** So many items are done when Home takes over from the first steps. */
const itemsWanted = 5;

export interface Ownership {
  readonly entities: number;
  readonly owned: number;
}

/** What there is to decide by. */
export interface Findings {
  readonly facts: ChecklistFacts;
  readonly ownership: Ownership;
  readonly safety: Safety;
}

/** What is done, by what is there. Pure. */
export function findDone({ facts, ownership, safety }: Findings): Record<ChecklistItemId, boolean> {
  const { entities, owned } = ownership;
  return {
    model: facts.hasModel,
    source: facts.hasSource,
    data: facts.entities > 0,
    teams: facts.hasTeam,
    owners: entities > 0 && owned >= entities * ownedShare,
    fresh: facts.isFresh,
    colleague: facts.people > 1,
    rule: facts.hasEvaluated,
    answer: facts.hasAnswer,
    action: facts.hasRun,
    safe: missingSafety(safety) === undefined,
  };
}

/** Whether Home shows the first steps: few real entities, or few items done. The demo arranges a Home of its own. */
export function isFirstRun(facts: ChecklistFacts, done: Readonly<Record<ChecklistItemId, boolean>>): boolean {
  if (facts.holdsDemo) return false;
  return facts.entities < entitiesWanted || Object.values(done).filter(Boolean).length < itemsWanted;
}

export function presentItems(
  findings: Findings,
  done: Readonly<Record<ChecklistItemId, boolean>>,
  dismissed: readonly string[],
  reached: ReadonlyMap<string, Date>,
): ChecklistItem[] {
  return checklistItemIds.map((id) => {
    const progress = progressOf(id, findings);
    const at = done[id] ? reached.get(id) : undefined;
    return {
      id,
      title: texts[id].title,
      done: done[id],
      ...(at ? { doneAt: at.toISOString() } : {}),
      isDismissed: dismissed.includes(id),
      ...(progress ? { progress } : {}),
      next: (id === 'safe' && missingSafety(findings.safety)) || texts[id].next,
    };
  });
}

/** The next step towards an installation that others may rely on; undefined if none is left. */
function missingSafety({ hasOwnPasswords, hasDatabase, hasPublicUrl }: Safety): ChecklistItem['next'] | undefined {
  if (!hasOwnPasswords) return { text: 'Change the password of the first start', href: '/me/preferences' };
  if (!hasPublicUrl) return { text: 'Set PORTOLAN_PUBLIC_URL to an address that others can open' };
  if (!hasDatabase) return { text: 'Set DATABASE_URL to a PostgreSQL that is backed up' };
  return undefined;
}

function progressOf(id: ChecklistItemId, { facts, ownership, safety }: Findings) {
  const { entities, owned } = ownership;
  if (id === 'safe') return { is: Object.values(safety).filter(Boolean).length, of: Object.keys(safety).length };
  if (id === 'owners' && entities > 0) return { is: owned, of: entities };
  if (id === 'colleague') return { is: facts.people, of: 2 };
  return undefined;
}

const texts: Readonly<Record<ChecklistItemId, Pick<ChecklistItem, 'title' | 'next'>>> = {
  model: { title: 'A model', next: { text: 'Start from a model', href: '/builder/models' } },
  source: { title: 'First source connected', next: { text: 'Connect a source', href: '/builder/sources' } },
  data: { title: 'First data', next: { text: 'Bring in entities, or register a service', href: '/self-service' } },
  teams: { title: 'Teams', next: { text: 'Make a team with a member', href: '/builder/teams' } },
  owners: { title: 'Owners', next: { text: 'Give entities an owning team', href: '/catalog' } },
  fresh: { title: 'It keeps itself fresh', next: { text: 'Let a source sync again', href: '/builder/sources' } },
  colleague: { title: 'A colleague', next: { text: 'Invite somebody', href: '/builder/users' } },
  rule: { title: 'A rule', next: { text: 'Set a standard with a scorecard', href: '/builder/data-model' } },
  answer: { title: 'An answer', next: { text: 'Ask the assistant about your catalog', href: '/ai' } },
  action: { title: 'An action', next: { text: 'Run an action', href: '/self-service' } },
  safe: { title: 'Safe', next: { text: 'Nothing is left to do', href: '/me/preferences' } },
};
