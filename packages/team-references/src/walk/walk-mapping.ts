import { inspect, JqError } from '@portolan/jq';
import type { Collector, SiteContext } from '../collect.ts';
import type { Json, JsonObject } from '../documents.ts';
import { isConstant, listOutputs } from '../expression-sites.ts';
import { findInExpression } from '../find-in-expression.ts';
import type { Finding } from '../finding.ts';
import { formatPointer, isObject, type Path } from '../json-pointer.ts';
import { plannedRelationChange, type ReferenceContext, wasSingle } from '../reference-context.ts';
import type { Shape } from '../shape.ts';
import { writtenRelation } from './written-relation.ts';

/** Walks the entity of a mapping: every text is an expression over `shape`. */
export function walkMapping(
  collector: Collector,
  where: SiteContext,
  path: Path,
  entity: JsonObject,
  blueprint: string | undefined,
  shape: Shape,
  templateShape?: Shape,
): void {
  const { world } = collector;
  const teamProperties = blueprint === undefined ? undefined : world.blueprints.get(blueprint)?.teamProperties;
  const walk = (at: Path, part: Json | undefined): void => {
    if (typeof part === 'string') {
      if (templateShape !== undefined && part.includes('{{'))
        collector.template(where, at, part, templateShape, 'value');
      else collector.expression(where, at, part, shape, 'value');
    } else if (Array.isArray(part)) for (const [index, item] of part.entries()) walk([...at, index], item);
    else if (isObject(part)) for (const [key, inner] of Object.entries(part)) walk([...at, key], inner);
  };
  for (const [key, part] of Object.entries(entity)) {
    const at = [...path, key];
    if (key === 'team' || key === '$team') {
      collector.add(where, at, part, findMappedTeam(part, shape, world));
    } else if (key === 'relations' && isObject(part)) {
      for (const [name, value] of Object.entries(part)) {
        const change = plannedRelationChange(world, blueprint, name);
        if (change === 'none') walk([...at, name], value);
        else {
          const pointer = formatPointer([...path, 'team']);
          const finding = writtenRelation(
            name,
            change,
            value,
            !('team' in entity),
            pointer,
            wasSingle(world, blueprint, name),
          );
          collector.add(where, [...at, name], value, finding);
        }
      }
    } else if (key === 'properties' && isObject(part)) {
      for (const [name, value] of Object.entries(part)) {
        if (teamProperties?.has(name) && typeof value === 'string') {
          const found = findInExpression(value, shape, world, 'team');
          collector.add({ ...where, area: 'team-format' }, [...at, name], value, found);
        } else walk([...at, name], value);
      }
    } else walk(at, part);
  }
}

/** References in what a mapping writes as teams: one or several expressions, or a search for teams. */
function findMappedTeam(value: Json, shape: Shape, world: ReferenceContext): Finding | undefined {
  if (Array.isArray(value) && value.length > 0) {
    const found = value.map((each) => findMappedTeam(each, shape, world));
    const hits = found.filter((each) => each !== undefined);
    const [worstHit] = hits.sort(
      (a, b) =>
        ['breaks', 'review', 'mentions'].indexOf(a.verdict) - ['breaks', 'review', 'mentions'].indexOf(b.verdict),
    );
    if (worstHit === undefined) return undefined;
    const { suggestion: _one, ...rest } = worstHit;
    const isWritten = (each: Finding | undefined) => typeof each?.suggestion?.value === 'string';
    const isChanged = found.some(isWritten);
    // a list cannot hold a search, so an item that needs one stays unchanged
    const isPartial = found.some((each) => each?.suggestion && (!isWritten(each) || each.suggestion.isPartial));
    const values = value.map((each, at) =>
      typeof found[at]?.suggestion?.value === 'string' ? found[at]?.suggestion?.value : each,
    );
    return {
      ...rest,
      references: hits.flatMap(({ references }) => references),
      ...(isChanged
        ? {
            suggestion: {
              value: values,
              ...(isPartial ? { isPartial } : {}),
              explanation: hits
                .map((hit) => hit.suggestion?.explanation ?? '')
                .filter(Boolean)
                .join(' '),
            },
          }
        : {}),
    };
  }
  if (isObject(value)) return findTeamSearch(value, shape, world);
  if (typeof value !== 'string') return undefined;
  const written = { kind: 'team', text: 'team' } as const;
  const found = findInExpression(value, shape, world, 'team');
  if (found !== undefined) return { ...found, references: [written, ...found.references] };
  const texts = constantTexts(value);
  if (texts !== undefined) {
    const isKnown = texts.every((text) => world.identifiers.has(text));
    return {
      references: [written],
      verdict: isKnown ? 'mentions' : 'review',
      why: isKnown ? 'Writes identifiers of teams.' : 'Writes the name of a team that is not known.',
      expression: value,
    };
  }
  return {
    references: [written],
    verdict: world.model === 'blueprints' ? 'review' : 'breaks',
    why: 'Writes a value as the team that was a title; after the migration it must be an identifier.',
    expression: value,
    suggestion: {
      value: { combinator: '"and"', rules: [{ property: '"$title"', operator: '"="', value }] },
      explanation:
        'Looks the team up by its title, so that the value may stay a title. Map the identifier instead where the source has it.',
    },
  };
}

/** The texts of an expression that consists only of texts and nulls. */
function constantTexts(source: string): string[] | undefined {
  try {
    const { expression, literals } = inspect(source);
    const outputs = listOutputs(expression);
    const texts = outputs.flatMap(
      (node) => literals.find(({ start, end }) => start === node.start && end === node.end)?.text ?? [],
    );
    return outputs.every(isConstant) ? texts : undefined;
  } catch (error) {
    if (error instanceof JqError) return undefined;
    throw error;
  }
}

/** A query `{combinator, rules}` in place of a team: its rules determine whether it searches by title or identifier. */
function findTeamSearch(value: JsonObject, shape: Shape, world: ReferenceContext): Finding {
  const references = [{ kind: 'team', text: 'team' }] as const;
  const rules = Array.isArray(value['rules']) ? value['rules'] : [];
  const mapped = rules.map((rule) => {
    if (!isObject(rule) || typeof rule['value'] !== 'string') return undefined;
    if (!/^"?\$identifier"?$/.test(String(rule['property']))) return undefined;
    const found = findInExpression(rule['value'], shape, world, 'team');
    return found?.suggestion === undefined ? undefined : { ...rule, value: found.suggestion.value as Json };
  });
  if (mapped.every((rule) => rule === undefined)) {
    return { references, verdict: 'mentions', why: 'Looks the team up, so that it goes on working.' };
  }
  return {
    references,
    verdict: 'breaks',
    why: 'Looks a team up by an identifier that is its title.',
    suggestion: {
      value: { ...value, rules: rules.map((rule, at) => mapped[at] ?? rule) },
      explanation: 'The titles are replaced by the identifiers.',
    },
  };
}
