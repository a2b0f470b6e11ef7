import type { Collector } from '../collect.ts';
import type { Json, JsonObject } from '../documents.ts';
import { isObject } from '../json-pointer.ts';
import { listAt, objectAt, toText } from '../reference-context.ts';

export function walkScorecard(collector: Collector, scorecard: JsonObject): void {
  const blueprint = toText(scorecard['blueprint']);
  const context = blueprint === '' ? {} : { blueprint };
  const filter = { area: 'scorecard', element: { kind: 'filter', identifier: 'filter' } } as const;
  collector.query(filter, ['filter'], scorecard['filter'], context);
  for (const [index, rule] of listAt(scorecard, 'rules').entries()) {
    if (!isObject(rule)) continue;
    const title = toText(rule['title']);
    const element = {
      kind: 'rule',
      identifier: toText(rule['identifier']),
      ...(title === '' ? {} : { title }),
    } as const;
    collector.query({ area: 'scorecard', element }, ['rules', index, 'query'], rule['query'], context);
  }
}

/** Walks a changelog destination of the whole organization. */
export function walkDestination(collector: Collector, destination: JsonObject): void {
  const { resources, type } = destination as { resources?: Json; type?: Json };
  if (Array.isArray(resources) && !resources.some((each) => each === 'entity' || each === 'team')) return;
  collector.add({ area: 'consumer' }, [], destination, {
    references: [{ kind: 'consumer', text: toText(type) }],
    verdict: collector.world.model === 'blueprints' ? 'mentions' : 'review',
    why: 'Is told of changes of all entities, whose "team" holds identifiers after the migration. Tell whoever receives them.',
  });
}

/** Reports team titles in an agent's prompt, which are never rewritten. */
export function walkAgent(collector: Collector, agent: JsonObject): void {
  const properties = objectAt(agent, 'properties');
  for (const key of ['prompt', 'conversation_starters']) {
    const value = properties[key];
    const texts = (Array.isArray(value) ? value : [value]).filter((each): each is string => typeof each === 'string');
    const titles = [...collector.world.identifierOf.keys()].filter((title) => texts.some((text) => names(text, title)));
    const isOfTeam = texts.some((text) => text.includes('$team'));
    if (titles.length === 0 && !isOfTeam) continue;
    collector.add(
      { area: 'agent', element: { kind: 'property', identifier: key } },
      ['properties', key],
      value ?? null,
      {
        references: [
          ...titles.map((title) => ({ kind: 'title', text: title, name: title }) as const),
          ...(isOfTeam ? [{ kind: 'team', text: '$team' } as const] : []),
        ],
        verdict: 'mentions',
        why: 'Speaks of teams by name. An agent can look them up; read whether the text asks for identifiers.',
      },
    );
  }
}

/** Whether the text contains the title as whole words. */
function names(text: string, title: string): boolean {
  for (let at = text.indexOf(title); at >= 0; at = text.indexOf(title, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const after = text[at + title.length] ?? ' ';
    if (!/[\p{L}\p{N}_-]/u.test(before) && !/[\p{L}\p{N}_-]/u.test(after)) return true;
  }
  return false;
}
