import type { AnswerOf } from '../../api/api.ts';
import { locale } from '../../kit/language.ts';
import { plural, t } from '../../kit/translate.ts';

export type Effect = NonNullable<AnswerOf<'getRunDecision'>['decision']['effect']>;
type Group = Effect['dependents'][number];

/** What will happen, in one sentence. */
export function effectSentence(effect: Effect): string {
  const { certainty, summary, changes, dependents, target, isPartial } = effect;
  if (certainty === 'declared')
    return t('This will call an operation of Portolan: {target}.', { target: target ?? t('unknown') });
  if (certainty === 'unknown') {
    return t('This will send a request to {target}. Portolan cannot see what that changes.', {
      target: target ?? t('another system'),
    });
  }
  if (summary.verb === 'nothing') return t('This will change nothing: everything is already as requested.');
  const [first] = changes;
  const what = first
    ? t('the {title} {title2}', { title: lower(first.blueprint.title), title2: first.title ?? first.identifier })
    : t('something you may not see');
  const along = dependents.length > 0 ? ` ${t('and {dependents}', { dependents: listed(dependents) })}` : '';
  const more = isPartial && first ? t(', and more that you may not see') : '';
  if (summary.verb === 'delete')
    return t('This will delete {what}{along}{more}. {effect}', { what, along, more, effect: lasting(effect) });
  if (summary.verb === 'create') return t('This will create {what}.', { what });
  const count = first?.fields.length ?? 0;
  return t('This will change {word} of {what}.', {
    word: count === 0 ? t('values') : plural(count, '{count} value', '{count} values'),
    what,
  });
}

function lasting({ isReversible }: Effect): string {
  return isReversible ? t('This can be changed back.') : t('This cannot be undone.');
}

/** "2 services and 1 rule result". */
export function listed(groups: readonly Group[]): string {
  const each = groups.map(({ blueprint, count }) =>
    t('{count} of type {title}', { count: count.toLocaleString(locale), title: blueprint.title }),
  );
  if (each.length < 2) return each.join('');
  return t('{each} and {each2}', { each: each.slice(0, -1).join(', '), each2: each.at(-1) });
}

/** The verb of the button that lets it happen. */
export function approveVerb(effect: Effect | undefined, isDraft: boolean): string {
  const named = { create: 'creation', change: 'change', delete: 'deletion', call: undefined, nothing: undefined };
  const deed = effect?.certainty === 'exact' ? named[effect.summary.verb] : undefined;
  if (deed) return t('Approve {deed}', { deed });
  return isDraft ? t('Approve and run') : t('Approve');
}

function lower(title: string | null): string {
  return title?.toLowerCase() ?? 'entity';
}
