import type { Reader } from '../../../platform/db/database.ts';
import type { CallFacts } from '../../../platform/tools/call-decision.ts';
import { listEntitiesCalled } from '../../entities/index.ts';
import { words } from './asked-for.ts';

/** The entities of the blueprints of a call that a text names exactly and alone, as `blueprint/identifier`. */
export async function findNamedAlone(
  reader: Reader,
  orgId: string,
  { entity, inputs }: Pick<CallFacts, 'entity' | 'inputs'>,
  text: string,
): Promise<ReadonlySet<string>> {
  const blueprints = new Set([
    ...(entity ? [entity.blueprint] : []),
    ...inputs.flatMap(({ form, blueprint }) => (form === 'entity' && blueprint ? [blueprint] : [])),
  ]);
  const namedAlone = new Set<string>();
  for (const blueprint of blueprints) {
    const named = await listNamedEntities(reader, orgId, blueprint, text);
    if (named.size === 1) for (const identifier of named) namedAlone.add(`${blueprint}/${identifier}`);
  }
  return namedAlone;
}

/** Words of a text that are looked at, of a name, and entities that one text may name. */
const wordsMax = 300;
const nameWordsMax = 6;
const foundMax = 50;

/**
 * The entities of a blueprint that a text names exactly. A name inside a longer one does not count: "cart service" does
 * not name "cart" where both exist. None if there are too many.
 */
async function listNamedEntities(
  reader: Reader,
  orgId: string,
  blueprint: string,
  text: string,
): Promise<ReadonlySet<string>> {
  const tokens = [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].slice(0, wordsMax);
  const names = new Set<string>();
  for (let from = 0; from < tokens.length; from++) {
    for (let to = from; to < Math.min(from + nameWordsMax, tokens.length); to++) {
      const [first, last] = [tokens[from] as RegExpExecArray, tokens[to] as RegExpExecArray];
      const said = text.slice(first.index, last.index + last[0].length).toLowerCase();
      const parts = tokens.slice(from, to + 1).map(([word]) => word.toLowerCase());
      for (const name of [said, ...['-', '_', '.', ' '].map((separator) => parts.join(separator))]) names.add(name);
    }
  }
  const found = await listEntitiesCalled(reader, orgId, blueprint, { names: [...names], limit: foundMax });
  if (found.length >= foundMax) return new Set();
  const said = words(text);
  const spans = found.flatMap(({ identifier, title }) =>
    [identifier, title ?? ''].flatMap((name) => placesOf(words(name), said).map((span) => ({ ...span, identifier }))),
  );
  const whole = spans.filter(
    (span) => !spans.some(({ from, to }) => from <= span.from && to >= span.to && to - from > span.to - span.from),
  );
  return new Set(whole.map(({ identifier }) => identifier));
}

function placesOf(name: readonly string[], said: readonly string[]): { from: number; to: number }[] {
  if (name.length === 0) return [];
  return said.flatMap((_, from) =>
    name.every((word, offset) => said[from + offset] === word) ? [{ from, to: from + name.length }] : [],
  );
}
