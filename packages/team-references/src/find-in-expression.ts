import { type Inspection, inspect, JqError, replaceSingleQuotes } from '@portolan/jq';
import {
  findMeeting,
  hiddenReads,
  listOutputs,
  listSites,
  type Site,
  standBesideUnknown,
  usesValues,
} from './expression-sites.ts';
import { type Finding, listed, worst } from './finding.ts';
import type { TeamReference, Verdict } from './plan.ts';
import { plannedRelationChange, type ReferenceContext } from './reference-context.ts';
import { rewriteExpression, type TitleLiteral } from './rewrite-expression.ts';
import type { Shape } from './shape.ts';
import { unfoldExpression } from './unfold-expression.ts';

/** How an expression's value is used. `team`: written as teams. `rule`: compared with `$team`. */
export type Sink = 'value' | 'truth' | 'team' | 'rule';

/**
 * The references to teams in an expression; undefined if there are none. Single quotes count as double ones, as in
 * stored expressions of the platform.
 */
export function findInExpression(
  source: string,
  shape: Shape,
  world: ReferenceContext,
  sink: Sink,
): Finding | undefined {
  const text = replaceSingleQuotes(source);
  const inspection = inspected(text);
  if (inspection === undefined) return findInBroken(source);
  const sites = listSites(inspection, shape, world).filter((site) => siteChange(site, world) !== 'none');
  const titles = findTitles(inspection, shape, sites, world, sink);
  const hidden = hiddenReads(inspection, shape, world);
  if (sites.length === 0 && titles.length === 0 && hidden.length === 0) return undefined;
  const references: TeamReference[] = [
    ...sites.map((site) => toReference(site, source)),
    ...titles.map(
      ({ literal }): TeamReference => ({
        kind: 'title',
        text: source.slice(literal.start, literal.end),
        name: literal.text,
      }),
    ),
    ...hidden.map((place): TeamReference => ({ kind: 'unknown', text: place })),
  ];
  const verdicts: [Verdict, string][] = [
    ...sites.map((site) => judgeSite(site, usesValues(inspection, shape, world), world, sink)),
    ...titles.map(({ literal, isCertain }): [Verdict, string] =>
      isCertain
        ? ['breaks', `compares or gives the title "${literal.text}", where teams are known by their identifiers`]
        : ['review', `holds "${literal.text}", which is the title of a team`],
    ),
    ...hidden.map((): [Verdict, string] => [
      world.model === 'blueprints' ? 'mentions' : 'review',
      'may read teams without naming them: a computed key, ".." or a whole document',
    ]),
  ];
  const verdict = worst(verdicts.map(([each]) => each));
  const rewritten = rewriteExpression(text, shape, sites, titles, world) ?? rewriteUnfolded(text, shape, world, sink);
  const isPartial = standBesideUnknown(inspection.expression, namesAmong(titles, inspection, sink), sites);
  return {
    references: distinct(references),
    verdict,
    why: sentence(verdicts.filter(([each]) => each === verdict).map(([, why]) => why)),
    expression: source,
    ...(rewritten === undefined
      ? {}
      : {
          suggestion: {
            value: requoted(source, text, rewritten),
            explanation: explain(sites, titles),
            ...(isPartial ? { isPartial } : {}),
          },
        }),
  };
}

/**
 * The rewriting of an equivalent program with explicit paths; undefined if a removed relation or a user's teams remain
 * in it.
 */
function rewriteUnfolded(text: string, shape: Shape, world: ReferenceContext, sink: Sink): string | undefined {
  const unfolded = unfoldExpression(text);
  const inspection = unfolded === undefined ? undefined : inspected(unfolded);
  if (unfolded === undefined || inspection === undefined) return undefined;
  const sites = listSites(inspection, shape, world).filter((site) => siteChange(site, world) !== 'none');
  const titles = findTitles(inspection, shape, sites, world, sink);
  const rewritten = rewriteExpression(unfolded, shape, sites, titles, world);
  const left = rewritten === undefined ? undefined : inspected(rewritten);
  if (left === undefined) return undefined;
  const isLeft = listSites(left, shape, world).some(
    (site) => (site.kind === 'relation' && siteChange(site, world) === 'removed') || site.kind === 'user-teams',
  );
  return isLeft ? undefined : rewritten;
}

function inspected(text: string): Inspection | undefined {
  try {
    return inspect(text);
  } catch (error) {
    if (error instanceof JqError) return undefined;
    throw error;
  }
}

/** A program that does not parse is never evaluated; it is reported if its words suggest teams. */
function findInBroken(source: string): Finding | undefined {
  // quoted texts are prose unless they name a step
  const code = source.replaceAll(/(?<![.[]\s*)"(?:[^"\\]|\\.)*"/g, '""');
  const found =
    /\.\s*(?:team(?![\w-])|"\$?team"|\[\s*"\$?team"\s*\])|\.user\.teams(?!\w)|\.relations\.teams(?!\w)/.exec(code);
  if (!found) return undefined;
  return {
    references: [{ kind: 'unknown', text: found[0] }],
    verdict: 'review',
    why: 'Cannot be read as an expression, but names teams.',
    expression: source,
  };
}

function siteChange(site: Site, world: ReferenceContext) {
  return site.kind === 'relation' ? plannedRelationChange(world, site.blueprint, site.relation!) : 'removed';
}

function toReference({ kind, start, end, relation }: Site, source: string): TeamReference {
  const text = source.slice(start, end);
  if (kind === 'relation') return { kind: 'relation', text, name: relation! };
  return { kind: kind === 'team' ? 'team' : 'user-teams', text };
}

function judgeSite(site: Site, isValueUsed: boolean, world: ReferenceContext, sink: Sink): [Verdict, string] {
  if (site.kind === 'relation') {
    const change = plannedRelationChange(world, site.blueprint, site.relation!);
    if (change === 'removed') return ['breaks', `reads the relation "${site.relation}", which the migration removes`];
    if (change === 'kept') return ['mentions', `reads the relation "${site.relation}" to teams, which stays`];
    return ['review', `reads a relation "${site.relation}" that the blueprint does not have`];
  }
  if (world.model === 'blueprints') return ['mentions', 'reads teams, as identifiers already'];
  if (site.kind === 'identifiers') return ['mentions', "reads the identifiers of a user's teams"];
  if (!isValueUsed) return ['mentions', 'asks only whether and how many teams there are'];
  if (sink === 'team' || sink === 'rule') return ['mentions', 'passes teams on to where teams are expected'];
  if (site.kind === 'user-teams') return ['review', "reads the names of a user's teams"];
  return ['review', 'reads teams, which are identifiers after the migration and titles before it'];
}

/**
 * Titles in a position that needs a team name. A calculation's plain outputs are left out: any value may be beside
 * them.
 */
function namesAmong(titles: readonly TitleLiteral[], { expression }: Inspection, sink: Sink) {
  const texts = titles.map(({ literal }) => literal);
  if (sink === 'team' || sink === 'rule') return texts;
  const outputs = new Set(listOutputs(expression).map(({ start }) => start));
  return texts.filter(({ start }) => !outputs.has(start));
}

interface FoundTitle extends TitleLiteral {
  readonly isCertain: boolean;
}

/** The texts of the program that are team titles. */
function findTitles(
  { literals, expression }: Inspection,
  shape: Shape,
  sites: readonly Site[],
  world: ReferenceContext,
  sink: Sink,
): FoundTitle[] {
  const hasTeams = sites.some(({ kind, relation }) => kind !== 'relation' || relation === undefined);
  const outputs = new Set(listOutputs(expression).map(({ start }) => start));
  return literals.flatMap((literal): FoundTitle[] => {
    const identifier = world.identifierOf.get(literal.text);
    if (identifier === undefined) return [];
    const found = (isCertain: boolean): FoundTitle[] => [{ literal, identifier, isCertain }];
    const meeting = findMeeting(literal, shape, world);
    if (meeting === 'teams') return found(true);
    if (meeting === 'relation' || meeting === 'elsewhere') return [];
    if (literal.isCompared || literal.isKey) return hasTeams ? found(true) : [];
    if (outputs.has(literal.start)) return sink === 'truth' ? [] : found(sink === 'team');
    return hasTeams ? found(true) : [];
  });
}

function explain(sites: readonly Site[], titles: readonly TitleLiteral[]): string {
  const parts = [
    ...titles.map(({ literal, identifier }) => `"${literal.text}" is the team ${identifier}`),
    ...sites
      .filter(({ kind }) => kind === 'relation')
      .map(({ relation }) => `the relation "${relation}" has become the teams of the entity`),
    ...(sites.some(({ kind }) => kind === 'user-teams')
      ? ["teamsIdentifiers holds the identifiers of a user's teams"]
      : []),
  ];
  return sentence(parts);
}

function sentence(parts: readonly string[]): string {
  const text = listed(parts);
  return text === '' ? '' : `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}

/** Restores single quotes that were read as double ones, where the rewriting left the text unchanged. */
function requoted(source: string, text: string, rewritten: string): string {
  if (source === text) return rewritten;
  let at = 0;
  while (at < rewritten.length && rewritten[at] === text[at]) at++;
  let tail = 0;
  while (tail < rewritten.length - at && tail < text.length - at && rewritten.at(-1 - tail) === text.at(-1 - tail))
    tail++;
  return source.slice(0, at) + rewritten.slice(at, rewritten.length - tail) + source.slice(source.length - tail);
}

function distinct(references: readonly TeamReference[]): TeamReference[] {
  const seen = new Set<string>();
  return references.filter(({ kind, text, name }) => {
    const key = `${kind} ${text} ${name ?? ''}`;
    return seen.has(key) ? false : seen.add(key);
  });
}
