import { type Definitions, findDefinition, type Schema } from './docs-document.ts';
import { type Html, type HtmlPart, html, prose } from './docs-html.ts';

/** Deeper members are left to the OpenAPI document: they are rarely read, and would repeat in every operation. */
const depthMax = 4;

/** The definitions that references resolve to, and the references open around this schema. */
interface Place {
  readonly definitions: Definitions;
  readonly open: readonly string[];
}

/** The members of a body or an answer as a nested list; undefined if the schema has none. */
export function schemaTree(schema: Schema, definitions: Definitions): Html | undefined {
  return members(schema, { definitions, open: [] }, 0);
}

/** One parameter or member with its type, constraints and description. */
export function fieldLine(name: string, schema: Schema, isRequired: boolean, definitions: Definitions): Html {
  return field(name, schema, isRequired, { definitions, open: [] }, depthMax);
}

function field(name: string, written: Schema, isRequired: boolean, place: Place, depth: number): Html {
  const { schema, place: inner } = resolve(written, place);
  const about = [written.description ?? schema.description, ...limits(schema)].filter((each) => each !== undefined);
  return html`<li><code class="name">${name}</code> <span class="type">${describeType(written, place)}</span>${
    isRequired && html` <span class="required">required</span>`
  }${about.length > 0 && html`<p>${prose(sentences(about))}</p>`}${nested(name, schema, inner, depth)}</li>`;
}

function nested(name: string, schema: Schema, place: Place, depth: number): HtmlPart {
  const list = depth < depthMax ? members(schema, place, depth + 1) : undefined;
  return list && html`<details><summary>${partsHeading(schema)} <code>${name}</code></summary>${list}</details>`;
}

function partsHeading(schema: Schema): string {
  if (schema.properties) return 'Members of';
  if (schema.items) return 'Each item of';
  return typeof schema.additionalProperties === 'object' ? 'Each value of' : 'Members of';
}

function members(written: Schema, place: Place, depth: number): Html | undefined {
  const { schema, place: inner } = resolve(written, place);
  if (schema.properties) {
    const required = new Set(schema.required);
    const rows = Object.entries(schema.properties).map(([name, each]) =>
      field(name, each, required.has(name), inner, depth),
    );
    return rows.length > 0 ? html`<ul class="fields">${rows}</ul>` : undefined;
  }
  const below = schema.items ?? (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : null);
  if (below) return members(below, inner, depth);
  return variants(schema, inner, depth);
}

/** The variants of a union that have members; a single variant gets no heading. */
function variants(schema: Schema, place: Place, depth: number): Html | undefined {
  const lists = alternatives(schema)
    .map((each) => members(each, place, depth))
    .filter((list) => list !== undefined);
  if (lists.length <= 1) return lists[0];
  return html`<p>One of:</p>${lists.map((list) => html`<div class="variant">${list}</div>`)}`;
}

function alternatives(schema: Schema): readonly Schema[] {
  return schema.anyOf ?? schema.oneOf ?? [];
}

/** Follows a reference; one that is already open (recursion) shows its type only. */
function resolve(schema: Schema, place: Place): { readonly schema: Schema; readonly place: Place } {
  if (schema.$ref === undefined) return { schema, place };
  const target = place.open.includes(schema.$ref) ? undefined : findDefinition(schema.$ref, place.definitions);
  return { schema: target ?? {}, place: { ...place, open: [...place.open, schema.$ref] } };
}

/** The type in a few words: `array of string`, `"Direct" or "Inherited"`, `any JSON`. */
function describeType(written: Schema, around: Place): string {
  const { schema, place } = resolve(written, around);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(' or ');
  if (isAnyJson(schema)) return 'any JSON';
  const several = alternatives(schema);
  if (several.length > 0) return [...new Set(several.map((each) => describeType(each, place)))].join(' or ');
  if (schema.items) return `array of ${grouped(describeType(schema.items, place))}`;
  if (schema.type === 'object' && !schema.properties && typeof schema.additionalProperties === 'object') {
    return `map of ${grouped(describeType(schema.additionalProperties, place))}`;
  }
  return typeof schema.type === 'string' ? (schema.format ?? schema.type) : (schema.type?.join(' or ') ?? 'any JSON');
}

function grouped(type: string): string {
  return type.includes(' or ') ? `(${type})` : type;
}

/** "Any JSON value" is written as a union of all types that refers to itself for arrays and objects. */
function isAnyJson(schema: Schema): boolean {
  const types = alternatives(schema).map(({ type }) => type);
  return ['string', 'number', 'boolean', 'null', 'array', 'object'].every((type) => types.includes(type));
}

function limits(schema: Schema): (string | undefined)[] {
  return [
    range('Length', schema.minLength, schema.maxLength),
    range('Items', schema.minItems, schema.maxItems),
    range('Value', schema.minimum, schema.maximum),
    schema.pattern !== undefined && !schema.format ? `Pattern \`${schema.pattern}\`` : undefined,
    schema.default !== undefined ? `Default \`${JSON.stringify(schema.default)}\`` : undefined,
  ];
}

function range(what: string, low: number | undefined, high: number | undefined): string | undefined {
  const from = low === undefined || low === -Number.MAX_SAFE_INTEGER ? undefined : low;
  const to = high === Number.MAX_SAFE_INTEGER ? undefined : high;
  if (from === undefined && to === undefined) return undefined;
  if (to === undefined) return `${what} at least ${from}`;
  return from === undefined ? `${what} at most ${to}` : `${what} ${from} to ${to}`;
}

function sentences(parts: readonly string[]): string {
  return parts.map((part) => (part.endsWith('.') ? part : `${part}.`)).join(' ');
}
