import { type Expression, inspect, JqError, type PathEdit, type Place, rewrite, type TextLiteral } from '@portolan/jq';
import { findMeeting, listSites, type Site, visitWithParent } from './expression-sites.ts';
import { type ReferenceContext, wasSingle } from './reference-context.ts';
import type { Shape } from './shape.ts';

interface SpanEdit {
  readonly start: number;
  readonly end: number;
  readonly after: string;
}

/** A title in the program, with the identifier that replaces it. */
export interface TitleLiteral {
  readonly literal: TextLiteral;
  readonly identifier: string;
}

/**
 * Replaces titles by identifiers, `contains` by whole-value comparison, and removed relations by `.team`. Undefined if
 * nothing changes. The rest stays byte for byte, and the result always parses.
 */
export function rewriteExpression(
  source: string,
  shape: Shape,
  sites: readonly Site[],
  titles: readonly TitleLiteral[],
  world: ReferenceContext,
): string | undefined {
  const literal = spliced(source, literalEdits(source, shape, titles, sites, world));
  const edits = sites.flatMap((site) => pathEdits(site, world));
  if (edits.length === 0 && literal === source) return undefined;
  try {
    const rewritten = edits.length === 0 ? literal : rewrite(literal, edits).source;
    return rewritten === source || isHalfDone(rewritten, shape, world) ? undefined : rewritten;
  } catch (error) {
    // over the length limit: a suggestion must be possible to save
    if (error instanceof JqError) return undefined;
    throw error;
  }
}

/** Whether names of a user's teams are left that would now be compared with identifiers. */
function isHalfDone(rewritten: string, shape: Shape, world: ReferenceContext): boolean {
  const inspection = inspect(rewritten);
  const sites = listSites(inspection, shape, world);
  return (
    sites.some(({ kind }) => kind === 'user-teams') &&
    inspection.literals.some(({ text }) => world.identifiers.has(text))
  );
}

function literalEdits(
  source: string,
  shape: Shape,
  titles: readonly TitleLiteral[],
  sites: readonly Site[],
  world: ReferenceContext,
): SpanEdit[] {
  const byStart = new Map(titles.map((title) => [title.literal.start, title]));
  const { expression, literals } = inspect(source);
  const edits: SpanEdit[] = [];
  const within: SpanEdit[] = [];
  const isChanging = titles.length > 0 || sites.some(({ kind }) => kind === 'relation');
  visitWithParent(expression, (node, parent) => {
    const call = isChanging ? wholeValues(node, literals, shape, world) : undefined;
    if (call === undefined) return;
    const texts = call.texts.map(({ start, text }) => JSON.stringify(byStart.get(start)?.identifier ?? text));
    const checks = texts.map((text) => (call.isList ? `index(${text}) != null` : `. == ${text}`));
    const joined = checks.length === 1 ? checks[0]! : `(${checks.join(' and ')})`;
    const after = checks.length > 1 || mayStandBare(parent) ? joined : `(${joined})`;
    within.push({ start: node.start, end: node.end, after });
  });
  edits.push(...within);
  for (const { literal, identifier } of titles) {
    if (within.some(({ start, end }) => start <= literal.start && literal.end <= end)) continue;
    const after = source[literal.start] === '"' ? JSON.stringify(identifier) : jqKey(identifier);
    edits.push({ start: literal.start, end: literal.end, after });
  }
  return edits.sort((a, b) => a.start - b.start);
}

/** An object key, unquoted where possible. */
function jqKey(identifier: string): string {
  return /^[A-Za-z_]\w*$/.test(identifier) ? identifier : JSON.stringify(identifier);
}

/** A `contains` of plain texts on values of teams. On texts it matches substrings, so `Pay` finds `Payments`. */
function wholeValues(
  node: Expression,
  literals: readonly TextLiteral[],
  shape: Shape,
  world: ReferenceContext,
): { readonly texts: readonly TextLiteral[]; readonly isList: boolean } | undefined {
  if (node.kind !== 'call' || node.name !== 'contains' || node.args.length !== 1) return undefined;
  const [arg] = node.args as [Expression];
  const items = arg.kind === 'array' ? (arg.body?.kind === 'comma' ? arg.body.items : [arg.body]) : [arg];
  const texts = items.map((item) => literals.find((each) => each.start === item?.start && each.end === item?.end));
  if (!texts.every((text) => text !== undefined)) return undefined;
  const meetings = texts.map((text) => findMeeting(text, shape, world));
  if (texts.length === 0 || meetings.some((meeting) => meeting !== 'teams' && meeting !== 'relation')) return undefined;
  return { texts, isList: arg.kind === 'array' };
}

/** Whether a comparison needs no parentheses. */
function mayStandBare(parent: Expression | null): boolean {
  return parent === null || ['pipe', 'group', 'logical', 'call', 'if', 'comma', 'array'].includes(parent.kind);
}

function pathEdits(site: Site, world: ReferenceContext): PathEdit[] {
  const { kind, place, isExact } = site;
  if (!isExact) return [];
  if (kind === 'relation') {
    const from: Place = place;
    const isSingle = wasSingle(world, site.blueprint, site.relation!);
    const to: Place = [...place.slice(0, -2), 'team', ...(isSingle ? [0] : [])];
    return [{ kind: 'path', from, to }];
  }
  if (kind !== 'user-teams' || place.at(-1) !== 'teams') return [];
  const one = { any: 'one' } as const;
  return [
    {
      kind: 'path',
      from: [...place, one, 'name'],
      to: [...place.slice(0, -1), 'teamsIdentifiers', one],
    },
  ];
}

function spliced(source: string, edits: readonly SpanEdit[]): string {
  let text = '';
  let at = 0;
  for (const { start, end, after } of edits) {
    if (start < at) continue;
    text += source.slice(at, start) + after;
    at = end;
  }
  return text + source.slice(at);
}
