import type { Collector } from '../collect.ts';
import type { Json, JsonObject } from '../documents.ts';
import type { Path } from '../json-pointer.ts';
import { isObject } from '../json-pointer.ts';
import { listAt, objectAt, toText } from '../reference-context.ts';
import { findWrittenNames } from './find-names.ts';

/** A workflow action that writes entities, of any owner and brand: `port-labs/port-github-action@v1`. */
const writesEntities = /^[\w.-]+\/[\w.-]*github-action@/;
const where = { area: 'file-mapping' } as const;

/** Walks the steps of a workflow's jobs, or of a composite action. */
export function walkWorkflow(collector: Collector, workflow: JsonObject): void {
  for (const [key, job] of Object.entries(objectAt(workflow, 'jobs')))
    walkSteps(collector, ['jobs', key, 'steps'], listAt(job, 'steps'));
  walkSteps(collector, ['runs', 'steps'], listAt(objectAt(workflow, 'runs'), 'steps'));
}

function walkSteps(collector: Collector, path: Path, steps: readonly Json[]): void {
  for (const [index, step] of steps.entries()) {
    if (!isObject(step) || !writesEntities.test(toText(step['uses']))) continue;
    const given = objectAt(step, 'with');
    const at = [...path, index, 'with'];
    if ('team' in given) walkTeam(collector, [...at, 'team'], given['team']!);
    if ('entities' in given) walkEntities(collector, [...at, 'entities'], given['entities']!);
  }
}

/** Walks one name, or a JSON list of names. */
function walkTeam(collector: Collector, path: Path, value: Json): void {
  const list = parsed(value);
  const finding = findWrittenNames(Array.isArray(list) ? list : value, collector.world);
  if (finding === undefined) return;
  const { suggestion, ...rest } = finding;
  const text = Array.isArray(list) ? JSON.stringify(suggestion?.value) : suggestion?.value;
  collector.add(
    where,
    path,
    value,
    suggestion === undefined ? rest : { ...rest, suggestion: { ...suggestion, value: text } },
  );
}

/** Reports entities in a JSON text, which is not rewritten. */
function walkEntities(collector: Collector, path: Path, value: Json): void {
  const list = parsed(value);
  const teams = (Array.isArray(list) ? list : []).flatMap((entity) =>
    isObject(entity) && 'team' in entity ? [entity['team']!] : [],
  );
  const finding = Array.isArray(list)
    ? findWrittenNames(teams.flat(), collector.world)
    : findWrittenNames(/["']?team["']?\s*:/.test(toText(value)) ? value : undefined, collector.world);
  if (finding === undefined) return;
  const { suggestion: _suggestion, ...rest } = finding;
  collector.add(
    where,
    path,
    value,
    Array.isArray(list) ? rest : { ...rest, why: 'Writes entities with teams, which must be identifiers.' },
  );
}

function parsed(value: Json): Json | undefined {
  if (typeof value !== 'string' || !value.trim().startsWith('[')) return undefined;
  try {
    return JSON.parse(value) as Json;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
