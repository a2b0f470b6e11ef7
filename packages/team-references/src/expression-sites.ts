import {
  childrenOfExpression,
  type Expression,
  formatPlace,
  type Inspection,
  type Place,
  type TextLiteral,
} from '@portolan/jq';
import { plannedRelationChange, type ReferenceContext } from './reference-context.ts';
import { holdsTeams, type ReachedShape, reach, type Shape } from './shape.ts';

/** A step that reaches a value of teams. */
export interface Site {
  readonly kind: 'team' | 'user-teams' | 'identifiers' | 'relation';
  readonly start: number;
  readonly end: number;
  readonly place: Place;
  readonly isExact: boolean;
  readonly relation?: string;
  readonly blueprint?: string;
}

const siteKinds: Readonly<Record<string, Site['kind']>> = {
  teams: 'team',
  'user-teams': 'user-teams',
  identifiers: 'identifiers',
  relation: 'relation',
};

/** Every named step that reaches teams: values of `$team`, a user's teams, or a removed relation. */
export function listSites({ steps }: Inspection, shape: Shape, world: ReferenceContext): Site[] {
  const sites: Site[] = [];
  for (const { start, end, keys, from } of steps) {
    for (const origin of from) {
      const before = reach(shape, origin, world);
      for (let length = 1; length <= keys.length; length++) {
        const place = [...origin, ...keys.slice(0, length)];
        const parents = length === 1 ? before : reach(shape, place.slice(0, -1), world);
        for (const reached of reach(shape, place, world)) {
          const kind = siteKinds[reached.shape.kind];
          // a further step inside a value of teams is no new reference
          if (kind === undefined || parents.some((parent) => siteKinds[parent.shape.kind] === kind)) continue;
          const { shape: at } = reached;
          if (at.kind === 'relation' && plannedRelationChange(world, at.blueprint, at.relation) === 'none') continue;
          if (sites.some((site) => site.start === start && site.kind === kind && site.isExact)) continue;
          sites.push({
            kind,
            start,
            end,
            place,
            isExact: reached.isExact,
            ...(at.kind === 'relation' ? { relation: at.relation } : {}),
            ...('blueprint' in at && at.blueprint !== undefined ? { blueprint: at.blueprint } : {}),
          });
        }
      }
    }
  }
  return sites;
}

/**
 * Reads that may reach teams without naming them: computed keys, `..`, whole documents, and the keys of relations, some
 * of which are removed.
 */
export function hiddenReads({ analysis }: Inspection, shape: Shape, world: ReferenceContext): string[] {
  return analysis.reads
    .filter(({ path, depth }) => {
      const reached = reach(shape, path, world);
      return reached.some((each) => {
        if (isOfTeams(each)) return !each.isExact && depth !== 'kind';
        if (depth === 'shape' && each.shape.kind === 'relations') return holdsTeams(each.shape, world);
        return depth === 'value' && each.shape.kind !== 'any' && holdsTeams(each.shape, world);
      });
    })
    .map(({ path }) => formatPlace(path));
}

/** Whether any value of teams is read, beyond its size or presence. */
export function usesValues({ analysis }: Inspection, shape: Shape, world: ReferenceContext): boolean {
  return analysis.reads.some(({ path, depth }) => depth === 'value' && reach(shape, path, world).some(isOfTeams));
}

function isOfTeams({ shape: { kind } }: ReachedShape): boolean {
  return kind === 'teams' || kind === 'user-teams' || kind === 'identifiers' || kind === 'relation';
}

/** What a text of the program is compared with. */
export type ComparedValue = 'teams' | 'relation' | 'elsewhere' | 'nothing';

export function findMeeting({ comparedWith }: TextLiteral, shape: Shape, world: ReferenceContext): ComparedValue {
  const kinds = new Set(comparedWith.flatMap((place) => reach(shape, place, world)).map((each) => each.shape.kind));
  if (['teams', 'user-teams', 'identifiers', 'names'].some((kind) => kinds.has(kind as Shape['kind']))) return 'teams';
  if (kinds.has('relation')) return 'relation';
  return kinds.size > 0 ? 'elsewhere' : 'nothing';
}

/** The subexpressions whose values are outputs of the expression. */
export function listOutputs(node: Expression): Expression[] {
  switch (node.kind) {
    case 'group':
    case 'label':
    case 'try':
    case 'bind':
    case 'define':
      return listOutputs(node.body);
    case 'pipe':
      return listOutputs(node.items.at(-1)!);
    case 'comma':
      return node.items.flatMap(listOutputs);
    case 'array':
      return node.body === null ? [] : listOutputs(node.body);
    case 'object':
      return node.entries.flatMap(({ value }) => (value === null ? [] : listOutputs(value)));
    case 'alternative':
      return [...listOutputs(node.left), ...listOutputs(node.right)];
    case 'arithmetic':
      return node.operator === '+' ? [...listOutputs(node.left), ...listOutputs(node.right)] : [node];
    case 'if':
      return [
        ...node.branches.flatMap(({ body }) => listOutputs(body)),
        ...(node.otherwise === null ? [] : listOutputs(node.otherwise)),
      ];
    default:
      return [node];
  }
}

/** Whether the subexpression is a literal, independent of the input. */
export function isConstant(node: Expression): boolean {
  return (
    node.kind === 'literal' ||
    (node.kind === 'string' && node.parts.every((part) => typeof part === 'string')) ||
    (node.kind === 'call' && node.name === 'empty')
  );
}

/**
 * Whether some of the texts occur beside values that are neither constant nor teams, as in `[.owner, "Pay"]`: those may
 * be titles too, which cannot be determined.
 */
export function standBesideUnknown(
  expression: Expression,
  texts: readonly { readonly start: number }[],
  sites: readonly Pick<Site, 'start' | 'end'>[],
): boolean {
  const starts = new Set(texts.map(({ start }) => start));
  let isFound = false;
  visitWithParent(expression, (node) => {
    if (!['comma', 'alternative', 'arithmetic', 'if'].includes(node.kind)) return;
    const outputs = listOutputs(node);
    if (!outputs.some(({ start }) => starts.has(start))) return;
    const isOfTeams = ({ start, end }: Expression) => sites.some((site) => start <= site.start && site.end <= end);
    isFound ||= outputs.some((output) => !isConstant(output) && !isOfTeams(output));
  });
  return isFound;
}

/** Calls `visit` with every node and its parent. */
export function visitWithParent(
  node: Expression,
  visit: (node: Expression, parent: Expression | null) => void,
  parent: Expression | null = null,
): void {
  visit(node, parent);
  for (const child of childrenOfExpression(node)) visitWithParent(child, visit, node);
}
