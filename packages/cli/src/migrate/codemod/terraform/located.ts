import type { Json } from '@portolan/team-references';
import { isMap, isScalar, isSeq, type Node, parseDocument } from 'yaml';
import { constantText, keyText } from '../hcl/read-syntax.ts';
import type { Expression, Span, Template, TemplatePart } from '../hcl/syntax.ts';
import { resolveMeanings } from './meanings.ts';
import type { TerraformFile, TerraformModule } from './terraform-module.ts';

/** A document with the places of its values in the source files. */
export type LocatedNode = LocatedObject | LocatedList | LocatedValue;

export interface LocatedObject {
  readonly kind: 'object';
  readonly entries: ReadonlyMap<string, LocatedNode>;
}

export interface LocatedList {
  readonly kind: 'list';
  readonly items: readonly LocatedNode[];
}

export interface LocatedValue {
  readonly kind: 'value';
  readonly value: Json;
  readonly place: Place;
  /** The expression, if the value is an HCL text. */
  readonly node?: Expression;
}

export interface Place {
  readonly file: TerraformFile;
  readonly start: number;
  readonly end: number;
  /** Formats a replacement text for that place; undefined if the edit has to be manual. */
  readonly write?: (text: string) => string;
}

/**
 * Resolves an expression to a document. If it has several possible values, `variant` selects one and `variants` counts
 * them.
 */
export class Locator {
  readonly module: TerraformModule;
  readonly variant: number;
  variants = 1;

  constructor(module: TerraformModule, variant: number) {
    this.module = module;
    this.variant = variant;
  }

  locate(node: Expression | undefined): LocatedNode | undefined {
    if (node === undefined) return undefined;
    switch (node.kind) {
      case 'object':
        return this.#object(node.entries.map((entry) => [keyText(entry), this.locate(entry.value)]));
      case 'tuple':
        return { kind: 'list', items: node.items.flatMap((item) => this.locate(item) ?? []) };
      case 'for': {
        const value = this.locate(node.value);
        const items = value === undefined ? [] : [value];
        return node.key === undefined
          ? { kind: 'list', items }
          : this.#object([[constantText(node.key) ?? 'each', value]]);
      }
      case 'literal':
        return this.#value(node, node.value);
      case 'template':
        return this.#value(node, textOfTemplate(node));
      case 'call':
        return this.#call(node);
      default:
        return this.#meaning(node);
    }
  }

  #call(node: Expression & { kind: 'call' }): LocatedNode | undefined {
    const parts = node.arguments.map((each) => this.locate(each));
    switch (node.name.text) {
      case 'jsonencode':
      case 'yamlencode':
      case 'tolist':
      case 'toset':
      case 'tomap':
        return parts[0];
      case 'merge':
        return this.#object(parts.flatMap((part) => (part?.kind === 'object' ? [...part.entries] : [])));
      case 'concat':
        return { kind: 'list', items: parts.flatMap((part) => (part?.kind === 'list' ? part.items : [])) };
      default:
        return this.#meaning(node);
    }
  }

  #meaning(node: Expression): LocatedNode | undefined {
    const found = resolveMeanings(node, this.module).found.filter((each) => each !== node);
    this.variants = Math.max(this.variants, found.length);
    return this.locate(found[Math.min(this.variant, found.length - 1)]);
  }

  #object(entries: readonly (readonly [string | undefined, LocatedNode | undefined])[]): LocatedObject {
    const known = entries.flatMap(([key, value]) =>
      key === undefined || value === undefined ? [] : [[key, value] as const],
    );
    return { kind: 'object', entries: new Map(known) };
  }

  #value(node: Expression, value: Json): LocatedValue | undefined {
    const file = this.module.fileOf(node);
    if (file === undefined) return undefined;
    const place = (node.kind === 'template' && writable(node, file)) || { file, start: node.start, end: node.end };
    return { kind: 'value', value, node, place };
  }
}

/** Escapes template markers by doubling their first character. */
const plain = (text: string): string => text.replaceAll(/[$%](?=\{)/g, '$&$&');
/** A quoted JSON or HCL text. */
const quoted = (text: string): string => plain(JSON.stringify(text));

/** A text without interpolations can be replaced within its quotes or heredoc. */
function writable({ form, parts, start, end }: Template, file: TerraformFile): Place | undefined {
  const [part, ...others] = parts;
  if (part?.kind !== 'text' || others.length > 0) return undefined;
  return form === 'quoted'
    ? { file, start, end, write: quoted }
    : { file, start: part.start, end: part.end, write: plain };
}

const insertion = 'inserted';

/** Replaces interpolations by a placeholder word, so that the surrounding text can be parsed. */
const textOfTemplate = (node: Template): string => node.parts.map(textOfPart).join('');

function textOfPart(part: TemplatePart): string {
  if (part.kind === 'text') return part.value;
  return part.kind === 'interpolation' ? insertion : '';
}

/** The span of a range of a template's text; undefined if it contains escapes or interpolations. */
function spanIn({ parts }: Template, from: number, to: number): Span | undefined {
  let at = 0;
  for (const part of parts) {
    const { length } = textOfPart(part);
    if (from >= at && to <= at + length) {
      const isPlain = part.kind === 'text' && part.end - part.start === length;
      return isPlain ? { start: part.start + from - at, end: part.start + to - at } : undefined;
    }
    at += length;
  }
  return undefined;
}

/** Parses a text of JSON or YAML; returns anything else unchanged. */
export function decoded(located: LocatedNode | undefined): LocatedNode | undefined {
  if (located?.kind !== 'value' || typeof located.value !== 'string' || !/^\s*[[{]/.test(located.value)) return located;
  const document = parseDocument(located.value, { prettyErrors: false, keepSourceTokens: false });
  if (document.errors.length > 0 || document.contents === null) return located;
  return fromYaml(document.contents, located);
}

function fromYaml(node: Node, around: LocatedValue): LocatedNode {
  if (isMap(node)) {
    const entries = node.items.map(({ key, value }) => [String(key), fromYaml(value as Node, around)] as const);
    return { kind: 'object', entries: new Map(entries) };
  }
  if (isSeq(node)) return { kind: 'list', items: node.items.map((item) => fromYaml(item as Node, around)) };
  const value = isScalar(node) ? (node.value as Json) : null;
  const { node: template, place } = around;
  const { file, start, end } = place;
  const range = node?.range;
  const span = range && template?.kind === 'template' ? spanIn(template, range[0], range[1]) : undefined;
  if (span === undefined) return { kind: 'value', value, place: { file, start, end } };
  const isQuoted = template?.kind === 'template' && template.form === 'heredoc' && file.source[span.start] === '"';
  return { kind: 'value', value, place: { file, ...span, ...(isQuoted ? { write: quoted } : {}) } };
}

export function pick(located: LocatedNode | undefined, ...keys: readonly string[]): LocatedNode | undefined {
  return keys.reduce<LocatedNode | undefined>(
    (at, key) => (at?.kind === 'object' ? at.entries.get(key) : undefined),
    located,
  );
}

export function toLocatedObject(entries: Readonly<Record<string, LocatedNode | undefined>>): LocatedObject {
  return {
    kind: 'object',
    entries: new Map(
      Object.entries(entries).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const])),
    ),
  };
}

export function mapEntries(
  located: LocatedNode | undefined,
  change: (value: LocatedNode) => LocatedNode | undefined,
): LocatedNode | undefined {
  if (located?.kind !== 'object') return undefined;
  return toLocatedObject(Object.fromEntries([...located.entries].map(([key, value]) => [key, change(value)])));
}

export function mapItems(
  located: LocatedNode | undefined,
  change: (value: LocatedNode) => LocatedNode | undefined,
): LocatedNode | undefined {
  if (located?.kind !== 'list') return undefined;
  return { kind: 'list', items: located.items.flatMap((item) => change(item) ?? []) };
}

export function toJson(located: LocatedNode | undefined): Json {
  if (located === undefined) return null;
  if (located.kind === 'value') return located.value;
  if (located.kind === 'list') return located.items.map(toJson);
  return Object.fromEntries([...located.entries].map(([key, value]) => [key, toJson(value)]));
}

/** The value at a pointer, or its nearest ancestor that has a place in a file. */
export function placeAt(
  located: LocatedNode,
  steps: readonly string[],
): { readonly place?: Place; readonly isExact: boolean } {
  let at: LocatedNode = located;
  for (const [index, step] of steps.entries()) {
    const next: LocatedNode | undefined =
      at.kind === 'object' ? at.entries.get(step) : at.kind === 'list' ? at.items[Number(step)] : undefined;
    if (next === undefined) return { ...firstPlace(at), isExact: false };
    at = next;
    if (at.kind === 'value') return { place: at.place, isExact: index === steps.length - 1 };
  }
  return { ...firstPlace(at), isExact: false };
}

function firstPlace(located: LocatedNode): { readonly place?: Place } {
  if (located.kind === 'value') return { place: located.place };
  const inner = located.kind === 'list' ? located.items : [...located.entries.values()];
  for (const each of inner) {
    const found = firstPlace(each);
    if (found.place !== undefined) return found;
  }
  return {};
}
