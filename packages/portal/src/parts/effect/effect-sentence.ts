import type { AnswerOf } from '../../api/api.ts';
import { counted } from '../../kit/counted.ts';

export type Effect = NonNullable<AnswerOf<'getRunDecision'>['decision']['effect']>;
type Group = Effect['dependents'][number];

/** What will happen, in one sentence. */
export function effectSentence(effect: Effect): string {
  const { certainty, summary, changes, dependents, target, isPartial } = effect;
  if (certainty === 'declared') return `This will call an operation of Portolan: ${target ?? 'unknown'}.`;
  if (certainty === 'unknown') {
    return `This will send a request to ${target ?? 'another system'}. Portolan cannot see what that changes.`;
  }
  if (summary.verb === 'nothing') return 'This will change nothing: everything is already as requested.';
  const [first] = changes;
  const what = first
    ? `the ${lower(first.blueprint.title)} ${first.title ?? first.identifier}`
    : 'something you may not see';
  const along = dependents.length > 0 ? ` and ${listed(dependents)}` : '';
  const more = isPartial && first ? ', and more that you may not see' : '';
  if (summary.verb === 'delete') return `This will delete ${what}${along}${more}. ${lasting(effect)}`;
  if (summary.verb === 'create') return `This will create ${what}.`;
  const count = first?.fields.length ?? 0;
  return `This will change ${count === 0 ? 'values' : counted(count, 'value', 'values')} of ${what}.`;
}

function lasting({ isReversible }: Effect): string {
  return isReversible ? 'This can be changed back.' : 'This cannot be undone.';
}

/** "2 services and 1 rule result". */
export function listed(groups: readonly Group[]): string {
  const each = groups.map(({ blueprint, count }) => `${count.toLocaleString('en')} of type ${blueprint.title}`);
  if (each.length < 2) return each.join('');
  return `${each.slice(0, -1).join(', ')} and ${each.at(-1)}`;
}

/** The verb of the button that lets it happen. */
export function approveVerb(effect: Effect | undefined, isDraft: boolean): string {
  const named = { create: 'creation', change: 'change', delete: 'deletion', call: undefined, nothing: undefined };
  const deed = effect?.certainty === 'exact' ? named[effect.summary.verb] : undefined;
  if (deed) return `Approve ${deed}`;
  return isDraft ? 'Approve and run' : 'Approve';
}

function lower(title: string | null): string {
  return title?.toLowerCase() ?? 'entity';
}
