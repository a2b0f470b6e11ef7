import type { Json } from '../documents.ts';
import type { Finding } from '../finding.ts';
import type { ReferenceContext } from '../reference-context.ts';

/** Literal texts that are team titles. `isCertain` if the place can only hold teams. */
export function findNames(value: Json | undefined, world: ReferenceContext, isCertain: boolean): Finding | undefined {
  const texts = (Array.isArray(value) ? value : [value]).filter((each): each is string => typeof each === 'string');
  const titles = texts.filter((text) => world.identifierOf.has(text));
  if (titles.length === 0) return undefined;
  const map = (each: Json): Json => (typeof each === 'string' ? (world.identifierOf.get(each) ?? each) : each);
  return {
    references: titles.map((title) => ({ kind: 'title', text: title, name: title })),
    verdict: isCertain ? 'breaks' : 'review',
    why: `Holds the title "${titles[0]}" of a team.`,
    suggestion: {
      value: Array.isArray(value) ? [...new Set(value.map(map))] : map(value ?? null),
      explanation: [...new Set(titles.map((title) => `"${title}" is the team ${world.identifierOf.get(title)}.`))].join(
        ' ',
      ),
    },
  };
}

/** References in what is written as an entity's teams: titles, identifiers, or texts that are neither. */
export function findWrittenNames(value: Json | undefined, world: ReferenceContext): Finding | undefined {
  const found = findNames(value, world, true);
  const texts = (Array.isArray(value) ? value : [value]).filter((each): each is string => typeof each === 'string');
  const [unknown] = texts.filter(
    (each) => each !== '' && !world.identifiers.has(each) && !world.identifierOf.has(each),
  );
  if (unknown === undefined) return found;
  if (found?.suggestion !== undefined) return { ...found, suggestion: { ...found.suggestion, isPartial: true } };
  const isInserted = /\{\{|\$\{|<%/.test(unknown);
  return {
    references: [{ kind: 'team', text: 'team' }],
    verdict: 'review',
    why: isInserted
      ? 'Writes a team that is filled in elsewhere: it must be an identifier.'
      : `Writes "${unknown}" as the team: it must be an identifier, and no such team is known.`,
  };
}

/** A property or input with the format `team`. */
export function findFormat(what: 'property' | 'input', world: ReferenceContext): Finding {
  return {
    references: [{ kind: 'team', text: 'format: team' }],
    verdict: world.model === 'blueprints' ? 'mentions' : 'review',
    why:
      what === 'property'
        ? 'Holds names of teams as plain texts, which the migration does not rewrite.'
        : 'Asks for a team; the portal gives its name before the migration and its identifier after it.',
  };
}
