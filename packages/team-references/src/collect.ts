import type { Json, Resource } from './documents.ts';
import { findInExpression, type Sink } from './find-in-expression.ts';
import { findInRule, type RuleContext } from './find-in-query.ts';
import { findInTemplate } from './find-in-template.ts';
import type { Finding } from './finding.ts';
import { formatPointer, isObject, type Path } from './json-pointer.ts';
import type { DocumentEdit, ItemElement, ManualArea, ManualItem } from './plan.ts';
import type { ReferenceContext } from './reference-context.ts';
import type { Shape } from './shape.ts';

export interface SiteContext {
  readonly area: ManualArea;
  readonly element?: ItemElement;
}

/** Collects the items of one document. */
export interface Collector {
  readonly world: ReferenceContext;
  readonly document: Json;
  add(where: SiteContext, path: Path, before: Json, finding: Finding | undefined): void;
  expression(where: SiteContext, path: Path, source: Json | undefined, shape: Shape, sink: Sink): void;
  template(where: SiteContext, path: Path, text: Json | undefined, shape: Shape, sink: Sink): void;
  /** Adds every text of a document of templates, keys included. */
  templates(where: SiteContext, path: Path, value: Json | undefined, shape: Shape): void;
  /** Adds the rules of a query: `{combinator, rules}` or a list, nested or not. */
  query(where: SiteContext, path: Path, query: Json | undefined, context: RuleContext): void;
}

export function createCollector(
  world: ReferenceContext,
  resource: Resource,
  document: Json,
  items: ManualItem[],
): Collector {
  const pointers = new Map<string, string>();
  const collector: Collector = {
    world,
    document,
    add({ area, element }, path, before, finding) {
      if (finding === undefined) return;
      const pointer = formatPointer(path);
      const key = stableKey(document, path);
      let id = identify(resource, key);
      // members of a list may share a name: number the later ones
      for (let number = 2; pointers.has(id) && pointers.get(id) !== pointer; number++)
        id = identify(resource, `${key}#${number}`);
      if (pointers.has(id)) return;
      pointers.set(id, pointer);
      const { suggestion } = finding;
      items.push({
        id,
        area,
        resource,
        ...(element === undefined ? {} : { element }),
        pointer,
        ...(finding.expression === undefined ? {} : { expression: finding.expression }),
        references: finding.references,
        why: finding.why,
        verdict: finding.verdict,
        before,
        ...(suggestion === undefined
          ? {}
          : {
              suggestion: {
                value: suggestion.value as Json,
                explanation: suggestion.isPartial
                  ? `${suggestion.explanation} That is a part of it: the other values may be titles too, and have to be looked at.`
                  : suggestion.explanation,
                ...(suggestion.isPartial ? { isPartial: true as const } : {}),
                edits: [toEdit(pointer, suggestion.value as Json), ...(suggestion.more ?? [])],
              },
            }),
      });
    },
    expression(where, path, source, shape, sink) {
      if (typeof source === 'string') collector.add(where, path, source, findInExpression(source, shape, world, sink));
    },
    template(where, path, text, shape, sink) {
      if (typeof text === 'string') collector.add(where, path, text, findInTemplate(text, shape, world, sink));
    },
    templates(where, path, value, shape) {
      if (typeof value === 'string') return collector.template(where, path, value, shape, 'value');
      if (Array.isArray(value)) {
        for (const [at, item] of value.entries()) collector.templates(where, [...path, at], item, shape);
      } else if (isObject(value)) {
        for (const [key, inner] of Object.entries(value)) {
          const inKey = findInTemplate(key, shape, world, 'value');
          // an edit cannot rename a key
          if (inKey !== undefined) {
            const { suggestion: _suggestion, ...found } = inKey;
            collector.add(where, [...path, key], inner, found);
          }
          collector.templates(where, [...path, key], inner, shape);
        }
      }
    },
    query(where, path, query, context) {
      if (Array.isArray(query)) {
        const blueprint = context.blueprint ?? blueprintNamed(query);
        const inner = blueprint === undefined ? context : { ...context, blueprint };
        for (const [at, rule] of query.entries()) collector.query(where, [...path, at], rule, inner);
      } else if (isObject(query)) {
        const group = ['rules', 'conditions'].filter((key) => Array.isArray(query[key]));
        for (const key of group) {
          const named =
            typeof query['blueprint'] === 'string' && query['blueprint'] !== '' ? query['blueprint'] : undefined;
          const inner =
            named !== undefined && context.blueprint === undefined ? { ...context, blueprint: named } : context;
          collector.query(where, [...path, key], query[key], inner);
        }
        if (group.length === 0) collector.add(where, path, query, findInRule(query, context, world));
      }
    },
  };
  return collector;
}

function toEdit(pointer: string, value: Json | undefined): DocumentEdit {
  return value === undefined || value === null ? { pointer } : { pointer, value };
}

/** The blueprint that a list of rules selects. */
function blueprintNamed(rules: readonly Json[]): string | undefined {
  for (const rule of rules) {
    if (
      isObject(rule) &&
      rule['property'] === '$blueprint' &&
      rule['operator'] === '=' &&
      typeof rule['value'] === 'string'
    )
      return rule['value'];
  }
  return undefined;
}

/** A path that identifies list members by name where possible, so that it survives insertions. */
function stableKey(document: Json, path: Path): string {
  let at: Json | undefined = document;
  const steps: (string | number)[] = [];
  for (const step of path) {
    const next: Json | undefined = Array.isArray(at) ? at[step as number] : isObject(at) ? at[String(step)] : undefined;
    const name = Array.isArray(at) && isObject(next) ? (next['id'] ?? next['identifier'] ?? next['name']) : undefined;
    steps.push(typeof name === 'string' && name !== '' ? `=${name}` : step);
    at = next;
  }
  return formatPointer(steps);
}

/** 64 bits of FNV-1a over the characters, as text. Not cryptographic: the ids only identify checkboxes. */
function identify(resource: Resource, key: string): string {
  const text = [resource.kind, resource.blueprint ?? '', resource.identifier, key].join('\u0000');
  let hash = 0xcbf29ce484222325n;
  for (let at = 0; at < text.length; at++)
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(at))) * 0x100000001b3n);
  return hash.toString(36).padStart(13, '0');
}
