import type { Collector } from '../collect.ts';
import type { Json, JsonObject } from '../documents.ts';
import { isObject, type Path } from '../json-pointer.ts';
import { isTeamFormat, objectAt, toText } from '../reference-context.ts';
import { any, each, entityShape, raw, record, type Shape } from '../shape.ts';
import { findFormat, findNames } from './find-names.ts';

/** The content of `.inputs` and `.form`: entities for entity inputs, team names for inputs with the format `team`. */
export function shapeOfInputs(userInputs: JsonObject): Shape {
  const inputs = Object.entries(objectAt(userInputs, 'properties')).map(([key, input]): [string, Shape] => [
    key,
    shapeOfInput(input),
  ]);
  return record(Object.fromEntries(inputs));
}

function shapeOfInput(input: Json | undefined): Shape {
  if (!isObject(input)) return raw;
  if (isTeamFormat(input)) return { kind: 'names' };
  const items = objectAt(input, 'items');
  const blueprint = toText(input['blueprint']) || toText(items['blueprint']);
  const isEntity = input['format'] === 'entity' || items['format'] === 'entity' || blueprint !== '';
  if (!isEntity) return raw;
  const entity = entityShape(blueprint === '' ? undefined : blueprint);
  return input['type'] === 'array' ? each(entity) : entity;
}

/** The input of a form's `jqQuery`. */
function shapeOfForm(userInputs: JsonObject, blueprint: string | undefined): Shape {
  const inputs = shapeOfInputs(userInputs);
  return record({ user: { kind: 'user' }, entity: entityShape(blueprint), form: inputs, inputs, formMode: raw }, any);
}

/** Walks the inputs, headings and steps of a form: expressions, datasets, defaults. */
export function walkForm(
  collector: Collector,
  path: Path,
  userInputs: JsonObject,
  blueprint: string | undefined,
): void {
  const shape = shapeOfForm(userInputs, blueprint);
  for (const [key, input] of Object.entries(objectAt(userInputs, 'properties'))) {
    if (isObject(input)) walkInput(collector, [...path, 'properties', key], key, input, shape);
  }
  walkQueries(
    collector,
    { kind: 'input', identifier: 'required' },
    [...path, 'required'],
    userInputs['required'],
    shape,
  );
  for (const part of ['titles', 'steps']) {
    walkQueries(collector, { kind: 'step', identifier: part }, [...path, part], userInputs[part], shape);
  }
}

function walkInput(collector: Collector, path: Path, key: string, input: JsonObject, shape: Shape): void {
  const title = toText(input['title']);
  const element = { kind: 'input', identifier: key, ...(title === '' ? {} : { title }) } as const;
  const isOfTeams = isTeamFormat(input);
  if (isOfTeams) collector.add({ area: 'team-format', element }, path, input, findFormat('input', collector.world));
  const blueprint = toText(input['blueprint']);
  const context = { shape, ...(blueprint === '' ? {} : { blueprint }) };
  for (const [name, part] of Object.entries(input)) {
    if (name === 'dataset') collector.query({ area: 'action-input', element }, [...path, name], part, context);
    else if (name === 'default' || name === 'enum') {
      const where = { area: isOfTeams ? 'team-format' : 'action-input', element } as const;
      if (isObject(part)) walkQueries(collector, element, [...path, name], part, shape);
      else collector.add(where, [...path, name], part, findNames(part, collector.world, isOfTeams));
    } else walkQueries(collector, element, [...path, name], part, shape);
  }
}

/** Walks every `jqQuery` in a part of a form. */
function walkQueries(
  collector: Collector,
  element: { readonly kind: 'input' | 'step'; readonly identifier: string; readonly title?: string },
  path: Path,
  part: Json | undefined,
  shape: Shape,
): void {
  if (Array.isArray(part)) {
    for (const [at, item] of part.entries()) walkQueries(collector, element, [...path, at], item, shape);
  } else if (isObject(part)) {
    for (const [key, inner] of Object.entries(part)) {
      const at = [...path, key];
      if (key !== 'jqQuery') walkQueries(collector, element, at, inner, shape);
      else collector.expression({ area: 'action-input', element }, at, inner, shape, expressionSink(path));
    }
  }
}

function expressionSink(path: Path): 'truth' | 'value' {
  return ['visible', 'disabled', 'required'].includes(String(path.at(-1))) ? 'truth' : 'value';
}
