import type { BlueprintBody, SchemaProperty } from '@portolan/contract/blueprints';
import type { Issue } from '@portolan/contract/errors';
import { checkComputed } from './check-computed.ts';
import { isColor } from './palette.ts';

const textFormats = [
  'date-time',
  'url',
  'email',
  'idn-email',
  'idn-format',
  'ipv4',
  'ipv6',
  'markdown',
  'yaml',
  'user',
  'blueprints',
  'team',
  'timer',
  'proto',
  'entity',
] as const;

const formats: Readonly<Record<string, readonly string[]>> = {
  string: textFormats,
  object: ['labeled-url'],
  array: [...textFormats, 'labeled-url'],
};

/** Issues that the document alone shows; empty if it is sound. */
export function checkBlueprint(body: BlueprintBody): Issue[] {
  return [
    ...checkKeys(body),
    ...checkRequired(body),
    ...checkProperties(body),
    ...checkRelations(body),
    ...checkMirrors(body),
    ...checkComputed(body),
  ];
}

/** Per map: every write of an entity and every screen iterates over them all. */
const keysMax = 500;
/** Values of one property. */
const enumMax = 2_000;

/** Issues with sizes; if there are any, nothing else is checked. */
export function checkSizes(body: BlueprintBody): Issue[] {
  const maps = Object.entries({ ...mapsOfProperties(body), relations: body.relations }).flatMap(([map, entries]) =>
    Object.keys(entries ?? {}).length > keysMax ? [{ path: `/${map}`, message: `has more than ${keysMax} keys` }] : [],
  );
  if (maps.length > 0) return maps;
  return Object.entries(body.schema.properties).flatMap(([key, { enum: values, enumColors }]) =>
    Math.max(values?.length ?? 0, Object.keys(enumColors ?? {}).length) > enumMax
      ? [{ path: `/schema/properties/${key}/enum`, message: `has more than ${enumMax} values` }]
      : [],
  );
}

function mapsOfProperties(body: BlueprintBody): Readonly<Record<string, object | undefined>> {
  return {
    'schema/properties': body.schema.properties,
    calculationProperties: body.calculationProperties,
    mirrorProperties: body.mirrorProperties,
    aggregationProperties: body.aggregationProperties,
  };
}

/** Keys that share the properties of an entity must differ. Relations are separate and may repeat one. */
function checkKeys(body: BlueprintBody): Issue[] {
  const seen = new Map<string, string>();
  return Object.entries(mapsOfProperties(body)).flatMap(([map, entries]) =>
    Object.keys(entries ?? {}).flatMap((key) => {
      const first = seen.get(key);
      seen.set(key, first ?? map);
      const message = `the key is also used in ${first}`;
      return first === undefined ? [] : [{ path: `/${map}/${key}`, message }];
    }),
  );
}

function checkRequired({ schema }: BlueprintBody): Issue[] {
  return (schema.required ?? []).flatMap((key, index) =>
    Object.hasOwn(schema.properties, key)
      ? []
      : [{ path: `/schema/required/${index}`, message: `"${key}" is not a property of the blueprint` }],
  );
}

function checkProperties({ schema }: BlueprintBody): Issue[] {
  return Object.entries(schema.properties).flatMap(([key, property]) => {
    const path = `/schema/properties/${key}`;
    const { items } = property;
    const { default: standard } = property;
    const isOfType = standard === undefined || standard === null || jsonType(standard) === property.type;
    return [
      ...checkValues(property, path),
      // items without a type are texts, and so are absent items
      ...(items ? checkValues({ ...items, type: items.type ?? 'string' }, `${path}/items`) : []),
      ...(isOfType ? [] : [{ path: `${path}/default`, message: `must be of type ${property.type} like the property` }]),
    ];
  });
}

/** Issues with a property's values, or with those of its list items. */
function checkValues(property: Pick<SchemaProperty, 'type' | 'format'> & Record<string, unknown>, path: string) {
  const issues: Issue[] = [];
  const { type, format, spec, enum: values, enumColors } = property;
  if (spec !== undefined && (type === 'number' || type === 'boolean')) {
    issues.push({ path: `${path}/spec`, message: `says what a text or object holds, and type ${type} holds neither` });
  }
  if (format !== undefined && !(formats[type] ?? []).includes(format)) {
    issues.push({ path: `${path}/format`, message: `"${format}" is not a format of type ${type}` });
  }
  for (const [index, value] of (Array.isArray(values) ? values : []).entries()) {
    if (type !== jsonType(value)) {
      issues.push({ path: `${path}/enum/${index}`, message: `must be a ${type} like the property` });
    }
  }
  for (const [value, color] of Object.entries(enumColors ?? {})) {
    if (!isColor(color)) {
      issues.push({ path: `${path}/enumColors/${value}`, message: `"${color}" is not a colour of the palette` });
    }
  }
  return issues;
}

function jsonType(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value;
}

function checkRelations(body: BlueprintBody): Issue[] {
  return Object.entries(body.relations ?? {}).flatMap(([key, relation]) =>
    relation.many && relation.required
      ? [{ path: `/relations/${key}`, message: 'a relation to many cannot be required' }]
      : [],
  );
}

/** The first hop must be a relation of the blueprint, or `$team`; later hops may come with other blueprints. */
function checkMirrors(body: BlueprintBody): Issue[] {
  return Object.entries(body.mirrorProperties ?? {}).flatMap(([key, mirror]) => {
    const [first = ''] = mirror.path.split('.');
    return first === '$team' || Object.hasOwn(body.relations ?? {}, first)
      ? []
      : [{ path: `/mirrorProperties/${key}/path`, message: `"${first}" is not a relation of the blueprint` }];
  });
}
